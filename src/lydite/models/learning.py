"""Learn the vectors of many terms at once, from any learner of terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lydite.errors import InputError, UnsuitableModelError
from lydite.models.catalogue import model_spec
from lydite.models.protocols import TermLearner
from lydite.spaces.space import Space
from lydite.types import Context, Indices, Mask, Vectors, current_progress


@dataclass(frozen=True, kw_only=True, eq=False)
class Learnt:
    """The vectors learnt from n samples of contexts.

    Attributes
    ----------
    vectors
        Shape (n, d); zeros where nothing could be learnt.
    learnt
        Shape (n,): False where nothing could be learnt, for want of a known context word.
    background
        The space that the vectors live in, for ranks and neighbours.
    used
        Shape (n,): the context tokens that went into each vector.
    """

    vectors: Vectors
    learnt: Mask
    background: Space | None
    used: Indices


def learn_all(learner: object, samples: Sequence[Sequence[Context]], *, seed: int = 0) -> Learnt:
    """Learn one vector a sample.

    Parameters
    ----------
    learner
        An object with ``learn_all(samples, seed=…)``, which is then asked, or with
        ``learn(contexts)``, which is asked once a sample. Of the latter, all tokens around the term
        count as used.
    samples
        n samples, each the contexts of one term.
    seed
        For learners that draw at random.

    Examples
    --------
    >>> class Counting:
    ...     def learn(self, contexts):
    ...         return np.array([len(contexts), 1.0], dtype=np.float32)
    >>> context = Context(tokens=("a", "cat", "sat"), start=1, stop=2)
    >>> learnt = learn_all(Counting(), [[context, context], [context]])
    >>> learnt.vectors.tolist(), learnt.used.tolist()
    ([[2.0, 1.0], [1.0, 1.0]], [4, 2])
    """
    if not isinstance(learner, TermLearner):
        raise UnsuitableModelError(
            f"expected a learner of terms, got {model_spec(learner)}",
            hint="an object with learn(contexts): additive(BACKGROUND), pooled(TEXT_MODEL), …",
        )
    if not len(samples):
        raise InputError("expected samples to learn from, got none")
    at_once = getattr(learner, "learn_all", None)
    if at_once is not None:
        learnt: Learnt = at_once(samples, seed=seed)
        return learnt
    return _one_by_one(learner, samples)


def _one_by_one(learner: TermLearner, samples: Sequence[Sequence[Context]]) -> Learnt:
    rows = []
    for done, sample in enumerate(samples, 1):
        rows.append(np.asarray(learner.learn(sample), dtype=np.float32))
        current_progress()("learning terms", done, len(samples))
    shapes = sorted({row.shape for row in rows})
    if len(shapes) != 1 or len(shapes[0]) != 1:
        raise InputError(
            f"expected vectors of one length from {model_spec(learner)}, got shapes "
            f"{', '.join(map(str, shapes))}"
        )
    vectors = np.stack(rows)
    finite = np.isfinite(vectors).all(axis=1)
    learnt = np.asarray(finite & vectors.any(axis=1), dtype=np.bool_)
    vectors[~learnt] = 0
    used = [sum(len(c.tokens) - (c.stop - c.start) for c in sample) for sample in samples]
    background = getattr(learner, "background", None)
    return Learnt(
        vectors=vectors,
        learnt=learnt,
        background=background if isinstance(background, Space) else None,
        used=np.array(used, dtype=np.int64),
    )
