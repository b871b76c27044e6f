from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.lexicons.oracles import Oracle, agreement

FIRST = Oracle(
    words=("run", "fish", "emu", "oak"),
    features=("s.animal", "s.food", "s.motion"),
    values=np.array([[0, 0, 1], [0.6, 0.4, 0], [1, 0, 0], [0, 1, 0]], dtype=float),
)
SECOND = Oracle(
    words=("fish", "go", "run", "emu"),
    features=("s.animal", "s.food", "s.plant"),
    values=np.array([[0.57, 0.43, 0], [0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=float),
)


def test_words_and_rows_are_compared_by_name() -> None:
    found = agreement(FIRST, SECOND)
    assert found.words == ("emu", "fish", "run")
    assert (found.only_first, found.only_second) == (("oak",), ("go",))
    assert found.features == ("s.animal", "s.food", "s.motion", "s.plant")
    assert found.shared_features == 2
    # emu equal; fish off by 0.03 twice; run 1 of motion against nothing.
    np.testing.assert_allclose(found.largest, [0, 0.03, 1])
    np.testing.assert_allclose(found.mean, [0, 0.06 / 4, 1 / 4])
    # (0.6 * 0.57 + 0.4 * 0.43) / (sqrt(0.52) * sqrt(0.5098)); a row of zeros has cosine 0.
    np.testing.assert_allclose(found.cosine, [1, 0.514 / (0.52 * 0.5098) ** 0.5, 0])


def test_the_figures_are_shares_and_means_over_words() -> None:
    found = agreement(FIRST, SECOND)
    assert [found.equal, found.close] == pytest.approx([1 / 3, 2 / 3])
    assert found.mean_difference == pytest.approx((0.06 + 1) / 12)
    assert found.mean_cosine == pytest.approx(float(found.cosine.mean()))


def test_an_oracle_agrees_with_itself_whatever_its_order() -> None:
    turned = Oracle(
        words=FIRST.words[::-1], features=FIRST.features[::-1], values=FIRST.values[::-1, ::-1]
    )
    found = agreement(FIRST, turned)
    assert (found.equal, found.mean_difference) == (1, 0)
    assert found.mean_cosine == pytest.approx(1)


def test_a_first_part_of_names_is_passed_over_where_no_name_is_shared() -> None:
    renamed = Oracle(
        words=FIRST.words,
        features=tuple(name.replace("s.", "wordnet.") for name in FIRST.features),
        values=FIRST.values,
    )
    assert agreement(FIRST, renamed).features == ("animal", "food", "motion")
    assert agreement(FIRST, renamed).equal == 1
    other = Oracle(words=("emu",), features=("animal",), values=np.array([[1.0]]))
    assert agreement(FIRST, other).shared_features == 1


def test_without_a_common_word_there_is_nothing_to_compare() -> None:
    other = Oracle(words=("EMU",), features=("x",), values=np.array([[1.0]]))
    with pytest.raises(InputError, match="no word in common"):
        agreement(FIRST, other)
