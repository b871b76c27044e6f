"""Correlations of intrinsic and downstream scores as tables and as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from lydite.drawing.table import Cell, Column, Scalar, Table
from lydite.metaevaluation.best_predictor import Lead, comparison_verdict, lead_line, leads
from lydite.metaevaluation.comparison import Comparison
from lydite.metaevaluation.correlation import Association, Method
from lydite.metaevaluation.evaluation import LEVEL, MetaEvaluation, differs, stands_out
from lydite.metaevaluation.layout import Grid
from lydite.metaevaluation.scores import Measure, write_correlation
from lydite.metaevaluation.verdict import grid_verdict, notes, overall_verdict
from lydite.stats.correlation import MIN_ITEMS
from lydite.stats.correlation_tests import (
    critical_correlation,
    detectable_correlation,
    items_needed,
)

CORRECTIONS = {"holm": "Holm", "bh": "FDR", "none": "uncorrected"}


def grid_table(found: MetaEvaluation, grid: Grid, method: Method) -> Table:
    """Return a grid in the form of the paper's tables; what stands out has a star.

    Parameters
    ----------
    found
        All correlations.
    grid
        Which of them.
    method
        ``pearson``, as in the paper, or ``spearman``.
    """
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
        notes=[
            Cell(text=grid_verdict(found, grid), values=(), tone="strong"),
            star_note(found),
        ]
        if method == found.methods[0]
        else [],
    )


def correlation_cell(association: Association) -> Cell:
    """Return a correlation as the tables write it: two decimals, a star if it stands out."""
    if association.r is None:
        return Cell(text="–", values=(None,), tone="quiet")
    clear = stands_out(association)
    return Cell(
        text=f"{write_correlation(association.r)}{'*' * clear}",
        values=(association.r,),
        tone="strong" if clear else "plain",
    )


def models_said(associations: list[Association]) -> str:
    """Write how many models the correlations are over."""
    counts = [each.n for each in associations if each.r is not None] or [0]
    low, high = min(counts), max(counts)
    return f"{high} models" if low == high else f"{low} to {high} models"


def star_note(found: MetaEvaluation) -> str:
    """Say what the star means."""
    corrected = {
        "holm": f" after Holm's correction for {found.tests} tests",
        "bh": f" after Benjamini and Hochberg's correction for {found.tests} tests",
        "none": f", not corrected for {found.tests} tests",
    }[found.correction]
    return f"*: p < {LEVEL} by a two-sided permutation test over models{corrected}."


def long_table(found: MetaEvaluation) -> Table:
    """Return one row a correlation, with all figures."""
    names = found.names
    short = found.model_names
    columns = (
        Column(title="intrinsic"),
        *_hidden("intrinsic"),
        Column(title="downstream"),
        *_hidden("downstream"),
        Column(title="method"),
        Column(title="n", align="right"),
        Column(title="r", align="right"),
        Column(title="95 % interval", fields=("low", "high"), align="right"),
        Column(title="interval_method", shown=False),
        Column(title="degenerate", shown=False),
        Column(title="p", align="right"),
        Column(title="exact", shown=False),
        Column(title="resamples", shown=False),
        Column(
            title=f"p ({CORRECTIONS[found.correction]})", fields=("p_corrected",), align="right"
        ),
        Column(title="critical r", fields=("critical", "critical_corrected"), align="right"),
        Column(
            title="without one model",
            fields=("without_low", "without_low_model", "without_high", "without_high_model"),
        ),
        Column(title="reason", shown=any(each.reason for each in found.associations)),
    )
    rows = [_row(found, each, names, short) for each in found.associations]
    return Table(
        columns=columns,
        rows=rows,
        caption="All correlations",
        notes=[
            "p: two-sided permutation test over models. The interval is a bootstrap over models. "
            "Critical r: how strong it must be for p < 0.05, alone and among all tests. Without "
            "one model: the least and the greatest r when one model is left out, and which.",
            *notes(found),
        ],
    )


def _hidden(side: str) -> list[Column]:
    fields = ("evaluation", "resource", "metric", "form")
    return [Column(title=f"{side}_{field}", shown=False) for field in fields]


def _measure(measure: Measure) -> list[Cell | Scalar]:
    return [measure.evaluation, measure.resource, measure.metric, measure.form]


def _row(
    found: MetaEvaluation,
    each: Association,
    names: dict[Measure, str],
    short: dict[str, str],
) -> list[Cell | Scalar]:
    return [
        names[each.intrinsic],
        *_measure(each.intrinsic),
        names[each.downstream],
        *_measure(each.downstream),
        each.method,
        each.n,
        correlation_cell(each),
        interval_cell(each.low, each.high),
        each.interval_method,
        each.degenerate,
        p_cell(each.p_value),
        int(each.exact),
        each.resamples,
        p_cell(each.p_corrected),
        interval_cell(*critical_values(found, each.n), form="{} / {}"),
        _without(each, short),
        each.reason,
    ]


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
    """Return how strong r of n models must be, alone and among all tests."""
    if n < MIN_ITEMS:
        return None, None
    return critical_correlation(n, LEVEL), critical_correlation(n, found.level)


def _without(each: Association, short: dict[str, str]) -> Cell:
    values = (
        each.without_low,
        each.without_low_model,
        each.without_high,
        each.without_high_model,
    )
    if each.without_low is None or each.without_high is None:
        return Cell(text="", values=values)
    low, high = short[str(each.without_low_model)], short[str(each.without_high_model)]
    return Cell(
        text=f"{write_correlation(each.without_low)} ({low}) to "
        f"{write_correlation(each.without_high)} ({high})",
        values=values,
        tone="quiet",
    )


_READING = (
    "Difference: the correlation of the one less that of the other, with the same downstream score "
    "over the same models. p: two-sided test that exchanges the two scores of models, each in "
    "standard deviations. The interval is Zou's, by a jackknife over models; it is for one "
    "comparison alone, and wider than need be for scores that are much alike. All is as if models "
    "were independent: those of one family are not, and then chance does more than p says."
)


def comparison_tables(found: MetaEvaluation) -> dict[str, Table]:
    """Return the tables by the names of their files: who leads, and every comparison."""
    if not found.comparisons:
        return {}
    every = {"comparisons": comparisons_table(found)}
    return every if found.against is not None else {"leaders": leaders_table(found), **every}


def leaders_table(found: MetaEvaluation) -> Table:
    """Return one row a downstream score and method: the best score and the nearest."""
    names = found.names
    every = [lead for method in found.methods for lead in leads(found, method)]
    rows = [
        [names[lead.downstream], lead.method, *_compared(found, lead.rival), _behind(lead)]
        for lead in every
    ]
    return Table(
        columns=[
            Column(title="downstream"),
            Column(title="method"),
            Column(title="leads", fields=("first",)),
            Column(title="r", fields=("r_first",), align="right"),
            Column(title="before", fields=("second",)),
            *_columns(found),
            Column(title="ahead of", fields=("ahead_of", "scores"), align="right"),
        ],
        rows=rows,
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
    """Return one row a comparison, with all figures; a star marks more than chance."""
    names = found.names
    rows = [
        [
            names[each.downstream],
            each.method,
            *_compared(found, each),
            int(each.exact),
            each.resamples,
        ]
        for each in found.comparisons
    ]
    said = (
        "The best score for each downstream score against every other"
        if found.against is None
        else f"Every score against {names[found.against]}"
    )
    verdict = Cell(text=comparison_verdict(found), values=(), tone="strong")
    return Table(
        columns=[
            Column(title="downstream"),
            Column(title="method"),
            Column(title="score", fields=("first",)),
            Column(title="r", fields=("r_first",), align="right"),
            Column(title="against", fields=("second",)),
            *_columns(found),
            Column(title="exact", shown=False),
            Column(title="resamples", shown=False),
        ],
        rows=rows,
        caption=said,
        notes=[verdict, f"*: more than chance, {_level(found)}", _READING],
    )


def _columns(found: MetaEvaluation) -> list[Column]:
    corrected = f"p ({CORRECTIONS[found.correction]})"
    return [
        Column(title="r", fields=("r_second",), align="right"),
        Column(title="n", align="right"),
        Column(title="difference", align="right"),
        Column(title="95 % interval", fields=("low", "high"), align="right"),
        Column(title="p", align="right"),
        Column(title=corrected, fields=("p_corrected",), align="right"),
    ]


def _compared(found: MetaEvaluation, each: Comparison) -> list[Cell | Scalar]:
    clear = differs(each)
    return [
        found.names[each.first],
        Cell(text=write_correlation(each.r_first), values=(each.r_first,)),
        found.names[each.second],
        Cell(text=write_correlation(each.r_second), values=(each.r_second,)),
        each.n,
        Cell(
            text=f"{write_correlation(each.difference)}{'*' * clear}",
            values=(each.difference,),
            tone="strong" if clear else "plain",
        ),
        interval_cell(each.low, each.high),
        p_cell(each.p_value),
        p_cell(each.p_corrected),
    ]


def _behind(lead: Lead) -> Cell:
    others = len(lead.rivals)
    return Cell(text=f"{lead.behind} of {others}", values=(lead.behind, others))


def _level(found: MetaEvaluation) -> str:
    """Say what was corrected for."""
    chosen = (
        f"all {found.choices} pairs of scores, since which one is the best was seen first"
        if found.against is None
        else f"{found.choices} comparisons"
    )
    corrected = {
        "holm": f"after Holm's correction for {chosen}",
        "bh": f"after Benjamini and Hochberg's correction for {chosen}",
        "none": f"not corrected for {chosen}",
    }[found.correction]
    return f"p < {LEVEL} {corrected}."


def meta_json(found: MetaEvaluation) -> str:
    """Write everything as one JSON object, unrounded and whole."""
    return json.dumps(meta_plain(found), ensure_ascii=False, allow_nan=False, indent=2)


def meta_plain(found: MetaEvaluation) -> dict[str, Any]:
    """Return everything as plain data."""
    names = found.names
    most = max((each.n for each in found.associations), default=0)
    return {
        "verdict": overall_verdict(found),
        "notes": notes(found),
        "correction": found.correction,
        "tests": found.tests,
        "power": {
            "models": most,
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
            {"model": model, "scores": _scores(found, row, names)}
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
        "stands_out": stands_out(each),
    }


def _comparison(each: Comparison, names: dict[Measure, str]) -> dict[str, Any]:
    return {
        **asdict(each),
        "first": names[each.first],
        "second": names[each.second],
        "downstream": names[each.downstream],
        "n": each.n,
        "difference": each.difference,
        "differs": differs(each),
    }
