"""One question opens its model, locates its data and makes its evaluation once."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lydite.models.catalogue
import lydite.resources.catalogue
import lydite.spec
from lydite.cli.app import run_app
from lydite.cli.evaluation_commands import evaluation_command
from lydite.evaluations.catalogue import Evaluation, make_evaluation
from lydite.runner import run
from lydite.suite import Suite, Task, read_suite

#: What is asked of whom: the evaluation, its data, two learners or spaces.
ASKED = {
    "similarity": ("starter-similarity", ("random(20)", "mean(random(20, seed=1))")),
    "consistency": ("starter-treatise", ("pooled(random(20))", "pooled(random(20, seed=1))")),
}


class Calls:
    """Counts calls of functions by what they were called with, wherever they are imported."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self.opened = self._counted(lydite.models.catalogue, "_build", str)
        self.located = self._counted(lydite.resources.catalogue, "locate", str)
        self.parsed = self._counted(lydite.spec, "parse", str)
        self.made: Counter[str] = Counter()
        check = Evaluation.__post_init__

        def counted(evaluation: Evaluation) -> None:
            check(evaluation)
            self.made[evaluation.spec] += 1

        patch.setattr(Evaluation, "__post_init__", counted)

    def _counted(self, home: object, name: str, key: Callable[[Any], str]) -> Counter[str]:
        original = getattr(home, name)
        counts: Counter[str] = Counter()

        def counted(argument: object, *rest: object, **more: object) -> object:
            counts[key(argument)] += 1
            return original(argument, *rest, **more)

        for module in list(sys.modules.values()):
            if module.__name__.startswith("lydite") and vars(module).get(name) is original:
                self._patch.setattr(module, name, counted)
        return counts


@pytest.fixture
def question(request: pytest.FixtureRequest) -> tuple[Evaluation, str, tuple[str, ...]]:
    """What is asked, imported and compiled before anything is counted."""
    resource, models = ASKED[request.param]
    return make_evaluation(request.param), resource, models


@pytest.fixture
def calls(question: object, monkeypatch: pytest.MonkeyPatch) -> Calls:
    return Calls(monkeypatch)


each = pytest.mark.parametrize("question", list(ASKED), indirect=True)
kept = pytest.mark.parametrize("out", ["run", None], ids=["--out", "no --out"])


@each
@kept
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "lenient"])
def test_everything_is_opened_once(
    question: tuple[Evaluation, str, tuple[str, ...]],
    out: str | None,
    strict: bool,
    calls: Calls,
    tmp_path: Path,
) -> None:
    evaluation, resource, models = question
    suite = Suite(
        name="once", models=models, tasks=(Task(evaluation=evaluation, resources=(resource,)),)
    )
    done = run(suite, out=out and tmp_path / out, processes=1, strict=strict)
    assert (len(done.results), done.failures) == (2, ())
    assert {model: calls.opened[model] for model in models} == dict.fromkeys(models, 1)
    assert max(calls.opened.values()) == 1
    assert calls.located == {resource: 1}
    assert calls.made == {}
    assert {model: calls.parsed[model] for model in models} == dict.fromkeys(models, 1)
    assert evaluation.spec not in calls.parsed


@each
def test_a_resumed_suite_file_opens_everything_once(
    question: tuple[Evaluation, str, tuple[str, ...]], calls: Calls, tmp_path: Path
) -> None:
    evaluation, resource, models = question
    suite = Suite(
        name="once", models=models, tasks=(Task(evaluation=evaluation, resources=(resource,)),)
    )
    run(suite, out=tmp_path / "run", processes=1)
    for counts in (calls.opened, calls.located, calls.parsed):
        counts.clear()
    again = run(read_suite(tmp_path / "run" / "suite.toml"), out=tmp_path / "run", processes=1)
    assert again.resumed == 2
    assert {model: calls.opened[model] for model in models} == dict.fromkeys(models, 1)
    assert calls.located == {resource: 1}
    assert calls.made == {evaluation.spec: 1}
    assert calls.parsed[evaluation.spec] == 1


@each
@kept
def test_a_command_opens_everything_once(
    question: tuple[Evaluation, str, tuple[str, ...]],
    out: str | None,
    calls: Calls,
    tmp_path: Path,
) -> None:
    evaluation, resource, models = question
    evaluation_command(evaluation.name)  # what it imports is not counted
    calls.made.clear()
    option = "--pairs" if evaluation.name == "similarity" else "--corpus"
    folder = ["--out", str(tmp_path / out)] if out else []
    assert run_app([evaluation.name, *models, option, resource, "-q", *folder]) == 0
    assert {model: calls.opened[model] for model in models} == dict.fromkeys(models, 1)
    assert calls.located == {resource: 1}
    assert calls.made == {evaluation.spec: 1}
    assert sum(calls.parsed.values()) <= 2 * len(models) + 2
