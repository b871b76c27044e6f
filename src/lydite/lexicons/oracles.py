"""Linguistic oracles: the properties of words as a matrix (Tsvetkov et al. 2015)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from lydite.errors import FormatError, InputError
from lydite.files.lines import numbered_lines
from lydite.storage import write_output
from lydite.types import LARGEST, Floats

Join: TypeAlias = Literal["intersection", "union"]

#: Every number is read as a float, so that one too large for it is an infinity.
_DECODER = json.JSONDecoder(parse_int=float)
_HINT = 'one word per line: fish <tab> {"noun.animal": 0.8, "noun.food": 0.2}'


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
    """Read an oracle in the format of QVEC: ``word TAB {"feature": weight, ...}`` per line."""
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
    good = set(map(type, weights)) <= {float} and all(abs(weight) <= LARGEST for weight in weights)
    return features if good else None


def join_oracles(oracles: Sequence[Oracle], how: Join) -> Oracle:
    """Put the columns of several oracles side by side.

    Parameters
    ----------
    oracles
        At least one; a feature name that several of them have gets a number.
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
        features=_distinct_names([oracle.features for oracle in oracles]),
        values=np.hstack(parts),
        repeated=sum(oracle.repeated for oracle in oracles),
    )


def _distinct_names(names: list[tuple[str, ...]]) -> tuple[str, ...]:
    flat = [(number, name) for number, part in enumerate(names, 1) for name in part]
    plain = [name for _, name in flat]
    return tuple(f"{name}#{number}" if plain.count(name) > 1 else name for number, name in flat)


def write_oracle(oracle: Oracle, path: Path) -> None:
    """Write ``word TAB {"feature": weight, ...}`` per line; zeros are left out.

    What :func:`lydite.lexicons.oracles.read_oracle` reads back has the same words and
    values, bit by bit, and all features with a weight anywhere. The file appears whole or not at
    all.
    """
    lines = [_line(oracle, row) for row in range(len(oracle))]
    write_output(path, "".join(lines))


def _line(oracle: Oracle, row: int) -> str:
    word = oracle.words[row]
    if not word.strip() or word.startswith("# ") or any(mark in word for mark in "\t\n\r"):
        raise InputError(
            f"expected words without tabs and line ends, got {word!r}",
            hint="an oracle has one word per line, and a tab after it",
        )
    if not np.isfinite(oracle.values[row]).all():
        raise InputError(f"expected finite weights, got others for {word!r}")
    weights = {
        oracle.features[column]: float(oracle.values[row, column])
        for column in np.flatnonzero(oracle.values[row]).tolist()
    }
    return f"{word}\t{json.dumps(weights, ensure_ascii=False)}\n"


#: Rows that differ by less are equal but for rounding.
EQUAL = 1e-6
#: Rows that differ by less say nearly the same.
CLOSE = 0.05


@dataclass(frozen=True, kw_only=True, eq=False)
class OracleAgreement:
    """Two oracles, word by word.

    Attributes
    ----------
    features
        The names of all features of either; where one has none of that name it counts as zero.
    largest
        Shape (n,): the largest absolute difference of a word's row.
    mean
        Shape (n,): the mean absolute difference of a word's row, over all features.
    cosine
        Shape (n,): the cosine of the two rows, 0 where one is all zero.
    """

    words: tuple[str, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    features: tuple[str, ...]
    shared_features: int
    largest: Floats
    mean: Floats
    cosine: Floats

    @property
    def equal(self) -> float:
        """The share of shared words whose rows differ by less than 1e-6 everywhere."""
        return float((self.largest < EQUAL).mean())

    @property
    def close(self) -> float:
        """The share of shared words whose rows differ by less than 0.05 everywhere."""
        return float((self.largest < CLOSE).mean())

    @property
    def mean_difference(self) -> float:
        """The mean absolute difference over words and features."""
        return float(self.mean.mean())

    @property
    def mean_cosine(self) -> float:
        """The mean cosine of the rows."""
        return float(self.cosine.mean())


def agreement(first: Oracle, second: Oracle) -> OracleAgreement:
    """Compare two oracles on the words that both have.

    Features are matched by name. If no name occurs in both, the first part of the names is passed
    over where all names of an oracle begin alike: ``semcor.noun.act`` is then ``noun.act``.

    Examples
    --------
    >>> one = Oracle(words=("fish", "run"), features=("a", "b"), values=np.eye(2))
    >>> two = Oracle(words=("fish",), features=("a", "b"), values=np.array([[0.6, 0.4]]))
    >>> found = agreement(one, two)
    >>> found.words, found.only_first, round(float(found.largest[0]), 6)
    (('fish',), ('run',), 0.4)
    """
    names = [first.features, second.features]
    if not set(names[0]) & set(names[1]):
        names = [_without_prefix(each) for each in names]
    features = tuple(sorted(set(names[0]) | set(names[1])))
    words = tuple(sorted(set(first.words) & set(second.words)))
    if not words:
        raise InputError(
            "the oracles have no word in common", hint="is one of them in another case or language?"
        )
    a = _rows(first, words, names[0], features)
    b = _rows(second, words, names[1], features)
    difference = np.abs(a - b)
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    products = (a * b).sum(axis=1)
    return OracleAgreement(
        words=words,
        only_first=tuple(sorted(set(first.words) - set(words))),
        only_second=tuple(sorted(set(second.words) - set(words))),
        features=features,
        shared_features=len(set(names[0]) & set(names[1])),
        largest=difference.max(axis=1),
        mean=difference.mean(axis=1),
        cosine=np.divide(products, norms, out=np.zeros(len(words)), where=norms > 0),
    )


def _without_prefix(features: tuple[str, ...]) -> tuple[str, ...]:
    heads = {feature.partition(".")[0] for feature in features}
    alike = len(heads) == 1 and all("." in feature for feature in features)
    return tuple(feature.partition(".")[2] for feature in features) if alike else features


def _rows(
    oracle: Oracle, words: tuple[str, ...], names: tuple[str, ...], features: tuple[str, ...]
) -> Floats:
    row = {word: place for place, word in enumerate(oracle.words)}
    column = {feature: place for place, feature in enumerate(features)}
    values = np.zeros((len(words), len(features)))
    values[:, [column[name] for name in names]] = oracle.values[[row[word] for word in words]]
    return values
