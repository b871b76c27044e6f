"""Linguistic oracles: the linguistic properties of words, as a matrix (Tsvetkov et al. 2015)."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from lydite.errors import FormatError, InputError
from lydite.lexicons.lines import numbered_lines
from lydite.types import Floats

Join: TypeAlias = Literal["intersection", "union"]

#: Every number is read as a float, so that one too large for it is an infinity.
_DECODER = json.JSONDecoder(parse_int=float)
_HINT = 'one word a line: fish <tab> {"noun.animal": 0.8, "noun.food": 0.2}'


@dataclass(frozen=True, kw_only=True)
class Oracle:
    """Words and their linguistic properties.

    Attributes
    ----------
    words
        n words, each once.
    features
        p names of properties, in alphabetical order.
    values
        Shape (n, p): the weight of each property, usually a probability.
    repeated
        How many rows were left out because their word stood before.
    """

    words: tuple[str, ...]
    features: tuple[str, ...]
    values: Floats
    repeated: int = 0

    def __len__(self) -> int:
        return len(self.words)


def read_oracle(path: Path) -> Oracle:
    """Read an oracle in the format of QVEC: ``word TAB {"feature": weight, ...}`` a line."""
    rows: dict[str, dict[str, float]] = {}
    repeated = 0
    for number, line in numbered_lines(path):
        word, weights = _row(path, number, line)
        if word in rows:
            repeated += 1
        else:
            rows[word] = weights
    features = sorted(set().union(*rows.values()))
    if not features:
        raise FormatError("expected words with features, got none", path=path, hint=_HINT)
    place = {feature: column for column, feature in enumerate(features)}
    values = np.zeros((len(rows), len(features)))
    columns = [place[feature] for weights in rows.values() for feature in weights]
    owners = np.repeat(np.arange(len(rows)), [len(weights) for weights in rows.values()])
    values[owners, columns] = [each for weights in rows.values() for each in weights.values()]
    return Oracle(words=tuple(rows), features=tuple(features), values=values, repeated=repeated)


def _row(path: Path, number: int, line: str) -> tuple[str, dict[str, float]]:
    word, _, text = line.partition("\t")
    weights = _weights(text)
    if not word or weights is None:
        raise FormatError(
            f"expected a word, a tab and its features as JSON, got {line[:60]!r}",
            path=path,
            line=number,
            hint=_HINT,
        )
    return word, weights


def _weights(text: str) -> dict[str, float] | None:
    """Read the features of a word, or return None if they are not such."""
    try:
        features = _DECODER.decode(text)
    except ValueError:
        return None
    if not isinstance(features, dict):
        return None
    weights = features.values()
    good = set(map(type, weights)) <= {float} and all(map(math.isfinite, weights))
    return features if good else None


def join_oracles(oracles: Sequence[Oracle], how: Join) -> Oracle:
    """Put the columns of several oracles side by side.

    Parameters
    ----------
    oracles
        At least one; a feature name that several of them have is told apart by a number.
    how
        ``intersection`` keeps the words that all have, as the paper says; ``union`` keeps all and
        puts zeros where a word is absent, as the authors' script does.

    Examples
    --------
    >>> one = Oracle(words=("fish", "run"), features=("noun",), values=np.array([[1.0], [0.3]]))
    >>> two = Oracle(words=("run", "go"), features=("VB",), values=np.array([[0.9], [1.0]]))
    >>> join_oracles([one, two], "intersection").values.tolist()
    [[0.3, 0.9]]
    >>> join_oracles([one, two], "union").words
    ('fish', 'run', 'go')
    """
    if len(oracles) == 1:
        return oracles[0]
    words = list(dict.fromkeys(word for oracle in oracles for word in oracle.words))
    if how == "intersection":
        shared = set(words).intersection(*(oracle.words for oracle in oracles))
        words = [word for word in words if word in shared]
    if not words:
        raise InputError("the oracles have no word in common", hint="use --join union")
    place = {word: row for row, word in enumerate(words)}
    parts = []
    for oracle in oracles:
        part = np.zeros((len(words), len(oracle.features)))
        kept = [(place[word], row) for row, word in enumerate(oracle.words) if word in place]
        targets, sources = np.array(kept, dtype=np.int64).T
        part[targets] = oracle.values[sources]
        parts.append(part)
    return Oracle(
        words=tuple(words),
        features=_told_apart([oracle.features for oracle in oracles]),
        values=np.hstack(parts),
        repeated=sum(oracle.repeated for oracle in oracles),
    )


def _told_apart(names: list[tuple[str, ...]]) -> tuple[str, ...]:
    flat = [(number, name) for number, part in enumerate(names, 1) for name in part]
    plain = [name for _, name in flat]
    return tuple(f"{name}#{number}" if plain.count(name) > 1 else name for number, name in flat)
