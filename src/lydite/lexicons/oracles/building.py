"""From annotations of words to an oracle: the probability of each feature given the word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lydite.errors import InputError
from lydite.lexicons.oracles.annotations import Annotation
from lydite.lexicons.oracles.oracle import Oracle

#: As often a word has to be annotated in the published oracles: "we exclude sparser word types to
#: avoid skewed probability estimates" (Tsvetkov et al. 2016).
THRESHOLD = 5

#: Sums of thirds may miss a whole number by a little.
_SLACK = 1e-9


@dataclass(frozen=True, kw_only=True)
class BuiltOracle:
    """An oracle and what it was built from.

    Attributes
    ----------
    oracle
        Rows are probabilities and sum to one; words are in alphabetical order.
    annotations
        How many annotations there were, of all words.
    kept
        How many of them are of words in the oracle.
    rare
        How many words were left out because they are annotated less often than the threshold.
    """

    oracle: Oracle
    annotations: float
    kept: float
    rare: int


def build_oracle(
    annotations: Iterable[Annotation],
    *,
    threshold: float = THRESHOLD,
    lower: bool = True,
    digits: bool = True,
    prefix: str = "",
) -> BuiltOracle:
    """Count annotations and turn the counts into probabilities P(feature | word).

    Parameters
    ----------
    annotations
        In any order.
    threshold
        Words with a smaller sum of weights are left out.
    lower
        Count words in lower case.
    digits
        Count words that are all digits as one word, "0", as in the published oracles.
    prefix
        Put before the name of each feature, with a dot.

    Raises
    ------
    InputError
        If there are no annotations, or no word has enough of them.

    Examples
    --------
    >>> seen = [Annotation("Fish", "noun.animal")] * 3 + [Annotation("fish", "noun.food")]
    >>> built = build_oracle(seen, threshold=4)
    >>> built.oracle.words, built.oracle.features, built.oracle.values.tolist()
    (('fish',), ('noun.animal', 'noun.food'), [[0.75, 0.25]])
    """
    counts: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for word, feature, weight in annotations:
        name = word.lower() if lower else word
        counts["0" if digits and name.isdigit() else name][feature] += weight
    totals = {word: sum(row.values()) for word, row in counts.items()}
    words = sorted(
        word for word, total in totals.items() if total >= max(threshold - _SLACK, _SLACK)
    )
    if not words:
        raise _nothing(totals, threshold)
    features = sorted({feature for word in words for feature in counts[word]})
    column = {feature: place for place, feature in enumerate(features)}
    values = np.zeros((len(words), len(features)))
    for row, word in enumerate(words):
        for feature, weight in counts[word].items():
            values[row, column[feature]] = weight / totals[word]
    names = tuple(f"{prefix}.{feature}" if prefix else feature for feature in features)
    return BuiltOracle(
        oracle=Oracle(words=tuple(words), features=names, values=values),
        annotations=sum(totals.values()),
        kept=sum(totals[word] for word in words),
        rare=len(totals) - len(words),
    )


def _nothing(totals: dict[str, float], threshold: float) -> InputError:
    if not totals:
        return InputError(
            "expected annotated words, got none",
            hint="does the source hold what --features asks for?",
        )
    most, word = max((total, word) for word, total in totals.items())
    return InputError(
        f"expected words with at least {threshold:g} annotations, got none: of {len(totals)} words "
        f"{word!r} has the most, {most:g}",
        hint=f"use --threshold {max(int(most), 1)} or a larger corpus",
    )
