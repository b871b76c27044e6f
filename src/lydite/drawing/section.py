"""Sections of a report: one small interface, and the plain one for what has none of its own.

An evaluation gets a section through its method ``section``, which takes its results and returns a
:class:`Section`. One that has none gets the plain section.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from markupsafe import Markup

from lydite.drawing.metrics import write_percent, write_share
from lydite.drawing.panels import dot_whisker
from lydite.drawing.table import Cell, Column, Scalar, Table
from lydite.results.details import Missing
from lydite.results.metrics import ENOUGH_WORDS, is_lower_better, metric_of, say_direction
from lydite.results.record import Result
from lydite.results.trials import Trial, is_made_by, model_namer, trials

#: A result to its item table, a Polars data frame, or None if there is none.
ItemsLoader: TypeAlias = Callable[[Result], Any]

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A picture.

    Attributes
    ----------
    svg
        A whole SVG document. The page gives it ids of its own and takes out what could act.
    """

    svg: Markup
    caption: str


@dataclass(frozen=True, kw_only=True)
class Section:
    """What a report says about one evaluation.

    Attributes
    ----------
    how_to_read
        In plain words: what the score is, what its extremes mean, what a difference means.
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
    "The line through a dot is its 95\u00a0% interval; where there is no line, there is no "
    "interval. The grey band contains 95\u00a0% of the scores of the null baseline, where there "
    "is nothing to find: a score inside it is no evidence of anything. Two models whose intervals "
    "overlap may still differ, since they were evaluated on the same items; 'lydite compare' "
    "tests that."
)

_MISSING_SHOWN = 5


def plain_section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw the scores of all models on each resource."""
    asked = trials(results)
    return Section(
        title=results[0].provenance.evaluation,
        how_to_read=f"{say_direction(results)} {READING}",
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
        *(Column(title=_title(results, other), align="right") for other in others),
    ]
    return [Table(columns=columns, rows=rows, caption="Further scores")]


def _title(results: Sequence[Result], name: str) -> str:
    return next(metric_of(each, name).title for each in results if name in each.others)


def _other(result: Result, name: str) -> Cell | Scalar:
    value = result.others.get(name)
    if value is None:
        return None
    # A count that is kept among the scores reads as one.
    text = f"{value:.0f}" if value == int(value) else metric_of(result, name).write(value)
    return Cell(text=text, values=(value,))


def missing_notes(
    results: Sequence[Result], named: Callable[[Result], Sequence[str]] | None = None
) -> list[str]:
    """Say how many items were not covered, and name a few of them.

    Parameters
    ----------
    named
        What to name of the items that a result lacks; by default its details say it.
    """
    find = named or (lambda result: Missing.of(result).missing)
    name = model_namer(results)
    notes = _word_notes(results)
    for result in results:
        lacking = result.n_items - result.n_covered
        if not lacking:
            continue
        some = [str(item) for item in find(result)][:_MISSING_SHOWN]
        examples = f", such as {', '.join(some)}" if some else ""
        share = write_share(result.n_covered, result.n_items)
        notes.append(
            f"{name(result)} covers {share} of {result.resource}; it lacks {lacking} of "
            f"{result.n_items} items{examples}. Out-of-vocabulary policy: {result.oov}."
        )
    return list(dict.fromkeys(notes))


def _word_notes(results: Sequence[Result]) -> list[str]:
    """Say where a model of words knows few of the words of the texts."""
    name = model_namer(results)
    return [
        f"{name(result)} knows {write_percent(share)} of the words of {result.resource}; its "
        "vectors are of those alone."
        for result in results
        if (share := result.word_coverage) is not None and share < ENOUGH_WORDS
    ]


def sentences(*parts: str) -> str:
    """Put sentences together, as captions need it; empty ones are left out.

    >>> sentences("Scores of all models.", cut_note(3, 3), cut_note(3, 8))
    'Scores of all models. Shown: 3 of 8 models, the best.'
    """
    return " ".join(part for part in parts if part)


def cut_note(shown: int, every: int, what: str = "models", which: str = "the best") -> str:
    """Say that only some are shown, and which; nothing if all of them are."""
    if shown >= every:
        return ""
    return f"Shown: {shown:,} of {every:,} {what}{f', {which}' if which else ''}."


def both_ends(rows: Sequence[T], most: int | None) -> list[tuple[int, T]]:
    """Give rows their numbers; of more than ``most``, keep half of them at each end.

    >>> both_ends("abcde", 3)
    [(0, 'a'), (1, 'b'), (4, 'e')]
    """
    numbered = list(enumerate(rows))
    if most is None or len(rows) <= most:
        return numbered
    return numbered[: most - most // 2] + numbered[len(rows) - most // 2 :]


def baseline_note(trial: Trial, baseline: str, called: str) -> str:
    """Say which models do no better than a baseline that sees shared words alone, if any."""
    name, write = model_namer(trial.results), metric_of(trial.results[0]).write
    ranked = trial.ranked()
    best = next((each for each in ranked if is_made_by(each, baseline)), None)
    if best is None:
        return (
            f"{trial.title}: {called} is not among the models, so it is not known what shared "
            "words alone would score."
        )
    sign = -1 if is_lower_better(best) else 1
    beaten = [
        f"{name(result)} ({write(result.score)})"
        for result in ranked
        if sign * (result.score - best.score) <= 0 and not is_made_by(result, baseline)
    ]
    if not beaten:
        return ""
    return (
        f"{trial.title}: no better than {called} ({write(best.score)}), which sees nothing but "
        f"shared words: {', '.join(beaten)}."
    )
