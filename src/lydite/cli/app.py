"""All commands, each imported when it is called, and how errors end."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from lydite import __version__
from lydite.errors import InputError, LyditeError, UndefinedScoreError

#: Commands that are neither an evaluation nor a recipe: a function, or a group of functions.
_TOOLS = {
    "run": "lydite.cli.run:run",
    "downstream": "lydite.cli.downstream:downstream",
    "groups": "lydite.cli.groups:groups",
    "compare": "lydite.cli.compare:compare",
    "meta": "lydite.cli.meta:meta",
    "report": "lydite.cli.report:report",
    "convert": "lydite.cli.convert:convert",
    "train": "lydite.cli.app:train",
    "data": "lydite.cli.data:group",
    "models": "lydite.cli.models:group",
    "evaluations": "lydite.cli.evaluations:group",
}
_ABOUT_GROUPS = {
    "train": "Build from raw data what evaluations need.",
    "data": "Data sets that are known by name.",
    "models": "Models that can be evaluated.",
    "evaluations": "List the evaluations.",
}


class LazyGroup(TyperGroup):
    """A group that knows the names and summaries of its commands, and imports the one called."""

    #: Names to summaries, and how a name becomes a command.
    listed: Callable[[], Mapping[str, tuple[str, str]]]
    load: Callable[[str], Any]

    def __init__(self, **attrs: Any) -> None:  # noqa: ANN401 - as Typer has them
        super().__init__(**attrs)
        for name, (summary, panel) in type(self).listed().items():
            stub = TyperCommand(name, help=summary, rich_help_panel=panel)
            self.commands.setdefault(name, stub)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:  # noqa: ANN401
        """Put the command itself in the place of what stands for it in the help."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else self.loaded(name), rest

    def loaded(self, name: str) -> Any:  # noqa: ANN401 - a command or a group
        """Return a command itself, not what stands for it in the help."""
        command = self.commands[name]
        if type(command) is TyperCommand and command.callback is None:
            return type(self).load(name)
        return command


def _commands() -> dict[str, tuple[str, str]]:
    from lydite.evaluations import EVALUATIONS

    found = {"run": (_summary(_TOOLS["run"]), "Start here")}
    found |= {
        name: (EVALUATIONS.summary(name), "Evaluations")
        for name in EVALUATIONS
        if name not in _TOOLS  # a plugin's evaluation takes no other command's place
    }
    for name, target in _TOOLS.items():
        summary = _ABOUT_GROUPS.get(name) or _summary(target)
        found.setdefault(name, (summary, "Results, data and models"))
    return found


def _summary(target: str) -> str:
    from lydite.registry import summary_of_target

    return summary_of_target(target)


def _load(name: str) -> Any:  # noqa: ANN401 - a command or a group
    from lydite.cli.generate import command_of

    if name not in _TOOLS:
        from lydite.cli.evaluation_commands import evaluation_command

        return evaluation_command(name)
    module, _, attribute = _TOOLS[name].partition(":")
    imported = importlib.import_module(module)
    tool = getattr(imported, attribute)
    if isinstance(tool, typer.Typer):
        # A group of one command would otherwise be that command itself.
        return typer.main.get_group(tool)
    return command_of(tool, name=name, epilog=getattr(imported, "EXAMPLES", None))


class _Lydite(LazyGroup):
    listed = staticmethod(_commands)
    load = staticmethod(_load)


def _recipes() -> dict[str, tuple[str, str]]:
    from lydite.models import RECIPES

    return {name: (RECIPES.summary(name), "Commands") for name in RECIPES}


def _load_recipe(name: str) -> Any:  # noqa: ANN401 - a command
    from lydite.cli.recipe_commands import recipe_command

    return recipe_command(name)


class _Train(LazyGroup):
    listed = staticmethod(_recipes)
    load = staticmethod(_load_recipe)


train = typer.Typer(cls=_Train, no_args_is_help=True, help=_ABOUT_GROUPS["train"])

app = typer.Typer(
    name="lydite",
    cls=_Lydite,
    help="A touchstone for embeddings: how far can these vectors be trusted?\n\nStart with "
    "[bold]lydite run[/], which tests the models that come with Lydite on its own small "
    "data, or test your own vectors: [bold]lydite similarity vectors.txt --pairs "
    "simlex-999[/]",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lydite {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def all_commands() -> Iterator[tuple[str, TyperCommand]]:
    """Yield every command with its whole name, such as ``data ls``, in the order of the help."""
    yield from _below(typer.main.get_command(app))


def _below(command: Any, *names: str) -> Iterator[tuple[str, TyperCommand]]:  # noqa: ANN401
    if not isinstance(command, TyperGroup):
        yield " ".join(names), command
        return
    for name, stub in command.commands.items():
        inside = command.loaded(name) if isinstance(command, LazyGroup) else stub
        yield from _below(inside, *names, name)


def run_app(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    command = typer.main.get_command(app)
    try:
        with _warnings_shown():
            command.main(list(arguments), prog_name="lydite")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except LyditeError as error:
        _show_error(error)
        return 1 if isinstance(error, UndefinedScoreError) else 2
    except (OSError, UnicodeError) as error:
        return _end_of_system(error)
    except BaseException as error:
        from lydite.boundary import unexpected
        from lydite.errors import is_panic

        if not isinstance(error, Exception) and not is_panic(error):
            raise
        _show_error(unexpected("lydite", error))
        return 2
    return 0


@contextlib.contextmanager
def _warnings_shown() -> Iterator[None]:
    from lydite.cli.console import show_warnings

    show_warnings()
    yield


def _show_error(error: LyditeError) -> None:
    from lydite.cli.console import show_error

    show_error(error)


def _end_of_system(error: OSError | UnicodeError) -> int:
    """Say in words what the system refused: a folder that is none, a full disk, a bad name."""
    if isinstance(error, BrokenPipeError):
        # The reader of the output has gone (| head); that is not an error.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(error, OSError):
        reason = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        hint = "check the path, its permissions and the free disk space"
    else:
        reason, hint = f"text that is not UTF-8: {error}", "use file names in UTF-8"
    _show_error(InputError(reason, hint=hint))
    return 2
