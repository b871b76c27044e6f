"""Correlations of intrinsic and downstream scores as tables and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from lydite.drawing.table import Cell, Column, Scalar, Table, Tone, fill_table
from lydite.metaevaluation.comparison import Comparison
from lydite.metaevaluation.correlation import LEVEL, Association, Method
from lydite.metaevaluation.evaluation import Grid, MetaEvaluation
from lydite.metaevaluation.scores import Measure, write_correlation
from lydite.metaevaluation.verdict import (
    comparison_verdict,
    corrected_for,
    grid_verdict,
    lead_line,
    leads,
    notes,
    overall_verdict,
)
from lydite.stats.correlation import MIN_ITEMS
from lydite.stats.correlation_tests import (
    critical_correlation,
    detectable_correlation,
    items_needed,
)


def grid_table(found: MetaEvaluation, grid: Grid, method: Method) -> Table:
    """Return a grid in the form of the paper's tables; what stands out has a star."""
    grouped = any(row.group for row in grid.rows)
    rows: list[list[Cell | Scalar]] = []
    before = ""
    for row in grid.rows:
        cells = [
            correlation_cell(found.find(row.measure, column.measure, method))
            for column in grid.columns
        ]
        group = row.group if row.group != before else ""
        before = row.group
        head = [Cell(text=group, values=(row.group,))] if grouped else []
        rows.append([*head, row.name, *cells])
    titles = [Column(title="", fields=("group",))] if grouped else []
    return Table(
        columns=[
            *titles,
            Column(title="", fields=("intrinsic",)),
            *(Column(title=column.name, align="right") for column in grid.columns),
        ],
        rows=rows,
        caption=f"{grid.title} ({method.capitalize()}, {models_said(found.of(grid, method))})",
        notes=[Cell(text=grid_verdict(found, grid), values=(), tone="strong"), star_note(found)]
        if method == found.methods[0]
        else [],
    )


def correlation_cell(association: Association) -> Cell:
    """Return a correlation as the tables write it: two decimals, a star if it stands out."""
    if association.r is None:
        return Cell(text="–", values=(None,), tone="quiet")
    clear = association.stands_out
    return Cell(
        text=f"{write_correlation(association.r)}{'*' * clear}",
        values=(association.r,),
        tone="strong" if clear else "plain",
    )


def models_said(associations: list[Association]) -> str:
    """Write how many models the correlations are over."""
    counts = [each.n for each in associations if each.r is not None] or [0]
    low, high = min(counts), max(counts)
    said = f"{high} models" if low == high else f"{low} to {high} models"
    families = max((each.families for each in associations), default=0)
    return (
        f"{said} of {families} famil{'y' if families == 1 else 'ies'}" if families < high else said
    )


def star_note(found: MetaEvaluation) -> str:
    """Say what the star means."""
    corrected = corrected_for(found, f"{found.tests} tests")
    return f"*: p < {LEVEL} by a two-sided permutation test over families of models {corrected}."


def long_table(found: MetaEvaluation) -> Table:
    """Return one row per correlation, with all figures."""
    return fill_table(
        found.associations,
        [
            *_measure_columns(found, "intrinsic", lambda each: each.intrinsic),
            *_measure_columns(found, "downstream", lambda each: each.downstream),
            (Column(title="method"), lambda each: each.method),
            (Column(title="n", align="right"), lambda each: each.n),
            (Column(title="families", align="right"), lambda each: each.families),
            (Column(title="r", align="right"), correlation_cell),
            (_interval_column(), lambda each: interval_cell(each.low, each.high)),
            (Column(title="p", align="right"), lambda each: p_cell(each.p_value)),
            (Column(title="exact", shown=False), lambda each: int(each.exact)),
            (Column(title="resamples", shown=False), lambda each: each.resamples),
            (_corrected_column(found), lambda each: p_cell(each.p_corrected)),
            (
                Column(
                    title="critical r", fields=("critical", "critical_corrected"), align="right"
                ),
                lambda each: interval_cell(*critical_values(found, each.families), form="{} / {}"),
            ),
            (
                Column(title="without one model", fields=_WITHOUT),
                lambda each: _without(each, found.model_names),
            ),
            (
                Column(title="reason", shown=any(each.reason for each in found.associations)),
                lambda each: each.reason,
            ),
        ],
        caption="All correlations",
        notes=[
            "p: two-sided permutation test over families of models, each moved as a whole. The "
            "interval is a jackknife over families. Critical r: how strong r of as many "
            "independent models must be for p < 0.05, as the only test and among all tests. "
            "Without one model: the smallest and largest r when one model is left out, "
            "and which model that is.",
            *notes(found),
        ],
    )


