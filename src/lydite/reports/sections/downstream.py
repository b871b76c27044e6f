"""Downstream tasks in the report: scores beside their baselines, and where the mistakes are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lydite.reports.sections import ItemsLoader, Section
from lydite.reports.sections.downstream_details import class_table, relation_tables, tag_table
from lydite.reports.sections.downstream_tables import scores_table
from lydite.reports.sections.plain import READING, overview
from lydite.reports.table import Table
from lydite.reports.trials import Trial, trials
from lydite.results.record import Result

_FROZEN = (
    "The vectors stay as they are: only what stands on top of them is trained, and tuned on "
    "development data alone. The grey band are random vectors in the place of the model's. They "
    "tell words apart, which is worth something by itself; what a model scores above them is what "
    "its vectors say about words. "
)


def classification(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw accuracies, and tell which classes are missed."""
    return _section(
        results,
        "Classification: are the vectors worth something to a classifier?",
        "A text becomes the mean of its words' vectors (a phrase: the vectors side by side), and a "
        "simple classifier learns its class. Accuracy is the share of test texts that it gets "
        "right; majority is what always saying the most frequent class would get. ",
        class_table,
    )


def tagging(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw accuracies, and tell which tags are missed."""
    return _section(
        results,
        "Tagging: do the vectors know what part of speech a word is?",
        "Each word is told its tag from its vector and its neighbours'. Words that never stand in "
        "training can be tagged by their vectors alone: their accuracy says most about the model. "
        "Majority, which looks nothing but the word up in training, is high by nature. ",
        tag_table,
    )


def parsing(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw attachment scores, and tell which relations and distances are missed."""
    return _section(
        results,
        "Parsing: do the vectors know which word depends on which?",
        "A parser builds each sentence's tree from nothing but the vectors. UAS is the share of "
        "words whose head is right, LAS of those whose relation is right as well; punctuation does "
        "not count. ",
        relation_tables,
    )


def _section(
    results: Sequence[Result], title: str, how: str, further: Callable[[Trial], list[Table]]
) -> Section:
    asked = trials(results)
    return Section(
        title=title,
        how_to_read=how + _FROZEN + READING,
        figures=[overview(trial) for trial in asked],
        tables=[scores_table(results), *(table for trial in asked for table in further(trial))],
    )
