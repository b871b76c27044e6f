"""``lydite run``: a whole suite."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.arguments import (
    EngineOption,
    Format,
    FormatOption,
    JobsOption,
    OutOption,
    QuietOption,
)
from lydite.cli.console import say
from lydite.cli.output import answer
from lydite.models.keys import check_allowed
from lydite.suite import read_suite, starter_suite

EXAMPLES = """
Examples:

  lydite run                            the starter suite: eight models, nine evaluations

  lydite run suite.toml --out runs/may  your own; run it again to continue
"""


def run(
    suite: Annotated[
        Path | None,
        typer.Argument(
            metavar="[SUITE.toml]", help="A suite file; without one, the starter suite runs."
        ),
    ] = None,
    form: FormatOption = Format.table,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, help="Use this seed instead of the suite's seeds."),
    ] = None,
    out: OutOption = None,
    quiet: QuietOption = False,
    jobs: JobsOption = None,
    engine: EngineOption = None,
    allow_key: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-key",
            metavar="VARIABLE[@HOST]",
            help="A key that the suite may send: the environment variable that holds it, and the "
            "server; also LYDITE_ALLOW_KEYS, with commas between.",
        ),
    ] = None,
) -> None:
    """Evaluate every model on every test of a suite and write a report.

    A suite is a TOML file that lists models, evaluations, resources and seeds. Each result is saved
    as soon as it is known; after an interruption the same command continues where it stopped.
    """
    plan = starter_suite() if suite is None else read_suite(suite)
    if seed is not None:
        plan = dataclasses.replace(plan, seeds=(seed,))
    folder = out if out is not None else Path("lydite-runs") / _folder_name(plan.name)
    keys = plan.keys
    if plan.from_file:
        check_allowed(keys, allow_key or ())
    for use in keys:
        say(f"the key in {use.variable} goes to {use.host}", quiet=quiet)
    say(
        f"{plan.name}: {len(plan.listed_models)} models, "
        f"{sum(len(task.resources) for task in plan.tasks)} tests, into {folder}",
        quiet=quiet,
    )
    # What it may send was just asked.
    plan = dataclasses.replace(plan, from_file=False)
    answer(plan, form=form, folder=folder, quiet=quiet, jobs=jobs, engine=engine, strict=False)


def _folder_name(name: str) -> str:
    """Make a suite's name one that stays inside the folder of runs."""
    return re.sub(r"[^\w.-]+", "-", name).strip(".-") or "suite"
