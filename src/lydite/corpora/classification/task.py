"""A task of text classification, and the checks that every reader's rows go through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lydite.corpora.splits import SplitName, check_tested
from lydite.errors import FormatError, InputError
from lydite.types import Indices

_SHOWN = 8


class Row(NamedTuple):
    """A text as it was found.

    Attributes
    ----------
    label
        What its class is called.
    text
        May be blank where a reader has taken things out of it.
    split
        None if nothing says which part it belongs to.
    path, line
        Where it stands; no line where there are none to count.
    """

    label: str
    text: str
    split: SplitName | None
    path: Path | str
    line: int | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledTexts:
    """Texts, and the class of each, (n,), as a place among the classes of the task."""

    texts: tuple[str, ...]
    labels: Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """Texts to learn from and texts to be tested on.

    Attributes
    ----------
    name
        Empty if the file holds one task only.
    classes
        Names, sorted; every one of them stands in ``train``.
    place
        The file of training texts, for messages.
    train
        All texts, if there is no ``test``.
    development, test
        None if the data are not split so.
    """

    name: str
    classes: tuple[str, ...]
    place: str
    train: LabelledTexts
    development: LabelledTexts | None
    test: LabelledTexts | None


def task_of_rows(rows: Sequence[Row], *, name: str = "") -> Task:
    """Put rows together and refuse what no classifier could learn from.

    Parameters
    ----------
    rows
        Of all splits, in any order; either all of them say their split or none does.
    name
        Of the task.

    Raises
    ------
    InputError
        If there are fewer than two classes or two test texts, training texts are missing, a class
        has no training text, or a file lacks a class that the training file has. Files are to
        agree; one file with a column ``split`` may have rare classes that it does not test.

    Examples
    --------
    >>> train = [Row("b", "x", "train", "file"), Row("a", "y", "train", "file")]
    >>> task = task_of_rows([*train, *(Row("b", text, "test", "file") for text in "zz")])
    >>> task.classes, task.train.labels.tolist(), task.test.labels.tolist()
    (('a', 'b'), [1, 0], [1, 1])
    """
    if len({row.split is None for row in rows}) > 1:
        bare = next(row for row in rows if row.split is None)
        raise FormatError(
            "expected every text to have a split, or none, got one without and others with",
            path=bare.path,
            line=bare.line,
            hint="a column split holds train, dev or test",
        )
    by_split: dict[str, list[Row]] = {"train": [], "development": [], "test": []}
    for row in rows:
        by_split[row.split or "train"].append(row)
    whole = not rows or rows[0].split is None
    _check_parts(by_split, name, whole=whole)
    classes = tuple(sorted({row.label for row in by_split["train"]}))
    _check_classes(by_split, classes, name)
    if not whole:
        tested = by_split["test"]
        where = ": ".join(filter(None, (name, str(tested[0].path))))
        check_tested(len(tested), what="texts", place=where)
    place = {label: i for i, label in enumerate(classes)}

    def part(split: str) -> LabelledTexts:
        chosen = by_split[split]
        labels = np.array([place[row.label] for row in chosen], dtype=np.int64)
        return LabelledTexts(texts=tuple(row.text for row in chosen), labels=labels)

    return Task(
        name=name,
        classes=classes,
        place=str(by_split["train"][0].path),
        train=part("train"),
        development=part("development") if by_split["development"] else None,
        test=None if whole else part("test"),
    )


def _check_parts(by_split: dict[str, list[Row]], name: str, *, whole: bool) -> None:
    counts = ", ".join(f"{len(rows)} {split}" for split, rows in by_split.items())
    for split in ("train",) if whole else ("train", "test"):
        if not by_split[split]:
            raise InputError(
                f"{_prefix(name)}expected {split} texts, got {counts}{_files(by_split)}",
                hint="name files train and test, or give one file with a column split; one file "
                "that says nothing of splits is tested in folds",
            )


def _check_classes(by_split: dict[str, list[Row]], classes: Sequence[str], name: str) -> None:
    if len(classes) < 2:
        raise InputError(
            f"{_prefix(name)}expected training texts of at least two classes, got only "
            f"{classes[0]!r}{_files(by_split)}",
            hint="is the label what the texts differ in?",
        )
    files = {row.path for row in by_split["train"]}
    for split in ("development", "test"):
        rows = by_split[split]
        for row in rows:
            if row.label not in classes:
                times = sum(other.label == row.label for other in rows)
                raise FormatError(
                    f"{_prefix(name)}class {row.label!r} has {times} {split} "
                    f"{'text, this one' if times == 1 else 'texts, this one first'}, but none to "
                    f"train on; training has {_listed(classes)}",
                    path=row.path,
                    line=row.line,
                    hint="give all files the same labels, or leave these texts out",
                )
        absent = sorted(set(classes) - {row.label for row in rows})
        if rows and absent and files.isdisjoint(row.path for row in rows):
            raise FormatError(
                f"{_prefix(name)}expected {split} texts of the classes of training, got none of "
                f"{_listed(absent)}",
                path=rows[0].path,
                hint="do the files belong together? if so, put them in one, with a column split",
            )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, names[:_SHOWN])) + more


def _files(by_split: dict[str, list[Row]]) -> str:
    paths = sorted({str(row.path) for rows in by_split.values() for row in rows})
    return f" in {', '.join(paths[:_SHOWN])}" if paths else ""


def _prefix(name: str) -> str:
    return f"{name}: " if name else ""
