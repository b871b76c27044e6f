"""What correlations over models may not depend on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.metaevaluation.correlation import Association, Method, associate
from lydite.metaevaluation.scores import Measure, Scores
from lydite.stats.correlation_tests import compare_correlations
from lydite.types import Floats

MEN = Measure(
    evaluation="similarity", name="similarity", resource="men", data="", metric="spearman"
)
POS = Measure(
    evaluation="tagging",
    name="tagging",
    resource="ud-ewt",
    data="",
    metric="accuracy",
    downstream=True,
)

#: Scores of a few models, far enough apart for no rounding to tie or part them.
PAIRS = st.integers(4, 9).flatmap(
    lambda n: st.tuples(
        *(st.permutations(range(n)).map(lambda order: [each / 10 for each in order]),) * 2
    )
)

#: Two intrinsic scores and a downstream one; some models share a score.
TRIPLES = st.integers(4, 9).flatmap(
    lambda n: st.tuples(
        *(st.permutations(range(n)).map(lambda order: [each // 2 / 10 for each in order]),) * 3
    )
)


def association(x: Floats, y: Floats, method: Method) -> Association:
    models = tuple(f"m{i}" for i in range(len(x)))
    scores = Scores(models=models, measures=(MEN, POS), values=np.stack([x, y], axis=1))
    return associate(scores, MEN, POS, method=method, resamples=200, seed=0)


def figures(found: Association) -> list[float | None]:
    return [found.r, found.p_value, found.without_low, found.without_high]


@settings(max_examples=15, deadline=None)
@given(PAIRS, st.floats(0.5, 20), st.floats(-5, 5))
def test_units_of_a_score_change_nothing(
    pair: tuple[list[float], list[float]], scale: float, shift: float
) -> None:
    x, y = map(np.array, pair)
    first = association(x, y, "pearson")
    assert figures(association(scale * x + shift, y, "pearson")) == pytest.approx(figures(first))


@settings(max_examples=15, deadline=None)
@given(PAIRS)
def test_ranks_are_all_that_spearman_sees(pair: tuple[list[float], list[float]]) -> None:
    x, y = map(np.array, pair)
    assert association(np.exp(x), y**3, "spearman") == association(x, y, "spearman")


@settings(max_examples=15, deadline=None)
@given(PAIRS, st.sampled_from(["pearson", "spearman"]))
def test_a_score_turned_round_turns_the_sign(
    pair: tuple[list[float], list[float]], method: Method
) -> None:
    x, y = map(np.array, pair)
    first, second = association(x, y, method), association(-x, y, method)
    assert second.r == pytest.approx(-(first.r or 0.0))
    assert second.p_value == pytest.approx(first.p_value)
    assert second.without_low == pytest.approx(-(first.without_high or 0.0))


@settings(max_examples=15, deadline=None)
@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_models_changes_nothing_exact(
    pair: tuple[list[float], list[float]], chance: object
) -> None:
    x, y = map(np.array, pair)
    order = list(range(len(x)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    first, second = association(x, y, "pearson"), association(x[order], y[order], "pearson")
    assert second.r == pytest.approx(first.r)
    assert second.without_low == pytest.approx(first.without_low)
    if first.exact:
        assert second.p_value == pytest.approx(first.p_value)


@settings(max_examples=15, deadline=None)
@given(TRIPLES, st.booleans(), st.randoms(use_true_random=False))
def test_the_order_of_models_changes_no_comparison(
    triple: tuple[list[float], ...], ranked: bool, chance: object
) -> None:
    x, y, z = map(np.array, triple)
    order = list(range(len(x)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    first = compare_correlations(x, y, z, ranked=ranked, seed=0)
    second = compare_correlations(x[order], y[order], z[order], ranked=ranked, seed=0)
    assert first.exact
    assert second.difference == pytest.approx(first.difference)
    assert second.p_value == first.p_value


@settings(max_examples=15, deadline=None)
@given(TRIPLES, st.booleans(), st.floats(0.5, 20), st.floats(-5, 5))
def test_whom_a_score_is_compared_with_and_in_what_unit_changes_no_more_than_the_sign(
    triple: tuple[list[float], ...], ranked: bool, scale: float, shift: float
) -> None:
    x, y, z = map(np.array, triple)
    first = compare_correlations(x, y, z, ranked=ranked, seed=0)
    second = compare_correlations(scale * y + shift, x, z, ranked=ranked, seed=0)
    assert second.difference == pytest.approx(-first.difference)
    assert second.p_value == first.p_value
    same = compare_correlations(x, scale * x + shift, z, ranked=ranked, seed=0)
    assert same.difference == pytest.approx(0.0, abs=1e-9)
    assert same.p_value == 1
