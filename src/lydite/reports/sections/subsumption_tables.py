"""Subsumption in tables: the paper's Table 1 with intervals, the funnel, violations in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lydite.reports.metrics import metric_named
from lydite.reports.table import Cell, Column, Scalar, Table, covered_cell
from lydite.reports.trials import evaluation_label, resource_name, trials
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.types import PlainMapping

_WHOLE = re.compile(r"(?<=\d)\.0\b")

#: The scores in the paper's order, each approach followed by both conditions together.
COLUMNS = {
    "ss": "SS",
    "rss": "RSS",
    "both": "both",
    "as": "AS",
    "ras": "RAS",
    "aggregate-both": "both (aggregate)",
}


def scores_table(results: Sequence[Result]) -> Table:
    """Return one row a model and inventory: all scores with their intervals."""
    name = model_namer(results)
    rows: list[list[Cell | Scalar]] = [
        [
            name(result),
            Cell(text=_inventory(result), values=(result.resource, _label(result))),
            *(_score(result, metric) for metric in COLUMNS),
            covered_cell(result),
        ]
        for result in results
    ]
    columns = [
        Column(title="model"),
        Column(title="inventory", fields=("resource", "evaluation")),
        *(Column(title=title, fields=_fields(metric)) for metric, title in COLUMNS.items()),
        Column(title="covered", fields=("n_covered", "n_items")),
    ]
    baselines = [_baseline(result) for result in results]
    return Table(
        columns=columns,
        rows=rows,
        caption="Subsumption preserved: share of triples",
        notes=[
            "SS: A is at least as close to B as to C. RSS: C is at least as close to B as to A. "
            "AS, RAS: the same of centroids of sister lemmas.",
            *dict.fromkeys(baselines),
            *dict.fromkeys(note for result in results for note in taxonomy_notes(result)),
        ],
    )


def _label(result: Result) -> str:
    return evaluation_label(result.evaluation)


def _inventory(result: Result) -> str:
    inside = _label(result).removeprefix("subsumption").strip("()")
    inside = _WHOLE.sub("", inside)
    return resource_name(result.resource) + (f", {inside}" if inside else "")


def _fields(metric: str) -> tuple[str, ...]:
    return metric, f"{metric}_low", f"{metric}_high"


def _score(result: Result, metric: str) -> Cell:
    part = _scores(result).get(metric)
    if part is None:
        return Cell(text="", values=(None, None, None))
    write = metric_named(metric).write
    return Cell(
        text=f"{write(part['score'])} [{write(part['low'])}, {write(part['high'])}]",
        values=(part["score"], part["low"], part["high"]),
        tone="strong" if metric == result.metric else "plain",
    )


def _scores(result: Result) -> PlainMapping:
    scores = result.details.get("scores", {})
    return scores if isinstance(scores, dict) else {}


def _baseline(result: Result) -> str:
    parts = [
        f"{title} {metric_named(metric).write(_scores(result)[metric]['baseline'])}"
        for metric, title in COLUMNS.items()
        if metric in _scores(result)
    ]
    return f"With {result.baseline.kind}, {result.model} would score {', '.join(parts)}."


def taxonomy_notes(result: Result) -> list[str]:
    """Say what was found in a taxonomy while it was read: cycles, several parents, and the like."""
    inventory = result.details.get("inventory", {})
    problems = inventory.get("taxonomy_problems") or {}
    if not problems:
        return []
    told = ", ".join(f"{kind} ({count:,})" for kind, count in problems.items())
    return [f"In {inventory.get('taxonomy')}: {told}."]


def funnel_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each inventory, how many pairs and triples were left after each step."""
    return [_funnel(trial.results) for trial in trials(results) if _steps(trial.results[0])]


def _funnel(results: Sequence[Result]) -> Table:
    name = model_namer(results)
    rows: list[list[Cell | Scalar]] = []
    first = _steps(results[0])
    shared = all(_steps(result)[:-1] == first[:-1] for result in results)
    for result in results:
        steps = _steps(result)
        if shared and result is not results[0]:
            steps = steps[-1:]
        for step in steps:
            last = step is steps[-1]
            what = f"covered by {name(result)}" if last else str(step["name"])
            count = int(step["count"])
            rows.append([what, Cell(text=f"{count:,}", values=(count,)), str(step["unit"])])
    return Table(
        columns=["step", "left", "of"],
        rows=rows,
        caption=f"The funnel of {_inventory(results[0])}",
    )


def _steps(result: Result) -> list[PlainMapping]:
    return list(result.details.get("funnel", []))


def violations_table(result: Result) -> Table:
    """Tell in words where a model goes wrong most."""
    rows: list[list[Cell | Scalar]] = [
        [
            str(row["sentence"]),
            ", ".join(map(str, row["triple"])),
            Cell(text=f"{row['margin']:.2f}", values=(row["margin"],)),
        ]
        for row in result.details.get("violations", [])
    ]
    return Table(
        columns=["in words", "triple", "too close by"],
        rows=rows,
        caption=f"{_inventory(result)}: the worst violations of {result.model}",
    )
