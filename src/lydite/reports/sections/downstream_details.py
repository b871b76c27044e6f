"""Where the best model of a downstream task goes wrong: by class, tag, relation and distance."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.reports.table import Cell, Column, Scalar, Table
from lydite.reports.trials import Trial
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.types import PlainMapping

#: Rows of a table; what is rarer is left out and counted.
_ROWS = 20


def class_table(trial: Trial) -> list[Table]:
    """Return, of the best model, how often each class is found and how often wrongly said.

    Folds of the same classes are added up; parts with classes of their own stand apart.
    """
    best = trial.ranked()[0]
    parts = [part for part in best.details.get("parts", ()) if part.get("classes")]
    kinds = {tuple(str(each["class"]) for each in part["classes"]) for part in parts}
    if len(kinds) > 1:
        rows = [
            [str(part.get("name", "")), *_found(each, "class")]
            for part in parts
            for each in part["classes"]
        ]
        return [_table(trial, best, ["part", "class", *_FOUND], rows[: 2 * _ROWS], "classes")]
    classes = _added(parts)
    rows = [_found(each, "class") for each in _frequent(classes)]
    return _tables(trial, best, ["class", *_FOUND], rows, "classes", len(classes))


def _added(parts: Sequence[PlainMapping]) -> list[PlainMapping]:
    counts = ("test", "right", "taken_for")
    return [
        {"class": same[0]["class"], **{name: sum(each[name] for each in same) for name in counts}}
        for same in zip(*(part["classes"] for part in parts), strict=True)
    ]


def tag_table(trial: Trial) -> list[Table]:
    """Return, of the best model, how often each tag is found and how often wrongly said."""
    best = trial.ranked()[0]
    tags = best.details.get("tags", ())
    rows = [_found(each, "tag") for each in _frequent(tags)]
    return _tables(trial, best, ["tag", *_FOUND], rows, "tags", len(tags))


def relation_tables(trial: Trial) -> list[Table]:
    """Return, of the best model, how often heads are found, by relation and by distance."""
    best = trial.ranked()[0]
    relations, lengths = (best.details.get(name, ()) for name in ("relations", "lengths"))
    by_relation: list[list[Cell | Scalar]] = [
        [
            str(each["relation"]),
            int(each["words"]),
            _share(each["uas"], 1),
            _share(each["las"], 1),
        ]
        for each in _frequent(relations, "words")
    ]
    by_length: list[list[Cell | Scalar]] = [
        [str(each["length"]), int(each["words"]), _share(each["uas"], 1)] for each in lengths
    ]
    columns = ["relation", "words", "heads right", "with relation"]
    return [
        *_tables(trial, best, columns, by_relation, "relations", len(relations)),
        *_tables(
            trial,
            best,
            ["distance to the head", "words", "heads right"],
            by_length,
            "distances",
            len(lengths),
        ),
    ]


_FOUND = ("test", "right", "precision")


def _found(each: PlainMapping, key: str) -> list[Cell | Scalar]:
    return [
        str(each[key]),
        int(each["test"]),
        _share(each["right"], each["test"]),
        _share(each["right"], each["taken_for"]),
    ]


def _share(part: float, whole: float) -> Cell:
    if not whole:
        return Cell(text="", values=(None,))
    return Cell(text=f"{part / whole:.3f}", values=(part / whole,))


def _frequent(rows: Sequence[PlainMapping], count: str = "test") -> list[PlainMapping]:
    return sorted(rows, key=lambda each: -int(each[count]))[:_ROWS]


def _tables(
    trial: Trial,
    best: Result,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell | Scalar]],
    what: str,
    count: int,
) -> list[Table]:
    """Return a table that says how many rows there would be, or none if there is no row."""
    if not rows:
        return []
    most = f" ({len(rows)} most frequent of {count})" if len(rows) < count else ""
    return [_table(trial, best, columns, rows, what + most)]


def _table(
    trial: Trial,
    best: Result,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell | Scalar]],
    what: str,
) -> Table:
    name = model_namer(trial.results)(best)
    return Table(
        columns=[Column(title=title) for title in columns],
        rows=rows,
        caption=f"{trial.title}: {what}, as {name} tells them",
    )
