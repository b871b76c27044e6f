"""The section on meta-evaluation: whether intrinsic scores foretell downstream ones."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from lydite.errors import UndefinedScoreError
from lydite.reports.meta_comparisons import comparison_tables
from lydite.reports.meta_tables import grid_table, long_table
from lydite.reports.sections import Figure, Section
from lydite.reports.sections.meta_differences import differences_figure
from lydite.reports.sections.meta_matrix import matrix_figure
from lydite.reports.sections.meta_scatter import scatter_figure
from lydite.reports.trials import evaluation_name
from lydite.results.meta.associating import Association
from lydite.results.meta.evaluation import MetaEvaluation, meta
from lydite.results.meta.scores import DOWNSTREAM
from lydite.results.meta.verdict import notes, overall_verdict
from lydite.results.record import Result

logger = logging.getLogger(__name__)

#: More panels than these, besides those of the paper's tables, nobody looks at.
_PANELS = 96

_READING = (
    "A correlation of 1 means that the models which score higher on the intrinsic test are always "
    "the more useful ones, 0 that the test says nothing about use, and a negative one that it "
    "misleads. It is over models, and those are few: look at the interval and at the least and "
    "greatest value without one model before you believe it. That one score has a higher "
    "correlation than another may be chance too: look at the differences."
)


def section_of_results(results: Sequence[Result]) -> Section | None:
    """Return the section of a run; None if no three models have scores of both kinds.

    What goes wrong here must not cost the report of a long run: it is logged.
    """
    kinds = {evaluation_name(result.evaluation) in DOWNSTREAM for result in results}
    if len(kinds) == 1 or not results:
        return None
    try:
        return section(meta(results))
    except UndefinedScoreError:
        return None
    except Exception as error:
        logger.warning("the report leaves out the meta-evaluation: %s", error)
        return None


def section(found: MetaEvaluation) -> Section:
    """Show the correlations as matrices, as scatter plots and as tables."""
    figures = [matrix_figure(found, grid) for grid in found.grids]
    if found.comparisons:
        figures.append(differences_figure(found))
    return Section(
        title="Meta-evaluation: do intrinsic scores foretell downstream ones?",
        how_to_read=f"Verdict: {overall_verdict(found)} {_READING}",
        figures=[*figures, *_scatters(found)],
        tables=[
            *(grid_table(found, grid, method) for method in found.methods for grid in found.grids),
            long_table(found),
            *comparison_tables(found).values(),
        ],
        notes=notes(found),
    )


def _scatters(found: MetaEvaluation) -> list[Figure]:
    """Draw those of the paper's tables together, the others by the evaluation."""
    leading = found.methods[0]
    groups: dict[str, list[Association]] = {
        grid.title: [cell for cell in found.of(grid, leading) if cell.r is not None]
        for grid in found.grids
        if grid.key != "all"
    }
    drawn = {id(cell) for cells in groups.values() for cell in cells}
    others = [
        cell
        for cell in found.associations
        if cell.method == leading and cell.r is not None and id(cell) not in drawn
    ]
    strongest = sorted(others, key=lambda cell: -abs(cell.r or 0))[:_PANELS]
    kept = {id(cell) for cell in strongest}
    more = f", the {len(kept)} strongest of {len(others)} correlations"
    for cell in others:
        if id(cell) in kept:
            title = f"{cell.intrinsic.name}{more if len(others) > len(kept) else ''}"
            groups.setdefault(title, []).append(cell)
    return [scatter_figure(found, cells, title) for title, cells in groups.items() if cells]
