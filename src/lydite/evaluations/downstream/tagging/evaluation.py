"""Token tagging: what frozen vectors are worth to a linear tagger of sequences.

Parts of speech as in Tsvetkov et al. (2016), or any tagged text. The features of a word are the
vectors of a window around it, and nothing else; a linear chain on top is trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from lydite.corpora.splits import hold_out
from lydite.corpora.tagged.columns import TagColumn
from lydite.corpora.tagging.opening import open_tagging
from lydite.corpora.tagging.task import TaggingTask
from lydite.errors import InputError
from lydite.evaluations.catalogue import Evaluation, only_resource
from lydite.evaluations.downstream.baselines import MOST_RANDOM, random_baseline, random_lookup
from lydite.evaluations.downstream.coverage import coverage_notes, coverage_of
from lydite.evaluations.downstream.parts import HELD_OUT
from lydite.evaluations.downstream.remembering import data_key, remembered
from lydite.evaluations.downstream.tagging.outcome import Tagged, outcome
from lydite.evaluations.downstream.tagging.tagger import Decoder, Laid, Setting, train_tagger
from lydite.evaluations.downstream.tagging.vectors import features_of_words
from lydite.evaluations.downstream.words import Case, look_up
from lydite.models.catalogue import model_spec
from lydite.resources.catalogue import Located
from lydite.results.record import Outcome
from lydite.stats.null import Baseline
from lydite.stats.seeds import child_seed
from lydite.types import Lookup, Progress, current_progress, silent


@dataclass(frozen=True, kw_only=True)
class Tagging(Evaluation):
    """Accuracy of a tagger whose features are a model's vectors.

    Attributes
    ----------
    tags
        Of CoNLL-U: ``upos``, the universal tags, or ``xpos``, the language's own.
    window
        How many words on each side are seen beside the word itself.
    decoder
        ``crf``, a conditional random field whose transitions are learnt; ``softmax``, a tag at a
        time, with transitions counted in training for the best path.
    case
        Words are looked up as written and then in lower case (``fallback``), as written
        (``as-is``), or in lower case (``lower``).
    epochs
        The most passes over the training sentences. Training ends before, when 20 passes have
        brought no gain on development data, and goes back to the best.
    l2
        The penalty on squared weights, against the mean log-likelihood of a word.
    sentences
        How many training sentences are taken, by chance; 0 for all.
    repeats
        Trainings. The first begins with zeros, the others with random weights; where there are no
        development data, each holds out another fifth of the training sentences for them.
    draws
        Of random vectors, for the baseline.

    Notes
    -----
    A score is the share of test words tagged right, the mean of all repeats. A word without a
    vector has zeros and a mark of that. The interval is that of other test sentences, which are
    drawn whole, not of other training sentences. The baseline are random vectors of words, in
    lower case unless ``case=as-is``, with everything else the same and one training each: what
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

    tags: TagColumn = "upos"
    window: int = 2
    decoder: Decoder = "crf"
    case: Case = "fallback"
    epochs: int = 100
    l2: float = 0.0
    sentences: int = 0
    repeats: int = 3
    draws: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require_whole(window=0, epochs=1, sentences=0, repeats=1, draws=1)
        if type(self.l2) not in {int, float} or not 0 <= self.l2 < float("inf"):
            raise InputError(f"tagging: expected l2 to be a number from 0, got {self.l2!r}")

    def run(
        self,
        model: object,
        resources: Sequence[Located],
        *,
        seed: int,
        progress: Progress = silent,
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
            _data_key(task), self.spec, width, seed, lambda: self._baseline(task, width, seed)
        )
        return outcome(tagged, coverage, baseline, notes=notes, seed=child_seed(seed, "interval"))

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
