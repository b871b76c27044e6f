from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from lydite.errors import InputError
from lydite.stats.means import difference_interval, mean_interval, wilson_interval

Z2 = 1.959963984540054**2


def by_hand(scores: list[float], clusters: list[int], t_value: float) -> tuple[float, float, float]:
    """Return the mean, its CR2 variance and the half width on the scale of log odds."""
    n = len(scores)
    mean = sum(scores) / n
    variance = 0.0
    for cluster in set(clusters):
        own = [s for s, c in zip(scores, clusters, strict=True) if c == cluster]
        variance += sum(s - mean for s in own) ** 2 / (1 - len(own) / n)
    variance /= n * n
    return mean, variance, t_value * math.sqrt(variance) / (mean * (1 - mean))


def test_scores_inside_the_bounds_by_hand() -> None:
    scores, clusters = [0.2, 0.3, 0.4, 0.8, 0.7, 0.6], [0, 0, 0, 1, 1, 2]
    # Student's t for 2 degrees of freedom is 4.302653.
    mean, _, reach = by_hand(scores, clusters, 4.302653)
    found = mean_interval(scores, clusters)
    assert found is not None
    assert found.method == "logit"
    odds = math.log(mean / (1 - mean))
    assert found.low == pytest.approx(1 / (1 + math.exp(reach - odds)), abs=1e-6)
    assert found.high == pytest.approx(1 / (1 + math.exp(-reach - odds)), abs=1e-6)


def test_lumps_at_the_bounds_by_hand() -> None:
    # Ten hits and misses in two documents: m = .6, s = (4, 2), v = 2 x 1^2 / .5 / 100 = .04,
    # so .24 / .04 = 6 items count, with t(3) = 3.182446.
    found = mean_interval([1, 1, 1, 1, 0, 1, 1, 0, 0, 0], [0] * 5 + [1] * 5)
    assert found is not None
    assert found.method == "wilson"
    squared = 3.182446**2
    for end in (found.low, found.high):
        assert (0.6 - end) ** 2 == pytest.approx(squared * end * (1 - end) / 6, abs=1e-6)


def test_items_that_all_agree_are_no_proof() -> None:
    found = mean_interval(np.full(10, 0.96), [0] * 5 + [1] * 5)
    assert found is not None
    assert (round(found.low, 2), round(found.high, 2)) == (0.46, 1.0)
    sure = mean_interval(np.ones(10))
    assert sure is not None
    assert (round(sure.low, 2), sure.high) == (0.7, 1.0)


@pytest.mark.parametrize("n", range(3, 60))
def test_the_mean_itself_is_never_outside(n: int) -> None:
    right, wrong = mean_interval(np.ones(n)), mean_interval(np.zeros(n))
    assert right is not None
    assert wrong is not None
    assert (right.high, wrong.low) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("scores", "clusters"),
    [([], None), ([1.0, 0.0], None), ([0.5, 0.6, 0.7], [1, 1, 1]), ([0.5, 0.6], [1, 2])],
)
def test_too_few_have_none(scores: list[float], clusters: list[int] | None) -> None:
    assert mean_interval(scores, clusters) is None


def test_clusters_alike_by_chance_are_not_surer_than_single_items() -> None:
    scores = [0.2, 0.8, 0.8, 0.2]
    together, single = mean_interval(scores, [0, 0, 1, 1]), mean_interval(scores)
    assert together is not None
    assert single is not None
    assert together == single


def test_order_and_names_of_clusters_change_nothing() -> None:
    generator = np.random.default_rng(1)
    scores, clusters = generator.random(40), generator.integers(0, 7, 40)
    order = generator.permutation(40)
    named = np.array([f"document {c}" for c in clusters])
    one, other = mean_interval(scores, clusters), mean_interval(scores[order], named[order])
    assert one is not None
    assert other is not None
    assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=1e-12)


def test_what_is_good_turned_bad_mirrors_the_interval() -> None:
    generator = np.random.default_rng(2)
    for scores in (generator.random(30), (generator.random(30) < 0.9).astype(float)):
        one, other = mean_interval(scores), mean_interval(1 - scores)
        assert one is not None
        assert other is not None
        assert (other.low, other.high) == pytest.approx((1 - one.high, 1 - one.low), abs=1e-12)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([0.5, 1.5, 0.2], "0.2 to 1.5"),
        ([0.5, math.nan, 0.2], "1 that are no numbers"),
        ([[0.5]], "shape"),
    ],
)
def test_other_scores_are_refused(scores: list[float], said: str) -> None:
    with pytest.raises(InputError, match=said):
        mean_interval(scores)


