"""Types that every layer shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Vectors: TypeAlias = NDArray[np.float32]
Indices: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]

#: Plain data, as JSON knows it.
Plain: TypeAlias = Any
PlainMapping: TypeAlias = Mapping[str, Plain]

#: What to do with a word that a model does not have.
#: ``skip`` leaves the item out, ``zero`` and ``mean`` put a vector in its place, ``error`` stops.
OovPolicy: TypeAlias = Literal["skip", "zero", "mean", "error"]


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


@dataclass(frozen=True, kw_only=True)
class Context:
    """One use of a term: the sentence's tokens and where the term stands among them."""

    tokens: tuple[str, ...]
    start: int
    stop: int


@dataclass(frozen=True, kw_only=True)
class Lookup:
    """Vectors for a list of words; absence is data.

    Attributes
    ----------
    vectors
        Shape (n, d). The row of an absent word holds what the policy put there (zeros for
        ``skip``) and is not to be used without ``found``.
    found
        Shape (n,). True where the word is in the vocabulary.
    """

    vectors: Vectors
    found: Mask
