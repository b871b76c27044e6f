"""Commands made from declarations: options, choices, completion and help follow from them."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from lydite.cli.arguments import complete_models
from lydite.declare import Commas, Field, ModelSlot, Option, Param, Slot, fields_of
from lydite.errors import InputError

#: The heading of a section of a docstring, such as Notes: what the help of a command leaves out.
_SECTION = re.compile(r"\n[A-Z]\w+\n-{3,}\n")


class Command(TyperCommand):
    """A command whose list options take several values in a row: ``--pairs men rg-65``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - a click.Context
        """Spread values in a row over the option that they follow, then parse."""
        lists, flags = set(), {"--help", "-h"}
        for param in self.get_params(ctx):
            names = {*param.opts, *param.secondary_opts}
            if getattr(param, "is_flag", False):
                flags |= names
            elif getattr(param, "multiple", False):
                lists |= names
        named = any(param.param_type_name == "argument" for param in self.get_params(ctx))
        return super().parse_args(ctx, spread_lists(args, lists, flags, named=named))


def spread_lists(
    arguments: Sequence[str], lists: set[str], flags: set[str], *, named: bool = True
) -> list[str]:
    """Let list options take several values in a row, once an argument has been named.

    >>> spread_lists(["glove.txt", "--pairs", "men", "rg-65", "-q"], {"--pairs"}, {"-q"})
    ['glove.txt', '--pairs', 'men', '--pairs', 'rg-65', '-q']
    >>> spread_lists(["--pairs", "men", "glove.txt"], {"--pairs"}, set())
    ['--pairs', 'men', 'glove.txt']
    """
    spread: list[str] = []
    option: str | None = None
    wants_value = False
    named = not named
    for argument in arguments:
        if argument.startswith("-"):
            name, attached, _ = argument.partition("=")
            option = name if name in lists else None
            short_with_value = not argument.startswith("--") and len(argument) > 2
            wants_value = not (attached or short_with_value or name in flags)
        elif wants_value:
            wants_value = False
        elif option is not None and named:
            spread.append(option)
        else:
            option, named = None, True
        spread.append(argument)
    return spread


def make_command(
    name: str,
    callback: Callable[..., None],
    parameters: Iterable[inspect.Parameter],
    *,
    help: str,
    examples: Sequence[str] = (),
) -> TyperCommand:
    """Make a command that calls a function with the values of its parameters by name."""

    def run(**values: Any) -> None:  # noqa: ANN401 - whatever is declared
        callback(**values)

    # Where Typer looks for what a command takes.
    run.__signature__ = inspect.Signature(list(parameters))  # type: ignore[attr-defined]
    return command_of(run, name=name, help=help, epilog=epilog(examples))


def command_of(function: Callable[..., None], **options: Any) -> TyperCommand:  # noqa: ANN401
    """Make a command of a function whose parameters say what it takes."""
    app = typer.Typer(add_completion=False, rich_markup_mode="rich")
    app.command(cls=Command, **options)(function)
    made = typer.main.get_command(app)
    assert isinstance(made, TyperCommand)  # of a Typer with one command
    return made


def epilog(examples: Sequence[str]) -> str | None:
    """Write the examples that stand below the help of a command."""
    if not examples:
        return None
    return "\n\n".join(["Examples:", *(f"  lydite {example}" for example in examples)]) + "\n"


def help_of(declared: type) -> str:
    """Return the docstring of a declaration up to its first section, as the help of a command."""
    text = _SECTION.split(inspect.getdoc(declared) or "", maxsplit=1)[0].replace("``", "")
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


def parameters_of(declared: type) -> list[inspect.Parameter]:
    """Return the parameters of a command for the fields of a declared dataclass."""
    return [
        parameter_of(field)
        for field in fields_of(declared)
        if not isinstance(field.param, Param) or field.param.command
    ]


def parameter_of(field: Field) -> inspect.Parameter:
    """Return the parameter of a command for a declared field."""
    said = field.param
    if isinstance(said, Option):
        return option_of(dataclasses.replace(said, name=field.name, default=field.default))
    default, listed = field.default, isinstance(said, Commas)
    if listed and not field.required:
        default = ",".join(map(str, default)) or None
    option = _Declared(
        name=field.name,
        kind=str if listed else field.kind,
        choices=field.choices,
        default=default,
        optional=field.optional or default is None,
        several=field.several and not listed,
        option=said.option,
        negatable=True,
    )
    return option.parameter(
        help=said.help,
        metavar=said.metavar,
        least=said.least,
        shown=said.default,
    )


