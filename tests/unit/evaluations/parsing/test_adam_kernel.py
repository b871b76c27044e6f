from __future__ import annotations

import numpy as np

from lydite.evaluations.parsing.parser import adam


def test_two_steps_by_the_formulas_of_the_paper() -> None:
    generator = np.random.default_rng(0)
    weights, slopes = generator.normal(size=(2, 5)).astype(np.float32)
    means, squares = np.zeros(5, dtype=np.float32), np.zeros(5, dtype=np.float32)
    expected = weights.astype(np.float64)
    m, v = np.zeros(5), np.zeros(5)
    for step in (1, 2):
        g = slopes.astype(np.float64) * 0.5
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
        expected -= 0.01 * (m / (1 - 0.9**step)) / np.sqrt(v / (1 - 0.999**step))
        adam(weights, slopes, means, squares, 0.01, 0.5, step)
    np.testing.assert_allclose(weights, expected, rtol=1e-5)
