"""All commands, and how errors end."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from lydite import __version__
from lydite.cli import (
    compare,
    consistency,
    convert,
    data,
    downstream,
    evaluations,
    groups,
    localization,
    meta,
    models,
    nonces,
    qvec,
    report,
    run,
    separation,
    similarity,
    subsumption,
    train,
)
from lydite.cli.arguments import spread_lists
from lydite.cli.console import show_error, show_warnings
from lydite.errors import InputError, LyditeError, UndefinedScoreError

app = typer.Typer(
    name="lydite",
    help="A touchstone for embeddings: how far can these vectors be trusted?\n\n"
    "Start with [bold]lydite run[/], which tests the models that come with Lydite on its own "
    "small data, or put your vectors to the test: "
    "[bold]lydite similarity vectors.txt --pairs simlex-999[/]",
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


for _command in (
    *(run, similarity, consistency, nonces, subsumption, qvec, localization, separation),
    *(downstream, groups, compare, meta, report, convert),
):
    _command.register(app)
for _group in (train, data, models, evaluations):
    _group.register(app)


def run_app(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    show_warnings()
    command = typer.main.get_command(app)
    try:
        command.main(spread_lists(arguments), prog_name="lydite")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except LyditeError as error:
        show_error(error)
        return 1 if isinstance(error, UndefinedScoreError) else 2
    except (OSError, UnicodeError) as error:
        return _end_of_system(error)
    return 0


def _end_of_system(error: OSError | UnicodeError) -> int:
    """Say in words what the system refused: a folder that is none, a full disk, a bad name."""
    if isinstance(error, BrokenPipeError):
        # The reader of the output has gone (| head); that is not an error.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(error, OSError):
        reason = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        hint = "check the path, its permissions and the space on the disk"
    else:
        reason, hint = f"text that is not UTF-8: {error}", "give files names in UTF-8"
    show_error(InputError(reason, hint=hint))
    return 2
