"""One suite over every registered evaluation: registering one is how it gets tested."""

from __future__ import annotations

import dataclasses
import functools
import json
from typing import Any

import pytest

from lydite.cli.evaluation_commands import evaluation_command
from lydite.declare import fields_of, summary_of
from lydite.errors import LyditeError
from lydite.evaluations import EVALUATIONS
from lydite.evaluations.catalogue import make_evaluation
from lydite.models.additive import Additive
from lydite.models.catalogue import load
from lydite.resources.catalogue import CATALOGUE, locate
from lydite.results.record import Result
from lydite.runner import ask
from lydite.spaces.space import Space

#: The starter data, by their kind.
STARTER = {card.kind: card.name for card in map(CATALOGUE.find, CATALOGUE) if card.starter}

#: What knows nothing, for those that are not asked of spaces of words.
IGNORANT = {
    "consistency": "pooled(random(20, seed={seed}))",
    "stability": "retrained(random(20, seed={seed}), random(20, seed=1{seed}))",
}


@pytest.fixture(params=sorted(EVALUATIONS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def starter(name: str) -> str:
    """Return the starter data of an evaluation: the first that one of its slots accepts."""
    kinds = [kind for slot in EVALUATIONS.get(name).slots for kind in slot.accepts]
    return next(STARTER[kind] for kind in kinds if kind in STARTER)


def ignorant(name: str, number: int) -> object:
    """Return a model of random vectors, of which there are many."""
    if name == "nonces":
        return Additive.open(random_space(number), sample=0)
    return load(IGNORANT.get(name, "random(20, seed={seed})").format(seed=number))


def random_space(number: int) -> Space:
    """Return a space of the words that new ones are learnt from, which knows nothing of them."""
    words = locate(starter("nonces")).single().read_text("ascii").split()
    known = list(dict.fromkeys(words))
    vectors = load(f"random(20, seed={number})").encode(known)
    return Space.of(dict(zip(known, vectors.tolist(), strict=True)))


def answer(name: str, number: int = 0, seed: int = 0) -> Any:  # noqa: ANN401
    """Ask a model of random vectors."""
    return ask(ignorant(name, number), name, starter(name), seed=seed)


@functools.cache
def first_answer(name: str) -> Any:  # noqa: ANN401
    """Return what several tests look at and none changes."""
    return answer(name)


def test_it_is_a_frozen_dataclass_whose_spec_makes_it_again(name: str) -> None:
    question = EVALUATIONS.get(name)()
    assert make_evaluation(question.spec) == question
    assert make_evaluation(question.spec) == question
    parameter = dataclasses.fields(question)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(question, parameter, None)


def test_a_result_survives_json_with_every_field(name: str) -> None:
    result = first_answer(name).result
    assert Result.from_plain(json.loads(result.to_json())) == result


def test_the_score_has_an_interval_a_baseline_and_coverage(name: str) -> None:
    result = first_answer(name).result
    assert result.interval.low <= result.score <= result.interval.high
    assert result.baseline.low <= result.baseline.mean <= result.baseline.high
    assert 0 < result.n_covered <= result.n_items


def test_random_vectors_score_about_as_high_as_the_null_baseline(name: str) -> None:
    # 20 draws of one seed: a central 95 % band misses one in twenty; the widened band does not.
    for seed in (1, 2, 3):
        result = answer(name, seed).result
        width = result.baseline.high - result.baseline.low
        if result.baseline.draws < 20:
            # A few draws say little of how far they scatter; the items say the rest.
            width += result.interval.high - result.interval.low
        assert abs(result.score - result.baseline.mean) < width


def test_the_same_seed_gives_the_same_bits(name: str) -> None:
    first, second = first_answer(name), answer(name)
    assert first.items == second.items
    keep = ("key", "score", "interval", "baseline", "others", "details")
    for field in keep:
        assert getattr(first.result, field) == getattr(second.result, field)


def test_items_have_a_row_each_and_the_columns_that_comparison_needs(name: str) -> None:
    evaluated = first_answer(name)
    items, result = evaluated.items, evaluated.result
    assert {len(column) for column in items.values()} == {result.n_items}
    assert sum(items["covered"]) == result.n_covered
    needed = {"value"} if result.statistic == "mean" else {"gold", "predicted"}
    assert {"item", "covered"} | needed <= set(items)


def test_a_model_that_makes_no_sense_is_refused_with_the_reason(name: str) -> None:
    class Learner:
        spec = "learner"

        def learn(self, contexts: object) -> None: ...

    with pytest.raises(LyditeError, match="learner"):
        ask(Learner(), name, starter(name), seed=0)


def test_it_has_a_section_in_the_report(name: str) -> None:
    made = EVALUATIONS.get(name).section([first_answer(name).result], lambda _: None)
    assert made.title
    assert made.figures or made.tables


def test_all_that_it_takes_says_what_it_is(name: str) -> None:
    kind = EVALUATIONS.get(name)
    said = [each.param.help for each in fields_of(kind)]
    said += [each.help for each in (*kind.slots, *kind.options, *kind.views, kind.models)]
    assert [text for text in said if len(text.split()) < 3] == []
    assert summary_of(kind).startswith(("Test whether ", "Measure how "))


def test_its_slots_take_the_starter_data(name: str) -> None:
    assert CATALOGUE.find(starter(name)).starter
    slot = EVALUATIONS.get(name).slots[0]
    usual = [slot.default] if isinstance(slot.default, str) else slot.default or ()
    assert [each for each in usual if CATALOGUE.find(each).kind not in slot.accepts] == []


def test_its_command_has_an_option_for_everything(name: str) -> None:
    kind = EVALUATIONS.get(name)
    offered = {option for each in evaluation_command(name).params for option in each.opts}
    fields = [each for each in fields_of(kind) if each.param.command]  # type: ignore[union-attr]
    wanted = {(each.param.option or each.name) for each in fields}
    wanted |= {each.option or each.name for each in (*kind.slots, *kind.options, *kind.views)}
    assert {f"--{each.replace('_', '-')}" for each in wanted} <= offered
