"""The report of a meta-evaluation: one HTML file that needs nothing else."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from lydite.reports import palette
from lydite.reports.html import environment, show_sections
from lydite.reports.sections.meta import section
from lydite.results.meta.evaluation import MetaEvaluation
from lydite.storage import atomic_write_text


def write_meta_page(found: MetaEvaluation, path: Path, *, title: str) -> None:
    """Write the report; a reader sees the old file or the whole new one."""
    atomic_write_text(path, render_meta_page(found, title=title))


def render_meta_page(found: MetaEvaluation, *, title: str) -> str:
    """Return the report as text."""
    (shown,) = show_sections([section(found)])
    return (
        environment()
        .get_template("meta.html.jinja")
        .render(
            title=title,
            models=len(found.scores.models),
            intrinsic=len(found.scores.intrinsic),
            downstream=len(found.scores.downstream),
            tests=found.tests,
            shown=shown,
            light=Markup(palette.declarations(dark=False)),
            dark=Markup(palette.declarations(dark=True)),
        )
    )
