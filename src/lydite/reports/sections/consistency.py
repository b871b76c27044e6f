"""Consistency in the report: which terms to trust, the measures beside what they would be anyway.

Identification leads. The measures of Bloem et al. (2019) stand beside their baselines, since for
summed vectors they sit at their ceiling.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.reports.sections import Figure, ItemsLoader, Section
from lydite.reports.sections.consistency_baselines import baselines_figure
from lydite.reports.sections.consistency_sizes import domain_figure, sizes_figure
from lydite.reports.sections.consistency_strip import strip_figure, terms_figure
from lydite.reports.sections.consistency_tables import (
    domain_table,
    funnel_table,
    neighbours_table,
    sizes_table,
    summary_table,
    trust_table,
)
from lydite.reports.sections.consistency_texts import Text, score_of, source_notes, texts
from lydite.reports.sections.plain import READING, missing_notes, overview
from lydite.reports.table import Table
from lydite.reports.trials import trials
from lydite.results.record import Result

_HOW_TO_READ = (
    "Each term was learnt several times, each time from other sentences of the same text. If the "
    "text uses it in one sense, and is enough to learn it from, its vectors should be alike. "
    "Identification asks whether a term's second vector is recognised by its first among those of "
    "all terms: 1 means that it is always the nearest, one half that it is typically the second, "
    "and what a blind choice would get is given as chance. Trust the terms at the top, not those "
    "at the bottom. Cosine and rank are the usual measures. They often sit at their ceiling "
    "whatever the term, since more text alone makes vectors alike: read them only beside what "
    "different terms, text of the same size and shuffled words give. A consistent vector need not "
    "be a correct one: a learner that always says the same is consistent too."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores, terms and baselines of each text, and tell which terms to trust."""
    known = texts(results)
    low: list[Figure | None] = [overview(trial) for trial in trials(results)]
    for text in known:
        low += [
            strip_figure(text),
            baselines_figure(text),
            sizes_figure(text),
            domain_figure(text),
        ]
    # Tall ones stand side by side after the low ones.
    tall = [terms_figure(text) for text in known]
    notes = [note for text in known for note in (*_ceiling_notes(text), *source_notes(text))]
    return Section(
        title="Consistency: which terms can be trusted",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[figure for figure in (*low, *tall) if figure is not None],
        tables=_tables(results),
        notes=[*notes, *missing_notes(results)],
    )


def _tables(results: Sequence[Result]) -> list[Table]:
    return [
        *trust_table(results),
        summary_table(results),
        *sizes_table(results),
        *neighbours_table(results),
        *domain_table(results),
        *funnel_table(results),
    ]


def _ceiling_notes(text: Text) -> list[str]:
    """Say where the cosine of a term's vectors is no higher than it would be without the term."""
    notes = []
    for name, result in text.learners.items():
        own = score_of(result, "cosine")
        rivals = {
            "sentences dealt out at random": score_of(result, "size_matched_cosine"),
            "vectors of different terms": score_of(result, "different_terms_cosine"),
        }
        beaten = [
            f"{what} have {value:.3f}"
            for what, value in rivals.items()
            if own is not None and value is not None and value >= own
        ]
        if beaten:
            notes.append(
                f"{text.title}: the cosine of {name}, {own:.3f}, is no higher than without the "
                f"terms: {' and '.join(beaten)}."
            )
    return notes
