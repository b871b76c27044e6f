from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from lydite.results.details import Details, Missing
from lydite.results.record import Result


@dataclass(frozen=True, kw_only=True)
class Row(Details):
    class_: str = ""
    share: float | None = None
    examples: tuple[str | None, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Told(Details):
    size: int | str = 0
    rows: tuple[Row, ...] = ()
    best: Row | None = None
    by_name: Mapping[str, Row] = field(default_factory=dict)
    points: tuple[tuple[float, float], ...] = ()
    notes: tuple[str, ...] = ("usual",)


TOLD = Told(
    size="all",
    rows=(Row(class_="a", share=0.5, examples=("x", None)), Row(class_="b")),
    best=Row(class_="a"),
    by_name={"one": Row(share=0.25)},
    points=((0.0, 1.0), (0.5, 0.5)),
)


def test_what_was_written_is_read(make_result: Callable[..., Result]) -> None:
    stored = json.loads(json.dumps(TOLD.plain()))
    assert stored == TOLD.plain()
    assert stored["rows"][0] == {"class": "a", "share": 0.5, "examples": ["x", None]}
    assert Told.of(make_result(details=stored)) == TOLD


def test_what_is_absent_null_or_unknown_does_no_harm() -> None:
    assert Told.read({"notes": None, "rows": [{}], "later": 1}) == Told(rows=(Row(),))


@dataclass(frozen=True, kw_only=True)
class Sparse(Missing):
    sparse: ClassVar[bool] = True
    share: float | None = None


def test_sparse_rows_leave_out_what_is_none() -> None:
    assert Sparse(missing=("a",)).plain() == {"missing": ["a"]}
    assert Sparse(share=0.5).plain() == {"missing": [], "share": 0.5}
