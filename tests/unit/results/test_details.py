from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from lydite.errors import InputError
from lydite.results.details import Missing, Stored, null
from lydite.results.record import Result


@dataclass(frozen=True, kw_only=True)
class Row(Stored):
    word: str
    rank: float | None
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class Told(Missing):
    rows: tuple[Row, ...] = ()
    by_name: Mapping[str, tuple[tuple[str, float], ...]] | None = None


PLAIN = {
    "missing": ["lost"],
    "rows": [{"word": "a", "rank": None}, {"word": "b", "rank": 2.0, "note": "rare"}],
    "by_name": {"c": [["d", 0.5]]},
}


def test_what_is_written_is_read_again() -> None:
    told = Told.read(PLAIN)
    assert told.rows[1] == Row(word="b", rank=2.0, note="rare")
    assert told.by_name == {"c": (("d", 0.5),)}
    assert told.plain() == PLAIN


def test_a_result_that_tells_nothing_is_empty(make_result: Callable[..., Result]) -> None:
    told = Told.of(make_result(details={"of": "another version"}))
    assert told == Told()
    # What is None by default is not written.
    assert told.plain() == {"missing": [], "rows": []}


def test_a_row_without_what_it_needs_is_refused() -> None:
    with pytest.raises(InputError, match="Row: expected rank, got word"):
        Told.read({"rows": [{"word": "a"}]})


@dataclass(frozen=True, kw_only=True)
class Counted(Stored):
    class_: str = ""
    best: Row | None = field(default_factory=null)


def test_a_field_may_be_named_as_python_does_not_allow_and_be_null() -> None:
    assert Counted(class_="good").plain() == {"class": "good", "best": None}
    assert Counted.read({"class": "good", "best": None}) == Counted(class_="good")
    assert Counted.read({}) == Counted()
