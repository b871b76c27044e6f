"""``lydite models``: what can be put to the test."""

from __future__ import annotations

import inspect

import typer

from lydite.cli.answering import print_table
from lydite.cli.arguments import Format, FormatOption
from lydite.models.catalogue import MODELS
from lydite.reports.table import Table

group = typer.Typer(no_args_is_help=True, help="Models: what is put to the test.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(group, name="models")


@group.command("ls")
def list_models(form: FormatOption = Format.table) -> None:
    """List the models that can be named, with their parameters."""
    rows = [(*_describe(name), first_line(MODELS.get(name))) for name in MODELS]
    print_table(Table(columns=("model", "parameters", "what it is"), rows=tuple(rows)), form)


def _describe(name: str) -> tuple[str, str]:
    shown = []
    for parameter in inspect.signature(MODELS.get(name)).parameters.values():
        if parameter.name == "progress":
            continue
        required = parameter.default is inspect.Parameter.empty
        shown.append(parameter.name if required else f"{parameter.name}={_text(parameter.default)}")
    return name, ", ".join(shown)


def _text(value: object) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def first_line(thing: object) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
