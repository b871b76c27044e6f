"""``lydite compare``: whether differences between models are real."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.arguments import EngineOption, Format, FormatOption, QuietOption
from lydite.cli.console import say
from lydite.cli.output import print_table
from lydite.drawing.table import Cell, Column, Table
from lydite.results.compare import RESAMPLES, Comparison
from lydite.runner import compare as compare_runs

EXAMPLES = """
Examples:

  lydite compare runs/starter

  lydite compare runs/old runs/new --format latex
"""

_NOTE = (
    "Scores are on the items that both models cover. p: two-sided paired permutation test, "
    "which exchanges whole groups where items stand in groups; larger where pairs share words. "
    "Holm: corrected for the number of comparisons. The interval of the difference allows for "
    "shared words and groups. A difference stands out where p (Holm) is under 0.05 and the "
    "interval excludes 0. With five groups or fewer none can."
)


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders.")],
    resamples: Annotated[
        int,
        typer.Option(
            min=100,
            help="Exchanges drawn per test, where they cannot all be counted; 10,000 at most for "
            "correlations.",
        ),
    ] = RESAMPLES,
    form: FormatOption = Format.table,
    quiet: QuietOption = False,
    engine: EngineOption = None,
) -> None:
    """Test whether the differences between models could be chance.

    Every two models with results for the same question are compared on the items that both cover.
    """
    found = compare_runs(*runs, resamples=resamples, engine=engine or "local")
    if form is Format.json:
        rows = [
            dataclasses.asdict(c) | {"difference": c.difference, "verdict": c.verdict}
            for c in found
        ]
        sys.stdout.write(json.dumps({"comparisons": rows}, ensure_ascii=False) + "\n")
        return
    print_table(_table(found), form)
    say(_NOTE, quiet=quiet)


def _table(found: list[Comparison]) -> Table:
    return Table(
        columns=(
            Column(title="evaluation", fields=("evaluation", "metric")),
            Column(title="resource"),
            Column(title="seed", shown=len({c.seed for c in found}) > 1),
            Column(title="first"),
            Column(title="second"),
            Column(title="scores", fields=("first_score", "second_score"), align="right"),
            Column(title="difference", align="right"),
            Column(title="95 % interval", fields=("low", "high"), align="right"),
            Column(title="p", fields=("p", "p_permutation"), align="right"),
            Column(title="p (Holm)", fields=("p_holm",), align="right"),
            Column(title="p (FDR)", fields=("p_fdr",), shown=False),
            Column(title="items", fields=("n_shared", "n_items"), align="right"),
            Column(title="verdict", shown=False),
            Column(title="caution", shown=False),
        ),
        rows=[_row(comparison) for comparison in found],
        caption="Comparisons",
        notes=[
            *(
                Cell(text=f"caution: {caution}", values=(caution,), tone="warning")
                for caution in dict.fromkeys(c.caution for c in found if c.caution)
            ),
            *(
                Cell(text=text, values=(text,), tone="warning")
                for text in map(_at_the_threshold, found)
                if text
            ),
        ],
    )


def _at_the_threshold(c: Comparison) -> str | None:
    if c.verdict != "at the threshold":
        return None
    return (
        f"at the threshold: {c.first} and {c.second}, {c.evaluation} on {c.resource}: with all "
        f"exchanges p (Holm) would lie from {c.p_holm_low:.4f} to {c.p_holm_high:.4f}; take it for "
        "undecided"
    )


def _row(c: Comparison) -> list[Cell | str | float | None]:
    label = c.evaluation
    return [
        Cell(text=f"{label} {c.metric}", values=(label, c.metric)),
        c.resource,
        c.seed,
        c.first,
        c.second,
        Cell(
            text=f"{c.first_score:.3f} {c.second_score:.3f}",
            values=(c.first_score, c.second_score),
        ),
        Cell(
            text=f"{c.difference:+.3f}",
            values=(c.difference,),
            tone="strong" if c.clear else "plain",
        ),
        Cell(text=f"[{c.low:+.3f}, {c.high:+.3f}]", values=(c.low, c.high)),
        Cell(text=f"{c.p_value:.2g}", values=(c.p_value, c.p_permutation), tone="quiet"),
        Cell(text=f"{c.p_holm:.2g}", values=(c.p_holm,)),
        c.p_fdr,
        Cell(text=f"{c.n_shared}/{c.n_items}", values=(c.n_shared, c.n_items), tone="quiet"),
        c.verdict,
        c.caution,
    ]