def option_of(option: Option) -> inspect.Parameter:
    """Return the parameter of a command for an option that is no field."""
    declared = _Declared(
        name=option.name,
        kind=option.kind,
        choices=option.choices,
        default=option.default,
        optional=option.default is None,
        several=option.several,
        option=option.option,
        negatable=option.negatable,
    )
    required = option.default is dataclasses.MISSING
    several = option.several and not required and option.default
    shown = ", ".join(map(str, option.default)) if several else None
    return declared.parameter(
        help=option.help,
        metavar=option.metavar,
        least=option.least,
        shown=shown,
        completion=_completion(option),
    )


def value_of(field: Field, value: Any) -> Any:  # noqa: ANN401
    """Return what a field gets of the value of its option: of several values a tuple."""
    if isinstance(field.param, Commas):
        return _split(field, value or "")
    several = field.param.several if isinstance(field.param, Option) else field.several
    return tuple(value or ()) if several else value


def _split(field: Field, text: str) -> tuple[Any, ...]:
    parts = [part for part in map(str.strip, text.split(",")) if part]
    try:
        return tuple(map(field.kind, parts))
    except ValueError:
        option = f"--{field.param.option or field.name}"
        raise InputError(
            f"expected whole numbers separated by commas for {option}, got {text!r}",
            hint=f"{option} 100,200,300",
        ) from None


def shared(name: str, annotation: Any, default: Any) -> inspect.Parameter:  # noqa: ANN401
    """Return a parameter that many commands share."""
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Declared:
    """What an option is made of, wherever it was declared."""

    name: str
    kind: Any
    choices: tuple[Any, ...]
    default: Any
    optional: bool
    several: bool
    option: str | None
    negatable: bool

    def parameter(
        self,
        *,
        help: str,
        metavar: str | None,
        least: float | None,
        shown: str | None,
        completion: Callable[[str], list[str]] | None = None,
    ) -> inspect.Parameter:
        required = self.default is dataclasses.MISSING
        default = None if self.several and not self.default else self.default
        info = typer.Option(
            *self._names(),
            help=help if shown is None else f"{help}  \\[default: {shown}]",
            metavar=metavar or "|".join(map(str, self.choices)) or None,
            min=least,
            show_default=shown is None and default not in (None, "", ()),
            autocompletion=completion or self._completion(),
        )
        kind: Any = list[self.kind] if self.several else self.kind  # type: ignore[name-defined]
        if self.optional or (self.several and not required):
            kind = kind | None
        return inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty
            if required
            else list(default)
            if self.several and default
            else default,
            annotation=Annotated[kind, info],
        )

    def _completion(self) -> Callable[[str], list[str]] | None:
        # What is declared checks the choice itself, and knows the nearest to a misspelt one.
        choices = [str(choice) for choice in self.choices]
        if not choices:
            return None
        return lambda incomplete: [each for each in choices if each.startswith(incomplete)]

    def _names(self) -> tuple[str, ...]:
        written = (self.option or self.name).replace("_", "-")
        names = [f"--{written}"]
        if written == "out":
            names.append("-o")
        if self.kind is bool and self.negatable:
            names = [f"--{written}/--no-{written}"]
        return tuple(names)


def _completion(option: Option) -> Callable[[str], list[str]] | None:
    if isinstance(option, ModelSlot):
        return complete_models
    return _resources(option) if isinstance(option, Slot) else None


def _resources(slot: Slot) -> Callable[[str], list[str]]:
    """Complete the names of resources that a slot takes, also after a plus."""

    def complete(incomplete: str) -> list[str]:
        from lydite.resources.catalogue import CATALOGUE, names

        before, plus, last = incomplete.rpartition("+")
        fitting = [
            name
            for name in names()
            if not slot.accepts or CATALOGUE.find(name).kind in slot.accepts
        ]
        return [before + plus + name for name in fitting if name.startswith(last)]

    return complete
