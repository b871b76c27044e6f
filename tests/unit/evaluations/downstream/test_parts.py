from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.evaluations.classification.data import Row, task_of_rows
from lydite.evaluations.downstream.parts import held_out, parts_of


def test_split_data_are_taken_as_they_are() -> None:
    rows = [Row("a", "x", "train", "f"), Row("b", "y", "train", "f")]
    rows += [Row("a", text, "test", "f") for text in "zv"]
    (part,) = parts_of(task_of_rows(rows, name="n"), folds=5, seed=1)
    assert part.name == "n"
    assert part.texts == ("x", "y", "z", "v")


def test_every_text_of_unsplit_data_is_tested_once_and_never_learnt_with() -> None:
    rows = [Row("ab"[i % 2], f"text {i}", None, "f") for i in range(11)]
    task = task_of_rows(rows)
    parts = parts_of(task, folds=3, seed=1)
    tested = [text for part in parts for text in part.test.texts]
    assert sorted(tested) == sorted(task.train.texts)
    for part in parts:
        assert not set(part.train.texts) & set(part.test.texts)
        assert len(part.train.texts) + len(part.test.texts) == 11
        assert set(part.train.labels) == {0, 1}
        for text, label in zip(part.test.texts, part.test.labels, strict=True):
            assert int(text.split()[1]) % 2 == label


def test_folds_without_texts_are_left_out() -> None:
    rows = [Row(label, f"{label}{i}", None, "f") for label in "ab" for i in range(2)]
    parts = parts_of(task_of_rows(rows), folds=9, seed=1)
    assert sum(len(part.test.texts) for part in parts) == 4


def test_a_class_of_one_text_cannot_be_dealt() -> None:
    rows = [Row("a", "x", None, "f"), Row("a", "y", None, "f"), Row("b", "z", None, "f")]
    with pytest.raises(InputError, match="f: class 'b' has one text"):
        parts_of(task_of_rows(rows), folds=2, seed=1)


@pytest.mark.parametrize("seed", range(5))
def test_a_fifth_is_held_out_and_every_class_stays(seed: int) -> None:
    labels = np.array([0] * 50 + [1] * 25 + [2] * 2 + [3])
    kept = held_out(labels, seed)
    assert set(labels[~kept]) == {0, 1, 2, 3}
    assert (int(kept[:50].sum()), int(kept[50:75].sum())) == (10, 5)
    assert not kept[-1]
