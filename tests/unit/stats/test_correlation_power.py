from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from lydite.errors import InputError
from lydite.stats.correlation import pearson_rows
from lydite.stats.correlation_tests import (
    critical_correlation,
    detectable_correlation,
    items_needed,
)


@pytest.mark.parametrize(("n", "published"), [(3, 0.997), (5, 0.878), (10, 0.632), (21, 0.433)])
def test_critical_values_of_the_tables(n: int, published: float) -> None:
    # Any table of critical values of Pearson's r, two-sided 5 %, n - 2 degrees of freedom.
    assert critical_correlation(n) == pytest.approx(published, abs=5e-4)


@pytest.mark.parametrize("level", [0.05, 1e-3, 1e-6])
def test_a_critical_value_has_that_p(level: float) -> None:
    n = 21
    r = critical_correlation(n, level)
    t = r * np.sqrt((n - 2) / (1 - r * r))
    assert 2 * stats.t.sf(t, n - 2) == pytest.approx(level)


def test_power_is_what_it_says() -> None:
    n, r = 21, detectable_correlation(21)
    generator = np.random.default_rng(2)
    x, noise = generator.normal(size=(2, 4000, n))
    found = np.abs(pearson_rows(x, r * x + np.sqrt(1 - r * r) * noise)) >= critical_correlation(n)
    assert found.mean() == pytest.approx(0.8, abs=0.025)


def test_items_needed_undo_what_is_detectable() -> None:
    for n in (8, 21, 60):
        assert items_needed(detectable_correlation(n, 0.01) + 1e-9, 0.01) == n


def test_more_tests_ask_for_more() -> None:
    assert critical_correlation(21, 0.05 / 100) > critical_correlation(21)
    assert detectable_correlation(21, 0.05 / 100) > detectable_correlation(21)
    assert items_needed(0.5, 0.05 / 100) > items_needed(0.5)


def test_three_items_find_nothing() -> None:
    assert detectable_correlation(3) == 1.0


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="at least 3"):
        critical_correlation(2)
    with pytest.raises(InputError, match="level"):
        critical_correlation(5, 1.5)
    with pytest.raises(InputError, match="power"):
        detectable_correlation(5, power=1.0)
    with pytest.raises(InputError, match="correlation between 0 and 1"):
        items_needed(0.0)
