from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lydite.evaluations.qvec.section import dimensions_table, features_figure, section
from lydite.results.record import Result
from lydite.results.trials import trials


def _result(make_result: Callable[..., Result], model: str, **other: Any) -> Result:  # noqa: ANN401
    given = {"evaluation": "qvec", "metric": "cca", "resource": "starter-supersenses", **other}
    return make_result(model, **given)


def test_one_alignment_is_shown_once_whatever_the_method(
    make_result: Callable[..., Result], make_alignment: Callable[..., dict[str, Any]]
) -> None:
    details = make_alignment(("noun.act", "noun.food"), ("cat", "dog"))
    made = section(
        [
            _result(make_result, "a", details=details),
            _result(
                make_result, "a", details=details, evaluation="qvec(method=qvec)", metric="qvec"
            ),
        ],
        lambda _: None,
    )
    # Two pictures of scores, one of features.
    assert len(made.figures) == 3
    assert len(made.tables) == 1
    for word in ("QVEC-CCA", "matches each dimension", "null baseline"):
        assert word in made.how_to_read


def test_results_without_an_alignment_still_have_scores(
    make_result: Callable[..., Result],
) -> None:
    made = section([_result(make_result, "a")], lambda _: None)
    assert len(made.figures) == 1
    assert made.tables == []


def test_the_clearest_dimensions_come_first(
    make_result: Callable[..., Result], make_alignment: Callable[..., dict[str, Any]]
) -> None:
    names = tuple(f"feature{i}" for i in range(30))
    result = _result(
        make_result, "a", details=make_alignment(names, ("cat",)), others={"dimensions": 300.0}
    )
    table = dimensions_table(trials([result])[0], result)
    assert len(table.rows) == 20
    assert [row[0] for row in table.rows[:2]] == [29, 28]
    assert "20 of 300 dimensions" in str(table.notes[0])


def test_many_features_and_models_are_cut_and_it_is_said(
    make_result: Callable[..., Result], make_alignment: Callable[..., dict[str, Any]]
) -> None:
    details = make_alignment(tuple(f"feature{i}" for i in range(60)), ("cat",))
    results = [_result(make_result, f"m{i}", details=details) for i in range(8)]
    figure = features_figure(trials(results)[0], results)
    assert "45 of 60 features" in figure.caption
    assert "6 of 8 models" in figure.caption
    assert "feature44" in figure.svg
    assert "feature45" not in figure.svg
