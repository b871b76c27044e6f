from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import UndefinedScoreError
from lydite.evaluations.parsing.data import Treebank, Trees
from lydite.evaluations.parsing.parser import crossing, inputs_of, numbered
from lydite.spaces.space import Space
from lydite.types import Lookup

SPACE = Space.of({"cat": [3.0, 0.0], "dog": [1.0, 0.0], "Sun": [1.0, 1.0]})


def trees(words: str, heads: list[int], relations: str, punctuation: str = "") -> Trees:
    return Trees(
        words=tuple(words.split()),
        heads=np.array(heads, dtype=np.int32),
        relations=tuple(relations.split()),
        punctuation=np.array([word in punctuation.split() for word in words.split()]),
        starts=np.array([0, len(heads)]),
    )


BANK = Treebank(
    train=trees("a b c", [2, 0, 1], "x root y"),
    development=trees("b .", [0, 1], "root punct", "."),
    test=trees("a d !", [2, 0, 2], "x ROOT new", "!"),
    notes=(),
)


def test_words_and_relations_are_numbered() -> None:
    data = numbered(BANK, punctuation=False)
    assert data.words == ("a", "b", "c", ".", "d", "!")
    assert data.relations == ("root", "x", "y")
    assert data.root_label == 0
    assert data.test.rows.tolist() == [0, 4, 5]
    # What training does not have is -1, which no parser can say.
    assert data.test.labels.tolist() == [1, -1, -1]
    assert data.tested_on.tolist() == [True, True, False]
    assert data.tuned_on.tolist() == [True, False]


def test_training_trees_become_projective_and_test_trees_stay() -> None:
    data = numbered(BANK, punctuation=True)
    # c hangs on a over the root b, and is lifted to b.
    assert data.train.heads.tolist() == [2, 0, 2]
    assert data.lifted == 1
    assert BANK.train.heads.tolist() == [2, 0, 1]
    assert crossing(data.test) == 0
    assert data.tested_on.all()


def test_rows_have_indicators_and_words_without_a_vector_share_one() -> None:
    lookup = SPACE.lookup(["cat", "none", "dog", "other"])
    train = np.array([0, 0, 0, 1, 2])
    vectors, rows = inputs_of(lookup, train, "standard")
    assert rows.tolist() == [3, 2, 4, 2]
    assert vectors[:3].tolist() == [[0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
    # Running words have 3, 3, 3 and 1 in the first component: mean 2.5, deviation sqrt(0.75); the
    # second does not vary.
    expected = np.array([0.5, -1.5]) / np.sqrt(0.75)
    np.testing.assert_allclose(vectors[3:, 0], expected, rtol=1e-6)
    assert not vectors[3:, 1:].any()


def test_other_scales() -> None:
    lookup = SPACE.lookup(["cat", "Sun"])
    plain, _ = inputs_of(lookup, np.array([0]), "none")
    assert plain[3:, :2].tolist() == [[3, 0], [1, 1]]
    unit, _ = inputs_of(lookup, np.array([0]), "unit")
    np.testing.assert_allclose(unit[3:, :2], [[1, 0], [0.5**0.5, 0.5**0.5]], rtol=1e-6)
    # Of three running words two have the length 3, and one that of the root of 2.
    same, _ = inputs_of(lookup, np.array([0, 0, 1]), "rms")
    np.testing.assert_allclose(same[3:, :2], plain[3:, :2] / np.sqrt(20 / 3), rtol=1e-6)


def test_no_known_word_of_training_is_no_score() -> None:
    lookup = Lookup(vectors=np.ones((2, 3), dtype=np.float32), found=np.array([False, True]))
    with pytest.raises(UndefinedScoreError, match="none of the 2 words of training"):
        inputs_of(lookup, np.array([0, 0]), "standard")


def test_words_are_counted_in_all_parts() -> None:
    data = numbered(BANK, punctuation=False)
    # a b c | b . | a d !
    assert dict(zip(data.words, data.times.tolist(), strict=True)) == {
        "a": 2, "b": 2, "c": 1, ".": 1, "d": 1, "!": 1,
    }  # fmt: skip


def test_a_zero_vector_has_no_direction_and_stays(recwarn: pytest.WarningsRecorder) -> None:
    space = Space.of({"cat": [3.0, 4.0], "nil": [0.0, 0.0]})
    vectors, rows = inputs_of(space.lookup(["cat", "nil"]), np.array([0, 1]), "unit")
    assert vectors[rows, :2] == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]))
