"""What every reader of groups yields: a sentence, its group, and where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lydite.errors import FormatError

_SHOWN = 60


class Row(NamedTuple):
    """A sentence as it was found.

    Attributes
    ----------
    group
        What its group is called.
    text
        Never blank.
    path, line
        Where it stands; no line where there are none to count.
    """

    group: str
    text: str
    path: Path
    line: int | None = None


def shown(text: str) -> str:
    """Return a sentence as messages quote it.

    >>> shown("Hello.")
    "'Hello.'"
    """
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def without_text(group: str, path: Path, line: int | None) -> FormatError:
    """Build the error for a group with an empty sentence."""
    return FormatError(
        f"expected a sentence of group {group!r}, got an empty text",
        path=path,
        line=line,
        hint="write the sentence, or take the line out",
    )
