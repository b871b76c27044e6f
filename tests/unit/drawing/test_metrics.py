from __future__ import annotations

from collections.abc import Callable

import pytest

from lydite.drawing.metrics import axis, write_share
from lydite.results.record import Result


@pytest.mark.parametrize(
    ("part", "whole", "written"),
    [
        (100, 100, "100"),
        (949, 1000, "94.9"),
        (94999, 100000, "94.9"),
        (29, 100, "29.0"),
        (0, 3, "0.0"),
    ],
)
def test_a_share_is_never_rounded_up(part: int, whole: int, written: str) -> None:
    assert write_share(part, whole) == f"{written}\u00a0%"


def test_axis_is_zero_to_one_unless_something_lies_outside(
    make_result: Callable[..., Result],
) -> None:
    null = make_result().baseline
    above = make_result(
        score=0.4, low=0.3, high=0.5, baseline=type(null)(**{**vars(null), "low": 0.0})
    )
    assert axis([above]) == (0.0, 1.0)
    # The null baseline goes down to -0.095, which is rounded up to the tenth of the axis.
    assert axis([make_result(score=0.4)]) == (-0.1, 1.0)
    low, high = axis([make_result(score=8.1, low=7.8, high=8.3)])
    assert low == pytest.approx(-1.0)
    assert high == pytest.approx(10.0)
    assert axis([make_result(score=1000.0, low=1000.0, high=1000.0)])[1] == pytest.approx(1000.0)
