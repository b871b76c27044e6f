"""``lydite compare``: whether differences between models are real."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.answering import print_table
from lydite.cli.arguments import Format, FormatOption, QuietOption, SeedOption
from lydite.cli.console import say
from lydite.reports.table import Table
from lydite.results.compare import Comparison
from lydite.runner import compare as compare_runs

_EXAMPLES = """
Examples:

  lydite compare runs/starter

  lydite compare runs/old runs/new --format latex
"""

_NOTE = (
    "Scores are those on the items that both models answered. p: paired permutation test, "
    "two-sided; Holm: corrected for the number of comparisons. The interval of the difference is "
    "robust to pairs that share words."
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", epilog=_EXAMPLES)(compare)


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    resamples: Annotated[int, typer.Option(min=100, help="Permutations a test.")] = 10_000,
    form: FormatOption = Format.table,
    seed: SeedOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Tell whether the differences between models are real.

    Every two models that answered the same question are compared on the items that both cover.
    """
    found = compare_runs(*runs, seed=seed, resamples=resamples)
    if form is Format.json:
        rows = [dataclasses.asdict(c) | {"difference": c.difference} for c in found]
        sys.stdout.write(json.dumps({"comparisons": rows}, ensure_ascii=False) + "\n")
        return
    print_table(_table(found), form)
    say(_NOTE, quiet=quiet)


def _table(found: list[Comparison]) -> Table:
    return Table(
        columns=(
            "evaluation",
            "resource",
            "first",
            "second",
            "score 1",
            "score 2",
            "difference",
            "95 % interval",
            "p",
            "p (Holm)",
            "items",
        ),
        rows=tuple(
            (
                f"{c.evaluation.partition('(')[0]} {c.metric}",
                c.resource,
                c.first,
                c.second,
                f"{c.first_score:.3f}",
                f"{c.second_score:.3f}",
                f"{c.difference:+.3f}",
                f"{c.low:+.3f} to {c.high:+.3f}",
                f"{c.p_value:.2g}",
                f"{c.p_holm:.2g}",
                f"{c.n_shared}/{c.n_items}",
            )
            for c in found
        ),
        caption="Comparisons",
    )
