from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.metaevaluation.evaluation import meta
from lydite.metaevaluation.verdict import grid_verdict, notes, overall_verdict
from lydite.results.record import Result

ResultMaker: TypeAlias = Callable[..., Result]
BothMaker: TypeAlias = Callable[[list[float], list[float]], list[Result]]


def test_three_models_say_nothing(make_both: BothMaker) -> None:
    found = meta(make_both([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]))
    verdict = overall_verdict(found)
    assert verdict.startswith("3 models are too few: any correlation is possible.")
    # Half of all correlations of three unrelated values are beyond sin(45 degrees).
    assert "every second correlation over 3 independent models is beyond ±0.71" in verdict
    assert "It takes 8 families of models" in verdict
    assert "to find a true correlation of 0.5 with 80 % power after Holm" in verdict
    assert grid_verdict(found, found.grids[0]).startswith("3 models are too few")


def test_what_stands_out_is_named(make_both: BothMaker) -> None:
    scores = [float(i) for i in range(12)]
    found = meta(make_both(scores, scores), resamples=2000)
    verdict = overall_verdict(found)
    assert verdict.startswith("2 of 2 correlations stand out after Holm's correction for 2 tests")
    assert "MEN with POS (1.00, Pearson)" in verdict
    # The critical value of 12 models is 0.576 for one test.
    assert "(0.58 if it were the only test)" in verdict
    assert "To find one of 0.5 takes about" in verdict


def test_nothing_stands_out(make_both: BothMaker) -> None:
    x, y = np.random.default_rng(1).normal(size=(2, 12)).tolist()
    found = meta(make_both(x, y), method="pearson", correction="none", resamples=500)
    assert overall_verdict(found).startswith(
        "None of the 1 correlation stands out without a correction for 1 tests"
    )


def test_pairs_of_few_models_are_told(make_both: BothMaker, make_tagging: ResultMaker) -> None:
    x, y = np.random.default_rng(1).normal(size=(2, 12)).tolist()
    some = [
        make_tagging(f"zoo/{chr(97 + i)}.txt", y[i], evaluation="parsing", metric="uas")
        for i in range(5)
    ]
    found = meta([*make_both(x, y), *some], resamples=500)
    assert "2 are based on fewer than 8 families of models and show nothing." in overall_verdict(
        found
    )


def test_notes(make_both: BothMaker, make_result: ResultMaker, make_tagging: ResultMaker) -> None:
    x, y = np.random.default_rng(1).normal(size=(2, 10)).tolist()
    constant = [
        make_tagging(f"zoo/{chr(97 + i)}.txt", 0.5, evaluation="parsing", metric="uas")
        for i in range(10)
    ]
    alone = make_result("zoo/alone.txt", 0.3)
    again = make_result("zoo/a.txt", 0.2, seed=1)
    found = meta([*make_both(x, y), *constant, alone, again], resamples=10)
    said = notes(found)
    assert any(note.endswith("scores are means over 2 seeds.") for note in said)
    assert any(note.endswith("count in no correlation: alone.") for note in said)
    assert "No correlation of MEN with Parse: the downstream score of all 10 models is 0.5." in said
    assert any("Table 4 of the paper also has WS-353, SimLex, QVEC PTB" in note for note in said)
    assert any("With 10 random orders no p is small enough" in note for note in said)


def test_families_are_told_and_are_what_counts(make_result: ResultMaker) -> None:
    results = [
        made
        for i, name in enumerate("abcdefgh")
        for size in (100, 200)
        for made in (
            make_result(f"{name}-{size}d", i + size / 1000, evaluation="similarity"),
            make_result(f"{name}-{size}d", i % 3 + size / 900, evaluation="tagging"),
        )
    ]
    found = meta(results)
    assert notes(found)[0].startswith("16 models are 8 families: a (2), b (2), c (2), d (2) and 4")
    assert "With 8 families of models |r| must be" in overall_verdict(found)
    fewer = meta(results, families=["one=[a-d]-*"])
    assert overall_verdict(fewer).startswith("16 models of 5 families are too few")
    assert notes(fewer)[0].startswith("16 models are 5 families: one (8), e (2)")
    assert "their means are put in another order" in notes(fewer)[0]
    with pytest.raises(InputError, match="a family as NAME=GLOB, got 'glove'"):
        meta(results, families=["glove"])


def test_the_word_for_one_test_and_for_many(make_both: BothMaker) -> None:
    scores = [float(i) for i in range(12)]
    one = meta(make_both(scores, scores), method="pearson", resamples=500)
    assert "1 of 1 correlation stands out" in overall_verdict(one)
    assert "Pearson" not in overall_verdict(one)
    assert pytest.approx(1.0) == one.associations[0].r
