"""Minimal pairs: which of two sentences in nearly the same words says the same as a third.

An item is a sentence, one that says the same in another form, and one that says something else.
The first has to score higher with the sentence than the second does; a tie counts half. That is
paired accuracy: items differ in length and words, and are compared with nothing but themselves.

Beside every model stand controls that know nothing of meaning: the longest common subsequence of
words, the words that two texts share, and their lengths. What they already get right or wrong, a
model may get right or wrong for the same reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from lydite.evaluations.separation.data import MinimalPairs
from lydite.evaluations.separation.tasks import (
    SeparationDetails,
    held_out_choice,
    learns_weights,
    two_parts,
)
from lydite.models.combination import Hybrid
from lydite.models.pairwise import pair_scores
from lydite.results.details import Details
from lydite.results.record import Outcome
from lydite.stats.means import mean_interval
from lydite.stats.null import summarize_null
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Mask

_DRAWS = 1000
_GRID = np.linspace(0, 1, 21)
_WORD = re.compile(r"[^\W_]+")


def longest_common_subsequence(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the share of words in the longest sequence that stands in both in the same order.

    >>> longest_common_subsequence("the dog bit the man".split(), "the man bit the dog".split())
    0.6
    """
    lengths = [0] * (len(second) + 1)
    for one in first:
        before = 0
        for place, other in enumerate(second, 1):
            above = lengths[place]
            lengths[place] = before + 1 if one == other else max(above, lengths[place - 1])
            before = above
    return 2 * lengths[-1] / (len(first) + len(second) or 1)


