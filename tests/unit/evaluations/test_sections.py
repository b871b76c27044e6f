from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar

import pytest

from lydite.drawing.section import ItemsLoader, Section
from lydite.evaluations import catalogue
from lydite.evaluations.catalogue import Evaluation, make_section
from lydite.registry import Registry
from lydite.results.record import Result


@dataclass(frozen=True, kw_only=True)
class Own(Evaluation):
    """Has a section of its own."""

    name: ClassVar[str] = "own"

    @classmethod
    def section(cls, results: Sequence[Result], items: ItemsLoader) -> Section:
        return Section(title="My own", how_to_read=f"{len(results)} results")


@dataclass(frozen=True, kw_only=True)
class Broken(Evaluation):
    """Has a section that fails."""

    name: ClassVar[str] = "broken"

    @classmethod
    def section(cls, results: Sequence[Result], items: ItemsLoader) -> Section:
        raise KeyError("no such detail")


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("made_up_sections")
    module.__dict__.update(own=Own, broken=Broken)
    monkeypatch.setitem(sys.modules, "made_up_sections", module)
    registry: Registry[type[Evaluation]] = Registry("evaluation")
    registry.register("own", "made_up_sections:own")
    registry.register("broken", "made_up_sections:broken")
    monkeypatch.setattr(catalogue, "EVALUATIONS", registry)


@pytest.mark.usefixtures("registered")
def test_a_section_of_its_own_is_used(make_result: Callable[..., Result]) -> None:
    made = make_section("own", [make_result(evaluation="own")], lambda _: None)
    assert (made.title, made.how_to_read) == ("My own", "1 results")


@pytest.mark.usefixtures("registered")
def test_a_section_that_fails_does_not_cost_the_report(
    make_result: Callable[..., Result], heard: pytest.LogCaptureFixture
) -> None:
    made = make_section("broken", [make_result(evaluation="broken")], lambda _: None)
    assert made.figures
    assert "no such detail" in made.notes[-1]
    assert "no such detail" in heard.text


def test_an_evaluation_without_a_section_gets_the_plain_one(
    make_result: Callable[..., Result],
) -> None:
    made = make_section("of-a-plugin", [make_result(evaluation="of-a-plugin")], lambda _: None)
    assert made.title == "of-a-plugin"
