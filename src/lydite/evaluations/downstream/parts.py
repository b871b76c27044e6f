"""Tasks with a test part, and what is taken for what in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lydite.errors import InputError
from lydite.evaluations.classification.data import LabelledTexts, Task
from lydite.evaluations.localization.classifiers import stratified_folds
from lydite.types import Indices, Mask, Plain


def class_counts(
    predicted: Indices, gold: Indices, names: Sequence[str], *, called: str
) -> list[dict[str, Plain]]:
    """Return a row a class, for a result.

    Parameters
    ----------
    predicted, gold
        Shape (n,): places among ``names``.
    called
        What the name of a class is called in a row.

    Examples
    --------
    >>> import numpy as np
    >>> class_counts(np.array([0, 1, 1]), np.array([0, 0, 1]), ["N", "V"], called="tag")[1]
    {'tag': 'V', 'test': 1, 'taken_for': 2, 'right': 1}
    """
    return [
        {
            called: name,
            "test": int((gold == place).sum()),
            "taken_for": int((predicted == place).sum()),
            "right": int(((gold == place) & (predicted == place)).sum()),
        }
        for place, name in enumerate(names)
    ]


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
