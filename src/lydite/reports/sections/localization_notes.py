"""What a reader of localization has to know beside the scores."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.errors import LyditeError
from lydite.reports.metrics import metric_named
from lydite.reports.sections.localization_sizes import GroupSet
from lydite.reports.trials import Trial
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.spec import parse


def result_notes(asked: Sequence[Trial]) -> list[str]:
    """Say what results tell of themselves: classifiers not solved, groups drawn at random.

    What all models of a trial tell is said once.
    """
    name = model_namer([result for trial in asked for result in trial.results])
    notes = []
    for trial in asked:
        told: dict[str, list[str]] = {}
        for result in trial.results:
            for note in result.details.get("notes", ()):
                told.setdefault(str(note), []).append(name(result))
        for note, models in told.items():
            of_all = len(models) == len(trial.results) > 1
            whose = "" if of_all else f", {', '.join(models)}"
            notes.append(f"{trial.title}{whose}: {note}.")
    return notes


def reading_notes(known: Sequence[GroupSet]) -> list[str]:
    """Say what was done to groups when they were read."""
    return [
        f"{groups.title}, when the groups were read: "
        + "; ".join(f"{what}: {count:,}" for what, count in groups.changes.items())
        + "."
        for groups in known
        if groups.changes
    ]


def words_notes(asked: Sequence[Trial]) -> list[str]:
    """Say which models do no better than a bag of words, or that there is none to compare with."""
    return [note for trial in asked if (note := _words_note(trial))]


def _words_note(trial: Trial) -> str:
    name, write = model_namer(trial.results), metric_named(trial.metric).write
    bags = [result for result in trial.ranked() if _is_bag(result)]
    if not bags:
        return (
            f"{trial.title}: no bag of words (bow) among the models, so that it is not known what "
            "shared words alone would get."
        )
    best = bags[0].score
    beaten = [
        f"{name(result)} ({write(result.score)})"
        for result in trial.ranked()
        if result.score <= best and not _is_bag(result)
    ]
    if not beaten:
        return ""
    return (
        f"{trial.title}: no better than the bag of words ({write(best)}), which sees nothing but "
        f"shared words: {', '.join(beaten)}."
    )


def _is_bag(result: Result) -> bool:
    try:
        return parse(result.model).name == "bow"
    except LyditeError:
        return False
