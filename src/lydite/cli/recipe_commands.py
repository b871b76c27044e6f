"""``lydite train``: a command for each recipe, made from its declaration."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias

import typer
from typer.core import TyperCommand

from lydite.cli.arguments import EngineOption, Format, FormatOption, JobsOption, QuietOption
from lydite.cli.console import progress_bars, say
from lydite.cli.generate import help_of, make_command, parameter_of, shared, value_of
from lydite.cli.output import print_table
from lydite.declare import Field, fields_of
from lydite.engine import opened_engine, running_on
from lydite.models import RECIPES
from lydite.recipe import Product, Recipe

Kind: TypeAlias = type[Recipe]


def recipe_command(name: str) -> TyperCommand:
    """Make the command of a recipe: an option for each of its fields."""
    kind: Kind = RECIPES.get(name)

    def callback(
        quiet: bool,
        printed: Format = Format.table,
        processes: int | None = None,
        place: str | None = None,
        **values: Any,  # noqa: ANN401 - as declared
    ) -> None:
        given = {each.name: value_of(each, values[each.name]) for each in _fields(kind)}
        # One training takes all cores and much memory: several processes only if asked for.
        processes = processes or (1 if place in {None, "local"} else None)
        with (
            progress_bars(quiet=quiet),
            opened_engine(place or "local", processes=processes) as where,
            running_on(where),
        ):
            product = kind.of_options(given).run()
        if kind.prints:
            _print(product, printed)
        say(product.line, quiet=quiet)

    text = "\n\n".join(part for part in (help_of(kind), kind.note) if part)
    return make_command(name, callback, _parameters(kind), help=text, examples=kind.examples)


def _fields(kind: Kind) -> list[Field]:
    """Return the fields that are options; what two parts of a recipe share is one of them."""
    found: dict[str, Field] = {}
    for each in fields_of(kind):
        found.setdefault(each.name, each)
    return list(found.values())


def _parameters(kind: Kind) -> Iterator[inspect.Parameter]:
    for each in _fields(kind):
        made = parameter_of(each)
        yield made if each.place is inspect.Parameter.KEYWORD_ONLY else _argument(made)
    if kind.prints:
        yield shared("printed", FormatOption, Format.table)
    yield shared("quiet", QuietOption, False)
    if kind.parallel:
        yield shared("processes", JobsOption, None)
        yield shared("place", EngineOption, None)


def _argument(option: inspect.Parameter) -> inspect.Parameter:
    """Return an argument in the place of an option."""
    hint, said = option.annotation.__origin__, option.annotation.__metadata__[0]
    argument = typer.Argument(
        metavar=said.metavar,
        help=said.help,
        show_default=False,
        autocompletion=said.autocompletion,
    )
    return option.replace(annotation=Annotated[hint, argument])


def _print(product: Product, form: Format) -> None:
    if form is Format.json:
        sys.stdout.write(json.dumps(product.data, ensure_ascii=False, indent=2) + "\n")
        return
    alone = form is Format.csv
    tables = product.tables[product.leading : product.leading + 1] if alone else product.tables
    for place, table in enumerate(tables):
        # Without a blank line Markdown takes the second table for more of the first.
        sys.stdout.write("\n" if place and form is Format.markdown else "")
        print_table(table, form)
