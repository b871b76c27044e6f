"""Stability in the report: scores, by the number of neighbors, by frequency, and some words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from lydite.drawing.panels import CHANCE, Margins, legend_room, panels, series
from lydite.drawing.section import (
    READING,
    Figure,
    ItemsLoader,
    Section,
    cut_note,
    further_scores,
    missing_notes,
    overview,
    sentences,
)
from lydite.drawing.table import (
    Cell,
    Column,
    Scalar,
    Table,
    count_cell,
    interval_cell,
    model_column,
    models_table,
    number_cell,
    score_cell,
    score_column,
)
from lydite.evaluations.catalogue import Shown
from lydite.evaluations.stability.evaluation import At, Band, StabilityDetails
from lydite.results.metrics import metric_of
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, trials
from lydite.spec import parse

#: Sets that have a line in a panel.
_LINES = 6
_BESIDE = ("all", "pairs", "jaccard", "nearest", "different_words")

_HOW_TO_READ = (
    "Spaces that were trained alike, on one text with other seeds, were asked for the nearest "
    "words of the same words. The score is the share of these neighbors that the spaces have in "
    "common: 1 means that retraining changes nothing, 0 that no neighbor would be found again. A "
    "list of neighbors with a score of one half is half made of chance. The line of a score is its "
    "interval over words; other retrainings would give somewhat other scores too. Stable neighbors "
    "need not be right: a space that always makes the same mistake is stable."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores, curves and bands of each set of words, and show some words."""
    asked = trials(results)
    figures = [figure for trial in asked for figure in (overview(trial), _curves(trial))]
    tables = [table for trial in asked for table in (_bands_table(trial), *_words_tables(trial))]
    return Section(
        title="Stability: whether retrained spaces agree",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=figures,
        tables=[*tables, *further_scores(asked)],
        notes=[
            *(note for trial in asked for note in _unequal(trial)),
            *dict.fromkeys(map(_note, results)),
            *missing_notes(results),
        ],
    )


def command_tables(results: Sequence[Result], items: ItemsLoader, shown: Shown) -> list[Table]:
    """Return what the command prints: scores, bands of frequency, and some words."""
    tables = [scores_table(results)]
    for trial in trials(results):
        tables += [_bands_table(trial), *_words_tables(trial)]
    return tables


def scores_table(results: Sequence[Result]) -> Table:
    """Return one row per set of spaces with all measures."""
    leading = results[0].metric
    beside = [name for name in _BESIDE if name != leading]
    return models_table(
        results,
        [
            (score_column(metric_of(results[0]).title, leading), score_cell),
            (Column(title="null", fields=("baseline",), align="right"), _null),
            *(
                (
                    Column(title=metric_of(results[0], name).title, fields=(name,)),
                    lambda result, name=name: number_cell(
                        result.others.get(name), metric_of(result, name)
                    ),
                )
                for name in beside
            ),
        ],
        asked="words",
        notes=[
            *(note for trial in trials(results) for note in _unequal(trial)),
            *dict.fromkeys(map(_note, results)),
        ],
    )


def _null(result: Result) -> Cell:
    return number_cell(result.baseline.mean, metric_of(result), tone="quiet")


def _note(result: Result) -> str:
    details = StabilityDetails.of(result)
    asked = result.n_items
    taken = (
        f"{asked:,} of {details.listed:,} words, taken evenly by {details.by}"
        if asked < details.listed
        else f"{asked:,} words, ordered by {details.by}"
    )
    spaces = "both" if details.spaces == 2 else f"all {details.spaces}"
    return (
        f"{result.provenance.parameters['neighbors']} neighbors among the {details.shared:,} words "
        f"that {spaces} spaces have; {taken}. The interval is over words."
    )


