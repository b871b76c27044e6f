from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import ModuleType

import pytest

from lydite.drawing import section as sections
from lydite.drawing.section import SECTIONS, ItemsLoader, Section, SectionMaker, make_section
from lydite.registry import Registry
from lydite.results.record import Result


def own(results: Sequence[Result], items: ItemsLoader) -> Section:
    return Section(title="My own", how_to_read=f"{len(results)} results")


def broken(results: Sequence[Result], items: ItemsLoader) -> Section:
    raise KeyError("no such detail")


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("made_up_sections")
    module.__dict__.update(own=own, broken=broken)
    monkeypatch.setitem(sys.modules, "made_up_sections", module)
    registry: Registry[SectionMaker] = Registry("report section")
    registry.register("own", "made_up_sections:own")
    registry.register("broken", "made_up_sections:broken")
    monkeypatch.setattr(sections, "SECTIONS", registry)


def test_all_registered_sections_can_be_imported() -> None:
    for name in SECTIONS:
        assert callable(SECTIONS.get(name))


@pytest.mark.usefixtures("registered")
def test_a_registered_section_is_used(make_result: Callable[..., Result]) -> None:
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
