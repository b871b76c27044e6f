"""``lydite models``: what can be put to the test."""

from __future__ import annotations

import inspect

import typer

from lydite.cli.answering import print_table
from lydite.cli.arguments import Format, FormatOption
from lydite.models.catalogue import MODELS
from lydite.models.parameters import usage
from lydite.reports.table import Table

group = typer.Typer(no_args_is_help=True, help="Models: what is put to the test.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(group, name="models")


@group.command("ls")
def list_models(form: FormatOption = Format.table) -> None:
    """List the models that can be named, with their parameters."""
    rows = []
    for name in MODELS:
        factory = MODELS.get(name)
        parameters = usage(name, factory).removeprefix(name).removeprefix("(").removesuffix(")")
        rows.append((name, parameters, first_line(factory)))
    print_table(Table(columns=("model", "parameters", "what it is"), rows=rows), form)


def first_line(thing: object) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
