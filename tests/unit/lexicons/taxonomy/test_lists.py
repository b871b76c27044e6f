from __future__ import annotations

import numpy as np
import pytest

from lydite.lexicons.taxonomy import Lists


def _plain(lists: Lists) -> list[list[int]]:
    return [lists[index].tolist() for index in range(len(lists))]


@pytest.mark.parametrize("given", [[], [[]], [[], [3], []], [[1, 2], [], [3, 3]]])
def test_lists_come_back_as_they_were(given: list[list[int]]) -> None:
    lists = Lists.of(given)
    assert _plain(lists) == given
    assert lists.lengths.tolist() == [len(each) for each in given]
    assert lists.items.dtype == np.int32


def test_grouping_keeps_the_order_and_drops_repeats() -> None:
    lists = Lists.grouped([2, 0, 2, 2, 0, 2], [9, 4, 1, 9, 4, 0], 4)
    assert _plain(lists) == [[4], [], [9, 1, 0], []]


def test_grouping_nothing() -> None:
    assert _plain(Lists.grouped([], [], 2)) == [[], []]


def test_an_item_may_stand_in_two_lists() -> None:
    assert _plain(Lists.grouped([0, 1], [7, 7], 2)) == [[7], [7]]


def test_items_of_many_lists() -> None:
    whose, items = Lists.of([[5, 6], [], [7]]).of_all([2, 1, 0, 2])
    assert whose.tolist() == [0, 2, 2, 3]
    assert items.tolist() == [7, 5, 6, 7]
    assert items.dtype == np.int64


def test_items_of_no_lists() -> None:
    whose, items = Lists.of([[5]]).of_all([])
    assert (whose.tolist(), items.tolist()) == ([], [])


def test_owners() -> None:
    assert Lists.of([[5, 6], [], [7]]).owners().tolist() == [0, 0, 2]


def test_turned_round() -> None:
    turned = Lists.of([[1, 2], [], [2, 0]]).turned(4)
    assert _plain(turned) == [[2], [0], [0, 2], []]
    assert _plain(turned.turned(3)) == [[1, 2], [], [0, 2]]
