"""``lydite data``: the data sets that are known by name."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from lydite.cli.arguments import Format, FormatOption, QuietOption, complete_resources
from lydite.cli.console import progress_bars, say
from lydite.cli.output import print_table
from lydite.drawing.table import Table
from lydite.errors import LyditeError
from lydite.registry import unknown_name
from lydite.resources import catalogue
from lydite.resources.card import Card
from lydite.resources.fetch import fetch as fetch_card

group = typer.Typer(
    no_args_is_help=True,
    help="Data sets known by name. Your own file works anywhere a name does.",
)

NamesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="NAME...", help="Names of data sets.", autocompletion=complete_resources
    ),
]


@group.command("ls")
def list_data(
    kind: Annotated[str | None, typer.Option(help="List only data sets of this kind.")] = None,
    form: FormatOption = Format.table,
) -> None:
    """List the data sets and show which are on this machine."""
    cards = [catalogue.find(name) for name in catalogue.names()]
    kinds = sorted({card.kind for card in cards})
    if kind is not None and kind not in kinds:
        raise unknown_name("kind of data", kind, kinds, hint=f"there are {', '.join(kinds)}")
    rows = [
        (card.name, card.kind, card.title, card.licence, "yes" if _at_hand(card) else "no")
        for card in cards
        if kind is None or card.kind == kind
    ]
    columns = ("name", "kind", "what", "licence", "at hand")
    print_table(Table(columns=columns, rows=rows), form)


def _at_hand(card: Card) -> bool:
    try:
        catalogue.locate(card.name)
    except LyditeError:
        return False
    return True


@group.command(epilog="Example:  lydite data fetch simlex-999 men")
def fetch(names: NamesArgument, quiet: QuietOption = False) -> None:
    """Download data sets from their pinned sources and check every byte."""
    for name in names:
        card = catalogue.find(name)
        with progress_bars(quiet=quiet) as bars:
            located = fetch_card(card, progress=bars)
        say(f"{name}: {located.folder}  (licence: {card.licence})", quiet=quiet)


@group.command(epilog="Example:  lydite data verify simlex-999")
def verify(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME...]",
            help="Names; without any, all data sets on this machine.",
            autocompletion=complete_resources,
        ),
    ] = None,
    form: FormatOption = Format.table,
) -> None:
    """Read data sets in full and compare them with their pinned checksums."""
    wanted = names or [n for n in catalogue.names() if _at_hand(catalogue.find(n))]
    rows = [(name, *status) for name in wanted for status in catalogue.verify(name)]
    print_table(
        Table(columns=("name", "file", "status"), rows=tuple((n, str(p), s) for n, p, s in rows)),
        form,
    )
    if any(status != "ok" for *_, status in rows):
        raise typer.Exit(1)


@group.command(epilog="Example:  head $(lydite data path simlex-999)")
def path(names: NamesArgument) -> None:
    """Print where the files of data sets are."""
    for name in names:
        for file in catalogue.locate(name).paths:
            sys.stdout.write(f"{file}\n")
