"""Sections of a report: one small interface, and the plain one for what has none of its own.

An evaluation gets a section through its method ``section``, which takes its results and returns a
:class:`Section`. One that has none gets the plain section.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from markupsafe import Markup

from lydite.drawing.figures import dot_whisker
from lydite.drawing.metrics import metric_named, write_share
from lydite.drawing.table import Cell, Column, Scalar, Table
from lydite.results.record import Result
from lydite.results.trials import Trial, evaluation_name, model_namer, trials

#: A result to its item table, a Polars data frame, or None if there is none.
ItemsLoader: TypeAlias = Callable[[Result], Any]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A picture.

    Attributes
    ----------
    svg
        A whole SVG document. The page gives it ids of its own and takes out what could act.
    caption
        What it shows.
    """

    svg: Markup
    caption: str


@dataclass(frozen=True, kw_only=True)
class Section:
    """What a report says about one evaluation.

    Attributes
    ----------
    title
        What was asked.
    how_to_read
        In plain words: what the score is, what its extremes mean, what a difference means.
    figures, tables
        What there is to see.
    notes
        What else a reader has to know.
    """

    title: str
    how_to_read: str
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()


#: What holds for every score in the report.
READING = (
    "The line through a dot is its 95\u00a0% interval. The grey band holds 95\u00a0% of the scores "
    "of the null baseline, where there is nothing to find: a score inside it is no evidence of "
    "anything. Two models whose intervals overlap may still differ, since they answered the same "
    "items; 'lydite compare' tests that."
)

_MISSING_SHOWN = 5


def plain_section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw the scores of all models on each resource."""
    asked = trials(results)
    return Section(
        title=evaluation_name(results[0].evaluation),
        how_to_read=f"A higher score is better. {READING}",
        figures=[overview(trial) for trial in asked],
        tables=further_scores(asked),
        notes=missing_notes(results),
    )


def overview(trial: Trial) -> Figure:
    """Draw the scores of all models in one trial, best first."""
    ranked = trial.ranked()
    name = model_namer(ranked)
    kinds = " and ".join(sorted({result.baseline.kind for result in ranked}))
    return Figure(
        svg=dot_whisker(ranked, [name(result) for result in ranked]),
        caption=f"{trial.title}. Grey: null baseline ({kinds}).",
    )


def further_scores(asked: Sequence[Trial]) -> list[Table]:
    """Return the scores beside the main one, one table for all trials, if there are any."""
    results = [result for trial in asked for result in trial.results]
    others = list(dict.fromkeys(name for result in results for name in result.others))
    if not others:
        return []
    name = model_namer(results)
    rows: list[list[Cell | Scalar]] = [
        [name(result), trial.title, *(_other(result, other) for other in others)]
        for trial in asked
        for result in trial.results
    ]
    columns = [
        Column(title="model"),
        Column(title="resource"),
        *(Column(title=metric_named(other).title, align="right") for other in others),
    ]
    return [Table(columns=columns, rows=rows, caption="Further scores")]


def _other(result: Result, name: str) -> Cell | Scalar:
    value = result.others.get(name)
    if value is None:
        return None
    # A count that is kept among the scores reads as one.
    text = f"{value:.0f}" if value == int(value) else metric_named(name).write(value)
    return Cell(text=text, values=(value,))


def missing_notes(results: Sequence[Result]) -> list[str]:
    """Say which items were not covered, a few of them by name."""
    name = model_namer(results)
    notes = []
    for result in results:
        lacking = result.n_items - result.n_covered
        if not lacking:
            continue
        named = [str(item) for item in result.details.get("missing", [])][:_MISSING_SHOWN]
        examples = f", such as {', '.join(named)}" if named else ""
        share = write_share(result.n_covered, result.n_items)
        notes.append(
            f"{name(result)} covers {share} of {result.resource}; it lacks {lacking} of "
            f"{result.n_items} items{examples}. Out-of-vocabulary policy: {result.oov}."
        )
    return list(dict.fromkeys(notes))
