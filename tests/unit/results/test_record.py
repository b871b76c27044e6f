import dataclasses
import json
from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from lydite.declare import Declared, Param
from lydite.errors import InputError, UndefinedScoreError
from lydite.results.record import SCHEMA, Failure, Outcome, Provenance, Result, result_key, to_line
from lydite.stats.bootstrap import Interval
from lydite.stats.null import Baseline

INTERVAL = Interval(low=0.1, high=0.3, level=0.95, method="bca")
BASELINE = Baseline(kind="shuffled ratings", mean=0.0, low=-0.1, high=0.1, draws=1000)
PROVENANCE = Provenance(
    evaluation="similarity",
    parameters={"metric": "spearman", "oov": "skip"},
    model="mean(vectors.txt)",
    model_sha256="ab" * 32,
    resource="simlex-999",
    resource_sha256="cd" * 32,
    seed=7,
    versions={"python": "3.11.9", "numpy": "2.1.0"},
    wall_seconds=0.25,
    peak_memory_mb=120.5,
    created="2025-01-01T00:00:00+00:00",
)
RESULT = Result(
    key="0123456789abcdef0123",
    evaluation="similarity(metric=spearman)",
    model="mean(vectors.txt)",
    resource="simlex-999",
    metric="spearman",
    score=0.2,
    interval=INTERVAL,
    baseline=BASELINE,
    n_items=4,
    n_covered=3,
    oov="skip",
    statistic="spearman",
    others={"pearson": 0.25},
    details={"missing": ["emu / gnu", "naïve / \u2028"], "table": {"a": [1, 2.5, None, True]}},
    items="items/0123456789abcdef0123.csv",
    provenance=PROVENANCE,
)
OUTCOME: dict[str, Any] = {
    "metric": "spearman",
    "score": 0.2,
    "interval": INTERVAL,
    "baseline": BASELINE,
    "n_items": 4,
    "n_covered": 3,
    "oov": "skip",
    "statistic": "spearman",
    "items": {"item": ["a"], "covered": [True]},
    "others": {"pearson": 0.25},
}


def test_a_result_survives_json() -> None:
    line = RESULT.to_json()
    assert "\n" not in line
    assert "naïve" in line
    assert Result.from_plain(json.loads(line)) == RESULT


def test_numbers_of_numpy_that_are_floats_are_written_as_such() -> None:
    line = dataclasses.replace(RESULT, score=np.float64(0.1)).to_json()
    assert json.loads(line)["score"] == 0.1


def test_a_file_name_that_is_not_utf_8_survives_json() -> None:
    # So Python reads the name b"caf\xe9.txt" from a file system in UTF-8.
    result = dataclasses.replace(RESULT, model="caf\udce9.txt")
    line = result.to_json()
    assert line.encode()
    assert Result.from_plain(json.loads(line)) == result


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("field", ["score", "others", "details"])
def test_numbers_that_are_not_finite_are_refused(field: str, bad: float) -> None:
    value: Any = bad if field == "score" else {"x": [bad]} if field == "details" else {"x": bad}
    with pytest.raises(InputError, match=r"similarity\(metric=spearman\) of mean\(vectors.txt\)"):
        dataclasses.replace(RESULT, **{field: value}).to_json()


def test_a_newer_schema_is_refused() -> None:
    plain = {**json.loads(RESULT.to_json()), "schema": SCHEMA + 1}
    with pytest.raises(InputError) as caught:
        Result.from_plain(plain)
    assert str(caught.value) == (
        f"expected a result of schema {SCHEMA} or older, got {SCHEMA + 1}\n"
        "hint: it was written by a newer Lydite; install that one"
    )


def test_a_newer_schema_is_seen_before_fields_that_are_not_known() -> None:
    with pytest.raises(InputError, match="got 99"):
        Result.from_plain({"schema": 99, "something": "new"})


@pytest.mark.parametrize(
    "plain",
    [
        {},
        5,
        [],
        None,
        {"schema": "1"},
        {**json.loads(RESULT.to_json()), "extra": 1},
        {key: value for key, value in json.loads(RESULT.to_json()).items() if key != "score"},
        {**json.loads(RESULT.to_json()), "interval": 3},
        {**json.loads(RESULT.to_json()), "provenance": {}},
    ],
)
def test_other_data_are_no_result(plain: Any) -> None:  # noqa: ANN401
    with pytest.raises(InputError, match="expected the fields of a result, got"):
        Result.from_plain(plain)


def test_coverage() -> None:
    assert RESULT.coverage == 0.75


@pytest.mark.parametrize("kind", [Result, Outcome, Provenance, Failure])
def test_what_is_handed_out_is_frozen(kind: type) -> None:
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]


