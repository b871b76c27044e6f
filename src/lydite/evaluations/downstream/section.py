"""Downstream tasks in the report: scores beside their baselines, and where the mistakes are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lydite.drawing.metrics import metric_named
from lydite.drawing.section import READING, ItemsLoader, Section, overview
from lydite.drawing.table import Cell, Column, Scalar, Table
from lydite.evaluations.catalogue import Shown
from lydite.evaluations.classification.data import BINARY_TASKS
from lydite.results.record import Result
from lydite.results.trials import (
    Trial,
    by_evaluation,
    model_namer,
    resource_name,
    trials,
)
from lydite.types import PlainMapping

#: Rows of a table; what is rarer is left out and counted.
_ROWS = 20


def class_table(trial: Trial) -> list[Table]:
    """Return, of the best model, how often each class is found and how often wrongly said.

    Folds of the same classes are added up; parts with classes of their own stand apart.
    """
    best = trial.ranked()[0]
    parts = [part for part in best.details.get("parts", ()) if part.get("classes")]
    kinds = {tuple(str(each["class"]) for each in part["classes"]) for part in parts}
    if len(kinds) > 1:
        rows = [
            [str(part.get("name", "")), *_found(each, "class")]
            for part in parts
            for each in part["classes"]
        ]
        return [_table(trial, best, ["part", "class", *_FOUND], rows[: 2 * _ROWS], "classes")]
    classes = _added(parts)
    rows = [_found(each, "class") for each in _frequent(classes)]
    return _tables(trial, best, ["class", *_FOUND], rows, "classes", len(classes))


def _added(parts: Sequence[PlainMapping]) -> list[PlainMapping]:
    counts = ("test", "right", "taken_for")
    return [
        {"class": same[0]["class"], **{name: sum(each[name] for each in same) for name in counts}}
        for same in zip(*(part["classes"] for part in parts), strict=True)
    ]


def tag_table(trial: Trial) -> list[Table]:
    """Return, of the best model, how often each tag is found and how often wrongly said."""
    best = trial.ranked()[0]
    tags = best.details.get("tags", ())
    rows = [_found(each, "tag") for each in _frequent(tags)]
    return _tables(trial, best, ["tag", *_FOUND], rows, "tags", len(tags))


def relation_tables(trial: Trial) -> list[Table]:
    """Return, of the best model, how often heads are found, by relation and by distance."""
    best = trial.ranked()[0]
    relations, lengths = (best.details.get(name, ()) for name in ("relations", "lengths"))
    by_relation: list[list[Cell | Scalar]] = [
        [
            str(each["relation"]),
            int(each["words"]),
            _share(each["uas"], 1),
            _share(each["las"], 1),
        ]
        for each in _frequent(relations, "words")
    ]
    by_length: list[list[Cell | Scalar]] = [
        [str(each["length"]), int(each["words"]), _share(each["uas"], 1)] for each in lengths
    ]
    columns = ["relation", "words", "heads right", "with relation"]
    return [
        *_tables(trial, best, columns, by_relation, "relations", len(relations)),
        *_tables(
            trial,
            best,
            ["distance to the head", "words", "heads right"],
            by_length,
            "distances",
            len(lengths),
        ),
    ]


_FOUND = ("test", "right", "precision")


def _found(each: PlainMapping, key: str) -> list[Cell | Scalar]:
    return [
        str(each[key]),
        int(each["test"]),
        _share(each["right"], each["test"]),
        _share(each["right"], each["taken_for"]),
    ]


def _share(part: float, whole: float) -> Cell:
    if not whole:
        return Cell(text="", values=(None,))
    return Cell(text=f"{part / whole:.3f}", values=(part / whole,))


def _frequent(rows: Sequence[PlainMapping], count: str = "test") -> list[PlainMapping]:
    return sorted(rows, key=lambda each: -int(each[count]))[:_ROWS]


def _tables(
    trial: Trial,
    best: Result,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell | Scalar]],
    what: str,
    count: int,
) -> list[Table]:
    """Return a table that says how many rows there would be, or none if there is no row."""
    if not rows:
        return []
    most = f" ({len(rows)} most frequent of {count})" if len(rows) < count else ""
    return [_table(trial, best, columns, rows, what + most)]


def _table(
    trial: Trial,
    best: Result,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell | Scalar]],
    what: str,
) -> Table:
    name = model_namer(trial.results)(best)
    return Table(
        columns=[Column(title=title) for title in columns],
        rows=rows,
        caption=f"{trial.title}: {what}, as {name} tells them",
    )


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
    return result.evaluation


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


def command_tables(results: Sequence[Result], shown: Shown) -> list[Table]:
    """Return what commands print: one table per task; for machines, one table in all."""
    # Tasks have columns of their own, and a file of CSV has one header.
    return [flat_table(results)] if shown.whole else score_tables(results)