def _curves(trial: Trial) -> Figure:
    """Draw the score against the number of neighbors, and by frequency, one line per set."""
    ranked = trial.ranked()[:_LINES]
    name = set_namer(ranked)
    marks = [replace(mark, line="-", width=1.4) for mark in series(map(name, ranked))]
    details = [StabilityDetails.of(result) for result in ranked]
    margins = Margins(left=0.5, bottom=0.67 + legend_room(len(marks) + 1, 2))
    with panels([1.6], 2, margins=margins, gaps=(0.5, 0), grid="y") as drawn:
        curve, bands = drawn.all
        for mark, each in zip(marks, details, strict=True):
            points = [(at.neighbors, _measure(at, trial.metric)) for at in each.curve]
            mark.draw(curve, points)
            mark.draw(bands, [(i, band.score) for i, band in enumerate(each.bands)])
            for i, band in enumerate(each.bands):
                if band.low is not None and band.high is not None:
                    mark.whisker(bands, i, (band.low, band.high), upright=True)
        if trial.metric == "pairs":
            apart = [(at.neighbors, at.different_words) for at in details[0].curve]
            CHANCE.draw(curve, apart)
        curve.set_title("by the number of neighbors")
        curve.set_xlabel("neighbors compared")
        bands.set_title("by frequency")
        bands.set_xticks(
            range(len(details[0].bands)), [f"to {_short(band.last)}" for band in details[0].bands]
        )
        bands.set_xlabel("place by frequency")
        for axes in drawn.all:
            axes.set_ylim(0, 1.02)
        drawn.legend(marks, columns=2)
        svg = drawn.to_svg()
    return Figure(
        svg=svg,
        caption=sentences(
            f"{trial.title}: {metric_of(ranked[0]).title}, by how many are compared, and by how "
            "frequent words are, with 95\u00a0% intervals over words.",
            cut_note(len(ranked), len(trial.results), "sets"),
        ),
    )


def _measure(at: At, metric: str) -> float:
    return {"all": at.all_, "pairs": at.pairs, "jaccard": at.jaccard}[metric]


def _short(number: int) -> str:
    return f"{number / 1000:.0f}k" if number >= 10_000 else f"{number:,}"


def set_namer(results: Sequence[Result]) -> Callable[[Result], str]:
    """Return what names sets by their files, without folders and endings, where these differ."""
    names = {result.key: _files(result.model) for result in results}
    whole = model_namer(results)
    clear = len(set(names.values())) == len(names)
    return lambda result: names[result.key] if clear else whole(result)


def _files(model: str) -> str:
    return ", ".join(
        Path(text).stem if isinstance(each, str) else text
        for each in parse(model).args
        for text in [str(each)]
    )


def _unequal(trial: Trial) -> list[str]:
    """Say where sets have different numbers of spaces, by which what all share falls."""
    sizes = {StabilityDetails.of(result).spaces for result in trial.results}
    if len(sizes) < 2 or trial.metric == "pairs":
        return []
    return [
        f"{trial.title}: sets of {' and '.join(map(str, sorted(sizes)))} spaces are not to be "
        "compared by what all of them share, which falls with every space; metric=pairs is fair."
    ]


def _bands_table(trial: Trial) -> Table:
    """Return the score of each band of frequency, one column per set."""
    ranked = trial.ranked()
    name, metric = set_namer(ranked), metric_of(ranked[0])
    titles = [name(each) for each in ranked] if len(ranked) > 1 else [metric.title]
    found = [list(StabilityDetails.of(result).bands) for result in ranked]
    rows: list[list[Cell | Scalar]] = []
    longest = max(range(len(found)), key=lambda place: len(found[place]))
    for i, band in enumerate(found[longest]):
        row: list[Cell | Scalar] = [
            Cell(text=f"{band.first:,} to {band.last:,}", values=(band.first, band.last)),
            count_cell(band.words),
        ]
        for bands in found:
            each = bands[i] if i < len(bands) else Band(low=None, high=None)
            row.append(interval_cell(each.score, each.low, each.high, metric))
        rows.append(row)
    return Table(
        columns=[
            Column(title="places by frequency", fields=("first", "last"), align="right"),
            Column(title="words", align="right"),
            *(
                model_column(title, *(f"{name(each)}{end}" for end in ("", "_low", "_high")))
                for each, title in zip(ranked, titles, strict=True)
            ),
        ],
        rows=rows,
        caption=f"{trial.title}: {metric.title} by frequency",
    )


def _words_tables(trial: Trial) -> list[Table]:
    """Show the neighbors of the most and the least stable words of the best set."""
    best = trial.ranked()[0]
    details, name = StabilityDetails.of(best), set_namer(trial.results)
    if not details.words:
        return []
    return [
        Table(
            columns=[
                "word",
                Column(title=metric_of(best).title, align="right"),
                *(f"nearest in space {i + 1}" for i in range(details.spaces)),
            ],
            rows=[
                [
                    each.word,
                    number_cell(each.score, metric_of(best)),
                    *(", ".join(words) for words in each.neighbors),
                ]
                for each in details.words
            ],
            caption=f"{trial.title}: the most and the least stable words of {name(best)}",
        )
    ]
