"""What is told of taggers that were tested."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lydite.corpora.tagging.task import UNSEEN, TaggedWords, TaggingTask
from lydite.evaluations.downstream.coverage import Coverage
from lydite.evaluations.downstream.mistakes import class_counts
from lydite.evaluations.downstream.tagging.baselines import majority_right
from lydite.evaluations.downstream.tagging.tagger import Tagger
from lydite.results.record import Items, Outcome
from lydite.stats.null import Baseline
from lydite.stats.shares import share_interval
from lydite.types import Floats, Indices, Mask, Plain

_SHOWN = 200
_CONFUSIONS = 20


@dataclass(frozen=True, kw_only=True, eq=False)
class Tagged:
    """A task and what taggers made of it.

    Attributes
    ----------
    found
        Shape (v,): which words of the task have a vector.
    predicted
        Shape (repeats, n): tags of test words.
    """

    task: TaggingTask
    found: Mask
    predicted: Indices
    taggers: tuple[Tagger, ...]

    @property
    def right(self) -> Mask:
        """Which test words are tagged right, (repeats, n)."""
        return np.asarray(self.predicted == self.task.test.tags)

    @property
    def values(self) -> Floats:
        """The share of repeats in which a test word is tagged right, (n,)."""
        values: Floats = self.right.mean(axis=0)
        return values

    @property
    def in_training(self) -> Mask:
        """Which test words stand in training, as they are written, (n,)."""
        seen = np.zeros(len(self.task.words), dtype=np.bool_)
        seen[self.task.train.words] = True
        return seen[self.task.test.words]

    @property
    def has_vector(self) -> Mask:
        """Which test words have a vector, (n,)."""
        return self.found[self.task.test.words]


def outcome(
    tagged: Tagged, coverage: Coverage, baseline: Baseline, *, notes: list[str], seed: int
) -> Outcome:
    """Put together what a result holds.

    Parameters
    ----------
    seed
        Of the interval, for which whole sentences are drawn.
    """
    test, values = tagged.task.test, tagged.values
    right, lengths = np.add.reduceat(values, test.starts[:-1]), test.lengths
    covered = np.logical_or.reduceat(tagged.has_vector, test.starts[:-1])
    return Outcome(
        metric="accuracy",
        score=float(values.mean()),
        interval=share_interval(right, lengths, seed=seed),
        baseline=baseline,
        n_items=len(lengths),
        n_covered=int(covered.sum()),
        oov="zero",
        statistic="mean",
        items=_items(tagged, right, covered),
        others=_others(tagged, coverage, baseline),
        details=_details(tagged, coverage, notes),
    )


def _others(tagged: Tagged, coverage: Coverage, baseline: Baseline) -> dict[str, float]:
    starts = tagged.task.test.starts[:-1]
    whole = np.logical_and.reduceat(tagged.right, starts, axis=1)
    others = {
        "majority": float(majority_right(tagged.task).mean()),
        "random_vectors": baseline.mean,
        "sentences_right": float(whole.mean()),
    }
    for name, chosen in (
        ("known", tagged.in_training),
        ("unknown", ~tagged.in_training),
        ("no_vector", ~tagged.has_vector),
    ):
        if chosen.any():
            others[name] = float(tagged.values[chosen].mean())
    others["word_coverage"] = coverage.share
    return others


def _details(tagged: Tagged, coverage: Coverage, notes: list[str]) -> dict[str, Plain]:
    task = tagged.task
    return {
        "notes": notes,
        "words": coverage.plain,
        "missing": list(coverage.missing),
        "sentences": {
            "train": len(task.train.lengths),
            "development": len(task.development.lengths) if task.development else 0,
            "test": len(task.test.lengths),
        },
        "tokens": {
            "train": len(task.train.words),
            "development": len(task.development.words) if task.development else 0,
            "test": len(task.test.words),
            "unknown": int((~tagged.in_training).sum()),
            "no_vector": int((~tagged.has_vector).sum()),
            "unseen_tag": int((task.test.tags == UNSEEN).sum()),
        },
        "test_sentences_in_training": _repeated(task.train, task.test),
        "repeats": [float(each) for each in tagged.right.mean(axis=1)],
        "epochs": [tagger.epochs for tagger in tagged.taggers],
        "development": [tagger.development for tagger in tagged.taggers],
        "tags": class_counts(tagged.predicted[0], task.test.tags, task.tags, called="tag"),
        "confusions": _confusions(tagged.predicted[0], task),
    }


def _repeated(train: TaggedWords, test: TaggedWords) -> int:
    """Return how many test sentences stand in training, word by word."""

    def sentences(data: TaggedWords) -> list[bytes]:
        return [each.tobytes() for each in np.split(data.words, data.starts[1:-1])]

    known = set(sentences(train))
    return sum(each in known for each in sentences(test))


def _confusions(predicted: Indices, task: TaggingTask) -> list[dict[str, Plain]]:
    """Return the most frequent mistakes; those of unseen tags are not among them."""
    gold, count = task.test.tags, len(task.tags)
    wrong = (predicted != gold) & (gold != UNSEEN)
    times = np.bincount(gold[wrong] * count + predicted[wrong], minlength=count * count)
    order = np.argsort(-times, kind="stable")[:_CONFUSIONS]
    return [
        {
            "tag": task.tags[pair // count],
            "taken_for": task.tags[pair % count],
            "times": int(times[pair]),
        }
        for pair in order
        if times[pair]
    ]


def _items(tagged: Tagged, right: Floats, covered: Mask) -> Items:
    test, words = tagged.task.test, tagged.task.words
    lines = np.split(test.words, test.starts[1:-1])
    # Divided by the mean length, not by its own, so that the mean of sentences is that of words.
    values = right / test.lengths.mean()
    return {
        "item": [" ".join(words[i] for i in line)[:_SHOWN] for line in lines],
        "tokens": test.lengths.tolist(),
        "right": right.tolist(),
        "value": values.tolist(),
        "covered": covered.tolist(),
    }
