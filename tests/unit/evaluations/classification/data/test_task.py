from __future__ import annotations

import pytest

from lydite.corpora.splits import SplitName
from lydite.errors import FormatError, InputError
from lydite.evaluations.classification.data import Row, task_of_rows


def row(label: str, split: SplitName | None, path: str = "file", line: int | None = None) -> Row:
    return Row(label, f"{label} {line}", split, path, line)


def test_rows_become_splits_in_their_order() -> None:
    rows = [
        row("b", "train", line=1),
        row("a", "test", line=2),
        row("a", "train", line=3),
        row("b", "development", line=4),
        row("b", "test", line=5),
    ]
    task = task_of_rows(rows, name="letters")
    assert (task.name, task.classes) == ("letters", ("a", "b"))
    assert task.train.texts == ("b 1", "a 3")
    assert task.train.labels.tolist() == [1, 0]
    assert task.test is not None
    assert task.test.texts == ("a 2", "b 5")
    assert task.development is not None
    assert task.development.labels.tolist() == [1]


def test_rows_without_splits_are_one_part() -> None:
    task = task_of_rows([row("a", None), row("b", None)])
    assert task.test is None
    assert task.development is None
    assert len(task.train.texts) == 2


def test_a_split_that_only_some_rows_say_is_refused() -> None:
    with pytest.raises(FormatError, match="file:7: expected every text to have a split"):
        task_of_rows([row("a", "train"), row("b", None, line=7)])


@pytest.mark.parametrize("present", ["train", "test"])
def test_an_empty_split_is_refused(present: SplitName) -> None:
    absent = "test" if present == "train" else "train"
    with pytest.raises(InputError, match=f"expected {absent} texts, got .* in file"):
        task_of_rows([row("a", present), row("b", present)])


def test_nothing_at_all_is_refused() -> None:
    with pytest.raises(InputError, match="expected train texts, got 0 train"):
        task_of_rows([])


def test_one_class_is_refused() -> None:
    with pytest.raises(InputError, match="at least two classes, got only 'a' in file"):
        task_of_rows([row("a", "train"), row("a", "test")])


@pytest.mark.parametrize("split", ["development", "test"])
def test_a_class_missing_from_training_is_named_with_its_line(split: SplitName) -> None:
    rows = [row("a", "train"), row("b", "train"), row("a", "test"), row("b", "test")]
    strange = [row("c", split, "other", 4), row("c", split, "other", 9)]
    with pytest.raises(FormatError, match=f"other:4: class 'c' has 2 {split} texts") as caught:
        task_of_rows([*rows, *strange])
    assert "training has 'a', 'b'" in str(caught.value)


def test_label_sets_that_differ_between_files_are_refused() -> None:
    train = [row(label, "train", "fine.train") for label in "abc"]
    test = [row("a", "test", "binary.test"), row("b", "test", "binary.test")]
    with pytest.raises(FormatError, match=r"binary.test: expected test texts of .* none of 'c'"):
        task_of_rows([*train, *test])


def test_a_rare_class_need_not_be_tested_within_one_file() -> None:
    rows = [*(row(label, "train") for label in "abc"), row("a", "test"), row("a", "test")]
    assert task_of_rows(rows).classes == ("a", "b", "c")


def test_one_test_text_is_refused_with_its_file() -> None:
    rows = [*(row(label, "train") for label in "ab"), row("a", "test", "test.csv")]
    rows += [row("b", "test", "test.csv")]
    assert task_of_rows(rows).test is not None
    with pytest.raises(InputError, match=r"file: expected at least two test texts, got 1"):
        task_of_rows([*rows[:2], row("a", "test")])
