"""The sections of a report, one an evaluation, behind one small interface.

An evaluation gets a section by registering a function that takes its results and returns a
:class:`Section`; other packages do it through the entry-point group ``lydite.sections``. One that
registers none gets the plain section of :mod:`lydite.reports.sections.plain`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

from markupsafe import Markup

from lydite.registry import Registry
from lydite.reports.table import Table
from lydite.results.record import Result

logger = logging.getLogger(__name__)

#: A result to its item table, a Polars data frame, or None if there is none.
ItemsLoader: TypeAlias = Callable[[Result], Any]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A picture.

    Attributes
    ----------
    svg
        A whole SVG document. The page gives it ids of its own and takes out what could act.
    caption
        What it shows.
    """

    svg: Markup
    caption: str


@dataclass(frozen=True, kw_only=True)
class Section:
    """What a report says about one evaluation.

    Attributes
    ----------
    title
        What was asked.
    how_to_read
        In plain words: what the score is, what its extremes mean, what a difference means.
    figures, tables
        What there is to see.
    notes
        What else a reader has to know.
    """

    title: str
    how_to_read: str
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()


class SectionMaker(Protocol):
    """What an evaluation registers."""

    def __call__(self, results: Sequence[Result], items: ItemsLoader) -> Section:
        """Say what all results of the evaluation come to."""
        ...


SECTIONS: Registry[SectionMaker] = Registry("report section", group="lydite.sections")
SECTIONS.register("similarity", "lydite.reports.sections.similarity:section")
SECTIONS.register("qvec", "lydite.reports.sections.qvec:section")
SECTIONS.register("subsumption", "lydite.reports.sections.subsumption:section")
SECTIONS.register("consistency", "lydite.reports.sections.consistency:section")
SECTIONS.register("nonces", "lydite.reports.sections.nonces:section")
SECTIONS.register("localization", "lydite.reports.sections.localization:section")
SECTIONS.register("separation", "lydite.reports.sections.separation:section")
SECTIONS.register("classification", "lydite.reports.sections.downstream:classification")
SECTIONS.register("tagging", "lydite.reports.sections.downstream:tagging")
SECTIONS.register("parsing", "lydite.reports.sections.downstream:parsing")


def make_section(evaluation: str, results: Sequence[Result], items: ItemsLoader) -> Section:
    """Make the section of an evaluation.

    A section that fails must not cost the report of a long run: the plain one takes its place,
    and says so.
    """
    from lydite.reports.sections.plain import section as plain

    if evaluation not in SECTIONS:
        return plain(results, items)
    try:
        return SECTIONS.get(evaluation)(results, items)
    except Exception as error:
        logger.warning("the report section of %s could not be made: %s", evaluation, error)
        made = plain(results, items)
        return replace(made, notes=[*made.notes, f"The full section could not be made: {error}"])