def test_clusters_are_one_per_item_and_a_level_is_a_share() -> None:
    with pytest.raises(InputError, match="3 cluster labels"):
        mean_interval([0.1, 0.2, 0.3], [1, 2])
    with pytest.raises(InputError, match="level"):
        mean_interval([0.1, 0.2, 0.3], level=95)


@pytest.mark.parametrize("clusters", [2, 5, 20])
def test_it_covers(clusters: int) -> None:
    """A short version of studies/coverage_means.py: binary scores, mean .8, clustered."""
    generator = np.random.default_rng(clusters)
    held = []
    for _ in range(300):
        sizes = generator.integers(1, 9, clusters)
        shares = generator.beta(8, 2, clusters)
        codes = np.repeat(np.arange(clusters), sizes)
        scores = (generator.random(len(codes)) < shares[codes]).astype(float)
        found = mean_interval(scores, codes)
        if found is not None:
            held.append(found.low <= 0.8 <= found.high)
    assert np.mean(held) >= 0.9


def test_hits_that_seldom_differ_by_hand() -> None:
    # Ten items, two for the first side. With one added to each: (3 - 1) / 12 = 1/6; squares sum to
    # 4 - 12 / 36 = 11/3, so the variance is 11/3 / 11 / 12 = 1/36, and CR2's is the same here. The
    # quantile is t(11) = 2.200985 of the twelve items, more than t(19) of ten clusters.
    found = difference_interval([1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    assert found is not None
    assert (found.low, found.high) == pytest.approx(
        (1 / 6 - 2.200985 / 6, 1 / 6 + 2.200985 / 6), abs=1e-6
    )


def test_scores_that_always_differ_by_hand() -> None:
    # t(2) = 4.302653; mean .2, the sums of the three clusters are off by 0, .2 and -.2.
    differences, clusters = [0.1, 0.3, 0.3, 0.3, 0.1, 0.1], [0, 0, 1, 1, 2, 2]
    found = difference_interval(differences, clusters)
    variance = 2 * 0.2**2 / (1 - 2 / 6) / 36
    assert found is not None
    assert found.method == "t"
    assert found.high - 0.2 == pytest.approx(4.302653 * math.sqrt(variance), abs=1e-6)
    assert found.low + found.high == pytest.approx(0.4)


def test_no_item_that_differs_leaves_some_room() -> None:
    found = difference_interval([0.0] * 10)
    assert found is not None
    # (1 - .3085)^10 = .025.
    assert (found.low, found.high) == pytest.approx((-0.3085, 0.3085), abs=1e-4)


def test_sides_exchanged_mirror_the_difference() -> None:
    generator = np.random.default_rng(4)
    for drawn in (generator.normal(size=12), generator.integers(-1, 2, 12)):
        clusters = generator.integers(0, 5, 12)
        one = difference_interval(drawn, clusters)
        other = difference_interval(-1 * drawn, clusters)
        assert one is not None
        assert other is not None
        assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=1e-12)


@pytest.mark.parametrize("clusters", [[1, 1, 1, 1], None])
def test_too_few_items_or_clusters_have_no_difference(clusters: list[int] | None) -> None:
    assert difference_interval([1.0, 0.0, 1.0, 1.0][: 4 if clusters else 2], clusters) is None


def test_wilson_solves_its_equation() -> None:
    # The ends are the shares q for which (p - q)^2 = z^2 q (1 - q) / n.
    low, high = wilson_interval(20, 25)
    for end in (low, high):
        assert (0.8 - end) ** 2 == pytest.approx(Z2 * end * (1 - end) / 25)
    assert low < 0.8 < high


def test_no_trials_have_no_interval() -> None:
    assert np.isnan(wilson_interval([0, 1], [0, 2])).tolist() == [[True, True], [False, False]]
    with pytest.raises(InputError, match="expected a level between 0 and 1"):
        wilson_interval(1, 2, level=1.0)


@pytest.mark.parametrize(("successes", "trials"), [(0, 5), (5, 5), (3, 7), (50, 200), (0, 1)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_wilson_is_that_of_scipy(successes: int, trials: int, level: float) -> None:
    theirs = binomtest(successes, trials).proportion_ci(level, method="wilson")
    ours = wilson_interval(successes, trials, level=level)
    np.testing.assert_allclose(ours, [theirs.low, theirs.high], atol=1e-12)


def test_wilson_takes_arrays() -> None:
    ends = wilson_interval(np.array([[1, 0]]), np.array([[2, 0]]))
    assert ends.shape == (1, 2, 2)
    assert np.isnan(ends[0, 1]).all()
    assert not np.isnan(ends[0, 0]).any()


@pytest.mark.parametrize("level", [0, 1, 95])
def test_wilson_needs_a_level(level: float) -> None:
    with pytest.raises(InputError, match="level"):
        wilson_interval(1, 2, level=level)
