"""Dependency parsing: how useful frozen vectors are as the only features of a parser.

A transition-based parser whose classifier, one hidden layer, sees nothing but vectors of words: no
parts of speech, no words as such, no relations made so far. What it gets right, the vectors said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

import numpy as np

from lydite.corpora.splits import check_tested
from lydite.declare import Metric, Param, Slot
from lydite.errors import InputError
from lydite.evaluations.catalogue import Evaluation, only_resource
from lydite.evaluations.downstream.baselines import MOST_RANDOM, random_lookup, remembered
from lydite.evaluations.downstream.parts import DownstreamDetails
from lydite.evaluations.downstream.words import Case, Coverage, coverage_notes, coverage_of, look_up
from lydite.evaluations.localization.classifiers import Scale
from lydite.evaluations.parsing.data import Int32s, Treebank, open_treebank
from lydite.evaluations.parsing.parser import (
    Course,
    Numbered,
    Oracle,
    Plan,
    Sentences,
    System,
    Trained,
    crossing,
    numbered,
    trained,
)
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located
from lydite.results.details import Details
from lydite.results.record import Items, Outcome
from lydite.stats.means import mean_interval
from lydite.stats.null import Baseline, summarize_null
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Lookup, Mask, Plain, PlainMapping

#: The last arc of each class of lengths.
_LENGTHS = ((1, "1"), (2, "2"), (6, "3-6"), (1 << 31, "7 or more"))


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """What parses are worth, over the n words that count."""

    # (n,): shares of the repeats in which the head is right, head and relation are, the relation
    # is.
    head: Floats
    named: Floats
    label: Floats
    exact: Floats  # (m,): shares of the repeats in which all heads of a sentence are right
    sentence: Indices  # (n,): to which sentence each word belongs, from 0 to m

    def summed(self, values: Floats) -> Floats:
        """Return sums by sentence, (m,)."""
        count = len(self.exact)
        return np.bincount(self.sentence, values, count).astype(np.float64)

    @property
    def sizes(self) -> Floats:
        """Words that count in each sentence, (m,)."""
        return self.summed(np.ones_like(self.head))


def score_parses(gold: Sentences, parses: Sequence[tuple[Int32s, Int32s]], scored: Mask) -> Scores:
    """Compare the parses of several repeats with gold trees.

    Parses are heads and labels, (words,), of each repeat. A sentence without scored words is left
    out of ``exact``.

    >>> starts, rows = np.array([0, 3]), np.zeros(3, dtype=np.int32)
    >>> heads, labels = np.array([2, 0, 2], "i4"), np.array([0, 1, 2], "i4")
    >>> gold = Sentences(starts=starts, rows=rows, heads=heads, labels=labels)
    >>> found = np.array([2, 0, 1], "i4"), np.array([1, 1, 2], "i4")
    >>> scores = score_parses(gold, [found], np.ones(3, dtype=np.bool_))
    >>> scores.head.tolist(), scores.named.tolist(), scores.label.tolist()
    ([1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0])
    """
    owner = np.repeat(np.arange(len(gold)), np.diff(gold.starts))[scored]
    _, sentence = np.unique(owner, return_inverse=True)
    count = int(sentence.max()) + 1
    heads = np.array([(heads == gold.heads)[scored] for heads, _ in parses])
    labels = np.array([(labels == gold.labels)[scored] for _, labels in parses])
    wrong = np.array([np.bincount(sentence, weights=~right, minlength=count) for right in heads])
    return Scores(
        head=heads.mean(axis=0),
        named=(heads & labels).mean(axis=0),
        label=labels.mean(axis=0),
        exact=(wrong == 0).mean(axis=0),
        sentence=sentence,
    )


def branching(data: Sentences, scored: Mask) -> tuple[float, float]:
    """Return the unlabelled scores of hanging each word on the one before, and on the one after.

    The first word, or the last one, is the root.

    >>> rows, heads = np.zeros(3, dtype=np.int32), np.array([2, 0, 2], "i4")
    >>> data = Sentences(starts=np.array([0, 3]), rows=rows, heads=heads, labels=rows)
    >>> [round(each, 3) for each in branching(data, np.ones(3, dtype=np.bool_))]
    [0.333, 0.333]
    """
    lengths = np.diff(data.starts)
    place = np.arange(len(data.heads)) - np.repeat(data.starts[:-1], lengths) + 1
    after = np.where(place == np.repeat(lengths, lengths), 0, place + 1)
    before = place - 1
    return (
        float((before == data.heads)[scored].mean()),
        float((after == data.heads)[scored].mean()),
    )


@dataclass(frozen=True, kw_only=True)
class Attached(Details):
    """Of so many words, the share whose head is right, and whose head and relation are."""

    words: int = 0
    uas: float | None = None
    las: float | None = None


@dataclass(frozen=True, kw_only=True)
class AttachedRelation(Attached):
    """The words of a relation."""

    relation: str = ""


@dataclass(frozen=True, kw_only=True)
class AttachedLength(Attached):
    """The words that are so far from their head."""

    length: str = ""


@dataclass(frozen=True, kw_only=True)
class ParsingDetails(DownstreamDetails):
    """What a result of parsing tells."""

    sentences: Mapping[str, int] = field(default_factory=dict)
    # Words of the test sentences, and those that count.
    test_words: int = 0
    scored_words: int = 0
    not_projective: Mapping[str, int] = field(default_factory=dict)  # trees with crossing arcs
    repeats: tuple[PlainMapping, ...] = ()
    # Scores by the distance to the head and by relation.
    lengths: tuple[AttachedLength, ...] = ()
    relations: tuple[AttachedRelation, ...] = ()


def by_relation(
    scores: Scores, relations: Sequence[str], scored: Mask
) -> tuple[AttachedRelation, ...]:
    """Return both scores for each gold relation, the most frequent first."""
    names = np.array(relations)[scored]
    kinds, codes, counts = np.unique(names, return_inverse=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return tuple(
        AttachedRelation(relation=str(kinds[i]), **_shares(scores, codes == i)) for i in order
    )


def by_length(scores: Scores, data: Sentences, scored: Mask) -> tuple[AttachedLength, ...]:
    """Return both scores for roots and for arcs over so many places."""
    place = np.arange(len(data.heads)) - np.repeat(data.starts[:-1], np.diff(data.starts)) + 1
    heads = data.heads[scored]
    length = np.where(heads == 0, 0, np.abs(place[scored] - heads))
    rows, above = [AttachedLength(length="root", **_shares(scores, length == 0))], 0
    for last, name in _LENGTHS:
        within = (length > above) & (length <= last)
        rows.append(AttachedLength(length=name, **_shares(scores, within)))
        above = last
    return tuple(row for row in rows if row.words)


def _shares(scores: Scores, chosen: Mask) -> dict[str, Plain]:
    count = int(chosen.sum())
    return {
        "words": count,
        "uas": float(scores.head[chosen].mean()) if count else None,
        "las": float(scores.named[chosen].mean()) if count else None,
    }


_SHOWN = 200


@dataclass(frozen=True, kw_only=True)
class Parsing(Evaluation):
    """Test whether the vectors know which word depends on which.

    The vectors stay as they are; a transition parser that sees nothing else is trained, and tuned
    on development data alone. The score is the share of words whose head is right (UAS), beside
    the simplest answer and random vectors.

    Notes
    -----
    Every test sentence counts, projective or not; training trees that are not projective are made
    so. UAS and LAS are shares of all words that count; an item is a sentence, whose ``value`` is
    its part in the score, so that their mean is UAS, and ``uas`` the share of its own words. The
    interval is that of other test sentences. ``right_branching`` hangs every word on the one
    before, ``left_branching`` on the one after, which in English is the better guess. The baseline
    are random vectors of words, with everything else the same.

    References
    ----------
    Chen & Manning (2014), A fast and accurate dependency parser using neural networks. Goldberg &
    Nivre (2013), Training deterministic parsers with non-deterministic oracles.
    """

    name: ClassVar[str] = "parsing"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("uas", "heads right (UAS)"),
        Metric("las", "LAS"),
        Metric("label_accuracy", "relations right"),
        Metric("exact", "whole trees"),
        Metric("right_branching", "right branching", higher=None),
        Metric("left_branching", "left branching", higher=None),
        Metric("random_vectors", "random vectors", higher=None),
        Metric("word_coverage", "words found", higher=None),
    )
    downstream: ClassVar[bool] = True
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot(
            "data",
            "Dependency trees in CoNLL-U.",
            default=("starter-treebank",),
            accepts=("treebank",),
        ),
    )
    examples: ClassVar[tuple[str, ...]] = (
        "parsing glove-6b-50d vectors.txt",
        "parsing vectors.txt --data ud-ewt --sentences 4000",
        "parsing vectors.txt --data ud-ewt --system arc-standard --oracle static",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.downstream.section:parsing"
    tabled_by: ClassVar[str] = "lydite.evaluations.downstream.section:command_tables"

    system: Annotated[System, Param("The transition system.")] = "arc-hybrid"
    oracle: Annotated[
        Oracle,
        Param(
            "dynamic, of arc-hybrid only, goes on from mistakes in training; static never sees "
            "them."
        ),
    ] = "dynamic"
    relations: Annotated[
        Literal["universal", "full"], Param("Relations without subtypes, or with them.")
    ] = "universal"
    punctuation: Annotated[bool, Param("Count words of the part of speech PUNCT.")] = False
    case: Annotated[
        Case,
        Param(
            "fold looks words up as written, then in lower case; exact as written; lower in lower "
            "case."
        ),
    ] = "fold"
    scale: Annotated[
        Scale,
        Param("standard scales each component to mean 0 and deviation 1 over training words."),
    ] = "standard"
    hidden: Annotated[int, Param("Units of the hidden layer.", least=1)] = 200
    dropout: Annotated[
        float, Param("The share of hidden units that is left out at each step of training.")
    ] = 0.3
    epochs: Annotated[
        int, Param("Epochs of training; the best on development data is tested.", least=1)
    ] = 10
    sentences: Annotated[int, Param("Training sentences, drawn at random; 0 for all.", least=0)] = 0
    repeats: Annotated[
        int, Param("Trainings, each with its own weights, order and dropout.", least=1)
    ] = 3
    draws: Annotated[int, Param("Draws of random vectors, for the baseline.", least=1)] = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        if type(self.dropout) not in {int, float} or not 0 <= self.dropout <= 0.9:
            raise InputError(
                f"parsing: expected dropout to be a number from 0 to 0.9, got {self.dropout!r}"
            )
        if self.oracle == "dynamic" and self.system != "arc-hybrid":
            raise InputError(
                f"parsing: the dynamic oracle needs system=arc-hybrid, got {self.system}",
                hint="add oracle=static, or leave system out",
            )

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Train parsers on one treebank and test them."""
        resource = only_resource(self.name, resources)
        where = str(resource.paths[0].parent if len(resource.paths) > 1 else resource.paths[0])
        bank, notes = self._opened(resource, seed)
        data = numbered(bank, punctuation=self.punctuation)
        check_tested(data.tested_sentences, what="sentences with a word that counts", place=where)
        lookup = look_up(model, data.words, case=self.case, what=self.name)
        coverage = coverage_of(data.words, data.times, lookup.found)
        notes += coverage_notes(model, coverage, resource.name)
        seeds = [child_seed(seed, "repeat", str(i)) for i in range(self.repeats)]
        runs = trained(data, [lookup], self._plan, seeds=seeds)
        width = min(lookup.vectors.shape[1], MOST_RANDOM)
        baseline = remembered(
            data.key, self.key, width, seed, lambda: self._baseline(data, width, seed)
        )
        scores = score_parses(data.test, [(run.heads, run.labels) for run in runs], data.tested_on)
        asked = _Asked(bank=bank, data=data, lookup=lookup, coverage=coverage, notes=notes)
        return self._outcome(asked, runs, scores, baseline)

    def _opened(self, resource: Located, seed: int) -> tuple[Treebank, list[str]]:
        bank = open_treebank(resource.paths, sentences=self.sentences, seed=seed)
        if self.relations == "universal":
            bank = replace(
                bank,
                train=bank.train.universal(),
                development=bank.development.universal(),
                test=bank.test.universal(),
            )
        said = [] if self.punctuation else _without_punctuation(bank)
        return bank, [*bank.notes, *said, *_unseen(bank)]

    @property
    def _plan(self) -> Plan:
        course = Course(
            system=self.system, oracle=self.oracle, explored=0.9, dropout=float(self.dropout)
        )
        return Plan(course=course, scale=self.scale, hidden=self.hidden, epochs=self.epochs)

    def _baseline(self, data: Numbered, width: int, seed: int) -> Baseline:
        """Put random vectors of words in the place of the model's."""
        seeds = [child_seed(seed, "random vectors", str(draw)) for draw in range(self.draws)]
        drawn = [random_lookup(data.words, width, case=self.case, seed=own) for own in seeds]
        runs = trained(data, drawn, self._plan, seeds=seeds)
        right = [(run.heads == data.test.heads)[data.tested_on].mean() for run in runs]
        return summarize_null(right, kind="random vectors")

    def _outcome(
        self, asked: _Asked, runs: Sequence[Trained], scores: Scores, baseline: Baseline
    ) -> Outcome:
        data, bank = asked.data, asked.bank
        right, sizes = scores.summed(scores.head), scores.sizes
        before, after = branching(data.test, data.tested_on)
        covered = scores.summed(asked.known.astype(np.float64)) > 0
        return Outcome(
            metric="uas",
            score=float(right.sum() / sizes.sum()),
            interval=mean_interval(scores.head, scores.sentence),
            baseline=baseline,
            n_items=len(sizes),
            n_covered=int(covered.sum()),
            oov="indicator",
            statistic="mean",
            items=_items(asked, scores, covered),
            others={
                "las": float(scores.named.mean()),
                "label_accuracy": float(scores.label.mean()),
                "exact": float(scores.exact.mean()),
                "right_branching": before,
                "left_branching": after,
                "random_vectors": baseline.mean,
                "word_coverage": asked.coverage.share,
            },
            details=ParsingDetails(
                notes=tuple(asked.notes),
                words=asked.coverage.plain,
                missing=asked.coverage.missing,
                sentences={
                    "train": len(bank.train),
                    "development": len(bank.development),
                    "test": len(bank.test),
                },
                test_words=len(data.test.heads),
                scored_words=len(scores.head),
                not_projective={"train": data.lifted, "test": crossing(data.test)},
                repeats=tuple(run.plain(data) for run in runs),
                lengths=by_length(scores, data.test, data.tested_on),
                relations=by_relation(scores, bank.test.relations, data.tested_on),
            ).plain(),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Asked:
    """The data, and what a model has of it."""

    bank: Treebank
    data: Numbered
    lookup: Lookup
    coverage: Coverage
    notes: list[str]

    @property
    def known(self) -> Mask:
        """Which of the test words that count have a vector."""
        return self.lookup.found[self.data.test.rows][self.data.tested_on]


def _without_punctuation(bank: Treebank) -> list[str]:
    """Say that punctuation counts after all, since nothing tells which it is, or all is."""
    if bank.test.punctuation.all():
        return ["all test words are punctuation, and count"]
    if any(part.punctuation.any() for part in (bank.train, bank.development, bank.test)):
        return []
    return ["no word has the part of speech PUNCT: punctuation, if there is any, counts"]


def _unseen(bank: Treebank) -> list[str]:
    known = set(bank.train.relations)
    notes = []
    for part, trees in (("development", bank.development), ("test", bank.test)):
        names = sorted(set(trees.relations) - known)
        if names:
            times = sum(name in names for name in trees.relations)
            notes.append(
                f"{times} {part} words have relations that do not occur in training, and count as "
                f"wrong in LAS: {', '.join(names[:8])}"
            )
    return notes


def _items(asked: _Asked, scores: Scores, covered: Mask) -> Items:
    trees, data = asked.bank.test, asked.data
    owner = np.repeat(np.arange(len(trees)), trees.lengths)[data.tested_on]
    sizes, right = scores.sizes, scores.summed(scores.head)
    return {
        "item": [trees.text(int(i))[:_SHOWN] for i in np.unique(owner)],
        "words": sizes.astype(np.int64).tolist(),
        "value": (right / sizes.mean()).tolist(),
        "uas": (right / sizes).tolist(),
        "las": (scores.summed(scores.named) / sizes).tolist(),
        "exact": scores.exact.tolist(),
        "covered": covered.tolist(),
    }
