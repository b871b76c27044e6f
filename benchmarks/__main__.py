"""Run benchmarks and print one table: ``make bench``, or ``python -m benchmarks NAME...``.

Each bench runs in a process of its own: one that fails is a row of the table, and the others go on.
The exit code is 1 if a target is missed, something fails, or a job takes a fifth more instructions
than the stored count.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import instructions, table
from benchmarks.measure import describe, measure
from benchmarks.table import Count, Machine, Measured, Row

#: Without these a spread says nothing.
LEAST_REPEATS = 5


def names() -> list[str]:
    """Return the names of all benches: those of the modules ``bench_NAME``."""
    return sorted(path.stem.removeprefix("bench_") for path in table.FOLDER.glob("bench_*.py"))


def run(name: str, *, small: bool, repeats: int, warm_up: bool = True) -> Measured:
    """Measure all jobs of a bench in this process."""
    rows: list[Row] = []
    failure = ""
    caveats: Sequence[str] = ()
    try:
        bench = _module(name)
        caveats = bench.CAVEATS
        with tempfile.TemporaryDirectory() as folder:
            for job in bench.jobs(bench.SMALL if small else bench.FULL, Path(folder)):
                rows += measure(name, job, repeats=repeats, warm_up=warm_up, progress=say)
    except Exception as error:
        failure = describe(error)
    return Measured(name=name, date=_today(), rows=rows, caveats=caveats, failure=failure)


def count(name: str, jobs: Path) -> None:
    """Run all jobs of a bench, within Valgrind, at the small size."""
    bench = _module(name)
    with tempfile.TemporaryDirectory() as folder:
        instructions.run_counted(bench.jobs(bench.SMALL, Path(folder)), jobs)


def say(text: str) -> None:
    """Tell of progress."""
    print(text, file=sys.stderr, flush=True)


def _module(name: str) -> Any:  # noqa: ANN401
    return importlib.import_module(f"benchmarks.bench_{name}")


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def in_process(name: str, asked: argparse.Namespace) -> Measured:
    """Measure a bench in a process of its own, then count its instructions in another."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--small"] if asked.small else []
        options += ["--repeats", str(asked.repeats), "--into", folder]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks", name, *options], check=False, stdout=sys.stderr
        )
        found = table.read(Path(folder)).get(name)
        if found is None:
            failure = f"its process ended with {done.returncode}"
            return Measured(name=name, date=_today(), failure=failure)
        if not asked.instructions:
            return found
        say(f"{name}: counting instructions")
        jobs = Path(folder) / "jobs"
        counts, method = instructions.count_instructions(
            ["-m", "benchmarks", name, "--count-into", str(jobs)], table.OUT / "kernels", jobs
        )
        return replace(found, instructions=counts, counter=method)


def show(found: Sequence[tuple[Measured, Sequence[Count]]]) -> None:
    """Print one table of all that was measured, and what has to be known beside it."""
    from rich.console import Console
    from rich.table import Table

    shown = Table(*table.COLUMNS, title="Benchmarks")
    for measured, counts in found:
        for line in table.lines(measured, counts):
            shown.add_row(*line)
        shown.add_section()
    console = Console()
    console = console if console.is_terminal else Console(width=180)
    console.print(shown, markup=False)
    for measured, _ in found:
        notes = dict.fromkeys(f"{row.job}: {row.note}" for row in measured.rows if row.note)
        for text in (*measured.caveats, *notes):
            console.print(f"{measured.name}: {text}", markup=False, highlight=False)
    machine = Machine()
    console.print(
        f"{machine.processor}, {machine.cores} cores; ratios are medians of repetitions in turns, "
        "with the least and the largest; + is memory on top of what the process held",
        markup=False,
        highlight=False,
    )


def passed(measured: Measured, counts: Sequence[Count]) -> bool:
    """Tell whether nothing failed and no count is flagged."""
    rows = all(row.missing or not row.failed for row in measured.rows)
    return rows and not measured.failure and not any(count.flagged for count in counts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for."""
    asked = _parser().parse_args(arguments)
    wanted = [name.removeprefix("bench_") for name in asked.names] or names()
    if unknown := sorted({*wanted} - {*names()}):
        say(f"expected names among {', '.join(names())}; got {', '.join(unknown)}")
        return 2
    if asked.count_into:
        count(wanted[0], Path(asked.count_into))
        return 0
    if asked.into:
        measured = run(wanted[0], small=asked.small, repeats=asked.repeats)
        measured.write(Path(asked.into))
        return 0
    stored = table.read(table.STORED)
    found = []
    for name in wanted:
        measured = in_process(name, asked)
        measured.write(table.OUT)
        if asked.store and not asked.small:
            measured.write(table.STORED)
        found.append((measured, measured.counts(stored.get(name))))
    show(found)
    return 0 if all(passed(*each) for each in found) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"all without one: {', '.join(names())}")
    parser.add_argument("--repeats", type=_repeats, default=LEAST_REPEATS)
    parser.add_argument("--small", action="store_true", help="sizes at which times say nothing")
    parser.add_argument(
        "--no-instructions", dest="instructions", action="store_false", help="count none"
    )
    parser.add_argument(
        "--store", action="store_true", help="keep what is found for the docs and later runs"
    )
    # What the command tells the processes that it starts.
    parser.add_argument("--into", help=argparse.SUPPRESS)
    parser.add_argument("--count-into", help=argparse.SUPPRESS)
    return parser


def _repeats(text: str) -> int:
    if int(text) < LEAST_REPEATS:
        raise argparse.ArgumentTypeError(f"expected at least {LEAST_REPEATS}, got {text}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
