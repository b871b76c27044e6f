"""Token tagging: how useful frozen vectors are for a linear tagger of sequences.

Parts of speech as in Tsvetkov et al. (2016), or any tagged text. The features of a word are the
vectors of a window around it, and nothing else; a linear chain on top is trained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

import numpy as np

from lydite.corpora.annotated import TagColumn
from lydite.corpora.splits import hold_out
from lydite.declare import Metric, Param, Slot
from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.catalogue import Evaluation, only_resource
from lydite.evaluations.downstream.baselines import (
    MOST_RANDOM,
    data_key,
    random_baseline,
    random_lookup,
    remembered,
)
from lydite.evaluations.downstream.parts import HELD_OUT, DownstreamDetails, TagCounts
from lydite.evaluations.downstream.words import Case, Coverage, coverage_notes, coverage_of, look_up
from lydite.evaluations.tagging.data import UNSEEN, TaggedWords, TaggingTask, open_tagging
from lydite.evaluations.tagging.tagger import Decoder, Laid, Setting, Tagger, train_tagger
from lydite.models.catalogue import model_spec
from lydite.progress import Progress, current_progress, silent
from lydite.resources.catalogue import Located
from lydite.results.details import Details
from lydite.results.record import Items, Outcome
from lydite.stats.means import mean_interval
from lydite.stats.null import Baseline
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Lookup, Mask


def majority_right(task: TaggingTask) -> Mask:
    """Return which test words have the tag that is most frequent for them in training, (n,).

    A word that training does not have gets the tag most frequent of all; of equally frequent tags
    it is the first.
    """
    count = len(task.tags)
    seen = np.zeros((len(task.words), count), dtype=np.int64)
    np.add.at(seen, (task.train.words, task.train.tags), 1)
    guesses = np.where(seen.any(axis=1), seen.argmax(axis=1), seen.sum(axis=0).argmax())
    return np.asarray(guesses[task.test.words] == task.test.tags)


#: Directions whose variance is below this share of the largest are not blown up any further.
LEAST_VARIANCE = 1e-6

#: Columns after those of the vector: whether it is one, whether a word has none, whether there is
#: no word at all.
KINDS = 3


def features_of_words(lookup: Lookup, counts: Indices, name: str) -> Floats:
    r"""Return the features of v words and, in the last row, of padding, (v + 1, d + 3).

    Vectors are centered and whitened by the running words of training: :math:`(x - \mu) U
    \Lambda^{-1/2}` with :math:`U \Lambda U^\top` their covariance. So neither a rotation nor
    the scale of a space matters, and training takes about as many steps for all spaces. Words
    without a vector have zeros and a mark in the column d + 1, padding zeros and a mark in the
    column d + 2; all others have a mark in the column d.

    ``counts``, (v,), says how often each word stands in training.
    """
    seen = lookup.found & (counts > 0)
    vectors = lookup.vectors.astype(np.float64)
    if not seen.any():
        raise UndefinedScoreError(
            f"{name} has none of the {np.count_nonzero(counts):,} different training words",
            hint="does the model know words of this language?",
        )
    known = vectors[seen]
    if (known == known[0]).all():
        raise UndefinedScoreError(
            f"{name} has the same vector for all {len(known):,} training words that it has",
            hint="is the vector file complete?",
        )
    weights = counts[seen] / counts[seen].sum()
    mean = weights @ known
    centred = known - mean
    variances, directions = np.linalg.eigh((centred.T * weights) @ centred)
    scales = 1 / np.sqrt(np.maximum(variances, variances[-1] * LEAST_VARIANCE))
    count, dim = vectors.shape
    features = np.zeros((count + 1, dim + KINDS))
    features[:-1, :dim][lookup.found] = (vectors[lookup.found] - mean) @ (directions * scales)
    features[:-1, dim] = lookup.found
    features[:-1, dim + 1] = ~lookup.found
    features[-1, dim + 2] = 1
    return features


_SHOWN = 200
_CONFUSIONS = 20


@dataclass(frozen=True, kw_only=True)
class Confusion(Details):
    """A tag that is taken for another."""

    tag: str = ""
    taken_for: str = ""
    times: int = 0


@dataclass(frozen=True, kw_only=True)
class TaggingDetails(DownstreamDetails):
    """What a result of tagging tells."""

    sentences: Mapping[str, int] = field(default_factory=dict)
    tokens: Mapping[str, int] = field(default_factory=dict)
    test_sentences_in_training: int = 0  # how many test sentences stand in training, word by word
    # Of each tagger: its accuracy, its passes over the data, its accuracy on what it is tuned on.
    repeats: tuple[float, ...] = ()
    epochs: tuple[int, ...] = ()
    development: tuple[float, ...] = ()
    # Of the first repeat: how often each tag is there, said and right; the most frequent mistakes.
    tags: tuple[TagCounts, ...] = ()
    confusions: tuple[Confusion, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Tagged:
    """A task and what taggers made of it."""

    task: TaggingTask
    found: Mask  # (v,): which words of the task have a vector
    predicted: Indices  # (repeats, n): tags of test words
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


def outcome(tagged: Tagged, coverage: Coverage, baseline: Baseline, *, notes: list[str]) -> Outcome:
    """Put together what a result holds."""
    test, values = tagged.task.test, tagged.values
    right, lengths = np.add.reduceat(values, test.starts[:-1]), test.lengths
    covered = np.logical_or.reduceat(tagged.has_vector, test.starts[:-1])
    return Outcome(
        metric="accuracy",
        score=float(values.mean()),
        interval=mean_interval(values, np.repeat(np.arange(len(lengths)), lengths)),
        baseline=baseline,
        n_items=len(lengths),
        n_covered=int(covered.sum()),
        oov="zero",
        statistic="mean",
        items=_items(tagged, right, covered),
        others=_others(tagged, coverage, baseline),
        details=_details(tagged, coverage, notes).plain(),
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


def _details(tagged: Tagged, coverage: Coverage, notes: list[str]) -> TaggingDetails:
    task = tagged.task
    return TaggingDetails(
        notes=tuple(notes),
        words=coverage.plain,
        missing=coverage.missing,
        sentences={
            "train": len(task.train.lengths),
            "development": len(task.development.lengths) if task.development else 0,
            "test": len(task.test.lengths),
        },
        tokens={
            "train": len(task.train.words),
            "development": len(task.development.words) if task.development else 0,
            "test": len(task.test.words),
            "unknown": int((~tagged.in_training).sum()),
            "no_vector": int((~tagged.has_vector).sum()),
            "unseen_tag": int((task.test.tags == UNSEEN).sum()),
        },
        test_sentences_in_training=_repeated(task.train, task.test),
        repeats=tuple(float(each) for each in tagged.right.mean(axis=1)),
        epochs=tuple(tagger.epochs for tagger in tagged.taggers),
        development=tuple(tagger.development for tagger in tagged.taggers),
        tags=TagCounts.of_predictions(tagged.predicted[0], task.test.tags, task.tags),
        confusions=_confusions(tagged.predicted[0], task),
    )


def _repeated(train: TaggedWords, test: TaggedWords) -> int:
    """Return how many test sentences stand in training, word by word."""

    def sentences(data: TaggedWords) -> list[bytes]:
        return [each.tobytes() for each in np.split(data.words, data.starts[1:-1])]

    known = set(sentences(train))
    return sum(each in known for each in sentences(test))


def _confusions(predicted: Indices, task: TaggingTask) -> tuple[Confusion, ...]:
    """Return the most frequent mistakes; those of unseen tags are not among them."""
    gold, count = task.test.tags, len(task.tags)
    wrong = (predicted != gold) & (gold != UNSEEN)
    times = np.bincount(gold[wrong] * count + predicted[wrong], minlength=count * count)
    order = np.argsort(-times, kind="stable")[:_CONFUSIONS]
    return tuple(
        Confusion(
            tag=task.tags[pair // count], taken_for=task.tags[pair % count], times=int(times[pair])
        )
        for pair in order
        if times[pair]
    )


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


@dataclass(frozen=True, kw_only=True)
class Tagging(Evaluation):
    """Test whether the vectors know what part of speech a word is.

    The vectors stay as they are; a linear tagger of sequences on top of them is trained, and tuned
    on development data alone. Beside each score stand those of the simplest answer and of random
    vectors.

    Notes
    -----
    A score is the share of test words tagged right, the mean of all repeats. A word without a
    vector has zeros and a mark of that. The interval is that of other test sentences, which are
    drawn whole, not of other training sentences. The baseline are random vectors of words, in
    lower case unless ``case=exact``, with everything else the same and one training each: what
    words give away by occurring in training. ``majority`` is the accuracy of the tag most frequent
    for a word in training, or of all for a word that is not there; ``known`` and ``unknown`` the
    accuracy of words that are in training, as written, and that are not; ``no_vector`` of words
    without a vector; ``sentences_right`` the share of sentences without a mistake.

    An item is a sentence, and its value the number of words tagged right over the mean number of
    words of a sentence, so that the mean of all values is the score.

    References
    ----------
    Tsvetkov, Faruqui & Dyer (2016), Correlation-based intrinsic evaluation of word vector
    representations. Lafferty, McCallum & Pereira (2001), Conditional random fields.
    """

    name: ClassVar[str] = "tagging"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("accuracy", "accuracy"),
        Metric("majority", "majority", higher=None),
        Metric("random_vectors", "random vectors", higher=None),
        Metric("known", "known words"),
        Metric("unknown", "unknown words"),
        Metric("no_vector", "no vector"),
        Metric("sentences_right", "whole sentences"),
        Metric("word_coverage", "words found", higher=None),
    )
    downstream: ClassVar[bool] = True
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot(
            "data",
            "Tagged words: CoNLL-U, or any format of tagged corpora that is known.",
            default=("starter-treebank",),
            accepts=("treebank",),
        ),
    )
    examples: ClassVar[tuple[str, ...]] = (
        "tagging glove-6b-50d vectors.txt",
        "tagging vectors.txt --data ud-ewt --tags xpos --repeats 5",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.downstream.section:tagging"
    tabled_by: ClassVar[str] = "lydite.evaluations.downstream.section:command_tables"

    tags: Annotated[TagColumn, Param("Of CoNLL-U: the universal tags, or the language's own.")] = (
        "upos"
    )
    window: Annotated[int, Param("Words on each side that are seen, too.", least=0)] = 2
    decoder: Annotated[
        Decoder,
        Param(
            "crf learns transitions of tags; softmax takes one tag at a time, with transitions "
            "counted in training for the best path."
        ),
    ] = "crf"
    case: Annotated[
        Case,
        Param(
            "fold looks words up as written, then in lower case; exact as written; lower in lower "
            "case."
        ),
    ] = "fold"
    epochs: Annotated[
        int,
        Param(
            "The most passes over the training sentences; training stops after 20 passes without "
            "a gain on development data, and goes back to the best.",
            least=1,
        ),
    ] = 100
    l2: Annotated[float, Param("The penalty on squared weights.")] = 0.0
    sentences: Annotated[int, Param("Training sentences, drawn at random; 0 for all.", least=0)] = 0
    repeats: Annotated[
        int, Param("Trainings, each from other weights or held-out sentences.", least=1)
    ] = 3
    draws: Annotated[int, Param("Draws of random vectors, for the baseline.", least=1)] = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        if type(self.l2) not in {int, float} or not 0 <= self.l2 < float("inf"):
            raise InputError(f"tagging: expected l2 to be a number from 0, got {self.l2!r}")

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Train and test a tagger on one data set."""
        resource = only_resource(self.name, resources)
        task = open_tagging(resource.paths, tags=self.tags, sentences=self.sentences, seed=seed)
        lookup = look_up(model, task.words, case=self.case, what=self.name)
        coverage = coverage_of(task.words, task.times, lookup.found)
        notes = [*task.notes, *coverage_notes(model, coverage, resource.name)]
        tagged = self._tagged(task, lookup, model_spec(model), seed)
        width = min(lookup.vectors.shape[1], MOST_RANDOM)
        baseline = remembered(
            _data_key(task), self.key, width, seed, lambda: self._baseline(task, width, seed)
        )
        return outcome(tagged, coverage, baseline, notes=notes)

    def _tagged(self, task: TaggingTask, lookup: Lookup, name: str, seed: int) -> Tagged:
        counts = np.bincount(task.train.words, minlength=len(task.words))
        features = features_of_words(lookup, counts, name)
        setting = Setting(
            window=self.window, decoder=self.decoder, epochs=self.epochs, l2=float(self.l2)
        )
        test = Laid.of(task.test, window=self.window, padding=len(task.words))
        progress, taggers = current_progress(), []
        for repeat in range(self.repeats):
            progress("taggers", repeat, self.repeats)
            train, development = task.train, task.development
            if development is None:
                own = child_seed(seed, "held out", str(repeat))
                left, held = hold_out(len(train.lengths), own, one_in=HELD_OUT)
                train, development = train.chosen(left), train.chosen(held)
            first = child_seed(seed, "weights", str(repeat)) if repeat else None
            taggers.append(
                train_tagger(features, train, development, len(task.tags), setting, seed=first)
            )
        progress("taggers", self.repeats, self.repeats)
        return Tagged(
            task=task,
            found=lookup.found,
            predicted=np.array([tagger.tags(features, test) for tagger in taggers]),
            taggers=tuple(taggers),
        )

    def _baseline(self, task: TaggingTask, width: int, seed: int) -> Baseline:
        """Put random vectors of words in the place of the model's."""
        once = replace(self, repeats=1)

        def score(own: int) -> float:
            lookup = random_lookup(task.words, width, case=self.case, seed=own)
            return float(once._tagged(task, lookup, "random", seed).values.mean())

        return random_baseline(score, draws=self.draws, seed=seed)


def _data_key(task: TaggingTask) -> str:
    parts = (task.train, task.development, task.test)
    arrays = [
        each for p in parts for each in ((p.words, p.tags, p.starts) if p is not None else (None,))
    ]
    return data_key(task.words, task.tags, *arrays)
