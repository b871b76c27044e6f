"""The command line: a thin layer over the functions of :mod:`lydite`, one command a file."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; the exit code is 0 done, 1 an evaluation failed, 2 wrong input."""
    from lydite.cli.app import run_app

    sys.exit(run_app(sys.argv[1:]))
