"""Which meanings collapse into which: the groups whose sentences are taken for another's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lydite.corpora.paraphrases.groups import ParaphraseGroups
from lydite.errors import InputError
from lydite.types import Indices, Plain

_PAIRS = 20


def group_rows(groups: ParaphraseGroups, predicted: Indices) -> list[dict[str, Plain]]:
    """Tell of each group how often its sentences are recognised, and what they are taken for.

    Parameters
    ----------
    groups
        k groups of n sentences.
    predicted
        Shape (n,), or (repeats, n): the number of the group that each sentence is taken for, -1
        for no answer.

    Returns
    -------
    One row a group, in the order of the groups: ``group``, its name; ``sentences``, how many;
    ``accuracy``, over all repeats; ``unanswered``, how often there was no answer; ``taken_for``,
    the wrong group that its sentences are most often taken for, of equals the first, or None;
    ``times``, how often; ``example``, the sentence of which that is said most often, of equals the
    first; ``returned``, a sentence of that group that is taken for one of this, or None.

    Examples
    --------
    >>> groups = ParaphraseGroups(
    ...     texts=("Hello.", "Hi.", "Bye.", "See you."),
    ...     labels=np.array([0, 0, 1, 1]),
    ...     names=("greeting", "parting"),
    ...     changes={},
    ... )
    >>> group_rows(groups, np.array([0, 1, 1, 1]))[0]
    {'group': 'greeting', 'sentences': 2, 'accuracy': 0.5, 'unanswered': 0,
     'taken_for': 'parting', 'times': 1, 'example': 'Hi.', 'returned': None}
    """
    mistakes = _Mistakes.of(groups, predicted)
    said = np.atleast_2d(predicted)
    right = _by_group(groups, (said == groups.labels).sum(axis=0))
    unanswered = _by_group(groups, (said < 0).sum(axis=0))
    rows = []
    for group, size in enumerate(groups.sizes().tolist()):
        rival = mistakes.rival(group)
        rows.append(
            {
                "group": groups.names[group],
                "sentences": size,
                "accuracy": float(right[group] / (size * len(said))) if size else None,
                "unanswered": int(unanswered[group]),
                "taken_for": None if rival is None else groups.names[rival],
                "times": 0 if rival is None else mistakes.times(group, rival),
                "example": None if rival is None else mistakes.example(group, rival),
                "returned": None if rival is None else mistakes.example(rival, group),
            }
        )
    return rows


def confused_groups(
    groups: ParaphraseGroups, predicted: Indices, *, most: int = _PAIRS
) -> list[dict[str, Plain]]:
    """Tell which two groups are most often taken for each other.

    The parameters are those of :func:`group_rows`, and ``most``, how many pairs to tell of.

    Returns
    -------
    The pairs, the most confused first, of equals those of the lowest groups: ``groups``, the two
    names, lower number first; ``times``, how often a sentence of one is taken for one of the other;
    ``forwards`` and ``backwards``, how often from the first to the second and back; ``examples``, a
    sentence for each way, or None.

    Examples
    --------
    >>> groups = ParaphraseGroups(
    ...     texts=("Hello.", "Hi.", "Bye.", "See you."),
    ...     labels=np.array([0, 0, 1, 1]),
    ...     names=("greeting", "parting"),
    ...     changes={},
    ... )
    >>> confused_groups(groups, np.array([0, 1, 0, 0]))
    [{'groups': ['greeting', 'parting'], 'times': 3, 'forwards': 1, 'backwards': 2,
      'examples': ['Hi.', 'Bye.']}]
    """
    mistakes = _Mistakes.of(groups, predicted)
    totals: dict[tuple[int, int], int] = {}
    for (one, other), times in mistakes.pairs.items():
        pair = (min(one, other), max(one, other))
        totals[pair] = totals.get(pair, 0) + times
    ordered = sorted(totals, key=lambda pair: (-totals[pair], pair))[:most]
    return [
        {
            "groups": [groups.names[a], groups.names[b]],
            "times": totals[a, b],
            "forwards": mistakes.times(a, b),
            "backwards": mistakes.times(b, a),
            "examples": [mistakes.example(a, b), mistakes.example(b, a)],
        }
        for a, b in ordered
    ]


def _by_group(groups: ParaphraseGroups, counts: Indices) -> Indices:
    """Sum numbers of sentences (n,) by group, (k,)."""
    sums = np.bincount(groups.labels, weights=counts, minlength=len(groups.names))
    return sums.astype(np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Mistakes:
    """How often sentences of one group are taken for another, and by which sentence most often."""

    pairs: dict[tuple[int, int], int]
    examples: dict[tuple[int, int], str]
    rivals: dict[int, int]

    @classmethod
    def of(cls, groups: ParaphraseGroups, predicted: Indices) -> _Mistakes:
        said = np.atleast_2d(_checked(groups, predicted))
        repeat, sentence = np.nonzero((said != groups.labels) & (said >= 0))
        target = said[repeat, sentence]
        found, times = np.unique(
            np.stack([groups.labels[sentence], target, sentence]), axis=1, return_counts=True
        )
        pairs: dict[tuple[int, int], int] = {}
        # The most often misplaced sentence, of equals the first: its number counts backwards.
        best: dict[tuple[int, int], tuple[int, int]] = {}
        for gold, other, place, count in zip(*found.tolist(), times.tolist(), strict=True):
            pair = (gold, other)
            pairs[pair] = pairs.get(pair, 0) + count
            best[pair] = max(best.get(pair, (0, 0)), (count, -place))
        rivals: dict[int, int] = {}
        for one, other in sorted(pairs, key=lambda pair: (-pairs[pair], pair)):
            rivals.setdefault(one, other)
        examples = {pair: groups.texts[-backwards] for pair, (_, backwards) in best.items()}
        return cls(pairs=pairs, examples=examples, rivals=rivals)

    def rival(self, group: int) -> int | None:
        """Return what a group is most often taken for."""
        return self.rivals.get(group)

    def times(self, one: int, other: int) -> int:
        """Return how often sentences of one group are taken for the other."""
        return self.pairs.get((one, other), 0)

    def example(self, one: int, other: int) -> str | None:
        """Return a sentence of one group that is taken for the other."""
        return self.examples.get((one, other))


def _checked(groups: ParaphraseGroups, predicted: Indices) -> Indices:
    said = np.asarray(predicted)
    if said.ndim not in {1, 2} or said.shape[-1] != len(groups.texts):
        raise InputError(
            f"expected predictions of {len(groups.texts)} sentences, one row a repeat, "
            f"got shape {said.shape}"
        )
    if said.size and said.max() >= len(groups.names):
        raise InputError(
            f"expected predictions to be groups from 0 to {len(groups.names) - 1}, or -1, "
            f"got {said.max()}"
        )
    return said
