"""What a reader of separation has to know beside the scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lydite.reports.metrics import metric_named
from lydite.reports.sections.plain import missing_notes
from lydite.reports.sections.separation_answers import subset_notes
from lydite.reports.sections.separation_models import is_overlap
from lydite.reports.sections.separation_relation import left_out_notes
from lydite.reports.trials import Trial
from lydite.reports.visible import shorten
from lydite.results.naming import model_namer
from lydite.results.record import Result

#: Longer sentences are cut where they are examples of many.
_EXAMPLE = 80


def notes(asked: Sequence[Trial]) -> list[str]:
    """Say what is no better than shared words, what was left out, and what was not covered."""
    said = [note for trial in asked if (note := _words_note(trial))]
    for trial in asked:
        said += [f"{trial.title}: {each}" for each in left_out_notes(trial)]
        said += [f"{trial.title}: {each[:1].lower()}{each[1:]}" for each in subset_notes(trial)]
    results = [result for trial in asked for result in trial.results]
    return [*said, *missing_notes([_quoted(result) for result in results])]


def _words_note(trial: Trial) -> str:
    """Say which models do no better than lemma overlap, or that it was not asked."""
    name, write = model_namer(trial.results), metric_named(trial.metric).write
    baseline = next(filter(is_overlap, trial.ranked()), None)
    if baseline is None:
        return (
            f"{trial.title}: lemma overlap (overlap) is not among the models, so that it is not "
            "known what shared words alone would get."
        )
    beaten = [
        f"{name(result)} ({write(result.score)})"
        for result in trial.ranked()
        if result.score <= baseline.score and not is_overlap(result)
    ]
    if not beaten:
        return ""
    return (
        f"{trial.title}: no better than lemma overlap ({write(baseline.score)}), which sees "
        f"nothing but shared words: {', '.join(beaten)}."
    )


def _quoted(result: Result) -> Result:
    """Put what a model does not cover in quotation marks: sentences have commas of their own."""
    missing = [f"“{shorten(str(each), _EXAMPLE)}”" for each in result.details.get("missing") or ()]
    return replace(result, details={**result.details, "missing": missing})
