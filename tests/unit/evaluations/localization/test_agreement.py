from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.errors import InputError
from lydite.evaluations.localization.section import misclassification_agreement
from lydite.stats.means import wilson_interval

GOLD = [0, 1, 2, 3, 4, 5]
PREDICTED = {
    "bow": [0, 2, 1, 0, 4, -1],
    "sum": [1, 2, 1, 1, 4, -1],
    "tree": [0, 1, 1, -1, 4, 5],
}


def test_by_hand() -> None:
    found = misclassification_agreement(GOLD, PREDICTED)
    assert found.models == ("bow", "sum", "tree")
    assert found.sentences == 6
    # bow is wrong on 1, 2, 3, 5; sum on 0, 1, 2, 3, 5; tree on 2, 3.
    assert found.both_wrong.tolist() == [[4, 4, 2], [4, 5, 2], [2, 2, 2]]
    # bow and sum say the same of 1 and 2; neither answers 5, which is no agreement.
    assert found.same_wrong.tolist() == [[3, 2, 1], [2, 4, 1], [1, 1, 1]]
    assert found.mistakes == [4, 5, 2]
    np.testing.assert_allclose(found.intervals()[0, 1], wilson_interval(2, 4))


def test_without_common_mistakes_there_is_no_interval() -> None:
    found = misclassification_agreement([0, 1], {"a": [0, 0], "b": [1, 1], "c": [0, 1]})
    assert found.both_wrong.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert np.isnan(found.intervals()[0, 1]).all()


labels = st.lists(st.integers(0, 3), min_size=1, max_size=12)


@given(labels, st.data())
def test_it_is_what_counting_pair_by_pair_gives(gold: list[int], data: st.DataObject) -> None:
    said = st.lists(st.integers(-1, 3), min_size=len(gold), max_size=len(gold))
    predicted = {name: data.draw(said) for name in "abc"}
    found = misclassification_agreement(gold, predicted)
    for i, one in enumerate(predicted.values()):
        for j, other in enumerate(predicted.values()):
            both = [(a, b) for y, a, b in zip(gold, one, other, strict=True) if y not in (a, b)]
            assert found.both_wrong[i, j] == len(both)
            assert found.same_wrong[i, j] == sum(a == b >= 0 for a, b in both)


@given(labels, st.data())
def test_the_names_of_groups_and_the_order_of_sentences_do_not_matter(
    gold: list[int], data: st.DataObject
) -> None:
    said = st.lists(st.integers(0, 3), min_size=len(gold), max_size=len(gold))
    predicted = {name: np.array(data.draw(said)) for name in "ab"}
    order = data.draw(st.permutations(range(len(gold))))
    renamed = np.array(data.draw(st.permutations([10, 11, 12, 13])))
    one = misclassification_agreement(gold, predicted)
    other = misclassification_agreement(
        renamed[np.array(gold)[order]], {k: renamed[v[order]] for k, v in predicted.items()}
    )
    assert one.both_wrong.tolist() == other.both_wrong.tolist()
    assert one.same_wrong.tolist() == other.same_wrong.tolist()


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="got none"):
        misclassification_agreement(GOLD, {})
    with pytest.raises(InputError, match=r"of b for each sentence, shape \(6,\), got \(5,\)"):
        misclassification_agreement(GOLD, {"a": GOLD, "b": GOLD[:5]})
    with pytest.raises(InputError, match="one prediction"):
        misclassification_agreement([GOLD], {"a": [GOLD]})
