"""Separation in tables, for each set of data those of its task."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.reports.sections.separation_answers import answers_table, kinds_tables
from lydite.reports.sections.separation_phenomena import phenomena_table
from lydite.reports.sections.separation_relation import relation_table
from lydite.reports.table import Table, results_table
from lydite.reports.trials import Trial, trials
from lydite.results.record import Result


def separation_tables(results: Sequence[Result]) -> list[Table]:
    """Return, for each set of data, the table of its task: the paper's Tables 1 and 3."""
    return [table for trial in trials(results) for table in _tables(trial)]


def _tables(trial: Trial) -> list[Table]:
    task = trial.results[0].details.get("task")
    if task == "relation":
        return [relation_table(trial)]
    if task == "qa":
        return [answers_table(trial), *kinds_tables(trial)]
    if task == "pairs":
        return [results_table(trial.results), *phenomena_table(trial)]
    return [results_table(trial.results)]
