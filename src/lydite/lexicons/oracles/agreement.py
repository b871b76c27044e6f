"""How far two oracles say the same of the same words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lydite.errors import InputError
from lydite.lexicons.oracles.oracle import Oracle
from lydite.types import Floats

#: Rows that differ by less are equal but for rounding.
EQUAL = 1e-6
#: Rows that differ by less say nearly the same.
CLOSE = 0.05


@dataclass(frozen=True, kw_only=True, eq=False)
class OracleAgreement:
    """Two oracles, word by word.

    Attributes
    ----------
    words
        The n words that both have.
    only_first, only_second
        The words that one of them has.
    features
        The names of all features of either; where one has none of that name it counts as zero.
    shared_features
        How many of them both have.
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
