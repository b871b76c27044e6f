from __future__ import annotations

import numpy as np
import pytest

from lydite.trained.urae import Weights, count_weights, first_weights, weights_over


@pytest.mark.parametrize(
    ("size", "shapes"),
    [
        ((3, 2), [(3, 6), (3,), (6, 3), (6,), (3, 2), (3,), (2, 3), (2,)]),
        ((3, 3), [(3, 6), (3,), (6, 3), (6,), (0, 3), (0,), (0, 3), (0,)]),
    ],
)
def test_shapes(size: tuple[int, int], shapes: list[tuple[int, ...]]) -> None:
    vector = np.arange(count_weights(*size), dtype=np.float64)
    weights = weights_over(vector, *size)
    assert [part.shape for part in weights] == shapes
    # Each number of the vector stands in one matrix.
    np.testing.assert_array_equal(np.concatenate([part.ravel() for part in weights]), vector)


def test_matrices_are_views() -> None:
    vector = np.zeros(count_weights(2, 3))
    weights_over(vector, 2, 3).back_bias[:] = 1
    assert vector.tolist()[-3:] == [1, 1, 1]
    assert vector.sum() == 3


def test_first_weights_depend_on_the_seed_alone() -> None:
    one, same, other = (first_weights(4, 3, seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)
    drawn = weights_over(one, 4, 3)
    for name in Weights._fields:
        part = getattr(drawn, name)
        if part.ndim == 1:
            assert not part.any()
        else:
            assert 0 < np.abs(part).max() < np.sqrt(6 / sum(part.shape))
