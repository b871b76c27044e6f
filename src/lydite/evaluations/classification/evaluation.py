"""Text classification: how useful frozen vectors are for a simple classifier.

The tasks of Tsvetkov et al. (2016), or any file of classes and texts. A text is the mean of its
words' vectors, or their concatenation; nothing but the classifier on top is trained.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import numpy as np

from lydite.declare import Metric, Param, Slot
from lydite.errors import InputError
from lydite.evaluations.catalogue import Evaluation, only_resource
from lydite.evaluations.classification.data import (
    Cleaning,
    Kept,
    LabelledTexts,
    Opened,
    TaskName,
    open_tasks,
)
from lydite.evaluations.downstream.baselines import (
    MOST_RANDOM,
    RandomWords,
    data_key,
    random_baseline,
    remembered,
)
from lydite.evaluations.downstream.logistic import LogisticRegression
from lydite.evaluations.downstream.parts import (
    ClassCounts,
    DownstreamDetails,
    Part,
    held_out,
    parts_of,
)
from lydite.evaluations.downstream.words import (
    Coverage,
    Encoded,
    Features,
    check_known,
    coverage_notes,
    encode_part,
    word_coverage,
)
from lydite.evaluations.localization.classifiers import Scale, scaled
from lydite.models.catalogue import model_spec
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located
from lydite.results.details import Details
from lydite.results.record import Items, Outcome
from lydite.stats.means import mean_interval
from lydite.stats.null import Baseline
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Mask, Vectors

Classifier: TypeAlias = Literal["logistic", "forest"]

#: The inverse strengths of regularization that are tried on development data.
GRID: Final = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
#: Used where there are too few texts to keep some apart.
_UNTUNED = 1.0


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How classifiers are trained: parameters of the evaluation; ``C`` is None to be tuned."""

    classifier: Classifier
    C: float | None
    trees: int
    scale: Scale
    repeats: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictions:
    """What classifiers take the test texts of a part for."""

    predicted: Indices  # (repeats, m): classes. One repeat where nothing is random.
    C: tuple[float, ...]  # what was tuned in each repeat; empty for forests
    # How many logistic regressions were stopped before they had come to the minimum.
    unconverged: int


def predict(encoded: Encoded, part: Part, setting: Setting, *, seed: int) -> Predictions:
    """Train on the training texts and classify the test texts.

    The seed is of the trees, or of which training texts are held out for tuning; it is the same for
    all models.

    C is that with the highest accuracy on development data, of equal ones the smallest. Where the
    data have a development part, the classifier learns from the training part alone. Where not, a
    fifth of the training texts is held out, C is chosen on them, and the classifier then learns
    from all training texts; each repeat holds out others.
    """
    if setting.classifier == "forest":
        return _forests(encoded, part, setting, seed)
    fits = _Logistic(encoded, part.train, setting.scale)
    if setting.C is not None:
        chosen = [setting.C]
    elif part.development is not None:
        rows = np.arange(len(encoded.train))
        chosen = [fits.tuned(rows, encoded.development, part.development.labels)]
    else:
        chosen = []
        for repeat in range(setting.repeats):
            kept = held_out(part.train.labels, child_seed(seed, "held out", str(repeat)))
            rows, asked = np.flatnonzero(~kept), np.flatnonzero(kept)
            chosen.append(fits.tuned(rows, encoded.train[asked], part.train.labels[asked]))
    return Predictions(
        predicted=fits.of_test(chosen), C=tuple(chosen), unconverged=fits.unconverged
    )


class _Logistic:
    """Logistic regressions of one part, counted."""

    def __init__(self, encoded: Encoded, train: LabelledTexts, scale: Scale) -> None:
        self._encoded = encoded
        self._labels = train.labels
        self._scale = scale
        self.unconverged = 0

    def tuned(self, rows: Indices, asked: Vectors, gold: Indices) -> float:
        """Return the best C for some training texts, by others."""
        if not len(gold):
            return _UNTUNED
        known, other = scaled(self._encoded.train[rows], asked, self._scale)
        fits = LogisticRegression(known, self._labels[rows])
        rights = [float((self._taken_for(fits, other, C) == gold).mean()) for C in GRID]
        return GRID[int(np.argmax(rights))]

    def of_test(self, chosen: list[float]) -> Indices:
        """Return what test texts are taken for, (repeats, m), learned from all training texts."""
        known, asked = scaled(self._encoded.train, self._encoded.test, self._scale)
        fits = LogisticRegression(known, self._labels)
        by_C = {C: self._taken_for(fits, asked, C) for C in sorted(set(chosen))}
        return np.stack([by_C[C] for C in chosen])

    def _taken_for(self, fits: LogisticRegression, asked: Floats, C: float) -> Indices:
        predicted, reached = fits.predict(asked, C=C)
        self.unconverged += not reached
        return predicted


