from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

import lydite
from lydite.errors import InputError, UndefinedScoreError, UnknownNameError
from lydite.metaevaluation.evaluation import meta
from lydite.results.record import Items, Result
from lydite.results.store import RunStore
from lydite.stats.multiple import benjamini_hochberg, holm

ResultMaker: TypeAlias = Callable[..., Result]
BothMaker: TypeAlias = Callable[[list[float], list[float]], list[Result]]


@pytest.fixture
def several(make_result: ResultMaker, make_tagging: ResultMaker) -> list[Result]:
    """Twelve models, three word-similarity sets that know more and less of tagging."""
    generator = np.random.default_rng(8)
    quality = generator.normal(size=12)
    results = []
    for i, each in enumerate(quality):
        for resource, noise in (("men", 0.1), ("ws-353", 1.0), ("simlex-999", 5.0)):
            score = float(each + noise * generator.normal())
            results.append(make_result(f"m{i}", score, resource=resource))
        results.append(make_tagging(f"m{i}", float(each)))
    return results


def test_every_pair_is_tested_and_corrected(several: list[Result]) -> None:
    found = meta(several, resamples=2000)
    assert found.tests == len(found.associations) == 6
    assert found.methods == ("pearson", "spearman")
    p = np.array([each.p_value for each in found.associations], dtype=float)
    corrected = [each.p_corrected for each in found.associations]
    assert corrected == pytest.approx(holm(p).tolist())
    assert found.level == pytest.approx(0.05 / 6)
    men = found.find(found.scores.intrinsic[0], found.scores.downstream[0], "pearson")
    assert men.stands_out
    assert not found.associations[2].stands_out


def test_corrections(several: list[Result]) -> None:
    by_rate = meta(several, correction="bh", resamples=2000)
    p = np.array([each.p_value for each in by_rate.associations], dtype=float)
    corrected = [each.p_corrected for each in by_rate.associations]
    assert corrected == pytest.approx(benjamini_hochberg(p).tolist())
    none = meta(several, correction="none", resamples=2000)
    assert [each.p_corrected for each in none.associations] == p.tolist()
    assert none.level == 0.05


def test_one_method(several: list[Result]) -> None:
    assert meta(several, method="spearman", resamples=100).methods == ("spearman",)


def test_seven_models_never_stand_out(make_both: BothMaker) -> None:
    scores = [float(i) for i in range(7)]
    (pearson, _) = meta(make_both(scores, scores)).associations
    assert pearson.r == pytest.approx(1)
    assert pearson.p_corrected is not None
    assert pearson.p_corrected < 0.05
    assert not pearson.stands_out


def test_differences_are_corrected_for_all_pairs(several: list[Result]) -> None:
    found = meta(several, method="pearson", resamples=2000)
    # MEN, the best, against two others; three pairs could have been chosen, and the third counts
    # as if its p were 1.
    assert [found.names[each.first] for each in found.comparisons] == ["MEN", "MEN"]
    assert found.choices == 3
    p = [each.p_value for each in found.comparisons]
    corrected = [each.p_corrected for each in found.comparisons]
    assert corrected == pytest.approx(holm([*p, 1.0])[:2].tolist())
    assert found.comparisons[1].differs
    by_rate = meta(several, method="pearson", correction="bh", resamples=2000)
    corrected = [each.p_corrected for each in by_rate.comparisons]
    assert corrected == pytest.approx(benjamini_hochberg([*p, 1.0])[:2].tolist())


def test_a_score_is_named_as_the_tables_name_it(several: list[Result]) -> None:
    found = meta(several, against="ws-353", resamples=100)
    assert found.against is not None
    assert found.names[found.against] == "WS-353"
    assert {found.names[each.second] for each in found.comparisons} == {"WS-353"}
    with pytest.raises(
        UnknownNameError, match="there is no intrinsic score called 'POS'"
    ) as caught:
        meta(several, against="POS", resamples=100)
    assert "there are WS-353, MEN, SimLex" in str(caught.value.hint)


def test_runs_are_put_together_from_folders(tmp_path: Path, make_both: BothMaker) -> None:
    results = make_both([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0])
    items: Items = {"item": ["a"], "covered": [True], "value": [1.0]}
    for place, name in enumerate(("intrinsic", "downstream")):
        store = RunStore(tmp_path / name)
        for result in results[place::2]:
            store.add(result, items)
    found = lydite.meta(tmp_path / "intrinsic", str(tmp_path / "downstream"), method="pearson")
    assert found.associations[0].r == pytest.approx(0.8)
    with pytest.raises(InputError, match="expected intrinsic and downstream scores"):
        lydite.meta(tmp_path / "intrinsic")


def test_a_run_in_memory(make_both: BothMaker) -> None:
    class Run:
        results = make_both([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0])

    assert meta(Run(), method="pearson").associations[0].r == pytest.approx(0.8)


def test_the_order_of_results_changes_no_number(several: list[Result]) -> None:
    def figures(results: list[Result]) -> dict[str, Any]:
        found = meta(results, method="pearson", resamples=500)
        return {
            found.names[each.intrinsic]: (each.r, each.without_low, each.without_high)
            for each in found.associations
        }

    for name, expected in figures(several).items():
        assert figures(several[::-1])[name] == pytest.approx(expected)


def test_where_no_correlation_exists_the_reasons_are_given(make_both: BothMaker) -> None:
    with pytest.raises(UndefinedScoreError, match="2 models have both scores"):
        meta(make_both([1.0, 2.0], [1.0, 2.0]))
    with pytest.raises(UndefinedScoreError, match="intrinsic score of all 3 models is 1"):
        meta(make_both([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]))


@pytest.mark.parametrize(
    "options", [{"method": "kendall"}, {"tables": "5"}, {"correction": "bonferroni"}]
)
def test_wrong_options_are_refused(several: list[Result], options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected one of"):
        meta(several, **options)
    with pytest.raises(InputError, match="at least one run"):
        meta()