def _measure_columns(
    found: MetaEvaluation, side: str, measure: Callable[[Association], Measure]
) -> list[tuple[Column, Callable[[Association], Cell | Scalar]]]:
    """Return the name of a measure for people, and all that it is for machines."""

    def hidden(field: str) -> tuple[Column, Callable[[Association], Cell | Scalar]]:
        column = Column(title=f"{side}_{field}", shown=False)
        return column, lambda each: str(getattr(measure(each), field))

    fields = ("evaluation", "resource", "metric", "form")
    return [(Column(title=side), lambda each: found.names[measure(each)]), *map(hidden, fields)]


def _interval_column() -> Column:
    return Column(title="95 % interval", fields=("low", "high"), align="right")


def _corrected_column(found: MetaEvaluation) -> Column:
    short = {"holm": "Holm", "bh": "FDR", "none": "uncorrected"}[found.correction]
    return Column(title=f"p ({short})", fields=("p_corrected",), align="right")


def p_cell(p: float | None) -> Cell:
    """Return a p-value as the tables write it: two digits."""
    return Cell(text="" if p is None else f"{p:.2g}", values=(p,))


def interval_cell(low: float | None, high: float | None, form: str = "[{}, {}]") -> Cell:
    """Return two correlations, or differences of them, as the tables write them; or nothing."""
    if low is None or high is None:
        return Cell(text="", values=(low, high))
    text = form.format(write_correlation(low), write_correlation(high))
    return Cell(text=text, values=(low, high), tone="quiet")


def critical_values(found: MetaEvaluation, n: int) -> tuple[float | None, float | None]:
    """Return how strong r of n independent models must be, alone and among all tests."""
    if n < MIN_ITEMS:
        return None, None
    return critical_correlation(n, LEVEL), critical_correlation(n, found.level)


_WITHOUT = ("without_low", "without_low_model", "without_high", "without_high_model")


def _without(each: Association, short: Mapping[str, str]) -> Cell:
    values = tuple(getattr(each, field) for field in _WITHOUT)
    if each.without_low is None or each.without_high is None:
        return Cell(text="", values=values)
    ends = (
        (each.without_low, each.without_low_model),
        (each.without_high, each.without_high_model),
    )
    said = [f"{write_correlation(r)} ({short[str(model)]})" for r, model in ends]
    return Cell(text=" to ".join(said), values=values, tone="quiet")


_READING = (
    "Difference: the correlation of the one less that of the other, with the same downstream score "
    "over the same models. p: two-sided test that exchanges the two scores of whole families of "
    "models, each in standard deviations. The interval is Zou's, by a jackknife over families; it "
    "is for one comparison alone, and wider than need be for scores that are much alike."
)


def comparison_tables(found: MetaEvaluation) -> dict[str, Table]:
    """Return the tables by the names of their files: who leads, and every comparison."""
    if not found.comparisons:
        return {}
    every = {"comparisons": comparisons_table(found)}
    return every if found.against is not None else {"leaders": leaders_table(found), **every}


def leaders_table(found: MetaEvaluation) -> Table:
    """Return one row per downstream score and method: the best score and the nearest."""
    every = [lead for method in found.methods for lead in leads(found, method)]
    ahead = {lead.rival: (lead.behind, len(lead.rivals)) for lead in every}
    column = Column(title="ahead of", fields=("ahead_of", "scores"), align="right")
    return fill_table(
        [lead.rival for lead in every],
        [
            *_compared_columns(found, "leads", "before"),
            (column, lambda each: Cell(text="{} of {}".format(*ahead[each]), values=ahead[each])),
        ],
        caption="The best intrinsic score for each task, and the nearest that may be as good",
        notes=[
            *(
                Cell(text=lead_line(found, lead), values=(), tone="strong")
                for lead in every
                if lead.method == found.methods[0]
            ),
            f"Ahead of: how many of the other scores it leads by more than chance, {_level(found)}",
            _READING,
        ],
    )


def comparisons_table(found: MetaEvaluation) -> Table:
    """Return one row per comparison, with all figures; a star marks more than chance."""
    return fill_table(
        found.comparisons,
        [
            *_compared_columns(found, "score", "against"),
            (Column(title="exact", shown=False), lambda each: int(each.exact)),
            (Column(title="resamples", shown=False), lambda each: each.resamples),
        ],
        caption="The best score for each downstream score against every other"
        if found.against is None
        else f"Every score against {found.names[found.against]}",
        notes=[
            Cell(text=comparison_verdict(found), values=(), tone="strong"),
            f"*: more than chance, {_level(found)}",
            _READING,
        ],
    )


