"""The report of a run: one HTML file that needs nothing else.

No script, nothing fetched, every word escaped: the page's own policy forbids what the templates do
not do.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from lydite.errors import LyditeError
from lydite.reports import palette
from lydite.reports.provenance import (
    models_table,
    questions_table,
    results_provenance,
    sources,
    versions,
)
from lydite.reports.sections import Figure, ItemsLoader, Section, make_section
from lydite.reports.sections.meta import section_of_results
from lydite.reports.svg import inline
from lydite.reports.trials import by_evaluation, evaluation_label
from lydite.reports.verdict import WIDTH, verdict_table
from lydite.reports.visible import visible
from lydite.results.record import Failure, Result
from lydite.storage import atomic_write_text

if TYPE_CHECKING:
    from jinja2 import Environment

logger = logging.getLogger(__name__)

#: Pictures higher than this, in pixels, leave a hole beside a lower one.
_TALL = 450.0


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A figure ready for the page; tall ones do not stand beside others."""

    svg: Markup
    caption: str
    tall: bool


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A section with its pictures ready for the page."""

    section: Section
    pictures: list[Picture]
    anchor: str


def write_report(
    results: Sequence[Result],
    failures: Sequence[Failure],
    path: Path,
    *,
    title: str,
    suite_text: str | None,
    items: ItemsLoader,
) -> None:
    """Write the report of a run; a reader sees the old file or the whole new one.

    Parameters
    ----------
    results, failures
        In the order in which they are to be shown.
    path
        The HTML file.
    title
        What was run.
    suite_text
        The suite in TOML that gives these results again, if there is one.
    items
        Loads the item table of a result, a Polars data frame; None, or an error of this package,
        if there is none.
    """
    page = render_report(results, failures, title=title, suite_text=suite_text, items=items)
    atomic_write_text(path, page)


def render_report(
    results: Sequence[Result],
    failures: Sequence[Failure],
    *,
    title: str,
    suite_text: str | None,
    items: ItemsLoader,
) -> str:
    """Return the report as text; see :func:`write_report`."""
    return (
        environment()
        .get_template("report.html.jinja")
        .render(
            title=title,
            results=results,
            failures=failures,
            table=verdict_table(results, failures),
            bar_width=WIDTH,
            sections=_sections(results, _lenient(items)),
            models=models_table(results),
            sources=sources(results),
            questions=questions_table(results),
            provenance=results_provenance(results),
            versions=versions(results),
            suite_text=suite_text,
            light=Markup(palette.declarations(dark=False)),
            dark=Markup(palette.declarations(dark=True)),
        )
    )


def _sections(results: Sequence[Result], items: ItemsLoader) -> list[Shown]:
    sections = [
        make_section(evaluation, group, items)
        for evaluation, group in by_evaluation(results).items()
    ]
    meta = section_of_results(results)
    return show_sections([*sections, meta] if meta else sections)


def show_sections(sections: Sequence[Section]) -> list[Shown]:
    """Get the pictures of sections ready for one page."""
    numbers = count(1)
    shown: list[Shown] = []
    for section in sections:
        placed = [_place(figure, f"f{next(numbers)}-") for figure in section.figures]
        shown.append(
            Shown(
                section=section,
                pictures=[picture for picture in placed if picture is not None],
                anchor=f"evaluation-{len(shown) + 1}",
            )
        )
    return shown


def _place(figure: Figure, prefix: str) -> Picture | None:
    try:
        inlined = inline(figure.svg, prefix=prefix, title=visible(figure.caption))
    except LyditeError as error:
        logger.warning("the report leaves out the figure %r: %s", figure.caption, error)
        return None
    return Picture(svg=inlined.svg, caption=figure.caption, tall=inlined.height > _TALL)


def _lenient(items: ItemsLoader) -> ItemsLoader:
    """Go on without an item table that cannot be read; the results stand without it."""

    def load(result: Result) -> Any:  # noqa: ANN401 - a polars.DataFrame
        try:
            return items(result)
        except LyditeError as error:
            logger.warning("the report leaves out the items of %s: %s", result.model, error)
            return None

    return load


@cache
def environment() -> Environment:
    """Return what finds and fills the templates of pages."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("lydite.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["lines"] = _lines
    environment.filters["label"] = evaluation_label
    return environment


def _finalize(value: object) -> object:
    """Make all text that goes into the page visible; templates and pictures are left alone."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _lines(text: str) -> Markup:
    """Escape a text of several lines."""
    return escape(visible(text, keep="\n\t"))
