"""A user's own lexicon of features: a word and its features a line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from lydite.errors import FormatError
from lydite.lexicons.lines import numbered_lines
from lydite.lexicons.oracles.annotations import Annotation

_HINT = "fish <tab> animal, or fish <tab> animal,food, or fish <tab> animal <tab> 0.8"


def listed_features(path: Path) -> Iterator[Annotation]:
    """Yield what a lexicon says: ``word TAB feature[,feature...] [TAB weight]`` a line.

    A word may stand on several lines; the weight, 1 if there is none, is for each feature.
    """
    for number, line in numbered_lines(path):
        word, *rest = (field.strip() for field in line.split("\t"))
        features = [name.strip() for name in rest[0].split(",")] if rest else []
        weight = _weight(rest[1]) if len(rest) > 1 else 1.0
        if not word or not features or not all(features) or len(rest) > 2 or weight is None:
            raise FormatError(
                f"expected a word, a tab, features, and perhaps a tab and a weight of 0 or more, "
                f"got {line[:60]!r}",
                path=path,
                line=number,
                hint=_HINT,
            )
        for feature in features:
            yield Annotation(word, feature, weight)


def _weight(text: str) -> float | None:
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if math.isfinite(weight) and weight >= 0 else None
