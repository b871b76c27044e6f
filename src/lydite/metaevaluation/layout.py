"""How the scores are laid out: Tables 3 and 4 of Tsvetkov et al. (2016), and all there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lydite.errors import InputError
from lydite.metaevaluation.scores import Measure, Scores, measure_names, oracle_name, short_name

#: Which of the tables are made: those of the paper, or all there is.
Tables: TypeAlias = Literal["3", "4", "all"]

_SIMILARITY = ("WS-353", "MEN", "SimLex")
_METHODS = ("QVEC", "QVEC-CCA", "QVEC-CCA (first)")
#: Oracles and columns of the paper's two tables, in the paper's order.
_PAPER: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "3": (("SST",), ("20NG", "Metaphor", "Senti")),
    "4": (("PTB", "PTB+SST"), ("POS", "Parse")),
}
_TITLES = {
    "3": "Table 3: intrinsic scores and text classification",
    "4": "Table 4: intrinsic scores and syntactic tasks",
    "all": "All intrinsic and all downstream scores",
}


@dataclass(frozen=True, kw_only=True)
class Line:
    """A row of a grid.

    Attributes
    ----------
    group
        What it stands with: the oracle in Table 4, the evaluation in a grid of all; else empty.
    name
        What it is called within its group.
    measure
        What it measures.
    """

    group: str
    name: str
    measure: Measure


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Intrinsic measures by downstream ones.

    Attributes
    ----------
    key
        ``3``, ``4`` or ``all``.
    title
        What it shows.
    rows, columns
        The measures with their names; columns have no groups.
    missing
        What the paper's table has and this has not.
    """

    key: Tables
    title: str
    rows: tuple[Line, ...]
    columns: tuple[Line, ...]
    missing: tuple[str, ...] = ()

    @property
    def pairs(self) -> list[tuple[Measure, Measure]]:
        """Every row with every column."""
        return [(row.measure, column.measure) for row in self.rows for column in self.columns]


def lay_out(scores: Scores, tables: Tables = "all") -> tuple[Grid, ...]:
    """Return the grids that these scores fill.

    Parameters
    ----------
    scores
        Of all models.
    tables
        ``3`` or ``4`` for that table of the paper alone. ``all`` also gives a grid of all
        measures, unless those of the paper say everything.

    Raises
    ------
    InputError
        If there is nothing to put into them.
    """
    names = measure_names(scores.measures)
    wanted: tuple[Literal["3", "4"], ...] = ("3", "4") if tables == "all" else (tables,)
    grids = [grid for key in wanted if (grid := _paper(key, scores, names)) is not None]
    if tables == "all":
        covered = {pair for grid in grids for pair in grid.pairs}
        every = _everything(scores, names)
        if set(every.pairs) - covered:
            grids.append(every)
    if not grids:
        raise _nothing(scores, tables, names)
    return tuple(grids)


def _paper(key: Literal["3", "4"], scores: Scores, names: dict[Measure, str]) -> Grid | None:
    oracles, tasks = _PAPER[key]
    rows = _chosen(scores.intrinsic, _SIMILARITY, names, "")
    missing = _missing(scores.intrinsic, _SIMILARITY)
    for oracle in oracles:
        wanted = [f"{method} {oracle}" for method in _METHODS]
        rows += _chosen(scores.intrinsic, wanted, names, oracle if key == "4" else "", f" {oracle}")
        missing += _missing(scores.intrinsic, wanted[:2])
    columns = _chosen(scores.downstream, tasks, names, "")
    missing += _missing(scores.downstream, tasks)
    if not rows or not columns:
        return None
    return Grid(
        key=key,
        title=_TITLES[key],
        rows=tuple(rows),
        columns=tuple(columns),
        missing=tuple(missing),
    )


def _chosen(
    measures: Sequence[Measure],
    wanted: Sequence[str],
    names: dict[Measure, str],
    group: str,
    said: str = "",
) -> list[Line]:
    """Return the measures of these short names, in that order; ``said`` need not be repeated."""
    return [
        Line(group=group, name=names[measure].replace(said, "", 1), measure=measure)
        for short in wanted
        for measure in measures
        if short_name(measure) == short
    ]


def _missing(measures: Sequence[Measure], wanted: Sequence[str]) -> list[str]:
    found = {short_name(measure) for measure in measures}
    return [short for short in wanted if short not in found]


def _everything(scores: Scores, names: dict[Measure, str]) -> Grid:
    groups: dict[str, list[Line]] = {}
    for measure in scores.intrinsic:
        group, said = measure.name, f"{measure.name} "
        if group == "qvec":
            group, said = f"qvec {oracle_name(measure)}", f" {oracle_name(measure)}"
        line = Line(group=group, name=names[measure].replace(said, "", 1), measure=measure)
        groups.setdefault(group, []).append(line)
    paper = [task for _, tasks in _PAPER.values() for task in tasks]
    columns = [Line(group="", name=names[each], measure=each) for each in scores.downstream]
    # The tasks of the paper come first, in its order, whichever result was the first to be ready.
    columns.sort(key=lambda line: paper.index(n) if (n := line.name) in paper else len(paper))
    return Grid(
        key="all",
        title=_TITLES["all"],
        rows=tuple(line for group in groups.values() for line in group),
        columns=tuple(columns),
    )


def _nothing(scores: Scores, tables: str, names: dict[Measure, str]) -> InputError:
    def listed(measures: Sequence[Measure]) -> str:
        return ", ".join(names[measure] for measure in measures) or "none"

    what = "intrinsic and downstream scores"
    return InputError(
        f"expected {what if tables == 'all' else f'{what} of Table {tables}'}, got the intrinsic "
        f"scores {listed(scores.intrinsic)} and the downstream scores {listed(scores.downstream)}",
        hint="'lydite downstream MODEL... --out DIR' and 'lydite similarity MODEL... --out DIR' "
        "make them; name both folders",
    )
