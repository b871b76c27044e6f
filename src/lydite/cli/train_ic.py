"""``lydite train ic``."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from lydite.cli.arguments import Format, FormatOption, QuietOption, complete_resources
from lydite.cli.console import progress_bars, say
from lydite.cli.output import print_table
from lydite.drawing.table import Cell, Column, Scalar, Table
from lydite.errors import InputError
from lydite.lexicons.information_content import Counting, LabelCounts, count_labels, write_counts
from lydite.lexicons.taxonomy_files import open_taxonomy
from lydite.resources.catalogue import Located, locate
from lydite.results.provenance import versions
from lydite.storage import atomic_write_text, sha256_file, user_path
from lydite.types import Floats, PlainMapping

_EXAMPLES = """
Examples:

  lydite train ic brown --taxonomy wordnet-3.0 --out brown.tsv

  lydite train ic book.txt more.txt.gz --taxonomy my-terms.tsv --out mine.tsv --smoothing 1

  lydite subsumption glove-6b-50d --taxonomy my-terms.tsv --ic mine.tsv --min-ic 2
"""

_KINDS = ("corpus", "treebank", "book")


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("ic", epilog=_EXAMPLES)(ic)


def ic(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Names or paths: plain text, a tagged corpus, or a list of words with counts.",
            autocompletion=complete_resources,
        ),
    ],
    taxonomy: Annotated[
        str,
        typer.Option(
            autocompletion=complete_resources,
            metavar="NAME|FILE",
            help="Whose concepts are counted.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write.")],
    relation: Annotated[
        str, typer.Option(help="Who collects the counts of whom: hypernymy, meronymy, or an edge.")
    ] = "hypernymy",
    counting: Annotated[
        Counting,
        typer.Option(help="Divide a word's count among its senses (resnik), or give each all."),
    ] = "resnik",
    smoothing: Annotated[
        float, typer.Option(min=0, help="Added to the count of every concept.")
    ] = 0.0,
    form: FormatOption = Format.table,
    quiet: QuietOption = False,
) -> None:
    """Count a corpus for the information content that [bold]lydite subsumption --ic[/] asks for.

    The file says how often each concept itself was met; ancestors collect the counts when it is
    read. Beside it stands FILE.provenance.json, which says what it was made from.
    """
    if not math.isfinite(smoothing):
        raise InputError(f"expected a smoothing of 0 or more, got {smoothing}")
    located = [locate(source) for source in sources]
    place = locate(taxonomy)
    target = user_path(out)
    _check(located, place, target)
    tree = open_taxonomy(place.paths, name=place.name, sha256=place.sha256)
    tree.upward(relation)
    with progress_bars(quiet=quiet):
        counted = [count_labels(each.paths, tree, counting=counting) for each in located]
    own = np.sum([each.own for each in counted], axis=0) + smoothing
    write_counts(tree, own, target)
    about = {
        "concepts": int(np.count_nonzero(own)),
        "total": float(own.sum()),
        "taxonomy": {"name": tree.name, "sha256": tree.fingerprint, "concepts": len(tree)},
        "recipe": {"relation": relation, "counting": counting, "smoothing": smoothing},
        "sources": [
            {"name": source.name, "sha256": source.sha256, **_figures(each)}
            for source, each in zip(located, counted, strict=True)
        ],
    }
    provenance = {**about, "sha256": sha256_file(target), "versions": versions()}
    sidecar = target.with_name(f"{target.name}.provenance.json")
    atomic_write_text(sidecar, json.dumps(provenance, ensure_ascii=False, indent=2) + "\n")
    if form is Format.json:
        sys.stdout.write(json.dumps(about, ensure_ascii=False, indent=2) + "\n")
    else:
        print_table(_summary(located, counted, own), form)
    say(f"{about['concepts']:,} of {len(tree):,} concepts: {target}", quiet=quiet)


def _check(located: list[Located], taxonomy: Located, target: Path) -> None:
    for source in located:
        if source.card is not None and source.card.kind not in _KINDS:
            raise InputError(
                f"{source.name}: expected text or counts of words, got data of the kind "
                f"{source.card.kind}",
                hint=f"`lydite data ls` shows the kinds; these will do: {', '.join(_KINDS)}",
            )
    for place in (*located, taxonomy):
        if target.exists() and any(target.samefile(path) for path in place.paths):
            raise InputError(
                f"{target}: expected another file to write to than one that is read",
                hint="write to a new name, then rename",
            )


def _figures(each: LabelCounts) -> PlainMapping:
    return {
        "kind": each.kind,
        "tokens": each.tokens,
        "known_tokens": each.known_tokens,
        "words": each.words,
        "known_words": each.known,
        "concepts": int(np.count_nonzero(each.own)),
        "total": float(each.own.sum()),
    }


def _summary(located: list[Located], counted: list[LabelCounts], own: Floats) -> Table:
    rows: list[list[Cell | Scalar]] = [
        [source.name, *map(_written, _figures(each).values())]
        for source, each in zip(located, counted, strict=True)
    ]
    together = (None, None, None, None, None, int(np.count_nonzero(own)), float(own.sum()))
    if list(map(_written, together[-2:])) != rows[0][-2:] or len(rows) > 1:
        rows.append(["together", *map(_written, together)])
    return Table(
        columns=(
            "source",
            "kind",
            Column(title="tokens", fields=("tokens",), align="right"),
            Column(title="in the taxonomy", fields=("known_tokens",), align="right"),
            Column(title="words", fields=("words",), align="right"),
            Column(title="in the taxonomy", fields=("known_words",), align="right"),
            Column(title="concepts met", fields=("concepts",), align="right"),
            Column(title="counted, all parts of speech", fields=("total",), align="right"),
        ),
        rows=rows,
        caption="Counts",
    )


def _written(value: Scalar) -> Cell | Scalar:
    if not isinstance(value, int | float):
        return value
    return Cell(text=f"{value:,.0f}", values=(value,))
