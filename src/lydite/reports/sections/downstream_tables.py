"""Downstream scores in tables, each beside what costs no vectors at all."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.corpora.classification.newsgroups import BINARY_TASKS
from lydite.reports.metrics import metric_named
from lydite.reports.table import Cell, Column, Scalar, Table
from lydite.reports.trials import by_evaluation, evaluation_label, resource_name, trials
from lydite.results.naming import model_namer
from lydite.results.record import Result

#: The further scores of each task, by what they are called; those of a baseline first.
COLUMNS = {
    "classification": (
        *("majority", "random_vectors", *BINARY_TASKS, "not_in_training"),
        "word_coverage",
    ),
    "tagging": (
        *("majority", "random_vectors", "known", "unknown", "no_vector"),
        *("sentences_right", "word_coverage"),
    ),
    "parsing": (
        *("las", "left_branching", "random_vectors", "label_accuracy", "exact"),
        "word_coverage",
    ),
}
_BASELINES = frozenset({"majority", "random_vectors", "left_branching"})

_CAPTIONS = {
    "classification": "Classification: share of test texts put into their class",
    "tagging": "Tagging: share of test words with the right tag",
    "parsing": "Parsing: share of test words with the right head",
}
_NOTES = {
    "classification": "Majority: always the class most frequent in training.",
    "tagging": "Majority: each word's tag most frequent in training. Known and unknown: words that "
    "do and do not stand in the training sentences. No vector: words that the model lacks.",
    "parsing": "LAS: head and relation right. Left branching: every word hangs on the one after "
    "it.",
}


def score_tables(results: Sequence[Result]) -> list[Table]:
    """Return one table a task: scores with intervals, baselines, coverage."""
    return [scores_table(found) for found in by_evaluation(results).values()]


def flat_table(results: Sequence[Result]) -> Table:
    """Return all results in one table for machines, whatever was asked: a row each."""
    known = dict.fromkeys(name for names in COLUMNS.values() for name in names)
    further = [name for name in known if any(name in each.others for each in results)]
    name = model_namer(results)
    rows: list[list[Cell | Scalar]] = [
        [
            *(name(result), result.resource, _label(result), result.metric),
            *(result.score, result.interval.low, result.interval.high),
            *(result.others.get(other) for other in further),
            *(result.n_items, result.provenance.seed),
        ]
        for result in results
    ]
    return Table(
        columns=[
            *("model", "resource", "evaluation", "metric", "score", "low", "high"),
            *further,
            *("n_items", "seed"),
        ],
        rows=rows,
    )


def scores_table(results: Sequence[Result]) -> Table:
    """Return one row a model and data set, all of one evaluation."""
    kind = results[0].evaluation.partition("(")[0]
    further = [name for name in COLUMNS[kind] if any(name in each.others for each in results)]
    seeds = {result.provenance.seed for result in results}
    name = model_namer(results)
    rows: list[list[Cell | Scalar]] = [
        [
            name(result),
            Cell(text=_asked(result, kind), values=(result.resource, _label(result))),
            _score(result),
            *(_further(result, other) for other in further),
            result.n_items,
            result.provenance.seed,
        ]
        for trial in trials(results)
        for result in trial.ranked()
    ]
    return Table(
        columns=[
            Column(title="model"),
            Column(title="task", fields=("resource", "evaluation")),
            Column(title=metric_named(results[0].metric).title, fields=("score", "low", "high")),
            *(Column(title=metric_named(other).title, fields=(other,)) for other in further),
            Column(title="items", fields=("n_items",)),
            Column(title="seed", shown=len(seeds) > 1),
        ],
        rows=rows,
        caption=_CAPTIONS[kind],
        notes=[
            "Random vectors: the same task with random vectors in place of the model's. "
            + _NOTES[kind],
            *_said(results),
        ],
    )


def _said(results: Sequence[Result]) -> list[str]:
    notes = [str(note) for result in results for note in result.details.get("notes", ())]
    return list(dict.fromkeys(notes))


def _label(result: Result) -> str:
    return evaluation_label(result.evaluation)


def _asked(result: Result, kind: str) -> str:
    inside = _label(result).removeprefix(kind).removeprefix("(").removesuffix(")")
    return resource_name(result.resource) + (f", {inside}" if inside else "")


def _score(result: Result) -> Cell:
    write, interval = metric_named(result.metric).write, result.interval
    return Cell(
        text=f"{write(result.score)} [{write(interval.low)}, {write(interval.high)}]",
        values=(result.score, interval.low, interval.high),
        tone="strong",
    )


def _further(result: Result, name: str) -> Cell:
    value = result.others.get(name)
    text = "" if value is None else metric_named(name).write(value)
    return Cell(text=text, values=(value,), tone="quiet" if name in _BASELINES else "plain")
