"""How far a long job has come: told by whoever works, drawn by the command line alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Progress(Protocol):
    """Told how far a long job has come; only the command line draws it."""

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Report that ``done`` of ``total`` units of ``what`` are finished."""
        ...


def silent(what: str, done: int, total: int | None) -> None:
    """Ignore progress: the default everywhere outside the command line."""


_WATCHER: ContextVar[Progress] = ContextVar("watcher", default=silent)


def current_progress() -> Progress:
    """Return who is to be told of work that nobody asked for by name, such as parsing a file."""
    return _WATCHER.get()


@contextmanager
def watched_by(progress: Progress) -> Iterator[None]:
    """Tell ``progress`` of everything that is done inside, however deep."""
    token = _WATCHER.set(progress)
    try:
        yield
    finally:
        _WATCHER.reset(token)
