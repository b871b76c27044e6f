"""Pairs of texts that should be similar, and pairs that should not: H and L of the framework."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lydite.corpora.records import field, records
from lydite.errors import FormatError
from lydite.types import Mask

HINT = "a table with the header left, right, label (H or L), or lines of JSON with these fields"

_LABELS = {
    **dict.fromkeys(("h", "1", "true", "similar", "yes"), True),
    **dict.fromkeys(("l", "0", "false", "dissimilar", "no"), False),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledPairs:
    """Pairs of texts.

    Attributes
    ----------
    left, right
        n texts each.
    similar
        Shape (n,): which pairs are in H; the others are in L.
    phenomena
        What each pair is an example of; empty texts if the file does not say.
    bases
        What pairs have in common that were made from the same sentence; the left text if the file
        does not say.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    similar: Mask
    phenomena: tuple[str, ...]
    bases: tuple[str, ...]


def read_labelled_pairs(path: Path) -> LabelledPairs:
    """Read pairs with labels, from a table with a header or lines of JSON.

    Raises
    ------
    FormatError
        If a field is missing or a label is neither H nor L; with path and line.
    """
    left, right, similar, phenomena, bases = [], [], [], [], []
    for line, record in records(path, hint=HINT):
        left.append(field(record, "left", path, line, hint=HINT))
        right.append(field(record, "right", path, line, hint=HINT))
        similar.append(_label(record.get("label"), path, line))
        phenomena.append(str(record.get("phenomenon") or "").strip())
        bases.append(str(record.get("base") or left[-1]).strip())
    return LabelledPairs(
        left=tuple(left),
        right=tuple(right),
        similar=np.array(similar, dtype=np.bool_),
        phenomena=tuple(phenomena),
        bases=tuple(bases),
    )


def _label(value: object, path: Path, line: int) -> bool:
    name = str(value).strip().lower()
    if name not in _LABELS:
        raise FormatError(
            f"expected H (similar) or L (dissimilar) as 'label', got {value!r}",
            path=path,
            line=line,
            hint=HINT,
        )
    return _LABELS[name]