def _compared_columns(
    found: MetaEvaluation, first: str, second: str
) -> list[tuple[Column, Callable[[Comparison], Cell | Scalar]]]:
    def correlation(r: float) -> Cell:
        return Cell(text=write_correlation(r), values=(r,))

    def difference(each: Comparison) -> Cell:
        text = f"{write_correlation(each.difference)}{'*' * each.differs}"
        tone: Tone = "strong" if each.differs else "plain"
        return Cell(text=text, values=(each.difference,), tone=tone)

    names = found.names
    return [
        (Column(title="downstream"), lambda each: names[each.downstream]),
        (Column(title="method"), lambda each: each.method),
        (Column(title=first, fields=("first",)), lambda each: names[each.first]),
        (
            Column(title="r", fields=("r_first",), align="right"),
            lambda each: correlation(each.r_first),
        ),
        (Column(title=second, fields=("second",)), lambda each: names[each.second]),
        (
            Column(title="r", fields=("r_second",), align="right"),
            lambda each: correlation(each.r_second),
        ),
        (Column(title="n", align="right"), lambda each: each.n),
        (Column(title="families", align="right"), lambda each: each.families),
        (Column(title="difference", align="right"), difference),
        (_interval_column(), lambda each: interval_cell(each.low, each.high)),
        (Column(title="p", align="right"), lambda each: p_cell(each.p_value)),
        (_corrected_column(found), lambda each: p_cell(each.p_corrected)),
    ]


def _level(found: MetaEvaluation) -> str:
    """Say what was corrected for."""
    what = (
        f"all {found.choices} pairs of scores, because the best one was chosen after looking at all"
        if found.against is None
        else f"{found.choices} comparisons"
    )
    return f"p < {LEVEL} {corrected_for(found, what)}."


def meta_json(found: MetaEvaluation) -> str:
    """Write everything as one JSON object, unrounded and whole."""
    return json.dumps(meta_plain(found), ensure_ascii=False, allow_nan=False, indent=2)


def meta_plain(found: MetaEvaluation) -> dict[str, Any]:
    """Return everything as plain data."""
    names = found.names
    most = max((each.families for each in found.associations), default=0)
    return {
        "verdict": overall_verdict(found),
        "notes": notes(found),
        "correction": found.correction,
        "tests": found.tests,
        "power": {
            "models": max((each.n for each in found.associations), default=0),
            "families": most,
            "critical": critical_values(found, most)[0],
            "critical_corrected": critical_values(found, most)[1],
            "detectable": detectable_correlation(most, found.level) if most >= MIN_ITEMS else None,
            "models_needed_for_0.5": items_needed(0.5, found.level),
        },
        "tables": [
            {
                "table": grid.key,
                "title": grid.title,
                "verdict": grid_verdict(found, grid),
                "rows": [names[row.measure] for row in grid.rows],
                "columns": [names[column.measure] for column in grid.columns],
                "missing": list(grid.missing),
            }
            for grid in found.grids
        ],
        "measures": [
            {
                "name": names[each],
                "downstream": each.downstream,
                "evaluation": each.evaluation,
                "resource": each.resource,
                "data": each.data,
                "metric": each.metric,
                "further": each.further,
                "form": each.form,
                "parameters": dict(each.parameters),
            }
            for each in found.scores.measures
        ],
        "models": [
            {
                "model": model,
                "family": found.scores.families[row],
                "scores": _scores(found, row, names),
            }
            for row, model in enumerate(found.scores.models)
        ],
        "correlations": [_association(found, each, names) for each in found.associations],
        "comparisons": {
            "verdict": comparison_verdict(found),
            "against": None if found.against is None else names[found.against],
            "choices": found.choices,
            "made": [_comparison(each, names) for each in found.comparisons],
        },
    }


def _scores(found: MetaEvaluation, row: int, names: dict[Measure, str]) -> dict[str, float]:
    values = zip(found.scores.measures, found.scores.values[row].tolist(), strict=True)
    return {names[measure]: value for measure, value in values if math.isfinite(value)}


def _association(
    found: MetaEvaluation, each: Association, names: dict[Measure, str]
) -> dict[str, Any]:
    critical, corrected = critical_values(found, each.n)
    return {
        **asdict(each),
        "intrinsic": names[each.intrinsic],
        "downstream": names[each.downstream],
        "n": each.n,
        "critical": critical,
        "critical_corrected": corrected,
        "stands_out": each.stands_out,
    }


def _comparison(each: Comparison, names: dict[Measure, str]) -> dict[str, Any]:
    return {
        **asdict(each),
        "first": names[each.first],
        "second": names[each.second],
        "downstream": names[each.downstream],
        "n": each.n,
        "difference": each.difference,
        "differs": each.differs,
    }