def shared_words(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the share of words that two texts have in common, in whatever order.

    >>> shared_words("the dog bit the man".split(), "the man bit the dog".split())
    1.0
    """
    common = (Counter(first) & Counter(second)).total()
    return 2 * common / (len(first) + len(second) or 1)


def alike_in_length(first: Sequence[str], second: Sequence[str]) -> float:
    """Return minus the difference in words."""
    return -float(abs(len(first) - len(second)))


#: The control that goes by the order of words; the other two do not see it.
ORDER: Final = "word order"
CONTROLS: Final[Mapping[str, Callable[[Sequence[str], Sequence[str]], float]]] = {
    ORDER: longest_common_subsequence,
    "shared words": shared_words,
    "length": alike_in_length,
}


@dataclass(frozen=True, kw_only=True)
class PhenomenonAccuracy(Details):
    """A phenomenon: how often the paraphrase scores higher, and how often controls say so."""

    phenomenon: str = ""
    items: int = 0
    sources: int = 0
    accuracy: float = 0.0
    low: float | None = None
    high: float | None = None
    controls: Mapping[str, float] = field(default_factory=dict)
    # Where the order of words points to the paraphrase, and where it points away.
    order_with: float | None = None
    order_against: float | None = None
    # Sentence, paraphrase and what was taken for nearer by most.
    example: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MinimalPairsDetails(SeparationDetails):
    """What a result on minimal pairs tells."""

    task: str = "minimal-pairs"
    phenomena: tuple[PhenomenonAccuracy, ...] = ()
    controls: Mapping[str, float] = field(default_factory=dict)


def minimal_pairs_outcome(model: object, pairs: MinimalPairs, seed: int) -> Outcome:
    """Score how often a model finds the sentence that says the same.

    The interval is that of a mean over sources: items made from the same words are not
    independent. It holds for these phenomena and forms; how far they differ among themselves is
    told beside it.
    """
    sources = np.unique(np.array(pairs.sources), return_inverse=True)[1]
    same, other, known = _scores(model, pairs, sources)
    wins = _wins(same, other)
    told = _controls(pairs)
    rows = _rows(pairs, wins, same - other, sources, told)
    means = [row.accuracy for row in rows]
    return Outcome(
        metric="accuracy",
        score=float(wins.mean()),
        interval=mean_interval(wins, sources),
        baseline=summarize_null(
            _swapped(wins, sources, child_seed(seed, "baseline")), kind="same and other swapped"
        ),
        n_items=len(wins),
        n_covered=int(known.sum()),
        oov="zero",
        statistic="mean",
        items={
            "item": [
                f"{sentence}\t{one}\t{two}"
                for sentence, one, two in zip(pairs.sentences, pairs.same, pairs.other, strict=True)
            ],
            "group": list(pairs.sources),
            "phenomenon": list(pairs.phenomena),
            "same": same.tolist(),
            "other": other.tolist(),
            **{name: values.tolist() for name, values in told.items()},
            "value": wins.tolist(),
            "covered": known.tolist(),
        },
        others={**_spread(means), **_by_order(wins, told[ORDER])},
        details=MinimalPairsDetails(
            phenomena=tuple(rows),
            controls={name: float(values.mean()) for name, values in told.items()},
            missing=tuple(pairs.sentences[i] for i in np.flatnonzero(~known)[:10]),
        ).plain(),
    )


def _spread(means: Sequence[float]) -> dict[str, float]:
    """Return how far phenomena differ: a mean over them says little without it."""
    if len(means) < 2:
        return {}
    return {
        "lowest": min(means),
        "highest": max(means),
        "spread": float(np.std(means, ddof=1)),
        "phenomena": float(len(means)),
    }


def _by_order(wins: Floats, order: Floats) -> dict[str, float]:
    """Return how a model does where the order of words points to the paraphrase, and away."""
    parts = {"order_with": wins[order == 1], "order_against": wins[order == 0]}
    return {name: float(part.mean()) for name, part in parts.items() if len(part)}


def _wins(same: Floats, other: Floats) -> Floats:
    return np.asarray((same > other) + (same == other) / 2, dtype=np.float64)


def _scores(model: object, pairs: MinimalPairs, sources: Indices) -> tuple[Floats, Floats, Mask]:
    """Return the scores of the sentences with what says the same and with what does not.

    Weights that a model learns are those that are best for the items of all other sources.
    """
    if not learns_weights(model):
        return _scored(model, pairs)
    return _learned(model, pairs, sources)


def _scored(model: object, pairs: MinimalPairs) -> tuple[Floats, Floats, Mask]:
    count = len(pairs.sentences)
    scores, known = pair_scores(model, pairs.sentences * 2, pairs.same + pairs.other)
    return scores[:count], scores[count:], known[:count] & known[count:]


def _learned(model: Hybrid, pairs: MinimalPairs, sources: Indices) -> tuple[Floats, Floats, Mask]:
    parts = two_parts(model, int(sources.max()) + 1, lambda part: _scored(part, pairs))
    (one, two), known = (
        [np.stack(each[:2]) / (float(np.concatenate(each[:2]).std()) or 1.0) for each in parts],
        parts[0][2] | parts[1][2],
    )
    mixed = [(1 - weight) * one + weight * two for weight in _GRID]
    values = np.stack([_wins(*each) for each in mixed], axis=1)
    chosen = np.array(held_out_choice(values, sources))
    same, other = np.stack(mixed)[chosen, :, np.arange(len(chosen))].T
    return same, other, known


def _controls(pairs: MinimalPairs) -> dict[str, Floats]:
    """Return what each control makes of each item: 1 right, 0 wrong, a half for a tie."""
    cut = {
        text: _WORD.findall(text.lower()) for text in {*pairs.sentences, *pairs.same, *pairs.other}
    }

    def scored(
        control: Callable[[Sequence[str], Sequence[str]], float], side: Sequence[str]
    ) -> Floats:
        both = zip(pairs.sentences, side, strict=True)
        return np.array([control(cut[one], cut[two]) for one, two in both])

    return {
        name: _wins(scored(control, pairs.same), scored(control, pairs.other))
        for name, control in CONTROLS.items()
    }


def _rows(
    pairs: MinimalPairs,
    wins: Floats,
    margins: Floats,
    sources: Indices,
    told: Mapping[str, Floats],
) -> list[PhenomenonAccuracy]:
    """Score each phenomenon apart, hardest first."""
    names = np.array(pairs.phenomena)
    rows = []
    for name in [each for each in dict.fromkeys(pairs.phenomena) if each]:
        own = names == name
        interval = mean_interval(wins[own], sources[own])
        worst = int(np.flatnonzero(own)[margins[own].argmin()])
        rows.append(
            PhenomenonAccuracy(
                phenomenon=name,
                items=int(own.sum()),
                sources=len(np.unique(sources[own])),
                accuracy=float(wins[own].mean()),
                low=interval.low if interval else None,
                high=interval.high if interval else None,
                controls={each: float(values[own].mean()) for each, values in told.items()},
                **_by_order(wins[own], told[ORDER][own]),
                example=(pairs.sentences[worst], pairs.same[worst], pairs.other[worst])
                if margins[worst] < 0
                else (),
            )
        )
    return sorted(rows, key=lambda row: (row.accuracy, row.phenomenon))


def _swapped(wins: Floats, sources: Indices, seed: int) -> Floats:
    """Swap what says the same and what does not, for all items of a source together."""
    sums = np.bincount(sources, wins - 0.5)
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (_DRAWS, len(sums)))
    return np.asarray(0.5 + signs @ sums / len(wins))
