"""Localization in the report: scores, whose mistakes are whose, which meanings are confused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lydite.reports.sections import ItemsLoader, Section
from lydite.reports.sections.localization_heatmap import heatmap_figure
from lydite.reports.sections.localization_notes import reading_notes, words_notes
from lydite.reports.sections.localization_sizes import group_sets, sizes_figure
from lydite.reports.sections.localization_tables import (
    agreement_table,
    confused_table,
    scores_table,
)
from lydite.reports.sections.localization_worst import worst_table
from lydite.reports.sections.plain import READING, missing_notes, overview
from lydite.reports.trials import trials
from lydite.results.record import Result

_HOW_TO_READ = (
    "The sentences of a paraphrase group mean the same. A classifier is shown some of every group "
    "and has to say which group each of the others belongs to. Accuracy is the share that it gets "
    "right: 1 means that every meaning has a place of its own, and chance is what the same answers "
    "would get if they were dealt out at random. The support vector machines learn where the "
    "borders are, straight ones; the nearest centroid and the nearest neighbour learn nothing. "
    "The bag of words (bow) is the baseline to beat: people who mean the same often use the same "
    "words, so that counting words alone recognises many groups, and a model that gets no further "
    "has shown no more than that. Alignment is how far apart the sentences of one group lie, 0 at "
    "best; uniformity is how evenly all sentences spread, the lower the better. Read them "
    "together: a model that puts everything in one place is perfectly aligned. Agreement is about "
    "sentences that two models both get wrong. If they take them for the same wrong group, they "
    "err alike; if not, each knows something that the other does not, and an ensemble of both may "
    "do better than either."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores, sizes of groups and shared mistakes, and tell what is taken for what."""
    asked, load = trials(results), _once(results, items)
    known = group_sets(asked)
    heatmaps = [heatmap_figure(trial, load) for trial in asked]
    return Section(
        title="Localization: does one meaning live in one place?",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[
            *(overview(trial) for trial in asked),
            *map(sizes_figure, known),
            # The tall ones last.
            *(figure for figure in heatmaps if figure is not None),
        ],
        tables=[
            scores_table(results),
            *confused_table(results, load),
            *(table for trial in asked for table in worst_table(trial, load)),
            *agreement_table(results, load),
        ],
        notes=[*words_notes(asked), *reading_notes(known), *missing_notes(results)],
    )


def _once(results: Sequence[Result], items: ItemsLoader) -> ItemsLoader:
    """Read each item table once."""
    tables = {result.key: items(result) for result in results}

    def load(result: Result) -> Any:  # noqa: ANN401 - a polars.DataFrame
        return tables[result.key]

    return load
