from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.metaevaluation.scores import collect_scores, is_downstream
from lydite.results.record import Result

ResultMaker: TypeAlias = Callable[..., Result]


def test_a_row_a_model_and_a_column_a_measure(
    make_result: ResultMaker, make_tagging: ResultMaker
) -> None:
    scores = collect_scores([make_result("a", 0.1), make_tagging("a", 0.8), make_tagging("b", 0.9)])
    assert scores.models == ("a", "b")
    assert [measure.name for measure in scores.intrinsic] == ["similarity"]
    assert [measure.name for measure in scores.downstream] == ["tagging"]
    np.testing.assert_equal(scores.values, [[0.1, 0.8], [np.nan, 0.9]])
    np.testing.assert_equal(scores.of(scores.measures[1]), [0.8, 0.9])


def test_seeds_are_averaged_and_said(make_result: ResultMaker) -> None:
    results = [make_result("a", score, seed=seed) for seed, score in enumerate((0.1, 0.2, 0.6))]
    scores = collect_scores([*results, make_result("b", 0.5)])
    assert scores.values[:, 0].tolist() == pytest.approx([0.3, 0.5])
    assert scores.notes == ("1 of 2 scores are means over 3 seeds.",)


def test_of_two_results_of_one_seed_the_later_counts(make_result: ResultMaker) -> None:
    old = make_result("a", 0.2, created="2024-06-01T12:00:00+00:00")
    new = make_result("a", 0.8)
    for results in ([old, new], [new, old]):
        found = collect_scores(results)
        assert found.values.tolist() == [[0.8]]
        assert any(note.startswith("One score was given twice") for note in found.notes)


def test_the_same_result_given_twice_says_nothing(make_result: ResultMaker) -> None:
    assert collect_scores([make_result("a", 0.2), make_result("a", 0.2)]).notes == ()


def test_results_of_several_versions_are_said(make_result: ResultMaker) -> None:
    found = collect_scores([make_result("a", 0.2), make_result("b", 0.4, version="0.9")])
    assert found.notes == ("Results were made by several versions of Lydite: 0.9, 1.0.",)


def test_a_composed_model_counts_for_its_space(
    make_result: ResultMaker, make_tagging: ResultMaker
) -> None:
    results = [
        make_tagging("a.txt", 0.8),
        make_result("mean(a.txt)", 0.1, evaluation="localization", metric="svm"),
        make_result("sum(a.txt)", 0.2, evaluation="localization", metric="svm"),
    ]
    scores = collect_scores(results)
    assert scores.models == ("a.txt",)
    assert [measure.form for measure in scores.intrinsic] == ["mean(·)", "sum(·)"]
    assert len(collect_scores(results, unwrap=False).models) == 3


def test_the_bytes_of_the_data_decide(make_result: ResultMaker) -> None:
    same = [
        make_result("a", 0.1, resource="men.txt", resource_sha256="1" * 64),
        make_result("b", 0.2, resource="/data/men.txt", resource_sha256="1" * 64),
    ]
    assert len(collect_scores(same).measures) == 1
    other = make_result("b", 0.2, resource="men.txt", resource_sha256="2" * 64)
    assert len(collect_scores([same[0], other]).measures) == 2


def test_further_scores_are_measures_on_request(make_result: ResultMaker) -> None:
    parsed = make_result("a", 0.8, evaluation="parsing", metric="uas", others={"las": 0.7})
    assert len(collect_scores([parsed]).measures) == 1
    scores = collect_scores([parsed], metrics=["parsing:las"])
    assert [(each.metric, each.further) for each in scores.measures] == [
        ("uas", False),
        ("las", True),
    ]
    assert scores.values.tolist() == [[0.8, 0.7]]


@pytest.mark.parametrize(
    ("metric", "said"), [("las", "EVALUATION:NAME"), ("parsing:nothing", "no result has")]
)
def test_wrong_further_scores_are_refused(make_result: ResultMaker, metric: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        collect_scores([make_result("a", 0.8, evaluation="parsing")], metrics=[metric])


def test_evaluations_that_are_not_installed_keep_their_name_and_parameters(
    make_result: ResultMaker,
) -> None:
    (measure,) = collect_scores([make_result("a", 0.8, evaluation="own(depth=2)")]).measures
    assert (measure.name, measure.evaluation) == ("own", "own(depth=2)")
    assert measure.parameters == {"depth": 2}


def downstream(result: Result, *, said: bool | None) -> bool:
    """Return whether a result that says so, or does not, counts as downstream."""
    source = replace(result.provenance, downstream=said)
    return is_downstream(replace(result, provenance=source))


def test_a_result_says_itself_whether_it_is_downstream(make_result: ResultMaker) -> None:
    stranger = make_result("a", 0.8, evaluation="own")
    assert downstream(stranger, said=True)
    assert not downstream(stranger, said=False)


def test_an_old_result_is_downstream_if_its_evaluation_is(make_result: ResultMaker) -> None:
    assert downstream(make_result("a", 0.8, evaluation="tagging"), said=None)
    assert not downstream(make_result("a", 0.8, evaluation="similarity"), said=None)
    assert not downstream(make_result("a", 0.8, evaluation="own"), said=None)


def test_old_records_with_all_parameters_are_the_same_measure(make_result: ResultMaker) -> None:
    full = "similarity(metric=spearman, oov=skip, case=fold)"
    old, new = (
        make_result("a", 0.8, evaluation=full),
        make_result("b", 0.7, evaluation="similarity"),
    )
    (measure,) = collect_scores([old, new]).measures
    assert measure.evaluation == "similarity"


def test_a_score_that_grows_with_dimensions_is_said(make_result: ResultMaker) -> None:
    results = [
        make_result(
            f"m{size}",
            0.5,
            evaluation="qvec(method=qvec)",
            metric="qvec",
            others={"dimensions": float(size), "explained": 0.2},
        )
        for size in (100, 300)
    ]
    (note,) = collect_scores(results).notes
    assert note.startswith("The models have 100 to 300 dimensions, and qvec grows with them")
    assert collect_scores(results, only=["m300"]).notes == ()
