"""Downstream tasks in the report: scores beside their baselines, and where the mistakes are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lydite.drawing.section import READING, ItemsLoader, Section, cut_note, overview
from lydite.drawing.table import (
    Cell,
    Column,
    Scalar,
    Table,
    Tone,
    number_cell,
    question_cell,
    score_cell,
)
from lydite.evaluations.catalogue import Shown
from lydite.evaluations.classification.data import BINARY_TASKS
from lydite.evaluations.classification.evaluation import ClassificationDetails
from lydite.evaluations.downstream.parts import Counts, DownstreamDetails
from lydite.evaluations.parsing.evaluation import ParsingDetails
from lydite.evaluations.tagging.evaluation import TaggingDetails
from lydite.results.metrics import metric_of
from lydite.results.record import Result
from lydite.results.trials import Trial, by_evaluation, model_namer, trials

Row = list[Cell | Scalar]

#: Rows of a table; what is rarer is left out and counted.
_ROWS = 20
_FOUND = ("test", "right", "precision")


def class_tables(trial: Trial) -> list[Table]:
    """Return, of the best model, how often each class is found and how often wrongly said.

    Folds of the same classes are added up; parts with classes of their own stand apart.
    """
    best = trial.ranked()[0]
    parts = [part for part in ClassificationDetails.of(best).parts if part.classes]
    if len({tuple(each.name for each in part.classes) for part in parts}) > 1:
        rows: list[Row] = [
            [part.name, *_found(each.name, [each])] for part in parts for each in part.classes
        ]
        return _tables(trial, ("part", "class", *_FOUND), rows, "classes", most=2 * _ROWS)
    same = zip(*(part.classes for part in parts), strict=True)
    return _tables(trial, ("class", *_FOUND), _frequent(map(list, same)), "classes")


def tag_tables(trial: Trial) -> list[Table]:
    """Return, of the best model, how often each tag is found and how often wrongly said."""
    tags = TaggingDetails.of(trial.ranked()[0]).tags
    return _tables(trial, ("tag", *_FOUND), _frequent([each] for each in tags), "tags")


def relation_tables(trial: Trial) -> list[Table]:
    """Return, of the best model, how often heads are found, by relation and by distance."""
    told = ParsingDetails.of(trial.ranked()[0])
    relations: list[Row] = [
        [each.relation, each.words, _share(each.uas, 1), _share(each.las, 1)]
        for each in sorted(told.relations, key=lambda each: -each.words)
    ]
    lengths: list[Row] = [[each.length, each.words, _share(each.uas, 1)] for each in told.lengths]
    titles = ("relation", "words", "heads right", "with relation")
    return [
        *_tables(trial, titles, relations, "relations"),
        *_tables(trial, ("distance to the head", *titles[1:3]), lengths, "distances"),
    ]


def _frequent(counts: Iterable[list[Counts]]) -> list[Row]:
    """Return a row for each class, the most frequent first; its counts are added up."""
    rows = [_found(same[0].name, same) for same in counts]
    return sorted(rows, key=lambda row: -int(str(row[1])))


def _found(name: str, counts: Sequence[Counts]) -> Row:
    test, right, said = (
        sum(getattr(each, what) for each in counts) for what in ("test", "right", "taken_for")
    )
    return [name, test, _share(right, test), _share(right, said)]


def _share(part: float | None, whole: float) -> Cell:
    if part is None or not whole:
        return Cell(text="", values=(None,))
    return Cell(text=f"{part / whole:.3f}", values=(part / whole,))


def _tables(
    trial: Trial, titles: Sequence[str], rows: Sequence[Row], what: str, most: int = _ROWS
) -> list[Table]:
    """Return a table of the first rows, or none if there is no row."""
    if not rows:
        return []
    name = model_namer(trial.results)(trial.ranked()[0])
    which = "the most frequent" if most == _ROWS else "the first"
    note = cut_note(min(most, len(rows)), len(rows), what, which)
    return [
        Table(
            columns=list(titles),
            rows=rows[:most],
            caption=f"{trial.title}: {what}, by {name}",
            notes=[note] if note else [],
        )
    ]


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
    "classification": "Classification: share of test texts classified correctly",
    "tagging": "Tagging: share of test words with the right tag",
    "parsing": "Parsing: share of test words with the right head",
}
_NOTES = {
    "classification": "Majority: always the class most frequent in training.",
    "tagging": "Majority: each word's tag most frequent in training. Known and unknown: words that "
    "are and are not in the training sentences.",
    "parsing": "LAS: head and relation right. Left branching: every word depends on the next one.",
}


def flat_table(results: Sequence[Result]) -> Table:
    """Return all results in one table for machines, whatever was asked: one row each."""
    known = dict.fromkeys(name for names in COLUMNS.values() for name in names)
    further = [name for name in known if any(name in each.others for each in results)]
    name = model_namer(results)
    rows: list[Row] = [
        [
            *(name(result), result.resource, result.evaluation, result.metric),
            *(result.score, *(result.ends or (None, None))),
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
    """Return one row per model and data set, all of one evaluation."""
    first = results[0]
    kind = first.provenance.evaluation
    further = [name for name in COLUMNS[kind] if any(name in each.others for each in results)]
    seeds = {result.provenance.seed for result in results}
    name = model_namer(results)

    def other(result: Result, what: str) -> Cell:
        tone: Tone = "quiet" if what in _BASELINES else "plain"
        return number_cell(result.others.get(what), metric_of(result, what), tone=tone)

    return Table(
        columns=[
            Column(title="model"),
            Column(title="task", fields=("resource", "evaluation")),
            Column(title=metric_of(first).title, fields=("score", "low", "high")),
            *(Column(title=metric_of(first, each).title, fields=(each,)) for each in further),
            Column(title="items", fields=("n_items",)),
            Column(title="seed", shown=len(seeds) > 1),
        ],
        rows=[
            [
                *(name(result), question_cell(result), score_cell(result)),
                *(other(result, each) for each in further),
                *(result.n_items, result.provenance.seed),
            ]
            for trial in trials(results)
            for result in trial.ranked()
        ],
        caption=_CAPTIONS[kind],
        notes=[
            "Random vectors: the same task with random vectors in place of the model's. "
            + _NOTES[kind]
            + (" No vector: words that the model lacks." if "no_vector" in further else ""),
            *dict.fromkeys(note for each in results for note in DownstreamDetails.of(each).notes),
        ],
    )


_FROZEN = (
    "The vectors stay as they are: only what stands on top of them is trained, and tuned on "
    "development data alone. The grey band shows random vectors in the place of the model's. They "
    "tell words apart, which is useful by itself; what a model scores above them is what its "
    "vectors say about words. "
)


def classification(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw accuracies, and tell which classes are missed."""
    return _section(
        results,
        "Classification: are the vectors useful for a classifier?",
        "A text becomes the mean of its words' vectors (a phrase: the vectors side by side), and "
        "a simple classifier learns its class. Accuracy is the share of test texts that it gets "
        "right; majority is the score of always predicting the most frequent class. ",
        class_tables,
    )


def tagging(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw accuracies, and tell which tags are missed."""
    return _section(
        results,
        "Tagging: do the vectors know what part of speech a word is?",
        "Each word is given its tag by its vector and those of its neighbors. Words that are never "
        "in training can be tagged by their vectors alone: their accuracy says most about the "
        "model. Majority, which only looks the word up in training, is high by nature. ",
        tag_tables,
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


def command_tables(results: Sequence[Result], items: ItemsLoader, shown: Shown) -> list[Table]:
    """Return what commands print: one table per task; for machines, one table in all."""
    # Tasks have columns of their own, and a file of CSV has one header.
    if shown.whole:
        return [flat_table(results)]
    return [scores_table(found) for found in by_evaluation(results).values()]
