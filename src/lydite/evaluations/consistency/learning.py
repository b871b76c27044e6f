"""Learn the samples of all terms, and measure what was learnt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lydite.evaluations.consistency.measures import (
    Identification,
    SampleVectors,
    identify,
    means_by_term,
    pair_cosines,
)
from lydite.models.learning import learn_all
from lydite.spaces.space import Space
from lydite.types import Context, Floats, Indices, Mask


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """The measures of all terms.

    Attributes
    ----------
    learnt
        The vectors.
    background
        The space they live in, if there is one.
    used
        Shape (terms,): the context words that went into the vectors of a term, a sample on average.
    """

    learnt: SampleVectors
    background: Space | None
    used: Floats

    @cached_property
    def pairs(self) -> tuple[Indices, Indices]:
        """All pairs of vectors of one term."""
        return self.learnt.pairs()

    @cached_property
    def pair_terms(self) -> Indices:
        """The term of each pair."""
        return self.learnt.term[self.pairs[0]]

    @cached_property
    def cosines(self) -> Floats:
        """The cosine of each pair."""
        return pair_cosines(self.learnt, *self.pairs)

    @cached_property
    def identification(self) -> Identification:
        """The places of second vectors among those of all terms."""
        return identify(self.learnt)

    @property
    def covered(self) -> Mask:
        """Which terms have at least two vectors."""
        return np.bincount(self.pair_terms, minlength=self.learnt.terms) > 0

    def by_term(self, pairs: Floats) -> Floats:
        """Return the mean of a measure of pairs, (pairs,) or (2, pairs), by term; NaN for none."""
        values = pairs.mean(axis=0) if pairs.ndim == 2 else pairs
        return means_by_term(self.pair_terms, values, self.learnt.terms)[0]

    @cached_property
    def places(self) -> tuple[Floats, Mask]:
        """The mean place of each term in identification, and which terms have one."""
        found = self.identification
        return means_by_term(found.term, found.place, self.learnt.terms)

    @cached_property
    def reciprocals(self) -> Floats:
        """The mean reciprocal place of each term in identification, NaN where there is none."""
        found = self.identification
        return means_by_term(found.term, found.reciprocal, self.learnt.terms)[0]


def measure(
    learner: object, samples: Sequence[Sequence[Sequence[Context]]], *, seed: int
) -> Measured:
    """Learn one vector a sample of each term.

    Parameters
    ----------
    learner
        A learner of terms.
    samples
        For each term its samples, each a list of contexts.
    seed
        For learners that draw at random.
    """
    flat = [sample for term in samples for sample in term]
    term = np.repeat(np.arange(len(samples)), [len(each) for each in samples])
    number = np.concatenate([np.arange(len(each)) for each in samples])
    learnt = learn_all(learner, flat, seed=seed)
    kept = np.flatnonzero(learnt.learnt)
    counts = np.maximum(np.bincount(term, minlength=len(samples)), 1)
    return Measured(
        learnt=SampleVectors(
            vectors=learnt.vectors[kept],
            term=term[kept],
            sample=number[kept],
            terms=len(samples),
        ),
        background=learnt.background,
        used=np.bincount(term, weights=learnt.used, minlength=len(samples)) / counts,
    )
