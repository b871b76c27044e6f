"""Correlations of intrinsic and downstream scores as tables: the paper's two, and all figures."""

from __future__ import annotations

from lydite.reports.table import Cell, Column, Scalar, Table
from lydite.results.meta.associating import Association, Method
from lydite.results.meta.evaluation import LEVEL, MetaEvaluation, stands_out
from lydite.results.meta.layout import Grid
from lydite.results.meta.naming import write_correlation
from lydite.results.meta.scores import Measure
from lydite.results.meta.verdict import grid_verdict, notes
from lydite.stats.correlation import MIN_ITEMS
from lydite.stats.correlation_power import critical_correlation

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
