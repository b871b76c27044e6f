"""Subsumption in the report: scores, the funnel, where they come from, the worst violations."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from dataclasses import replace

from lydite.reports.metrics import write_share
from lydite.reports.sections import Figure, ItemsLoader, Section
from lydite.reports.sections.plain import READING, further_scores, missing_notes
from lydite.reports.sections.subsumption_breakdown import breakdown_figure, has_breakdown
from lydite.reports.sections.subsumption_funnel import (
    choices_note,
    funnel_figure,
    inventories,
)
from lydite.reports.sections.subsumption_scores import (
    AGGREGATE,
    SIMPLE,
    scores_figure,
    scores_of,
)
from lydite.reports.sections.subsumption_tables import (
    funnel_table,
    scores_table,
    violations_table,
)
from lydite.reports.table import Table
from lydite.reports.trials import Trial, trials
from lydite.results.naming import model_namer
from lydite.results.record import Result

_VIOLATIONS = 10
_MISSING_SHOWN = 5

_HOW_TO_READ = (
    "A taxonomy says that a sparrow is a bird, and a bird a vertebrate. A model that keeps this "
    "order puts sparrow at least as close to bird as to vertebrate (subsumption, SS), and "
    "vertebrate at least as close to bird as to sparrow (reverse subsumption, RSS). A score is "
    "the share of such triples that keep a condition, or both: 1 is all of them. Random vectors "
    "keep either condition in one half of the triples, and both in one third. The aggregate "
    "scores (AS, RAS) ask the same of centroids: a word's own vector gives way to the mean of its "
    "sister lemmas, all words that share a sense with it. Senses and models of pairs have no "
    "aggregate."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores, funnel and breakdown of each inventory, and tell the worst violations."""
    asked = trials(results)
    known = inventories(asked)
    figures: list[Figure] = []
    # Tall ones, which stand side by side after the low ones.
    breakdowns: list[Figure] = []
    tables: list[Table] = []
    seen: set[Hashable] = set()
    for trial in asked:
        figures.append(scores_figure(trial))
        figures += [funnel_figure(made) for made in known if made.trial is trial]
        conditions = (AGGREGATE if trial.metric in AGGREGATE else SIMPLE)[:2]
        grouped = [each for each in trial.ranked() if has_breakdown(each)]
        grouped = _unseen(grouped, "breakdown", seen, conditions)
        if grouped:
            breakdowns.append(breakdown_figure(trial, grouped, conditions))
        wrong = [each for each in trial.ranked() if each.details.get("violations")]
        tables += [_violations(trial, each) for each in _unseen(wrong, "violations", seen)]
    funnels = [table for made in known for table in funnel_table(list(made.results.values()))]
    choices = [note for note in map(choices_note, known) if note]
    return Section(
        title="Subsumption: what lies between is closer",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[*figures, *breakdowns],
        tables=[*tables, *_scores(asked), *funnels],
        notes=[*choices, *_coverage_notes(results), *_agreement_notes(asked)],
    )


def _unseen(
    results: Sequence[Result], detail: str, seen: set[Hashable], shown: Hashable = None
) -> list[Result]:
    """Leave out what was shown: questions that differ in the metric alone share their details."""
    fresh = []
    for result in results:
        source = result.provenance
        key = (source.model, source.model_sha256, json.dumps(result.details[detail]), detail, shown)
        if key not in seen:
            seen.add(key)
            fresh.append(result)
    return fresh


def _violations(trial: Trial, result: Result) -> Table:
    worst = result.details["violations"][:_VIOLATIONS]
    table = violations_table(replace(result, details={"violations": worst}))
    name = model_namer(trial.results)(result)
    return replace(table, caption=f"{trial.title}: the worst violations of {name}")


def _scores(asked: Sequence[Trial]) -> list[Table]:
    known = [result for trial in asked for result in trial.results if len(scores_of(result)) > 1]
    return [scores_table(known)] if known else further_scores(asked)


def _coverage_notes(results: Sequence[Result]) -> list[str]:
    """Count the triples that are not covered, and name some of the words that they lack."""
    # What is missing are words, not triples.
    notes = missing_notes([replace(r, details={**r.details, "missing": []}) for r in results])
    name = model_namer(results)
    for result in results:
        count, missing = result.details.get("words", 0), result.details.get("missing", [])
        if not count or not missing:
            continue
        found = round(result.details.get("words_found", 0.0) * count)
        named = ", ".join(map(str, missing[:_MISSING_SHOWN]))
        notes.append(
            f"{name(result)} has {write_share(found, count)} of the {count:,} words or senses in "
            f"the triples of {result.resource}; it lacks {named}"
            f"{' and others' if count - found > _MISSING_SHOWN else ''}."
        )
    return list(dict.fromkeys(notes))


def _agreement_notes(asked: Sequence[Trial]) -> list[str]:
    """Say where the two approaches cannot differ, lest it be taken for an error."""
    return [
        f"{trial.title}: aggregate and simple scores are the same, as they are where words have "
        "no sister lemmas."
        for trial in asked
        if all(_agree(result) for result in trial.results)
    ]


def _agree(result: Result) -> bool:
    scores = scores_of(result)
    return len(scores) == len(SIMPLE + AGGREGATE) and all(
        scores[simple].score == scores[aggregate].score
        for simple, aggregate in zip(SIMPLE, AGGREGATE, strict=True)
    )
