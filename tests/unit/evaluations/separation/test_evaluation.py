from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import InputError, LyditeError, UndefinedScoreError, UnsuitableModelError
from lydite.evaluations.catalogue import make_evaluation
from lydite.evaluations.separation import tasks
from lydite.evaluations.separation.evaluation import Separation
from lydite.models.catalogue import load
from lydite.resources.catalogue import locate
from lydite.runner import Evaluated, ask
from lydite.spec import Spec, Value

PAIRS = "left\tright\tlabel\ncat sleeps\tcat sleeps\tH\ndog eats\tdog eats\tH\n" + (
    "cat sleeps\train falls\tL\ndog eats\tsun shines\tL\n"
)

QUESTIONS = [
    {"question": "who sleeps", "document": ["rain falls", "ann sleeps"], "answer": 1},
    {"question": "who eats", "document": ["bob eats", "ann sleeps", "sun shines"], "answer": 0},
]


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("_PAIR_DRAWS", 50), ("_RELATION_DRAWS", 50)):
        monkeypatch.setattr(tasks, name, few)


def asked(
    path: Path, text: str, model: str = "overlap(lemmas=none)", **options: Value
) -> Evaluated:
    path.write_text(text)
    question = str(Spec("separation", (), tuple(options.items())))
    return ask(load(model), question, str(path), seed=0)


def relations(expressing: int = 4, others: int = 4) -> str:
    rows = [f"buys\tA\tB\tE\tA buys B {i}" for i in range(expressing)]
    rows += [f"buys\tA\tB\tNE\tA sued C{i} D{i}" for i in range(others)]
    return "\n".join(["relation\tleft\tright\tlabel\ttext", *rows])


def test_each_task_is_found_from_the_data(tmp_path: Path) -> None:
    found = [
        asked(tmp_path / "p.tsv", PAIRS),
        asked(tmp_path / "r.tsv", relations()),
        asked(tmp_path / "q.jsonl", "\n".join(map(json.dumps, QUESTIONS)), subset="none"),
    ]
    assert [each.result.details["task"] for each in found] == ["pairs", "relation", "qa"]
    assert [each.result.metric for each in found] == ["auc", "auc", "norm_rank"]
    for each in found:
        assert each.result.score == 1
        assert np.mean(each.items["value"]) == pytest.approx(1)
        assert len(each.items["item"]) == each.result.n_items
        json.loads(each.result.to_json())


@pytest.mark.parametrize("task", ["relation", "qa"])
def test_another_task_than_that_of_the_data_is_refused(tmp_path: Path, task: str) -> None:
    said = f"has data for task=pairs, but task={task} was asked for"
    with pytest.raises(InputError, match=said) as caught:
        asked(tmp_path / "p.tsv", PAIRS, task=task)
    assert caught.value.hint == "leave task out, or give other data"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"task": "relations"}, "one of auto, pairs, minimal-pairs, relation, qa"),
        ({"similar_from": 2.0}, "expected dissimilar_to below similar_from, got 2 and 2"),
        ({"minimum": 1}, "expected minimum to be a whole number from 2, got 1"),
        ({"minimum": True}, "expected minimum to be a whole number"),
        ({"minimum": 2.5}, "expected minimum to be a whole number from 2, got 2.5"),
        ({"weights": "sum"}, "there is no parameter called 'weights'"),
    ],
)
def test_wrong_parameters_are_refused(options: dict[str, Value], said: str) -> None:
    with pytest.raises(LyditeError, match=said):
        make_evaluation("separation", **options)


@pytest.mark.parametrize("subset", ["overlap", "none", "mean(glove-6b-50d)"])
def test_the_spec_reads_back(subset: str) -> None:
    question = Separation(task="qa", minimum=5, subset=subset)
    again = make_evaluation(question.spec)
    assert again.spec == question.spec


def test_no_subset_however_it_is_written(tmp_path: Path) -> None:
    text = "\n".join(map(json.dumps, QUESTIONS))
    (tmp_path / "q.jsonl").write_text(text)
    model = load("overlap(lemmas=none)")
    for spec in ("separation(subset=none)", 'separation(subset="none")'):
        result = ask(model, spec, str(tmp_path / "q.jsonl"), seed=0).result
        assert result.details["subset"] is None
        assert result.details["notes"] == []


def test_the_minimum_reaches_the_task(tmp_path: Path) -> None:
    with pytest.raises(UndefinedScoreError, match="5 of either are needed"):
        asked(tmp_path / "r.tsv", relations(), minimum=5)
    assert asked(tmp_path / "r.tsv", relations(2, 2), minimum=2).result.score == 1


def test_a_model_of_words_is_refused_with_a_hint(tmp_path: Path) -> None:
    vectors = tmp_path / "v.txt"
    vectors.write_text("cat 1 0\ndog 0 1\n")
    for text in (PAIRS, relations()):
        with pytest.raises(UnsuitableModelError) as caught:
            asked(tmp_path / "data.tsv", text, model=str(vectors))
        assert caught.value.hint == f"compose its words: 'mean({vectors})'"


def test_learnt_weights_need_two_units(tmp_path: Path) -> None:
    model = "hybrid(overlap(lemmas=none), mean(random(5)), weights=learnt)"
    with pytest.raises(InputError, match="got 2 and 1"):
        asked(tmp_path / "r.tsv", relations(), model)
    text = "\n".join(map(json.dumps, QUESTIONS))
    assert asked(tmp_path / "q.jsonl", text, model, subset="none").result.score == 1


def test_items_of_two_models_can_be_set_side_by_side(tmp_path: Path) -> None:
    first = asked(tmp_path / "r.tsv", relations())
    second = asked(tmp_path / "r.tsv", relations(), "mean(random(5))")
    assert first.items["item"] == second.items["item"]


@pytest.mark.parametrize("name", ["starter-relations", "starter-answers"])
def test_the_starters_are_above_chance_for_overlap(name: str) -> None:
    assert locate(name).paths
    outcome = ask(load("overlap(lemmas=none)"), "separation(subset=none)", name, seed=0).result
    assert outcome.score > outcome.baseline.mean
    assert min(outcome.ends) < outcome.score < max(outcome.ends)
