"""Tasks with a test part: as the data have it, or dealt in folds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lydite.corpora.classification.task import LabelledTexts, Task
from lydite.errors import InputError
from lydite.evaluations.localization.folds import stratified_folds
from lydite.types import Indices, Mask

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

    Parameters
    ----------
    folds
        In proportion to the classes; every text is tested once.
    seed
        Of the deal, which depends on nothing else but the labels.

    Raises
    ------
    InputError
        If a class has one text only, which cannot be both learnt from and tested.
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
