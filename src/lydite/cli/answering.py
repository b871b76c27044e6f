"""What every evaluation command does: run, save, print."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from lydite.asking import locate_all
from lydite.cli.arguments import Format
from lydite.cli.console import out, progress_bars, say
from lydite.models.catalogue import load
from lydite.reports.html import write_report
from lydite.reports.table import Table, render, results_json, results_table, to_rich
from lydite.runner import Run
from lydite.runner import run as run_suite
from lydite.suite import Suite


def answer(
    suite: Suite,
    *,
    form: Format,
    folder: Path | None,
    quiet: bool,
    jobs: int | None,
) -> None:
    """Run a suite, write its report, print its results and end with the right exit code."""
    try:
        with progress_bars(quiet=quiet) as bars:
            finished = run_suite(suite, out=folder, processes=jobs, progress=bars)
    except KeyboardInterrupt:
        kept = f"what is finished is in {folder}; the same command goes on" if folder else ""
        say(f"interrupted; {kept}" if kept else "interrupted")
        raise typer.Exit(130) from None
    if finished.resumed:
        say(f"{finished.resumed} results were there already", quiet=quiet)
    print_run(finished, form)
    if folder is not None:
        path = folder / "report.html"
        save_report(finished, path, title=suite.name, suite_text=suite.to_toml())
        say(f"report: {path}", quiet=quiet)
    if finished.failures:
        raise typer.Exit(1)


def check_names(suite: Suite) -> None:
    """Stop at a model or resource that cannot be opened.

    A suite records such failures and goes on; a command that names a few models on one line had
    better say at once that a name is wrong.
    """
    for model in suite.models:
        load(model)
    for task in suite.tasks:
        for resource in task.resources:
            locate_all(resource)


def print_run(finished: Run, form: Format) -> None:
    """Print results and failures to standard output."""
    if form is Format.json:
        sys.stdout.write(results_json(finished.results, finished.failures) + "\n")
        return
    print_table(results_table(finished.results, finished.failures), form)


def print_table(table: Table, form: Format) -> None:
    """Print a table in any format but JSON."""
    if form is Format.table:
        out.print(to_rich(table))
    else:
        sys.stdout.write(render(table, form.value))


def save_report(finished: Run, path: Path, *, title: str, suite_text: str | None) -> None:
    """Write the HTML report of a run."""
    write_report(
        finished.results,
        finished.failures,
        path,
        title=title,
        suite_text=suite_text,
        items=finished.table,
    )
