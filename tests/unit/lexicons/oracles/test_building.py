from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.errors import InputError
from lydite.lexicons.oracle_sources import Annotation, build_oracle

SEEN = [
    *[Annotation("Fish", "animal")] * 3,
    *[Annotation("fish", "food")] * 2,
    *[Annotation("1984", "time")] * 3,
    *[Annotation("12", "quantity")] * 2,
    *[Annotation("3.5", "quantity")] * 5,
    *[Annotation("emu", "animal")] * 4,
]


def test_rows_are_probabilities_of_words_seen_often_enough() -> None:
    built = build_oracle(SEEN, prefix="x")
    assert built.oracle.words == ("0", "3.5", "fish")
    assert built.oracle.features == ("x.animal", "x.food", "x.quantity", "x.time")
    # fish: 3 of 5 animal, 2 of 5 food; the two whole numbers are one word, 2 and 3 of 5.
    assert built.oracle.values.tolist() == [[0, 0, 0.4, 0.6], [0, 0, 1, 0], [0.6, 0.4, 0, 0]]
    assert (built.annotations, built.kept, built.rare) == (19, 15, 1)


def test_case_and_digits_can_be_kept() -> None:
    built = build_oracle(SEEN, threshold=3, lower=False, digits=False)
    assert built.oracle.words == ("1984", "3.5", "Fish", "emu")


def test_the_threshold_is_reached_by_halves_and_thirds() -> None:
    built = build_oracle([Annotation("a", f"f{i % 3}", 1 / 3) for i in range(15)], threshold=5)
    assert built.oracle.words == ("a",)


def test_nothing_above_the_threshold_says_how_near_it_was() -> None:
    with pytest.raises(InputError) as caught:
        build_oracle(SEEN, threshold=6)
    assert str(caught.value) == (
        "expected words with at least 6 annotations, got none: of 4 words 'fish' has the most, 5\n"
        "hint: use --threshold 5 or a larger corpus"
    )


def test_nothing_at_all() -> None:
    with pytest.raises(InputError, match="expected annotated words, got none"):
        build_oracle([])


def test_weights_of_zero_make_no_row() -> None:
    built = build_oracle([Annotation("a", "x", 0.0), Annotation("b", "x")], threshold=0)
    assert built.oracle.words == ("b",)


@given(
    st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("xyz")), min_size=1),
    st.randoms(use_true_random=False),
)
def test_rows_sum_to_one_and_order_does_not_matter(
    pairs: list[tuple[str, str]], shuffler: random.Random
) -> None:
    seen = [Annotation(word, feature) for word, feature in pairs]
    built = build_oracle(seen, threshold=1)
    np.testing.assert_allclose(built.oracle.values.sum(axis=1), 1.0)
    shuffler.shuffle(seen)
    again = build_oracle(seen, threshold=1)
    assert again.oracle.words == built.oracle.words
    np.testing.assert_array_equal(again.oracle.values, built.oracle.values)
