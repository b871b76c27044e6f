"""What models are blind to, phenomenon by phenomenon, in tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from lydite.reports.sections.separation_models import compared, cut_note, told_rows
from lydite.reports.sections.separation_relation import INTERVALS, area_cell
from lydite.reports.table import Cell, Column, Scalar, Table, model_column
from lydite.reports.trials import Trial
from lydite.reports.visible import cut
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.types import PlainMapping

#: What is wrong with the score of a pair in H, and in L.
_WRONG = {"H": "not similar enough", "L": "too similar"}


def hardest_first(found: Sequence[Mapping[str, PlainMapping]]) -> list[str]:
    """Return the names of all rows, in the order of their mean AUC over the models.

    Parameters
    ----------
    found
        The rows of each model by their names.
    """
    names = dict.fromkeys(each for rows in found for each in rows)
    means = {
        each: fmean(float(rows[each]["auc"]) for rows in found if each in rows) for each in names
    }
    return sorted(means, key=lambda each: (means[each], each))


def phenomena_of(result: Result) -> dict[str, PlainMapping]:
    """Return what a result tells of each phenomenon."""
    return {row["phenomenon"]: row for row in told_rows(result, "phenomena")}


def phenomena_table(trial: Trial, shown: Sequence[Result] | None = None) -> list[Table]:
    """Return one row a phenomenon, a column a model: what a model is blind to.

    Parameters
    ----------
    shown
        The models, by default all.
    """
    chosen = list(trial.results) if shown is None else list(shown)
    found = [phenomena_of(result) for result in chosen]
    names = hardest_first(found)
    if not names:
        return []
    name = model_namer(trial.results)
    return [
        Table(
            columns=[
                Column(title="phenomenon"),
                *(
                    model_column(
                        name(result),
                        *(f"{name(result)}: {part}" for part in ("auc", "low", "high")),
                    )
                    for result in chosen
                ),
            ],
            rows=[
                [
                    each,
                    *(
                        area_cell(rows.get(each), interval=len(found) <= INTERVALS)
                        for rows in found
                    ),
                ]
                for each in names
            ],
            caption=f"{trial.title}: AUC by phenomenon, hardest first",
            notes=[
                "1: pairs that differ in form alone are always more similar than pairs that differ "
                "in meaning. 0.5: the model is blind to it. Below: form misleads it; marked where "
                "the interval is below 0.5.",
                *cut_note(trial, chosen),
            ],
        )
    ]


def examples_table(trial: Trial) -> list[Table]:
    """Return, for the best model, mean scores in H and L and the worst pair of each phenomenon."""
    best = next((each for each in compared(trial) if phenomena_of(each)), None)
    if best is None:
        return []
    name = model_namer(trial.results)
    return [
        Table(
            columns=[
                Column(title="phenomenon"),
                Column(title="AUC", fields=("auc", "low", "high")),
                Column(title="H", fields=("similar", "similar_score"), align="right"),
                Column(title="L", fields=("dissimilar", "dissimilar_score"), align="right"),
                Column(title="furthest on the wrong side", fields=("left", "right", "label")),
            ],
            rows=[_example(row) for row in told_rows(best, "phenomena")],
            caption=f"{trial.title}: what misleads {name(best)}",
            notes=[
                "H: mean score of pairs that should be similar, and how many there are; L: of "
                "those that should not. At the right, the pair whose score is furthest from where "
                "it should be."
            ],
        )
    ]


def _example(row: PlainMapping) -> list[Cell | Scalar]:
    left, right, side = row.get("example") or ("", "", "")
    said = f"{_WRONG.get(side, side)}: {cut(left)} / {cut(right)}" if left or right else ""
    return [
        row["phenomenon"],
        area_cell(row),
        *(
            Cell(
                text="" if score is None else f"{score:.3f} ({row[kind]})",
                values=(row[kind], score),
            )
            for kind in ("similar", "dissimilar")
            for score in [row.get(f"{kind}_score")]
        ),
        Cell(text=said, values=(left, right, side)),
    ]
