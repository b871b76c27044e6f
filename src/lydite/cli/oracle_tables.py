"""What ``lydite train oracle`` prints."""

from __future__ import annotations

import json
import sys
from typing import Any

from lydite.cli.arguments import Format
from lydite.cli.output import print_table
from lydite.drawing.table import Cell, Column, Scalar, Table
from lydite.lexicons.oracle_sources import SourceOracle
from lydite.lexicons.oracles import Oracle, OracleAgreement
from lydite.resources.catalogue import Located

_FURTHEST = 10  # words shown; JSON has all


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
            data["agreement"] = {"with": compare, **_figures(found), "by_word": _by_word(found)}
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return
    # Two tables of different columns in one stream of CSV could not be read.
    if form is not Format.csv or found is None:
        print_table(_summary(located, built, joined), form)
    if found is not None:
        # Without a blank line Markdown takes the second table for more of the first.
        sys.stdout.write("\n" if form is Format.markdown else "")
        print_table(_agreement_table(found, str(compare)), form)
        # Two tables of different columns in one stream of CSV could not be read.
        if form is not Format.csv and (apart := _apart(found)):
            sys.stdout.write("\n" if form is Format.markdown else "")
            print_table(apart, form)


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
    )


def _by_word(found: OracleAgreement) -> list[dict[str, Any]]:
    """Return the agreement of each shared word, the least alike first."""
    rows = [
        {"word": word, "largest": largest, "mean_difference": mean, "cosine": cosine}
        for word, largest, mean, cosine in zip(
            found.words,
            found.largest.tolist(),
            found.mean.tolist(),
            found.cosine.tolist(),
            strict=True,
        )
    ]
    return sorted(rows, key=lambda row: (row["cosine"], -row["largest"], row["word"]))


def _apart(found: OracleAgreement) -> Table | None:
    """Return the words whose rows are least alike, if any differ."""
    rows = [row for row in _by_word(found) if row["largest"] > 0][:_FURTHEST]
    if not rows:
        return None
    return Table(
        columns=("word", "cosine", "largest difference", "mean difference"),
        rows=[[row["word"], row["cosine"], row["largest"], row["mean_difference"]] for row in rows],
        caption="The words that agree least",
        notes=["--format json has all words."],
    )
