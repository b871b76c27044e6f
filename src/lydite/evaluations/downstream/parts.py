"""Tasks with a test part, and what is taken for what in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from lydite.errors import InputError
from lydite.evaluations.classification.data import LabelledTexts, Task
from lydite.evaluations.localization.classifiers import stratified_folds
from lydite.results.details import Details, Missing
from lydite.types import Indices, Mask


@dataclass(frozen=True, kw_only=True)
class Counts(Details):
    """How often a class is there in the test part, how often it is said, and how often rightly.

    The class has a field of its own in each kind of counts; ``called`` is its name.
    """

    called: ClassVar[str]

    test: int = 0
    taken_for: int = 0
    right: int = 0

    @property
    def name(self) -> str:
        """The class."""
        return str(getattr(self, self.called))

    @classmethod
    def of_predictions(
        cls, predicted: Indices, gold: Indices, names: Sequence[str]
    ) -> tuple[Self, ...]:
        """Count the predictions (n,), places among the names, of which (n,) are right.

        >>> found = TagCounts.of_predictions(np.array([0, 1, 1]), np.array([0, 0, 1]), ["N", "V"])
        >>> found[1]
        TagCounts(test=1, taken_for=2, right=1, tag='V')
        """
        return tuple(
            cls(
                test=int((gold == place).sum()),
                taken_for=int((predicted == place).sum()),
                right=int(((gold == place) & (predicted == place)).sum()),
                **{cls.called: name},
            )
            for place, name in enumerate(names)
        )


@dataclass(frozen=True, kw_only=True)
class ClassCounts(Counts):
    """Counts of a class of texts."""

    called: ClassVar[str] = "class_"

    class_: str = ""


@dataclass(frozen=True, kw_only=True)
class TagCounts(Counts):
    """Counts of a tag of words."""

    called: ClassVar[str] = "tag"

    tag: str = ""


@dataclass(frozen=True, kw_only=True)
class DownstreamDetails(Missing):
    """What a result of any task tells."""

    notes: tuple[str, ...] = ()
    # How many words of the task the model has, if it is one of words.
    words: Mapping[str, int] | None = None


#: One text or sentence in so many is held out of training to tune on, where there are no
#: development data.
HELD_OUT = 5


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """Texts to learn from, to tune on and to be tested on, once."""

    name: str
    classes: tuple[str, ...]
    train: LabelledTexts
    development: LabelledTexts | None
    test: LabelledTexts

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts: training, development, test."""
        tuning = self.development.texts if self.development else ()
        return (*self.train.texts, *tuning, *self.test.texts)


def parts_of(task: Task, *, folds: int, seed: int) -> list[Part]:
    """Return a task as it is split, or every fold of one that is not.

    Folds are in proportion to the classes, and every text is tested once. They depend on the seed
    and the labels alone.
    """
    if task.test is not None:
        part = Part(
            name=task.name,
            classes=task.classes,
            train=task.train,
            development=task.development,
            test=task.test,
        )
        return [part]
    sizes = np.bincount(task.train.labels, minlength=len(task.classes))
    if sizes.min() < 2:
        label = task.classes[int(sizes.argmin())]
        raise InputError(
            f"{task.place}: class {label!r} has one text, which cannot be in training and test at "
            "once",
            hint="leave the class out, or say in a column split what is tested",
        )
    dealt = stratified_folds(task.train.labels, folds, seed)
    return [
        Part(
            name=f"fold_{fold + 1}",
            classes=task.classes,
            train=_chosen(task.train, dealt != fold),
            development=None,
            test=_chosen(task.train, dealt == fold),
        )
        for fold in range(folds)
        if (dealt == fold).any()
    ]


def held_out(labels: Indices, seed: int) -> Mask:
    """Return which training texts, (n,), are kept apart to tune on.

    About a fifth, in proportion to the classes; every class keeps at least one text to learn from.
    """
    chosen: Mask = stratified_folds(labels, HELD_OUT, seed) == 0
    return chosen & (np.bincount(labels)[labels] > 1)


def _chosen(data: LabelledTexts, kept: Mask) -> LabelledTexts:
    rows = np.flatnonzero(kept)
    return LabelledTexts(texts=tuple(data.texts[i] for i in rows), labels=data.labels[rows])
