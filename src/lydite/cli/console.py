"""What goes where: results to standard output, everything else to standard error."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from lydite.drawing.text import visible
from lydite.errors import LyditeError
from lydite.progress import watched_by

#: A file or a pipe has no width; tables there are as wide as their content.
_WIDE = 240

out = Console(highlight=False, width=None if sys.stdout.isatty() else _WIDE)
err = Console(stderr=True, highlight=False)

#: Jobs quicker than this show no bar at all.
_PATIENCE_SECONDS = 1.0


class Bars:
    """Progress bars on standard error, shown once a job takes longer than a moment."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._started = time.monotonic()
        self._bars: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Report progress, as :class:`lydite.progress.Progress` asks."""
        hidden = self._quiet or not err.is_terminal
        if hidden or time.monotonic() - self._started < _PATIENCE_SECONDS:
            return
        if self._bars is None:
            self._bars = Progress(
                TextColumn("{task.description}"),
                BarColumn(bar_width=32),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=err,
                transient=True,
            )
            self._bars.start()
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(_shown(what), total=total)
        self._bars.update(self._tasks[what], completed=done, total=total)

    def close(self) -> None:
        """Take the bars off the screen."""
        if self._bars is not None:
            self._bars.stop()
            self._bars = None


@contextmanager
def progress_bars(*, quiet: bool) -> Iterator[Bars]:
    """Give a progress callback that draws, and clear the screen afterwards."""
    bars = Bars(quiet=quiet)
    try:
        with watched_by(bars):
            yield bars
    finally:
        bars.close()


class _Warnings(logging.Handler):
    """Show each warning of the library once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._seen: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message not in self._seen:
            self._seen.add(message)
            word = "error" if record.levelno >= logging.ERROR else "warning"
            err.print(f"[yellow]{word}:[/] {_shown(message)}", soft_wrap=True)


def show_warnings() -> None:
    """Send the library's warnings to standard error."""
    logger = logging.getLogger("lydite")
    logger.handlers = [_Warnings()]
    logger.propagate = False


def show_error(error: LyditeError) -> None:
    """Print what was wrong and what to do next."""
    err.print(f"[bold red]error:[/] {_shown(error.message)}", soft_wrap=True)
    if error.hint:
        err.print(f"[bold]hint:[/] {_shown(error.hint)}", soft_wrap=True)


def say(text: str, *, quiet: bool = False) -> None:
    """Tell the user something that is not a result."""
    if not quiet:
        err.print(_shown(text), soft_wrap=True)


def _shown(text: str) -> str:
    """Write out what would act on the terminal; names come from files of strangers."""
    return escape(visible(text, keep="\n"))
