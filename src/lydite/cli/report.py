"""``lydite report``: the HTML report of a run that is on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.arguments import QuietOption
from lydite.cli.console import say
from lydite.cli.output import save_report
from lydite.runner import open_run

EXAMPLES = """
Example:

  lydite report runs/starter -o report.html
"""


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file, by default RUN/report.html.")
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Write the HTML report of a run again."""
    path = out or run / "report.html"
    save_report(open_run(run), path, title=run.resolve().name)
    say(f"report: {path}", quiet=quiet)
