"""What every evaluation command does: run, save, print."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import typer

from lydite.cli.arguments import Format
from lydite.cli.console import out, progress_bars, say, show_error
from lydite.drawing.section import ItemsLoader
from lydite.drawing.table import Table, render, results_json, results_table, to_rich
from lydite.errors import LyditeError
from lydite.evaluations import EVALUATIONS
from lydite.evaluations.catalogue import Evaluation, Shown
from lydite.models.catalogue import load
from lydite.resources.catalogue import locate_all
from lydite.results.record import Result
from lydite.runner import Run, open_run
from lydite.runner import run as run_suite
from lydite.suite import Suite, suite_of

#: Results, what finds their items, and what is to be shown, to tables.
TableMaker: TypeAlias = Callable[[Sequence[Result], ItemsLoader, Shown], Sequence[Table] | None]


def answer(
    suite: Suite,
    *,
    form: Format,
    folder: Path | None,
    quiet: bool,
    jobs: int | None,
    engine: str | None = None,
    strict: bool = True,
    tables: TableMaker | None = None,
    shown: Shown | None = None,
) -> None:
    """Run a suite, write its report, print its results and end with the right exit code.

    Parameters
    ----------
    strict
        Stop at a model or resource that cannot be opened, and call a failure for wrong input an
        error of the call. A suite records all failures and goes on; a command that names a few
        models on one line should say at once that a name is wrong.
    tables
        Makes the tables that are printed instead of the plain one.
    shown
        What of it is to be shown.
    """
    try:
        with progress_bars(quiet=quiet) as bars:
            finished = run_suite(
                suite, out=folder, processes=jobs, engine=engine, progress=bars, strict=strict
            )
    except KeyboardInterrupt:
        kept = (
            f"finished results are in {folder}; run the same command again to continue"
            if folder
            else ""
        )
        say(f"interrupted; {kept}" if kept else "interrupted")
        raise typer.Exit(130) from None
    if finished.resumed:
        say(f"{finished.resumed} results already existed", quiet=quiet)
    if strict and form is not Format.json and not finished.results:
        for failure in finished.failures:
            show_error(LyditeError(failure.message))
        raise typer.Exit(_exit_code(finished, strict=strict))
    shown = shown or Shown(whole=form is Format.csv)
    finished = with_more(finished, shown)
    made = tables(finished.results, finished.table, shown) if tables else None
    if made is None or form is Format.json:
        print_run(finished, form)
    else:
        _print_tables(finished, form, made)
    if folder is not None:
        path = folder / "report.html"
        save_report(_whole_run(finished, folder), path, title=suite.name)
        say(f"report: {path}", quiet=quiet)
    if finished.failures:
        _tell_failures(finished)
        raise typer.Exit(_exit_code(finished, strict=strict))


def with_more(finished: Run, shown: Shown) -> Run:
    """Put details that a view asks for into results that do not keep them."""
    asked = {
        name
        for name in {result.provenance.evaluation for result in finished.results}
        if name in EVALUATIONS and EVALUATIONS.get(name).more is not Evaluation.more
    }
    if not asked or not any(shown.options.values()):
        return finished
    completed = []
    for result in finished.results:
        source = result.provenance
        if source.evaluation in asked:
            question = EVALUATIONS.get(source.evaluation)(**source.parameters)
            more = question.more(load(source.model), locate_all(source.resource), shown)
            result = dataclasses.replace(result, details={**result.details, **more})  # noqa: PLW2901
        completed.append(result)
    return dataclasses.replace(finished, results=tuple(completed))


def _print_tables(finished: Run, form: Format, tables: Sequence[Table]) -> None:
    """Print the tables of an evaluation, then failures, for which these have no rows.

    As CSV only tables with the columns of the first are printed: two kinds in one stream could not
    be read.
    """
    fitting = [
        each for each in tables if form is not Format.csv or each.columns == tables[0].columns
    ]
    for place, table in enumerate(fitting):
        # Without a blank line between, Markdown would take two tables for one.
        if place and form is Format.markdown:
            sys.stdout.write("\n")
        print_table(table, form)
    if form is not Format.csv and finished.failures:
        print_run(finished, form)


def _tell_failures(finished: Run) -> None:
    """Say on standard error what failed: a file of CSV has no row for it."""
    for failure in finished.failures:
        asked = f"{failure.model}, {failure.evaluation}, {failure.resource}"
        show_error(LyditeError(f"{asked}: {failure.message}"))


def _whole_run(finished: Run, folder: Path) -> Run:
    """Return all results of a folder, those of this run first, in the order of its suite."""
    known = {result.key for result in finished.results}
    others = [result for result in open_run(folder).results if result.key not in known]
    return dataclasses.replace(finished, results=(*finished.results, *others))


def _exit_code(finished: Run, *, strict: bool) -> int:
    """Return 2 if a command's input was wrong, else 1: an evaluation failed."""
    return 2 if strict and any(failure.wrong_input for failure in finished.failures) else 1


def print_run(finished: Run, form: Format) -> None:
    """Print results and failures to standard output."""
    if form is Format.json:
        sys.stdout.write(results_json(finished.results, finished.failures) + "\n")
        return
    print_table(results_table(finished.results, finished.failures), form)


def print_table(table: Table, form: Format) -> None:
    """Print a table; as JSON, one object with a list of rows."""
    if form is Format.table:
        out.print(to_rich(table))
    elif form is Format.json:
        fields = [field for column in table.all_columns for field in column.fields]
        values = [[value for cell in row for value in cell.values] for row in table.all_rows]
        rows = [dict(zip(fields, row, strict=True)) for row in values]
        sys.stdout.write(json.dumps({"rows": rows}, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write(render(table, form.value))


def save_report(finished: Run, path: Path, *, title: str) -> None:
    """Write the HTML report of all results in a run, with the suite that gives them again."""
    # Most commands write no page, and need not import what draws it.
    from lydite.reports.page import write_report

    suite = suite_of(finished.results, finished.failures, name=title)
    write_report(
        finished.results,
        finished.failures,
        path,
        title=title,
        suite_text=suite.to_toml(),
        items=finished.table,
    )
