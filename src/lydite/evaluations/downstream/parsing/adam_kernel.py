"""A compiled step of Adam."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled

Float32s: TypeAlias = NDArray[np.float32]


@compiled(lambda t: t.void(t.f4[::1], t.f4[::1], t.f4[::1], t.f4[::1], t.f8, t.f8, t.i8))
def adam(
    weights: Float32s,
    gradient: Float32s,
    means: Float32s,
    squares: Float32s,
    rate: float,
    scale: float,
    step: int,
) -> None:
    """Move weights against a gradient times ``scale`` (Kingma & Ba 2015, algorithm 1)."""
    first, second = np.float32(0.9), np.float32(0.999)
    rest_first, rest_second = np.float32(0.1), np.float32(0.001)
    corrected = np.float32(rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step))
    tiny, times = np.float32(1e-8), np.float32(scale)
    for i in range(weights.shape[0]):
        slope = gradient[i] * times
        means[i] = first * means[i] + rest_first * slope
        squares[i] = second * squares[i] + rest_second * slope * slope
        weights[i] -= corrected * means[i] / (np.sqrt(squares[i]) + tiny)
