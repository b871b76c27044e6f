"""What consistency would be without a term: the same learner on contexts that are not the term's.

More text alone makes summed vectors alike (Kabbach et al. 2019), so a cosine of 0.95 may say
nothing at all. The controls tell what it would be anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from lydite.types import Context

Samples: TypeAlias = Sequence[Sequence[Context]]


def size_matched(samples: Samples, seed: int) -> list[list[Context]]:
    """Deal all sentences out at random, so that samples keep their number of sentences.

    A sample then holds sentences of any terms, each with its own term left out: what text of that
    amount is like, whatever the term.
    """
    pool = [context for sample in samples for context in sample]
    order = np.random.default_rng(seed).permutation(len(pool)).tolist()
    dealt = iter(order)
    return [[pool[next(dealt)] for _ in sample] for sample in samples]


def shuffled_contexts(samples: Samples, seed: int) -> list[list[Context]]:
    """Deal all context words out at random, so that sentences keep their lengths.

    The samples then differ by chance alone: not even the topics of sentences are left.
    """
    pool = [
        token
        for sample in samples
        for context in sample
        for token in (*context.tokens[: context.start], *context.tokens[context.stop :])
    ]
    order = np.random.default_rng(seed).permutation(len(pool)).tolist()
    dealt = iter(order)

    def refill(context: Context) -> Context:
        before = tuple(pool[next(dealt)] for _ in range(context.start))
        after = tuple(pool[next(dealt)] for _ in range(len(context.tokens) - context.stop))
        term = context.tokens[context.start : context.stop]
        return Context(tokens=before + term + after, start=context.start, stop=context.stop)

    return [[refill(context) for context in sample] for sample in samples]


CONTROLS = {"size-matched": size_matched, "shuffled contexts": shuffled_contexts}
