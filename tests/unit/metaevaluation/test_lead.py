from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pytest

from lydite.metaevaluation.evaluation import MetaEvaluation, meta
from lydite.metaevaluation.verdict import (
    comparison_notes,
    comparison_verdict,
    lead_line,
    leads,
    notes,
    overall_verdict,
)
from lydite.results.record import Result

ResultMaker: TypeAlias = Callable[..., Result]
BothMaker: TypeAlias = Callable[[list[float], list[float]], list[Result]]
ResultsMaker: TypeAlias = Callable[..., list[Result]]


@pytest.fixture
def make_several(make_result: ResultMaker, make_tagging: ResultMaker) -> ResultsMaker:
    """Models whose similarity sets know tagging with more and with less noise."""

    def several(models: int = 16, **noises: float) -> list[Result]:
        generator = np.random.default_rng(3)
        results = []
        for i, quality in enumerate(generator.normal(size=models).tolist()):
            for resource, noise in noises.items():
                score = quality + noise * float(generator.normal())
                results.append(make_result(f"m{i}", score, resource=resource))
            results.append(make_tagging(f"m{i}", quality))
        return results

    return several


def found_of(results: list[Result], **options: str) -> MetaEvaluation:
    return meta(results, method="pearson", resamples=1000, **options)  # type: ignore[arg-type]


def test_a_lead_that_is_chance(make_several: ResultsMaker) -> None:
    found = found_of(make_several(men=0.5, a=0.5, b=8.0))
    (lead,) = leads(found, "pearson")
    assert not lead.settled
    assert lead.behind == 1
    line = lead_line(found, lead)
    nearest = lead.rival
    assert line == (
        f"{found.names[nearest.first]} leads for POS ({nearest.r_first:.2f}), but not by more than "
        f"chance over {found.names[nearest.second]} ({nearest.r_second:.2f}): difference "
        f"{nearest.difference:.2f} [{nearest.low:.2f}, {nearest.high:.2f}]. It is ahead of 1 of 2 "
        "scores by more than chance."
    )
    verdict = comparison_verdict(found)
    assert verdict.startswith("Which score is the best guide is not settled for POS (")
    assert verdict.endswith("after Holm's correction for 3 comparisons.")
    assert overall_verdict(found).endswith(verdict)


def test_a_lead_that_is_none(make_several: ResultsMaker) -> None:
    found = found_of(make_several(men=0.1, a=6.0, b=8.0))
    (lead,) = leads(found, "pearson")
    assert lead.settled
    assert lead.rival == lead.rivals[0]
    assert "MEN leads for POS" in lead_line(found, lead)
    assert "by more than chance even over" in lead_line(found, lead)
    assert comparison_verdict(found).startswith(
        "Which score is the best guide is settled for POS (MEN over"
    )


def test_the_rival_is_the_nearest_that_may_be_as_good(make_several: ResultsMaker) -> None:
    found = found_of(make_several(men=0.1, a=1.0, b=8.0))
    (lead,) = leads(found, "pearson")
    near, far = lead.rivals
    assert near.difference < far.difference
    clear = replace(near, p_corrected=0.01)
    unclear = replace(far, p_corrected=0.5)
    turned = replace(lead, rivals=(clear, unclear))
    assert turned.rival == unclear
    assert turned.behind == 1
    # What is clearly better than the leader, over the models they share, is not behind it.
    better = replace(near, p_corrected=0.01, r_second=near.r_first + 0.1)
    assert replace(lead, rivals=(better, far)).rival == better


def test_a_difference_that_would_be_clear_by_itself_is_told(make_several: ResultsMaker) -> None:
    found = found_of(make_several(men=0.1, a=1.0, b=8.0))
    (lead,) = leads(found, "pearson")
    alone = replace(lead.rivals[0], p_value=0.0123, p_corrected=0.5)
    line = lead_line(found, replace(lead, rivals=(alone, lead.rivals[1])))
    assert "], more than chance only before correction, p = 0.012. It is ahead" in line
    weak = replace(alone, p_value=0.2)
    assert "by itself" not in lead_line(found, replace(lead, rivals=(weak,)))


def test_against_a_named_score(make_several: ResultsMaker) -> None:
    results = make_several(30, men=1.0, a=0.05, b=9.0)
    found = found_of(results, against="men")
    assert leads(found, "pearson") == []
    assert found.choices == len(found.comparisons) == 2
    verdict = comparison_verdict(found)
    assert verdict.startswith("Of 2 comparisons with MEN 1 is better (a for POS by ")
    assert "1 is worse (b for POS by" in verdict
    assert verdict.endswith("by more than chance after Holm's correction for 2 comparisons.")
    alike = found_of(make_several(men=1.0, a=1.0), against="MEN")
    assert comparison_verdict(alike) == (
        "No score differs from MEN by more than chance in 1 comparison after Holm's correction for "
        "1 comparisons."
    )


def test_without_a_correction_that_is_said(make_several: ResultsMaker) -> None:
    found = found_of(make_several(men=0.5, a=0.5), correction="none")
    assert comparison_verdict(found).endswith(", without a correction for 1 comparisons.")
    assert found.comparisons[0].p_corrected == found.comparisons[0].p_value


def test_few_models_or_one_score_are_not_compared(
    make_several: ResultsMaker, make_both: BothMaker
) -> None:
    assert comparison_verdict(found_of(make_several(7, men=0.5, a=0.5))) == ""
    scores = [float(i) for i in range(12)]
    assert comparison_verdict(found_of(make_both(scores, scores[::-1]))) == ""


def test_when_no_difference_could_stand_out_a_note_says_so(make_several: ResultsMaker) -> None:
    # 2 of 256 exchanges of 8 models are the least that p can be: 0.0078 x 10 is beyond 0.05.
    noises = dict.fromkeys("abcde", 0.5)
    found = found_of(make_several(8, **noises))
    (note,) = comparison_notes(found)
    assert note in notes(found)
    assert note.startswith("With 8 families of models and 256 exchanges no difference can stand")
    assert comparison_notes(found_of(make_several(12, **noises))) == []
    assert comparison_notes(found_of(make_several(8, **noises), correction="none")) == []


def test_a_difference_without_an_interval_is_written_alone(make_several: ResultsMaker) -> None:
    (comparison,) = found_of(make_several(men=0.5, a=0.6)).comparisons
    assert "[" in comparison.said
    alone = replace(comparison, low=None, high=None)
    assert alone.said == f"{comparison.difference:.2f}"
