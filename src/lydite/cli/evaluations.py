"""``lydite evaluations``: the questions that can be asked."""

from __future__ import annotations

import typer

from lydite.cli.arguments import Format, FormatOption
from lydite.cli.output import print_table
from lydite.declare import summary_of, usage
from lydite.drawing.table import Table
from lydite.evaluations import EVALUATIONS

group = typer.Typer(no_args_is_help=True, help="List the evaluations.")


@group.command("ls")
def list_evaluations(form: FormatOption = Format.table) -> None:
    """List the evaluations with their parameters."""
    rows = []
    for name in EVALUATIONS:
        kind = EVALUATIONS.get(name)
        parameters = usage(kind, name).removeprefix(name).removeprefix("(").removesuffix(")")
        rows.append((name, parameters, summary_of(kind)))
    print_table(Table(columns=("evaluation", "parameters", "what it asks"), rows=tuple(rows)), form)
