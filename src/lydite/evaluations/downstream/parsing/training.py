"""Train parsers; of each the best epoch on development data is kept and tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from lydite.corpora.treebank.trees import Int32s
from lydite.evaluations.downstream.parsing.adam_kernel import adam
from lydite.evaluations.downstream.parsing.material import Numbered, inputs_of
from lydite.evaluations.downstream.parsing.network import (
    Course,
    Sentences,
    Weights,
    gradient_of,
    new_weights,
    parsed,
)
from lydite.evaluations.localization.features import Scale
from lydite.threads import thread_count
from lydite.types import Lookup, Mask, Plain, Vectors, current_progress


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a parser is trained.

    Attributes
    ----------
    course
        How it goes through sentences.
    scale
        Of vectors.
    hidden
        Units of the hidden layer.
    epochs
        At most; the best one on development data counts.
    batch
        Sentences between two steps.
    rate
        Of learning, at first; it goes down to 0 in a straight line.
    """

    course: Course
    scale: Scale
    hidden: int
    epochs: int
    batch: int = 16
    rate: float = 0.01


@dataclass(frozen=True, kw_only=True, eq=False)
class Parser:
    """A parser after some epoch, counted from 1, and its UAS and LAS on development data."""

    weights: Weights
    epoch: int
    tuned: tuple[float, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """What became of one training.

    Attributes
    ----------
    epoch
        The best one.
    tuned
        UAS and LAS on development data.
    heads, labels
        Parses of the test sentences, (n,).
    """

    epoch: int
    tuned: tuple[float, float]
    heads: Int32s
    labels: Int32s

    def plain(self, data: Numbered) -> dict[str, Plain]:
        """Return what a report tells of it."""
        uas, las = attachment(data.test, self.heads, self.labels, data.tested_on)
        return {
            "uas": uas,
            "las": las,
            "epoch": self.epoch,
            "development_uas": self.tuned[0],
            "development_las": self.tuned[1],
        }


def trained(
    data: Numbered, lookups: Sequence[Lookup], plan: Plan, *, seeds: Sequence[int]
) -> list[Trained]:
    """Train and test one parser a seed, side by side on as many cores as there are.

    Parameters
    ----------
    lookups
        Vectors of the words, one for all seeds or one each.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    progress = current_progress()
    inputs = [inputs_of(lookup, data.train.rows, plan.scale) for lookup in lookups]
    jobs = [(inputs[i % len(inputs)], seed) for i, seed in enumerate(seeds)]
    found: list[Trained] = []
    # Products in threads of their own would differ in the last bit with the number of cores.
    with threadpool_limits(1), ThreadPoolExecutor(min(thread_count(), len(jobs))) as pool:
        for each in pool.map(lambda job: _trained(data, job[0], plan, job[1]), jobs):
            found.append(each)
            progress("parsers", len(found), len(jobs))
    return found


def _trained(data: Numbered, inputs: tuple[Vectors, Int32s], plan: Plan, seed: int) -> Trained:
    vectors, rows = inputs
    training, tuning, test = (
        replace(part, rows=rows[part.rows]) for part in (data.train, data.development, data.test)
    )

    def parses(weights: Weights, part: Sentences) -> tuple[Int32s, Int32s]:
        return parsed(weights, vectors, part, system=plan.course.system, root_label=data.root_label)

    best: Parser | None = None
    for epoch, weights in enumerate(
        epochs(training, vectors, plan, labels=len(data.relations), seed=seed), 1
    ):
        uas, las = attachment(tuning, *parses(weights, tuning), data.tuned_on)
        if best is None or (las, uas) > best.tuned[::-1]:
            best = Parser(weights=weights.copy(), epoch=epoch, tuned=(uas, las))
    assert best is not None
    heads, labels = parses(best.weights, test)
    return Trained(epoch=best.epoch, tuned=best.tuned, heads=heads, labels=labels)


def epochs(
    data: Sentences, vectors: Vectors, plan: Plan, *, labels: int, seed: int
) -> Iterator[Weights]:
    """Train by Adam on batches of sentences; yield the weights, which go on to change.

    Parameters
    ----------
    data
        Projective trees.
    vectors
        Shape (rows, d), of which the first two are of no word.
    labels
        How many relations there are.
    seed
        Of weights, order, dropout and exploration.
    """
    generator = np.random.default_rng(seed)
    weights = new_weights(vectors.shape[1], plan.hidden, labels, generator)
    moments = weights.like(), weights.like()
    steps, step = plan.epochs * -(-len(data) // plan.batch), 0
    for epoch in range(plan.epochs):
        # The classifier knows too little at first to be followed (Goldberg & Nivre 2013).
        course = plan.course if epoch else replace(plan.course, explored=0.0)
        order = generator.permutation(len(data))
        for start in range(0, len(order), plan.batch):
            batch = data.chosen(order[start : start + plan.batch])
            drawn = int(generator.integers(1 << 62))
            _, gradient = gradient_of(weights, vectors, batch, course, seed=drawn)
            rate = plan.rate * (1 - step / steps)
            step += 1
            _move(weights, gradient, moments, rate, 0.5 / len(batch.rows), step)
        yield weights


def _move(
    weights: Weights,
    gradient: Weights,
    moments: tuple[Weights, Weights],
    rate: float,
    scale: float,
    step: int,
) -> None:
    means, squares = moments
    for each in zip(weights.arrays, gradient.arrays, means.arrays, squares.arrays, strict=True):
        own, slope, mean, square = (array.reshape(-1) for array in each)
        adam(own, slope, mean, square, rate, scale, step)


def attachment(gold: Sentences, heads: Int32s, labels: Int32s, scored: Mask) -> tuple[float, float]:
    """Return UAS and LAS: shares of right heads, and of right heads with right labels."""
    right = (heads == gold.heads)[scored]
    named = right & (labels == gold.labels)[scored]
    return float(right.mean()), float(named.mean())
