"""What ``lydite train oracle`` prints."""

from __future__ import annotations

import json
import sys
from typing import Any

from lydite.cli.answering import print_table
from lydite.cli.arguments import Format
from lydite.lexicons.oracles.agreement import OracleAgreement
from lydite.lexicons.oracles.oracle import Oracle
from lydite.lexicons.oracles.sources import SourceOracle
from lydite.reports.table import Cell, Column, Scalar, Table
from lydite.resources.catalogue import Located

_FURTHEST = 5  # words shown


def counts(each: SourceOracle) -> dict[str, Scalar]:
    """Return kind, size and counts of the oracle of one source."""
    built = each.built
    return {
        "kind": each.features,
        "words": len(each.oracle),
        "features": len(each.oracle.features),
        "annotations": built.annotations if built else None,
        "kept": built.kept if built else None,
        "rare": built.rare if built else None,
    }


def print_oracle(
    located: list[Located],
    built: list[SourceOracle],
    joined: Oracle,
    found: OracleAgreement | None,
    compare: str | None,
    form: Format,
) -> None:
    """Print what was built, and how it agrees with another oracle."""
    if form is Format.json:
        rows = [
            {"source": source.name, **counts(each)}
            for source, each in zip(located, built, strict=True)
        ]
        data: dict[str, Any] = {"words": len(joined), "features": len(joined.features)}
        data["sources"] = rows
        if found is not None:
            data["agreement"] = {"with": compare, **_figures(found)}
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return
    # Two tables of different columns in one stream of CSV could not be read.
    if form is not Format.csv or found is None:
        print_table(_summary(located, built, joined), form)
    if found is not None:
        # Without a blank line Markdown takes the second table for more of the first.
        sys.stdout.write("\n" if form is Format.markdown else "")
        print_table(_agreement_table(found, str(compare)), form)


def _summary(located: list[Located], built: list[SourceOracle], joined: Oracle) -> Table:
    rows: list[list[Cell | Scalar]] = [
        [source.name, *map(_whole, counts(each).values())]
        for source, each in zip(located, built, strict=True)
    ]
    if len(rows) > 1:
        rows.append(["together", None, len(joined), len(joined.features), None, None, None])
    return Table(
        columns=(
            "source",
            "kind",
            "words",
            "features",
            "annotations",
            Column(title="of these words", fields=("kept",)),
            Column(title="words too rare", fields=("rare",)),
        ),
        rows=rows,
        caption="Oracle",
    )


def _whole(value: Scalar) -> Cell | Scalar:
    return Cell(text=f"{value:.0f}", values=(value,)) if isinstance(value, float) else value


def _figures(found: OracleAgreement) -> dict[str, Any]:
    return {
        "shared": len(found.words),
        "only_new": len(found.only_first),
        "only_other": len(found.only_second),
        "shared_features": found.shared_features,
        "equal": found.equal,
        "close": found.close,
        "mean_difference": found.mean_difference,
        "mean_cosine": found.mean_cosine,
    }


def _agreement_table(found: OracleAgreement, name: str) -> Table:
    figures = _figures(found)
    shares = {key: f"{100 * figures[key]:.1f} %" for key in ("equal", "close")}
    cells = [
        Cell(text=shares.get(key, f"{value:.4g}"), values=(value,))
        if isinstance(value, float)
        else value
        for key, value in figures.items()
    ]
    furthest = found.largest.argsort(kind="stable")[::-1][:_FURTHEST].tolist()
    apart = [found.words[place] for place in furthest if found.largest[place] > 0]
    titles = (
        "words in both",
        "only new",
        "only other",
        "features",
        "equal rows",
        "within 0.05",
        "difference",
        "cosine",
    )
    return Table(
        columns=(
            "compared with",
            *(
                Column(title=title, fields=(key,), align="right")
                for title, key in zip(titles, figures, strict=True)
            ),
        ),
        rows=[[name, *cells]],
        caption="Agreement",
        notes=[f"furthest apart: {', '.join(apart)}"] if apart else [],
    )
