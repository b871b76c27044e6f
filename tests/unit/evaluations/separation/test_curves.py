from __future__ import annotations

import numpy as np
import pytest

from lydite.evaluations.separation.tasks import densities, thinned_curve
from lydite.stats.auc import auc


def test_a_small_curve_is_whole() -> None:
    # Thresholds 3, 2, 1: nothing; one of two in H; both and one of two in L; all.
    curve = thinned_curve(np.array([3.0, 2.0]), np.array([1.0, 2.0]))
    assert curve == ((0, 0), (0, 0.5), (0.5, 1), (1, 1))


def test_a_long_curve_keeps_its_ends_its_order_and_its_area() -> None:
    generator = np.random.default_rng(1)
    high, low = generator.normal(1, size=5000), generator.normal(size=20_000)
    curve = np.array(thinned_curve(high, low))
    assert 50 <= len(curve) <= 103
    assert curve[0].tolist() == [0, 0]
    assert curve[-1].tolist() == [1, 1]
    assert (np.diff(curve, axis=0) >= 0).all()
    area = float(np.trapezoid(curve[:, 1], curve[:, 0]))
    assert area == pytest.approx(auc(high, low), abs=1e-3)


def test_a_steep_curve_is_not_cut_short() -> None:
    curve = thinned_curve(np.ones(1000), np.zeros(1000))
    assert curve == ((0, 0), (0, 1), (1, 1))


def test_densities_by_hand() -> None:
    # 40 bins from 0 to 4: 0 falls into the first, 1 into the eleventh, 4 into the last.
    found = densities(np.array([4.0, 4.0, 1.0, 1.0]), np.array([0.0, 1.0]))
    assert len(found.edges) == 41
    assert (found.edges[0], found.edges[-1]) == (0, 4)
    assert {i: share for i, share in enumerate(found.high) if share} == {10: 0.5, 39: 0.5}
    assert {i: share for i, share in enumerate(found.low) if share} == {0: 0.5, 10: 0.5}


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_edges_rise_whatever_the_scale(scale: float) -> None:
    generator = np.random.default_rng(2)
    found = densities(scale * generator.random(50), scale * generator.random(70))
    assert (np.diff(found.edges) > 0).all()
    assert sum(found.high) == pytest.approx(1, abs=1e-3)
    assert sum(found.low) == pytest.approx(1, abs=1e-3)


def test_scores_that_are_all_the_same_have_bins_too() -> None:
    found = densities(np.full(3, 7.0), np.full(2, 7.0))
    assert (found.edges[0], found.edges[-1]) == (6.5, 7.5)
    assert found.high == found.low
    assert sum(found.high) == 1
