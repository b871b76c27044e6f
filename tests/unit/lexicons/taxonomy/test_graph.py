from __future__ import annotations

import numpy as np
import pytest

from lydite.lexicons.taxonomy import Lists, closure, depths, numbers_below, on_cycles

#      4
#     / \
#    2   3      5 <-> 6 above 7
#     \ / \
#      0   1
DIAMOND = Lists.of([[2, 3], [3], [4], [4], [], [6], [5], [6]])


def test_closure_of_a_diamond() -> None:
    table = closure(DIAMOND, [1, 0, 0])
    rows = list(zip(table.concept, table.ancestor, table.distance, strict=True))
    assert rows == [
        (0, 0, 0), (0, 2, 1), (0, 3, 1), (0, 4, 2), (1, 1, 0), (1, 3, 1), (1, 4, 2),
    ]  # fmt: skip


def test_the_shortest_way_counts() -> None:
    # 0 -> 1 -> 2 -> 3 and 0 -> 3.
    table = closure(Lists.of([[1, 3], [2], [3], []]), [0])
    assert table.distance.tolist() == [0, 1, 2, 1]


def test_asking_a_closure() -> None:
    table = closure(DIAMOND, [0, 1, 7])
    concept = np.array([0, 1, 0, 7, 7, 4, 1])
    ancestor = np.array([4, 2, 0, 5, 4, 4, 4])
    assert table.distances(concept, ancestor).tolist() == [2, -1, 0, 2, -1, -1, 2]
    assert table.holds(concept, ancestor).tolist() == [
        True, False, True, True, False, False, True,
    ]  # fmt: skip


def test_rows_of_concepts() -> None:
    table = closure(DIAMOND, [0, 1, 7])
    whose, rows = table.rows_of(np.array([7, 3, 1]))
    assert whose.tolist() == [0, 0, 0, 2, 2, 2]
    assert table.concept[rows].tolist() == [7, 7, 7, 1, 1, 1]
    assert table.ancestor[rows].tolist() == [5, 6, 7, 1, 3, 4]


def test_a_closure_of_nothing() -> None:
    assert len(closure(DIAMOND, []).concept) == 0
    assert len(closure(Lists.of([]), []).concept) == 0


def test_depths() -> None:
    assert depths(DIAMOND).tolist() == [2, 2, 1, 1, 0, -1, -1, -1]
    # 0 is above 1 and by way of 1 above 2, which is on a cycle with 3 but has a root.
    assert depths(Lists.of([[], [0], [1, 3], [2]])).tolist() == [0, 1, 2, 3]


def test_numbers_below() -> None:
    assert numbers_below(DIAMOND, [4, 3, 0, 6, 4]).tolist() == [4, 2, 0, 2, 4]
    assert numbers_below(DIAMOND, []).tolist() == []


@pytest.mark.parametrize(
    ("parents", "expected"),
    [
        ([], []),
        ([[], [0]], []),
        ([[0]], [0]),
        ([[1], [2], [0], [0], []], [0, 1, 2]),
        # 2 lies on the way from one cycle to another, and on none.
        ([[1], [0, 2], [3], [4], [3]], [0, 1, 3, 4]),
        ([[1, 2], [0], [0]], [0, 1, 2]),
    ],
    ids=["nothing", "none", "loop", "triangle", "between-two", "figure-of-eight"],
)
def test_on_cycles(parents: list[list[int]], expected: list[int]) -> None:
    assert on_cycles(Lists.of(parents)).tolist() == expected
