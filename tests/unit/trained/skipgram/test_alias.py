from __future__ import annotations

import numpy as np
import pytest

from lydite.trained.skipgram import alias_table
from lydite.types import Floats


def chances(table: np.ndarray) -> Floats:
    """Add up how likely each word is, over all entries."""
    own = (table >> np.uint64(32)) / 2.0**32
    found = own.copy()
    np.add.at(found, (table & np.uint64(0xFFFFFFFF)).astype(np.int64), 1 - own)
    return found / len(table)


@pytest.mark.parametrize(
    "weights",
    [
        np.random.default_rng(0).random(1000) ** 8,
        1 / np.arange(1.0, 5000.0),
        np.array([5.0]),
        np.array([1.0, 1.0, 1.0]),
        np.array([0.0, 2.0, 0.0]),
    ],
)
def test_words_are_drawn_by_their_weights(weights: Floats) -> None:
    np.testing.assert_allclose(chances(alias_table(weights)), weights / weights.sum(), atol=1e-9)
