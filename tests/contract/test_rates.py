"""The page of a cluster's scale shows what was measured and what follows from it."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def rates(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("studies.rates")


@pytest.mark.xfail(reason="the page is not written yet")
def test_the_page_shows_what_is_stored(rates: ModuleType) -> None:
    page = (ROOT / "docs" / "concepts" / "scaling.md").read_text("utf-8")
    stored = rates.read()
    assert rates.rate_table(stored) in page
    assert rates.table(stored) in page


def test_the_calculation_by_hand(rates: ModuleType) -> None:
    # Round numbers: every part is a division that can be done in one's head.
    made = rates.Rates(
        prepared_words=1e6,
        counted_words=1e6,
        merged_pairs=1e6,
        pairs_per_word=1.0,
        trained_words=1e6,
        evaluation_seconds=1.0,
        job_seconds=0.01,
    )
    one, many = rates.hours(made, 1), rates.hours(made, 64)
    assert one.preparing == one.counting == pytest.approx(3000 / 8 / 3600)
    # 3000 s of adding, 24 s of sending; no machine more makes it quicker.
    assert one.merging == many.merging == pytest.approx(3024 / 3600)
    # 63 waves of models on 8 cores, one on 512.
    assert one.training == pytest.approx(63 * 15000 / 3600)
    assert many.training == pytest.approx(15000 / 3600)
    # The disk is what preparing waits for on 64 machines: 18 GB at 1 GB a second.
    assert many.preparing == pytest.approx(18 / 3600)
    assert many.evaluating == pytest.approx(max(13, 65) / 3600)


def test_rates_are_measured(rates: ModuleType, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("the cat sat on the mat and the dog sat on the cat .\n" * 400)
    found = rates.measure(4000, text)
    assert found.prepared_words > 0
    assert 0 < found.pairs_per_word < 1
