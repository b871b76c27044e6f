"""The studies of large things still run, at a size at which their times say nothing."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("studies.large")


def test_counting(large: ModuleType, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    line = "the cat sat on the mat and the dog sat on the cat"
    text.write_text(f"{line}\n" * 2000)
    found = large.count(0.06, text)
    assert found["million_words"] == pytest.approx(0.052, abs=0.03)
    words = list(enumerate(line.split()))
    assert found["pairs"] == len(
        {(a, b) for i, a in words for j, b in words if 0 < abs(i - j) <= 5}
    )


def test_a_space_is_opened_in_a_process_of_its_own(large: ModuleType) -> None:
    assert large.space(500)["private_mib"] > 0


def test_a_killed_encoding_goes_on_and_asks_for_nothing_twice(large: ModuleType) -> None:
    found = large.endpoint(3000)
    assert found["served_before_the_kill"] > 0
    # What was under way when it was killed may be lost: four requests of 256 texts.
    assert found["served_twice"] <= 4 * 256


def test_what_is_stored_keeps_to_the_limits(large: ModuleType) -> None:
    stored = large.read()
    sizes = [each["million_words"] for each in stored["count"]]
    assert sizes[-1] / sizes[0] > 9
    assert all(each["private_mib"] < 4096 for each in stored["count"])
    per_word = [each["cpu_seconds"] / each["million_words"] for each in stored["count"]]
    assert max(per_word) < 1.5 * min(per_word)
    (space,) = stored["space"]
    assert (space["million_rows"], space["private_mib"] < 1024) == (3, True)
    (endpoint,) = stored["endpoint"]
    assert (endpoint["sentences"], endpoint["private_mib"] < 512) == (1_000_000, True)