def test_an_outcome_is_a_finite_score() -> None:
    assert Outcome(**OUTCOME).score == 0.2


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_an_outcome_without_a_score_is_refused(bad: float) -> None:
    with pytest.raises(UndefinedScoreError, match=f"the score spearman is {bad}"):
        Outcome(**{**OUTCOME, "score": bad})
    with pytest.raises(UndefinedScoreError, match=f"the score pearson is {bad}"):
        Outcome(**{**OUTCOME, "others": {"pearson": bad}})
    with pytest.raises(
        UndefinedScoreError, match=f"the interval of spearman goes from 0.1 to {bad}"
    ):
        Outcome(**{**OUTCOME, "interval": dataclasses.replace(INTERVAL, high=bad)})
    with pytest.raises(UndefinedScoreError, match=f"the baseline of spearman goes from {bad}"):
        Outcome(**{**OUTCOME, "baseline": dataclasses.replace(BASELINE, low=bad)})


def test_a_failure_survives_json() -> None:
    failure = Failure(
        key="k",
        evaluation="qvec",
        model="m",
        resource="r",
        seed=0,
        error="InputError",
        message="expected\nmuch",
    )
    line = to_line(failure)
    assert "\n" not in line
    assert Failure.from_plain(json.loads(line)) == failure


def test_other_data_are_no_failure() -> None:
    with pytest.raises(InputError, match="expected the fields of a failure"):
        Failure.from_plain({"key": "k"})


_QUESTION: dict[str, Any] = {
    "evaluation": "similarity(metric=spearman)",
    "model": "m",
    "model_sha256": "a",
    "resource": "r",
    "resource_sha256": "b",
    "seed": 0,
}


def test_the_same_question_has_the_same_key() -> None:
    key = result_key(**_QUESTION)
    assert key == result_key(**_QUESTION)
    assert len(key) == 20
    assert set(key) <= set("0123456789abcdef")


@pytest.mark.parametrize("field", list(_QUESTION))
def test_another_question_has_another_key(field: str) -> None:
    changed = 1 if field == "seed" else None if field == "model_sha256" else "other"
    assert result_key(**{**_QUESTION, field: changed}) != result_key(**_QUESTION)


def test_fields_do_not_run_into_each_other() -> None:
    assert result_key(**{**_QUESTION, "model": "m, a", "resource": ""}) != result_key(
        **{**_QUESTION, "model": "m", "resource": "a, "}
    )


def asked(question: str = "asked", **fields: tuple[Any, Any]) -> Callable[..., str]:
    """Declare an evaluation with fields of a type and a default; return what makes its keys."""
    made: Any = dataclasses.make_dataclass(
        "Asked",
        [(name, hint, default) for name, (hint, default) in fields.items()],
        bases=(Declared,),
        frozen=True,
        kw_only=True,
    )
    made.name = question
    return lambda **given: result_key(**{**_QUESTION, "evaluation": made(**given).key})


METRIC = (Literal["spearman", "pearson"], "spearman")
OOV = (Literal["skip", "zero"], "skip")


def test_a_new_parameter_with_a_default_does_not_change_the_key() -> None:
    before, after = asked(metric=METRIC), asked(metric=METRIC, oov=OOV)
    assert before() == after()
    assert before(metric="pearson") == after(metric="pearson")
    assert after(oov="zero") != after()


def test_the_order_of_parameters_does_not_change_the_key() -> None:
    one, other = asked(metric=METRIC, oov=OOV), asked(oov=OOV, metric=METRIC)
    given = {"metric": "pearson", "oov": "zero"}
    assert one(**given) == other(**given)


def test_a_parameter_that_only_shows_more_does_not_change_the_key() -> None:
    most = (Annotated[int, Param("How many to show.", shows=True)], 10)
    ask = asked(metric=METRIC, most=most)
    assert ask(most=20) == ask() == asked(metric=METRIC)()


def test_another_value_of_a_parameter_or_another_evaluation_changes_the_key() -> None:
    ask = asked(metric=METRIC, window=(int, 2))
    keys = [ask(), ask(metric="pearson"), ask(window=3), ask(window=3, metric="pearson")]
    keys.append(asked("other", metric=METRIC, window=(int, 2))())
    assert len(set(keys)) == len(keys)


def test_a_failure_of_an_older_version_does_not_say_whether_the_input_was_wrong() -> None:
    plain = dict.fromkeys(("key", "evaluation", "model", "resource", "error", "message"), "x")
    assert not Failure.from_plain({**plain, "seed": 0}).wrong_input


def test_a_result_of_an_older_version_can_be_read() -> None:
    plain = json.loads(RESULT.to_json())
    del plain["provenance"]["downstream"]
    assert Result.from_plain({**plain, "schema": 1}).provenance.downstream is None
