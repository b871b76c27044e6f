from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.trained.glove import HarmonicWindows


@pytest.mark.parametrize("size", [1, 5, 10])
def test_weights_are_exact_up_to_ten_words(size: int) -> None:
    windows = HarmonicWindows(size=size)
    expected = [1 / distance for distance in range(1, size + 1)]
    assert (windows.weights()[1:] / windows.scale).tolist() == pytest.approx(expected, rel=1e-15)


def test_weights_of_wider_windows_are_nearly_right() -> None:
    windows = HarmonicWindows(size=15)
    expected = 1 / np.arange(1, 16)
    assert windows.weights()[1:] / windows.scale == pytest.approx(expected, rel=0.001)


def test_other_dynamics_are_refused() -> None:
    with pytest.raises(InputError, match="1/distance alone"):
        HarmonicWindows(dynamic="expected")
