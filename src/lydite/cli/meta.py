"""``lydite meta``: whether intrinsic scores predict downstream ones."""

from __future__ import annotations

import io
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lydite.cli.arguments import Format, FormatOption, QuietOption, SeedOption
from lydite.cli.console import progress_bars, say
from lydite.cli.output import print_table
from lydite.drawing.table import Table, render, to_rich
from lydite.metaevaluation.evaluation import MetaEvaluation
from lydite.metaevaluation.evaluation import meta as meta_of
from lydite.metaevaluation.tables import comparison_tables, grid_table, long_table, meta_json
from lydite.metaevaluation.verdict import overall_verdict
from lydite.storage import write_output

EXAMPLES = """
Examples:

  lydite meta runs/zoo

  lydite meta runs/intrinsic runs/downstream --only '*-300d-*' --format latex

  lydite meta runs/zoo --tables 3 --method pearson --out runs/meta

  lydite meta runs/zoo --against MEN
"""

#: Wide enough for the longest rows of a table in a file.
_WIDTH = 240


class Method(StrEnum):
    """Which correlations."""

    pearson = "pearson"
    spearman = "spearman"
    both = "both"


class Correction(StrEnum):
    """How p is corrected for the number of tests."""

    holm = "holm"
    bh = "bh"
    none = "none"


class Tables(StrEnum):
    """Which tables are made."""

    three = "3"
    four = "4"
    all = "all"


def meta(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders.")],
    method: Annotated[Method, typer.Option(help="Which correlations.")] = Method.both,
    tables: Annotated[
        Tables,
        typer.Option(
            help=(
                "Which tables of the paper; with 3 or 4 alone, p is corrected only "
                "for the tests of that table."
            )
        ),
    ] = Tables.all,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="EVALUATION:NAME",
            help="An additional score to correlate, such as parsing:las. Repeatable.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GLOB", help="Only models whose name matches, such as '*-300d-*'. Repeatable."
        ),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=GLOB",
            help="Models that belong together, such as glove='*glove*'. Repeatable. By default the "
            "name without dimensions and window is the family.",
        ),
    ] = None,
    unwrap: Annotated[
        bool,
        typer.Option(
            help="Count results of mean(x), additive(x) and the like as results of the space x."
        ),
    ] = True,
    correction: Annotated[
        Correction, typer.Option(help="Correction for the number of tests.")
    ] = Correction.holm,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Compare all intrinsic scores with this one, such as MEN. By default the best "
            "score for each task is compared with the others.",
        ),
    ] = None,
    resamples: Annotated[int, typer.Option(min=100, help="Permutations per test.")] = 100_000,
    form: FormatOption = Format.table,
    seed: SeedOption = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for meta.json, the tables and report.html."),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Test whether intrinsic scores predict downstream scores.

    Every intrinsic score is correlated over models with every score of classification, tagging and
    parsing, in the form of Tables 3 and 4 of Tsvetkov, Faruqui & Dyer (2016). For each downstream
    score, the best intrinsic score is compared with the others, because a higher correlation may be
    chance.
    """
    with progress_bars(quiet=quiet):
        found = meta_of(
            *runs,
            method=method.value,
            tables=tables.value,
            metrics=metric or (),
            only=only or (),
            families=family or (),
            unwrap=unwrap,
            correction=correction.value,
            against=against,
            resamples=resamples,
            seed=seed,
        )
    _print(found, form)
    if out is not None:
        _save(found, out, title=" + ".join(run.resolve().name for run in runs))
        say(f"report: {out / 'report.html'}", quiet=quiet)


def _print(found: MetaEvaluation, form: Format) -> None:
    if form is Format.json:
        sys.stdout.write(meta_json(found) + "\n")
        return
    if form is Format.csv:
        # Two kinds of tables in one stream could not be read.
        print_table(long_table(found), form)
        return
    tables = _tables(found)
    if found.against is None:
        # Every comparison is too much to read; the table of those that lead has what matters.
        tables.pop("comparisons", None)
    for table in tables.values():
        print_table(table, form)
        if form is Format.markdown:
            sys.stdout.write("\n")
    verdict = overall_verdict(found)
    sys.stdout.write(f"% {verdict}\n" if form is Format.latex else f"{verdict}\n")


def _tables(found: MetaEvaluation) -> dict[str, Table]:
    """Return all tables by the names of their files."""
    many = len(found.methods) > 1
    grids = {
        f"{'all' if grid.key == 'all' else f'table-{grid.key}'}{f'-{method}' * many}": grid_table(
            found, grid, method
        )
        for grid in found.grids
        for method in found.methods
    }
    return {**grids, "correlations": long_table(found), **comparison_tables(found)}


def _save(found: MetaEvaluation, folder: Path, *, title: str) -> None:
    from lydite.reports.page import write_meta_page

    folder.mkdir(parents=True, exist_ok=True)
    write_output(folder / "meta.json", meta_json(found) + "\n")
    for name, table in _tables(found).items():
        write_output(folder / f"{name}.txt", _as_text(table))
        write_output(folder / f"{name}.tex", render(table, "latex"))
        write_output(folder / f"{name}.csv", render(table, "csv"))
    write_meta_page(found, folder / "report.html", title=title)


def _as_text(table: Table) -> str:
    written = Console(file=io.StringIO(), width=_WIDTH, highlight=False, color_system=None)
    written.print(to_rich(table))
    lines = written.file.getvalue().splitlines()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in lines) + "\n"
