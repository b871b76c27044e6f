"""Whether models that are wrong are wrong in the same way (White et al. 2015, section 5.2).

P(m1(x) = m2(x) | m1(x) ≠ y and m2(x) ≠ y) for a sentence x of group y. Where both are wrong alone,
since elsewhere agreement is that of both with the truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError
from lydite.stats.shares import wilson_interval
from lydite.types import Floats, Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class Agreement:
    """How often each two of m models are wrong together, and in the same way.

    Attributes
    ----------
    models
        The m names.
    sentences
        How many sentences were classified.
    both_wrong
        Shape (m, m), symmetric: how many both take for a wrong group; on the diagonal, each
        model's mistakes. No answer is a mistake.
    same_wrong
        Shape (m, m), symmetric: how many of these both take for the same wrong group. No answer is
        never the same as anything, so the diagonal has the mistakes less the unanswered.
    """

    models: tuple[str, ...]
    sentences: int
    both_wrong: Indices
    same_wrong: Indices

    @property
    def mistakes(self) -> Indices:
        """The mistakes of each model, (m,)."""
        return np.diag(self.both_wrong).copy()

    def intervals(self, level: float = 0.95) -> Floats:
        """Return Wilson intervals, (m, m, 2), of the share of common mistakes that are the same.

        NaN where there are none. They take sentences for independent; those of one group are not
        quite.
        """
        return wilson_interval(self.same_wrong, self.both_wrong, level=level)


def misclassification_agreement(gold: ArrayLike, predicted: Mapping[str, ArrayLike]) -> Agreement:
    """Count the mistakes that models share.

    Parameters
    ----------
    gold
        Shape (n,): the group of each sentence.
    predicted
        For each model, shape (n,): what it takes each sentence for, -1 for no answer. The paper
        takes one fold; the test sentences of several folds or repeats can be put end to end.

    Raises
    ------
    InputError
        If there is no model, or one has not said anything of just these sentences.

    Examples
    --------
    >>> found = misclassification_agreement(
    ...     [0, 1, 2, 2], {"a": [0, 2, 1, 0], "b": [1, 2, 1, 1]}
    ... )
    >>> found.both_wrong.tolist(), found.same_wrong.tolist()
    ([[3, 3], [3, 4]], [[3, 2], [2, 4]])
    """
    truth = np.asarray(gold, dtype=np.int64)
    if not predicted:
        raise InputError("agreement is about models, got none")
    for name, each in predicted.items():
        if truth.ndim != 1 or np.shape(each) != truth.shape:
            raise InputError(
                f"expected one prediction of {name} for each sentence, shape {truth.shape}, "
                f"got {np.shape(each)}"
            )
    said = np.stack([np.asarray(each, dtype=np.int64) for each in predicted.values()])
    wrong = (said != truth) | (said < 0)
    both = wrong.astype(np.int64) @ wrong.T.astype(np.int64)
    answered = wrong & (said >= 0)
    same = np.stack(
        [
            ((said == one) & answered & mask).sum(axis=1)
            for one, mask in zip(said, answered, strict=True)
        ]
    )
    return Agreement(
        models=tuple(predicted), sentences=len(truth), both_wrong=both, same_wrong=same
    )
