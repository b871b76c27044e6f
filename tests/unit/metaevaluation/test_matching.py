from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from lydite.errors import InputError
from lydite.metaevaluation.scores import Subject, match_models, subject_of
from lydite.results.record import Result

ResultMaker: TypeAlias = Callable[..., Result]


@pytest.mark.parametrize(
    ("spec", "model", "form"),
    [
        ("zoo/a.txt", "zoo/a.txt", ""),
        ("mean(zoo/a.txt)", "zoo/a.txt", "mean(·)"),
        ("additive(a.txt, window=5)", "a.txt", "additive(·, window=5)"),
        ("pooled(mean(a.txt))", "a.txt", "pooled(mean(·))"),
        ("mean(vectors(a.txt, case=fold))", "vectors(a.txt, case=fold)", "mean(·)"),
        ('mean("a (1).txt")', '"a (1).txt"', "mean(·)"),
        ("vectors(a.txt, case=fold)", "vectors(a.txt, case=fold)", ""),
        ("hybrid(overlap, mean(a.txt))", "hybrid(overlap, mean(a.txt))", ""),
        ("ensemble(mean(a.txt), mean(b.txt))", "ensemble(mean(a.txt), mean(b.txt))", ""),
        ("random(50)", "random(50)", ""),
        ("not a spec(", "not a spec(", ""),
    ],
)
def test_composed_models_are_taken_apart(spec: str, model: str, form: str) -> None:
    assert subject_of(spec) == Subject(model=model, form=form)


def test_unwrapping_can_be_switched_off() -> None:
    assert subject_of("mean(a.txt)", unwrap=False) == Subject(model="mean(a.txt)")


def test_a_name_with_two_bytes_is_refused_with_both(make_result: ResultMaker) -> None:
    results = [
        make_result("a.txt", 0.5, model_sha256="1" * 64),
        make_result("a.txt", 0.6, model_sha256="2" * 64, resource="ws-353"),
    ]
    with pytest.raises(InputError, match=r"a\.txt stands for 2 models") as error:
        match_models(results)
    assert "111111111111 in similarity on men" in error.value.message
    assert "222222222222 in similarity on ws-353" in error.value.message


def test_a_mean_of_other_bytes_than_its_space_is_refused(make_result: ResultMaker) -> None:
    results = [
        make_result("a.txt", 0.5, model_sha256="1" * 64),
        make_result("mean(a.txt)", 0.6, model_sha256="2" * 64),
    ]
    with pytest.raises(InputError, match="stands for 2 models"):
        match_models(results)
    assert len(match_models(results, unwrap=False).entries) == 2


def test_a_learner_may_add_counts_to_the_bytes_of_its_space(make_result: ResultMaker) -> None:
    results = [
        make_result("a.txt", 0.5, model_sha256="1" * 64),
        make_result("additive(a.txt, frequencies=f.txt)", 0.6, model_sha256="2" * 64),
    ]
    assert {subject.model for subject, _ in match_models(results).entries} == {"a.txt"}


def test_the_same_bytes_under_two_paths_are_one_model(make_result: ResultMaker) -> None:
    results = [
        make_result("zoo/a.txt", 0.5, model_sha256="1" * 64),
        make_result("/home/me/zoo/a.txt", 0.6, model_sha256="1" * 64, resource="ws-353"),
        make_result("mean(/home/me/zoo/a.txt)", 0.6, model_sha256="1" * 64),
    ]
    matched = match_models(results)
    assert {subject.model for subject, _ in matched.entries} == {"zoo/a.txt"}
    assert matched.notes == (
        "/home/me/zoo/a.txt holds the same bytes as zoo/a.txt and counts as the same model",
    )


def test_options_make_another_model_of_the_same_bytes(make_result: ResultMaker) -> None:
    results = [
        make_result("a.txt", 0.5, model_sha256="1" * 64),
        make_result("vectors(a.txt, case=fold)", 0.6, model_sha256="1" * 64),
    ]
    assert len({subject.model for subject, _ in match_models(results).entries}) == 2


def test_models_without_known_bytes_are_matched_by_name(make_result: ResultMaker) -> None:
    results = [
        make_result("Mine", 0.5, model_sha256=None),
        make_result("Mine", 0.6, model_sha256=None, resource="ws-353"),
        make_result("Other", 0.6, model_sha256=None),
    ]
    assert len({subject.model for subject, _ in match_models(results).entries}) == 2


def test_only_keeps_what_fits(make_result: ResultMaker) -> None:
    results = [make_result(f"zoo/lsa-{d}d-w5.txt", 0.5) for d in (100, 300)]
    kept = match_models(
        [*results, make_result("mean(zoo/lsa-300d-w5.txt)", 0.1)], only=["*-300d-*"]
    )
    assert [subject.form for subject, _ in kept.entries] == ["", "mean(·)"]
    with pytest.raises(InputError, match=r"no model fits x\*: there are zoo/lsa-100d-w5\.txt"):
        match_models(results, only=["x*"])
