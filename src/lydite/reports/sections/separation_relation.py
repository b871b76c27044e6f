"""Relation classification in tables: the paper's Table 1, and its Table 2 with the scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from lydite.reports.metrics import metric_named
from lydite.reports.sections.separation_models import compared, cut_note, told_rows
from lydite.reports.table import Cell, Column, Scalar, Table, covered_cell, model_column
from lydite.reports.trials import Trial
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.types import PlainMapping

#: With more models than this there is no room for intervals.
INTERVALS = 3

_WRITE = metric_named("auc").write


def entity_pairs(result: Result) -> dict[str, PlainMapping]:
    """Return what a result tells of each pair of entities, by name.

    The relation is part of the name of a pair that is asked about with several.
    """
    rows = told_rows(result, "pairs")
    several = Counter(row["pair"] for row in rows)
    return {
        f"{row['pair']} ({row['relation']})" if several[row["pair"]] > 1 else row["pair"]: row
        for row in rows
    }


def relation_table(trial: Trial) -> Table:
    """Return one row a model, a column a pair of entities, and the average (Table 1)."""
    name = model_namer(trial.results)
    found = [entity_pairs(result) for result in trial.results]
    known = {pair: row for each in found for pair, row in each.items()}
    # Of a single model nothing is the best.
    several = len(trial.results) > 1
    best = {
        pair: max(each[pair]["auc"] for each in found if pair in each) if several else None
        for pair in known
    }
    top = max(result.score for result in trial.results) if several else None
    rows: list[list[Cell | Scalar]] = [
        [
            name(result),
            *(_area(each.get(pair), best[pair]) for pair in known),
            _average(result, top),
            covered_cell(result),
        ]
        for result, each in zip(trial.results, found, strict=True)
    ]
    return Table(
        columns=[
            Column(title="model"),
            # To the left, names of entities may take several lines.
            *(
                Column(title=pair, fields=(pair, f"{pair}: low", f"{pair}: high"), align="left")
                for pair in known
            ),
            Column(title="average", fields=("average", "average_low", "average_high")),
            Column(title="covered", fields=("n_covered", "n_items")),
        ],
        rows=rows,
        caption=f"{trial.title}: AUC by pair of entities; chance is 0.5",
        notes=[*_counts(known), *left_out_notes(trial)],
    )


def _counts(known: Mapping[str, PlainMapping]) -> list[str]:
    if not known:
        return []
    counts = "; ".join(
        f"{pair}: {row['expressing']} of {row['sentences']}" for pair, row in known.items()
    )
    return [f"Sentences that express the relation: {counts}. Intervals draw sentences."]


def left_out_notes(trial: Trial) -> list[str]:
    """Say which pairs of entities could not be scored, and why."""
    reasons: dict[str, str] = {}
    for result in trial.results:
        reasons |= result.details.get("left_out") or {}
    return [f"{pair} is left out: {why}." for pair, why in reasons.items()]


def _area(row: PlainMapping | None, best: float | None) -> Cell:
    if row is None:
        return Cell(text="", values=(None, None, None))
    return Cell(
        text=_WRITE(row["auc"]),
        values=(row["auc"], row["low"], row["high"]),
        tone="strong" if row["auc"] == best else "plain",
    )


def _average(result: Result, best: float | None) -> Cell:
    low, high = result.interval.low, result.interval.high
    return Cell(
        text=f"{_WRITE(result.score)} [{_WRITE(low)}, {_WRITE(high)}]",
        values=(result.score, low, high),
        tone="strong" if result.score == best else "plain",
    )


def pairs_table(trial: Trial) -> list[Table]:
    """Return one row a pair of entities: its sentences, chance, and the scores of the best models.

    Chance is where 95 % of the scores lie when labels are dealt out at random, by the best model.
    """
    shown = compared(trial, INTERVALS)
    found = [entity_pairs(result) for result in shown]
    known = {pair: row for each in reversed(found) for pair, row in each.items()}
    if not known:
        return []
    name = model_namer(trial.results)
    return [
        Table(
            columns=[
                Column(title="relation"),
                Column(title="entities", fields=("pair",)),
                Column(title="+", fields=("expressing",), align="right"),
                Column(title="N", fields=("sentences",), align="right"),
                Column(title="chance", fields=("chance_low", "chance_high"), align="right"),
                *(
                    model_column(
                        name(result),
                        *(f"{name(result)}: {part}" for part in ("auc", "low", "high")),
                    )
                    for result in shown
                ),
            ],
            rows=[_pair(known[pair], [each.get(pair) for each in found]) for pair in known],
            caption=f"{trial.title}: the pairs of entities",
            notes=[
                "N: sentences; +: those that express the relation. Chance: 95\u00a0% of the AUCs "
                "of the best model with labels dealt out at random. AUC with its interval, best "
                "model first.",
                *cut_note(trial, shown),
            ],
        )
    ]


def _pair(about: PlainMapping, areas: Sequence[PlainMapping | None]) -> list[Cell | Scalar]:
    low, high = about.get("chance_low"), about.get("chance_high")
    chance = "" if low is None or high is None else f"{_WRITE(low)} to {_WRITE(high)}"
    return [
        about["relation"],
        about["pair"],
        about["expressing"],
        about["sentences"],
        Cell(text=chance, values=(low, high), tone="quiet"),
        *(area_cell(row) for row in areas),
    ]


def area_cell(row: PlainMapping | None, *, interval: bool = True) -> Cell:
    """Return an AUC, marked where its interval says that the model is misled.

    Parameters
    ----------
    interval
        Whether people see the interval too; machines do.
    """
    if row is None:
        return Cell(text="", values=(None, None, None))
    area, low, high = (row[key] for key in ("auc", "low", "high"))
    return Cell(
        text=_WRITE(area) + (f" [{_WRITE(low)}, {_WRITE(high)}]" if interval else ""),
        values=(area, low, high),
        # Below chance: what differs in meaning is taken for more alike.
        tone="warning" if high < 0.5 else "plain",
    )
