"""The new words that a learner placed best and worst, for people to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lydite.corpora.trials import Trial
from lydite.models.learning import Learnt
from lydite.spaces.neighbours import nearest_words
from lydite.spaces.space import Space
from lydite.types import Floats

#: Trials from either end.
_SHOWN = 8
_NEAREST = 5


def definition_examples(
    trials: Sequence[Trial], learnt: Learnt, space: Space, ranks: Floats
) -> list[dict[str, Any]]:
    """Tell word, rank and what is nearest to what was learnt, best first.

    Parameters
    ----------
    ranks
        Shape (n,): of the true words; NaN where there is none.
    """
    shown = _ends(-ranks)
    near = nearest_words(space.vectors, learnt.vectors[shown], min(_NEAREST, len(space)))
    words = space.vocabulary.words
    return [
        {"word": trials[i].name, "rank": float(ranks[i]), "nearest": [words[k] for k in rows]}
        for i, rows in zip(shown, near.indices.tolist(), strict=True)
    ]


def chimera_examples(
    trials: Sequence[Trial], orders: Mapping[int, Sequence[str]], values: Floats
) -> list[dict[str, Any]]:
    """Tell number, correlation and the probes as people and the learner order them, best first.

    Parameters
    ----------
    orders
        The known probes of each chimera by place, nearest to what was learnt first.
    values
        Shape (n,): Spearman's rho; NaN where there is none.
    """
    told = []
    for i in _ends(values):
        ratings = dict(zip(trials[i].probes, trials[i].ratings, strict=True))
        by_people = sorted(orders[i], key=ratings.__getitem__, reverse=True)
        told.append(
            {
                "chimera": trials[i].name,
                "spearman": float(values[i]),
                "people": by_people,
                "learner": list(orders[i]),
            }
        )
    return told


def _ends(values: Floats) -> list[int]:
    """Return the places of the largest and of the least, largest first, each once."""
    order = np.argsort(-values, kind="stable")
    order = order[np.isfinite(values[order])]
    if len(order) > 2 * _SHOWN:
        order = np.concatenate([order[:_SHOWN], order[-_SHOWN:]])
    return [int(i) for i in order]
