from __future__ import annotations

import numpy as np
import pytest

from lydite.trained.cheung_penn.texts import Compose
from lydite.trained.cheung_penn.thater import Entries, composed, unit_rows

#: Three words in two texts: (3, 4, 0) and (0, 2, 6) in the first, (5, 0, 0) in the second.
WORDS = Entries(
    owners=np.array([0, 0, 1, 1, 2]),
    dimensions=np.array([10, 20, 20, 30, 10]),
    values=np.array([3.0, 4.0, 2.0, 6.0, 5.0]),
)
TEXTS = np.array([0, 0, 1])


def dense(entries: Entries, count: int = 2) -> np.ndarray:
    found = np.zeros((count, 3))
    found[entries.owners, entries.dimensions // 10 - 1] = entries.values
    return found


def test_addition_by_hand() -> None:
    np.testing.assert_allclose(dense(composed(WORDS, TEXTS, "add")), [[3, 6, 6], [5, 0, 0]])
    # Lengths are 5, sqrt(40) and 5.
    expected = [[3 / 5, 4 / 5 + 2 / np.sqrt(40), 6 / np.sqrt(40)], [1, 0, 0]]
    np.testing.assert_allclose(dense(composed(WORDS, TEXTS, "add", "unit")), expected)


def test_multiplication_by_hand() -> None:
    # Means are 3.5, 4 and 5, so the words are (6/7, 8/7, 0), (0, 1/2, 3/2) and (1, 0, 0); with 1
    # added (13/7, 15/7, 1) x (1, 3/2, 5/2) = (13/7, 45/14, 5/2) and (2, 1, 1); without it
    # (6/7, 31/14, 3/2) and (1, 0, 0), up to the factors 14/45 and 1/2.
    expected = [[6 / 7 * 14 / 45, 31 / 45, 21 / 45], [0.5, 0, 0]]
    np.testing.assert_allclose(dense(composed(WORDS, TEXTS, "multiply")), expected)


@pytest.mark.parametrize("compose", ["add", "multiply"])
def test_the_scale_of_a_word_does_not_count_at_unit_length(compose: Compose) -> None:
    scaled = Entries(
        owners=WORDS.owners,
        dimensions=WORDS.dimensions,
        values=WORDS.values * np.array([1e9, 1e9, 1e-9, 1e-9, 1]),
    )
    np.testing.assert_allclose(
        dense(composed(scaled, TEXTS, compose, "unit")),
        dense(composed(WORDS, TEXTS, compose, "unit")),
    )


@pytest.mark.parametrize("compose", ["add", "multiply"])
def test_many_words_do_not_overflow(compose: Compose) -> None:
    many = Entries(
        owners=np.repeat(np.arange(3000), 2),
        dimensions=np.tile([10, 20], 3000),
        values=np.tile([1.0, 2.0], 3000),
    )
    found = composed(many, np.zeros(3000, dtype=np.int64), compose)
    assert np.isfinite(found.values).all()
    assert found.values[1] > found.values[0] >= 0


@pytest.mark.parametrize("compose", ["add", "multiply"])
def test_nothing(compose: Compose) -> None:
    none = Entries.join([])
    assert not len(composed(none, TEXTS, compose).owners)
    assert unit_rows(none, 2).toarray().tolist() == [[0], [0]]


def test_rows_of_length_one() -> None:
    found = unit_rows(composed(WORDS, TEXTS, "add"), 3)
    assert found.shape == (3, 3)
    np.testing.assert_allclose(np.linalg.norm(found.toarray(), axis=1), [1, 1, 0])
