"""New words in the report: scores, and which words were placed best and worst."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from lydite.drawing.section import (
    READING,
    ItemsLoader,
    Section,
    further_scores,
    missing_notes,
    overview,
    sentences,
)
from lydite.drawing.table import Cell, Column, Table, results_table
from lydite.evaluations.catalogue import Shown
from lydite.evaluations.nonces.evaluation import NonceDetails
from lydite.results.metrics import metric_of
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, trials

_TASKS = {
    "mrr": (
        "A learner read one sentence that defines a word, with the word blanked out. All words of "
        "its background were then ordered by how near they lie to what it learned. The score is "
        "the mean of 1/rank of the word that was defined: 1 means that it is always the nearest, "
        "0.01 that of a hundred words, say, one is and the others are far away. The few best words "
        "make nearly all of it, so see the median rank as well."
    ),
    "mean_spearman": (
        "A chimera is a made-up word in a few real sentences, which were written about two "
        "different things. People said how similar it is to some probe words. The score is the "
        "correlation of their ratings with the learner's cosines, averaged over chimeras: 1 is the "
        "same order of probes, 0 one that has nothing to do with theirs. With six probes per "
        "chimera even people would not reach 1."
    ),
}

_MEDIAN = "median_rank"


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw the scores on each set of trials, and tell what the best learner made of them."""
    asked = trials(results)
    tasks = dict.fromkeys(_TASKS.get(trial.metric, "") for trial in asked)
    return Section(
        title="New words from a few sentences",
        how_to_read=sentences(*tasks, READING),
        figures=[overview(trial) for trial in asked],
        tables=[*(table for trial in asked for table in _examples(trial)), *further_scores(asked)],
        notes=[*_left_out(results), *missing_notes(results)],
    )


def scores_table(results: Sequence[Result]) -> Table:
    """Return one row per result, with the median rank beside the mean of 1/rank."""
    table = results_table(results)
    if not any(_MEDIAN in result.others for result in results):
        return table
    place = [column.title for column in table.all_columns].index("covered")
    title = metric_of(results[0], _MEDIAN).title
    median = Column(title=title, fields=(_MEDIAN,), align="right")
    return dataclasses.replace(
        table,
        columns=[*table.columns[:place], median, *table.columns[place:]],
        rows=[
            [*row[:place], _median(result), *row[place:]]
            for row, result in zip(table.rows, results, strict=True)
        ],
    )


def command_tables(results: Sequence[Result], items: ItemsLoader, shown: Shown) -> list[Table]:
    """Return what the command prints: the scores of both tasks."""
    return [scores_table(results)]


def _median(result: Result) -> Cell:
    value = result.others.get(_MEDIAN)
    return Cell(text="" if value is None else f"{value:,.10g}", values=(value,))


def _examples(trial: Trial) -> list[Table]:
    """Tell the best and the worst words of the best learner, or its chimeras."""
    best = trial.ranked()[0]
    name, details = model_namer(trial.results)(best), NonceDetails.of(best)
    if details.definitions:
        return [
            Table(
                columns=[
                    "word",
                    Column(title="rank", align="right"),
                    "nearest to what was learned",
                ],
                rows=[
                    [
                        each.word,
                        Cell(text=f"{each.rank:,.0f}", values=(each.rank,)),
                        ", ".join(each.nearest),
                    ]
                    for each in details.definitions
                ],
                caption=f"{trial.title}: where {name} places words best and worst",
                notes=[f"Ranks are among {details.words:,} words."],
            )
        ]
    if details.chimeras:
        by_people, by_learner = "most similar to people", "most similar to the learner"
        return [
            Table(
                columns=["chimera", "Spearman ρ", by_people, by_learner],
                rows=[
                    [
                        each.chimera,
                        Cell(text=f"{each.spearman:.3f}", values=(each.spearman,)),
                        ", ".join(each.people),
                        ", ".join(each.learner),
                    ]
                    for each in details.chimeras
                ],
                caption=f"{trial.title}: which chimeras {name} judges best and worst",
            )
        ]
    return []


def _left_out(results: Sequence[Result]) -> list[str]:
    """Say what could not be learned from, once per file."""
    known = [details for details in map(NonceDetails.of, results) if details.problems]
    counts = [", ".join(f"{why} ({n:,})" for why, n in each.problems.items()) for each in known]
    notes = (f"{each.file}: left out: {n}." for each, n in zip(known, counts, strict=True))
    return list(dict.fromkeys(notes))
