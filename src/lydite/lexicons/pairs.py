"""Word pairs that people rated."""

from __future__ import annotations

import contextlib
import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lydite.errors import FormatError
from lydite.files.lines import numbered_lines
from lydite.types import LARGEST, Floats

_HINT = "one pair per line: word1 <tab> word2 <tab> rating"


@dataclass(frozen=True, kw_only=True)
class RatedPairs:
    """Pairs of n words with gold ratings, (n,), higher for more similar."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    gold: Floats

    def __len__(self) -> int:
        return len(self.left)


def read_pairs(path: Path) -> RatedPairs:
    """Read lines of ``word1 word2 rating``, with tabs, commas or blanks between.

    What follows the rating on a line is passed over, and so is a first line whose third field is
    not a number (a header). With tabs or commas a word may hold spaces.
    """
    rows: list[tuple[str, str, float]] = []
    for first, (number, line) in enumerate(numbered_lines(path)):
        fields = _fields(line)
        rating = _rating(fields)
        if first == 0 and rating is None and len(fields) >= 3:
            continue
        if rating is None or not abs(rating) <= LARGEST or not (fields[0] and fields[1]):
            raise FormatError(
                f"expected two words and a rating, got {line[:60]!r}",
                path=path,
                line=number,
                hint=_HINT,
            )
        rows.append((fields[0], fields[1], rating))
    if not rows:
        raise FormatError("expected rated word pairs, got none", path=path, hint=_HINT)
    left, right, gold = zip(*rows, strict=True)
    return RatedPairs(left=left, right=right, gold=np.array(gold, dtype=np.float64))


def _fields(line: str) -> list[str]:
    if "\t" in line:
        return [field.strip() for field in line.split("\t")]
    if "," in line:
        with contextlib.suppress(csv.Error):  # a field of more than 131,072 letters
            return [field.strip() for field in next(csv.reader([line]))]
    return line.split()


def _rating(fields: list[str]) -> float | None:
    try:
        return float(fields[2])
    except (IndexError, ValueError):
        return None
