from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import UndefinedScoreError
from lydite.stats import bootstrap as resampling
from lydite.stats.bootstrap import block_heights, keep_defined


@pytest.mark.parametrize(
    ("rows", "width", "heights"),
    [(7, 4, [2, 2, 2, 1]), (3, 100, [1, 1, 1]), (0, 4, []), (2, 0, [2])],
)
def test_blocks_hold_all_rows_in_bounded_memory(
    monkeypatch: pytest.MonkeyPatch, rows: int, width: int, heights: list[int]
) -> None:
    monkeypatch.setattr(resampling, "BLOCK_ELEMENTS", 10)
    assert list(block_heights(rows, width)) == heights


def test_five_percent_may_be_undefined_and_no_more() -> None:
    replicates = np.arange(100.0)
    replicates[:5] = np.nan
    assert keep_defined(replicates, "draws").tolist() == list(range(5, 100))
    replicates[5] = np.inf
    with pytest.raises(UndefinedScoreError, match="undefined in 6 of 100 draws, more than 5%"):
        keep_defined(replicates, "draws")