def _forests(encoded: Encoded, part: Part, setting: Setting, seed: int) -> Predictions:
    known, asked = scaled(encoded.train, encoded.test, setting.scale)
    seeds = [child_seed(seed, "trees", str(repeat)) for repeat in range(setting.repeats)]
    predicted = [
        random_forest(known, part.train.labels, asked, trees=setting.trees, seed=each)
        for each in seeds
    ]
    return Predictions(predicted=np.stack(predicted), C=(), unconverged=0)


def random_forest(
    known: Floats, labels: Indices, asked: Floats, *, trees: int, seed: int
) -> Indices:
    """Return what a random forest takes rows for, (m,).

    References
    ----------
    Breiman (2001), Random forests.

    Examples
    --------
    >>> known, labels = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([0, 0, 1, 1])
    >>> random_forest(known, labels, np.array([[0.0], [4.0]]), trees=20, seed=1)
    array([0, 1])
    """
    from sklearn.ensemble import RandomForestClassifier  # type: ignore[import-untyped]

    forest = RandomForestClassifier(n_estimators=trees, random_state=seed % 2**32)
    forest.fit(known, labels)
    return np.asarray(forest.predict(asked), dtype=np.int64)


logger = logging.getLogger(__name__)

_SHOWN = 200


@dataclass(frozen=True, kw_only=True)
class PartDetails(Details):
    """What a result tells of a part of the task."""

    name: str = ""
    train: int = 0
    development: int = 0
    test: int = 0
    repeats: tuple[float, ...] = ()
    majority: float = 0.0  # the accuracy of the class that is most frequent in training
    C: tuple[float, ...] = ()  # the strength of regularization that was tuned
    # How often each class is there, said and right, in the first repeat.
    classes: tuple[ClassCounts, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ClassificationDetails(DownstreamDetails):
    """What a result of classification tells."""

    test_texts_in_training: int = 0
    parts: tuple[PartDetails, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Classification(Evaluation):
    """Measure how useful the vectors are for a text classifier.

    The vectors stay as they are; a simple classifier on top of them is trained, and tuned on
    development data alone. Beside each score stand those of the simplest answer and of random
    vectors.

    Notes
    -----
    A test text without a known word is the zero vector, and counts. The interval is that of other
    test texts, not of other training texts. The baseline are random vectors of words in place of
    the model's, with everything else the same: what texts give away by having words in common.
    ``majority`` is the accuracy of always saying the class that is most frequent in training.

    References
    ----------
    Tsvetkov, Faruqui & Dyer (2016), Correlation-based intrinsic evaluation of word vector
    representations.
    """

    name: ClassVar[str] = "classification"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("accuracy", "accuracy"),
        Metric("majority", "majority", higher=None),
        Metric("random_vectors", "random vectors", higher=None),
        Metric("not_in_training", "texts not in training"),
        Metric("word_coverage", "words found", higher=None),
    )
    downstream: ClassVar[bool] = True
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot(
            "data",
            "Labelled texts: CSV or JSONL of label and text, or a folder in a known layout.",
            default=("starter-reviews",),
            accepts=("classification",),
        ),
    )
    examples: ClassVar[tuple[str, ...]] = (
        "classification glove-6b-50d vectors.txt",
        "classification vectors.txt --data sst-binary 20news-bydate metaphor-tsvetkov-2014",
        "classification usem3 vectors.txt --data my-reviews.csv --folds 10",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.downstream.section:classification"
    tabled_by: ClassVar[str] = "lydite.evaluations.downstream.section:command_tables"

    task: Annotated[
        TaskName,
        Param("Of 20 Newsgroups: one of its four binary tasks, or all, each with a classifier."),
    ] = "all"
    headers: Annotated[Kept, Param("Headers of posts.")] = "drop"
    footers: Annotated[Kept, Param("Footers of posts.")] = "drop"
    quotes: Annotated[Kept, Param("Quotes in posts.")] = "drop"
    features: Annotated[
        Literal["auto", "mean", "concatenated"],
        Param(
            "The mean of the words' vectors, or these side by side; auto takes the second for "
            "metaphors and the first for all else."
        ),
    ] = "auto"
    classifier: Annotated[
        Literal["auto", "logistic", "forest"],
        Param(
            "L2 logistic regression or a random forest; auto takes the second for metaphors and "
            "the first for all else."
        ),
    ] = "auto"
    C: Annotated[
        float,
        Param(
            "The inverse strength of regularization of logistic regression; 0 tunes it on "
            "development data, or on a fifth of the training texts."
        ),
    ] = 0.0
    trees: Annotated[int, Param("Trees of a random forest.", least=1)] = 100
    scale: Annotated[
        Scale,
        Param(
            "Scaling of vectors before the classifier: rms divides all by their root mean squared "
            "length."
        ),
    ] = "rms"
    tokenizer: Annotated[
        Literal["auto", "words", "whitespace"],
        Param(
            "How texts are cut for models of words; auto takes whitespace for data that are "
            "tokenized and words for all else."
        ),
    ] = "auto"
    folds: Annotated[
        int, Param("Folds of data without a test part, whose every text is tested once.", least=2)
    ] = 5
    repeats: Annotated[
        int, Param("Repeats of what is random: trees, or held-out training texts.", least=1)
    ] = 5
    draws: Annotated[int, Param("Draws of random vectors, for the baseline.", least=1)] = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        if type(self.C) not in {int, float} or not 0 <= self.C < float("inf"):
            raise InputError(
                f"classification: expected C to be a number above 0, or 0 to tune it, "
                f"got {self.C!r}"
            )

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Train and test a classifier on one data set."""
        resource = only_resource(self.name, resources)
        cleaning = Cleaning(headers=self.headers, footers=self.footers, quotes=self.quotes)
        opened = open_tasks(resource.paths, task=self.task, cleaning=cleaning)
        plan = self._plan(opened)
        parts = [
            part
            for task in opened.tasks
            for part in parts_of(task, folds=self.folds, seed=child_seed(seed, "folds"))
        ]
        texts = list(dict.fromkeys(text for part in parts for text in part.texts))
        coverage = word_coverage(model, texts, tokenizer=plan.tokenizer)
        notes = coverage_notes(model, coverage, resource.name)
        encoded = [plan.encoded(model, part) for part in parts]
        check_known(model, parts, encoded)
        if not any(each.test.any() for each in encoded):
            notes.append(_warned(f"{model_spec(model)} knows no word of any test text"))
        tested = [plan.tested(*each, seed) for each in zip(parts, encoded, strict=True)]
        width = self._width(plan, tested[0])
        baseline = remembered(
            _data_key(parts, plan),
            self.key,
            width,
            seed,
            lambda: self._baseline(plan, tested, width, seed),
        )
        return self._outcome(tested, coverage, baseline, notes)

    def _plan(self, opened: Opened) -> _Plan:
        features: Features = "concatenated" if opened.phrases else "mean"
        classifier: Classifier = "forest" if opened.phrases else "logistic"
        tokenizer = "whitespace" if opened.tokenised else "words"
        return _Plan(
            features=features if self.features == "auto" else self.features,
            tokenizer=tokenizer if self.tokenizer == "auto" else self.tokenizer,
            setting=Setting(
                classifier=classifier if self.classifier == "auto" else self.classifier,
                C=float(self.C) or None,
                trees=self.trees,
                scale=self.scale,
                repeats=self.repeats,
            ),
        )

    def _width(self, plan: _Plan, tested: _Tested) -> int:
        joined = len(tested.part.texts[0].split()) if plan.features == "concatenated" else 1
        return int(min(tested.encoded.test.shape[1] // joined, MOST_RANDOM))

    def _baseline(self, plan: _Plan, tested: Sequence[_Tested], width: int, seed: int) -> Baseline:
        """Put random vectors of words in the place of the model's."""
        once = replace(plan, setting=replace(plan.setting, repeats=1))
        words = [
            RandomWords(each.part, features=plan.features, tokenizer=plan.tokenizer)
            for each in tested
        ]

        def score(own: int) -> float:
            found = [
                once.tested(each.part, known.encoded(width, own), seed).values
                for each, known in zip(tested, words, strict=True)
            ]
            return float(np.concatenate(found).mean())

        return random_baseline(score, draws=self.draws, seed=seed)

    def _outcome(
        self,
        tested: Sequence[_Tested],
        coverage: Coverage | None,
        baseline: Baseline,
        notes: list[str],
    ) -> Outcome:
        values = np.concatenate([each.values for each in tested])
        covered = np.concatenate([each.encoded.covered for each in tested])
        new = ~np.concatenate([each.repeated for each in tested])
        majority = np.concatenate([each.majority for each in tested])
        others = {"majority": float(majority.mean()), "random_vectors": baseline.mean}
        if not new.any():
            notes.append(
                _warned(
                    f"all {len(new)} test texts also occur in training, word for word: the score "
                    "shows what is remembered, not how well other texts would be classified"
                )
            )
        elif not new.all():
            others["not_in_training"] = float(values[new].mean())
        if coverage is not None:
            others["word_coverage"] = coverage.share
        if len(tested) > 1:
            others |= {each.part.name: float(each.values.mean()) for each in tested}
        unconverged = sum(each.predictions.unconverged for each in tested)
        if unconverged:
            notes.append(
                f"{unconverged} logistic regressions did not converge, and the accuracy could "
                "change with more steps: scale=standard helps"
            )
        return Outcome(
            metric="accuracy",
            score=float(values.mean()),
            interval=mean_interval(values),
            baseline=baseline,
            n_items=len(values),
            n_covered=int(covered.sum()),
            oov="zero",
            statistic="mean",
            items=_items(tested, values, covered),
            others=others,
            details=ClassificationDetails(
                notes=tuple(notes),
                words=coverage.plain if coverage else None,
                missing=coverage.missing if coverage else (),
                test_texts_in_training=int((~new).sum()),
                parts=tuple(each.details for each in tested),
            ).plain(),
        )


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """How texts become vectors, and vectors classes."""

    features: Features
    tokenizer: str
    setting: Setting

    def encoded(self, model: object, part: Part) -> Encoded:
        return encode_part(model, part, features=self.features, tokenizer=self.tokenizer)

    def tested(self, part: Part, encoded: Encoded, seed: int) -> _Tested:
        predictions = predict(encoded, part, self.setting, seed=child_seed(seed, part.name))
        return _Tested(part=part, encoded=encoded, predictions=predictions)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Tested:
    """A part and what was made of it."""

    part: Part
    encoded: Encoded
    predictions: Predictions

    @property
    def values(self) -> Floats:
        """The share of repeats that are right, (m,)."""
        right: Floats = (self.predictions.predicted == self.part.test.labels).mean(axis=0)
        return right

    @property
    def majority(self) -> Mask:
        """Which test texts are of the class most frequent in training, of equal ones the first."""
        return np.asarray(self.part.test.labels == np.bincount(self.part.train.labels).argmax())

    @property
    def repeated(self) -> Mask:
        """Which test texts, blank ones apart, stand in training too, (m,)."""
        known = {text for text in self.part.train.texts if text.strip()}
        return np.array([text in known for text in self.part.test.texts], dtype=np.bool_)

    @property
    def details(self) -> PartDetails:
        """What a report tells of the part."""
        part, predicted = self.part, self.predictions.predicted
        return PartDetails(
            name=part.name,
            train=len(part.train.texts),
            development=len(part.development.texts) if part.development else 0,
            test=len(part.test.texts),
            repeats=tuple(float(each) for each in (predicted == part.test.labels).mean(axis=1)),
            majority=float(self.majority.mean()),
            C=tuple(self.predictions.C),
            classes=ClassCounts.of_predictions(predicted[0], part.test.labels, part.classes),
        )


def _data_key(parts: Sequence[Part], plan: _Plan) -> str:
    # Whether the same texts count as tokenized is not in them, but in the layout of their file.
    pieces = [
        piece
        for part in parts
        for data in (part.train, part.development, part.test)
        for piece in ((data.texts, data.labels) if data is not None else (None,))
    ]
    return data_key([plan.features, plan.tokenizer], *pieces)


def _warned(said: str) -> str:
    """Warn of what a result is to say too, and return it."""
    logger.warning("%s", said)
    return said


def _items(tested: Sequence[_Tested], values: Floats, covered: Mask) -> Items:
    def names(each: _Tested, labels: Indices) -> list[str]:
        return [each.part.classes[i] for i in labels]

    return {
        "item": [
            " ".join(text.split())[:_SHOWN] for each in tested for text in each.part.test.texts
        ],
        "part": [each.part.name for each in tested for _ in each.part.test.texts],
        "class": [name for each in tested for name in names(each, each.part.test.labels)],
        "taken_for": [
            name for each in tested for name in names(each, each.predictions.predicted[0])
        ],
        "value": values.tolist(),
        "covered": covered.tolist(),
    }
