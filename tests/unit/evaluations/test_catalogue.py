from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import ClassVar

import pytest

from lydite.errors import InputError, SpecError, UnknownNameError
from lydite.evaluations import EVALUATIONS
from lydite.evaluations.catalogue import Evaluation, make_evaluation, only_resource
from lydite.evaluations.qvec.evaluation import Qvec
from lydite.evaluations.similarity.evaluation import Similarity
from lydite.resources.catalogue import Located


@pytest.mark.parametrize(
    "evaluation",
    [
        Similarity(),
        Similarity(metric="pearson", oov="zero", case="exact"),
        Qvec(),
        Qvec(method="cca-first", join="union", normalize=False),
    ],
)
def test_an_evaluation_is_its_parameters(evaluation: Evaluation) -> None:
    assert make_evaluation(evaluation.spec) == evaluation


def test_the_spec_names_the_parameters_that_are_not_at_their_defaults() -> None:
    evaluation = make_evaluation("qvec(join=intersection, method=qvec)")
    assert evaluation.spec == "qvec(method=qvec)"
    assert evaluation.parameters == {"method": "qvec", "join": "intersection", "normalize": True}
    assert Qvec().spec == "qvec"


def test_keywords_are_added_to_the_spec() -> None:
    assert make_evaluation("qvec(method=qvec)", join="union") == Qvec(method="qvec", join="union")


def test_a_wrong_value_is_named_with_what_there_is() -> None:
    with pytest.raises(InputError) as caught:
        make_evaluation("qvec(method=cca-frist)")
    assert str(caught.value) == (
        "qvec: expected method to be one of explained, cca, cca-first, qvec, got 'cca-frist'\n"
        "hint: did you mean cca-first?"
    )


@pytest.mark.parametrize("value", ["maybe", "1", "none"])
def test_a_switch_takes_true_or_false_only(value: str) -> None:
    with pytest.raises(InputError, match="expected normalize to be one of true, false, got"):
        make_evaluation(f"qvec(normalize={value})")
    assert make_evaluation("qvec(normalize=false)") == Qvec(normalize=False)


def test_a_wrong_parameter_is_named_with_what_there_is() -> None:
    with pytest.raises(SpecError) as caught:
        make_evaluation("similarity(metrik=spearman)")
    assert str(caught.value) == (
        "similarity: there is no parameter called 'metrik'\n"
        "hint: did you mean metric? there are metric, oov, case"
    )
    with pytest.raises(SpecError, match="key=value parameters only"):
        make_evaluation("qvec(cca)")


def test_an_unknown_evaluation_is_named_with_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="did you mean similarity"):
        make_evaluation("similarty")


def test_every_registered_evaluation_makes_itself_without_parameters() -> None:
    for name in EVALUATIONS:
        evaluation = make_evaluation(name)
        assert evaluation.name == name
        assert make_evaluation(evaluation.spec) == evaluation


def test_parameters_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Qvec().method = "qvec"  # type: ignore[misc]


def test_parameters_of_other_types_are_left_to_the_evaluation() -> None:
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Counting(Evaluation):
        name: ClassVar[str] = "counting"

        least: int = 3

    assert Counting(least=5).spec == "counting(least=5)"


def test_one_resource_is_one_resource() -> None:
    one = Located(name="one", paths=(Path("one.txt"),), sha256="0" * 64)
    assert only_resource("similarity", [one]) is one
    with pytest.raises(InputError, match="similarity takes one resource at a time, got 2"):
        only_resource("similarity", [one, one])
