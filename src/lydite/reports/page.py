"""The report of a run, and of a meta-evaluation: one HTML file that needs nothing else.

No script, nothing fetched, every word escaped: the page's own policy forbids what the templates do
not do.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from lydite.drawing import palette
from lydite.drawing.metrics import ENOUGH_COVERAGE, NO_INTERVAL, axis, write_percent, write_share
from lydite.drawing.section import Figure, ItemsLoader, Section
from lydite.drawing.svg import inline
from lydite.drawing.table import Cell, Column, Scalar, Table
from lydite.drawing.text import visible
from lydite.errors import LyditeError
from lydite.evaluations.catalogue import make_section
from lydite.metaevaluation.evaluation import MetaEvaluation
from lydite.metaevaluation.section import section as meta_section
from lydite.metaevaluation.section import section_of_results
from lydite.resources.catalogue import citation
from lydite.results.metrics import ENOUGH_WORDS, is_lower_better, metric_of, say_direction
from lydite.results.record import Failure, Result
from lydite.results.trials import (
    Trial,
    by_evaluation,
    model_namer,
    resource_cards,
    resource_name,
    resource_title,
    trials,
)
from lydite.storage import write_output

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True, kw_only=True)
class Source:
    """A resource that was used."""

    name: str
    sha256: str
    titles: list[str]
    licences: list[str]
    citations: list[str]
    defects: list[str]


def sources(results: Sequence[Result]) -> list[Source]:
    """Return every resource once, with what its card says: title, license, whom to cite."""
    found = []
    for name, sha256 in dict.fromkeys((r.resource, r.provenance.resource_sha256) for r in results):
        cards = resource_cards(name)
        keys = dict.fromkeys(key for card in cards for key in (card.citation, *card.also_cite))
        found.append(
            Source(
                name=name,
                sha256=sha256,
                titles=[card.title for card in cards],
                licences=list(dict.fromkeys(card.licence for card in cards)),
                citations=[_citation(key) for key in keys],
                defects=[defect for card in cards for defect in card.defects],
            )
        )
    return found


def _citation(key: str) -> str:
    try:
        return citation(key).text
    except LyditeError:
        # The card of a plugin may cite what this package's list does not hold.
        return key


def models_table(results: Sequence[Result]) -> Table:
    """Return every model once, with the bytes it was."""
    used = dict.fromkeys((r.model, r.provenance.model_sha256) for r in results)
    rows = [[model, sha256 or "not known"] for model, sha256 in used]
    return Table(columns=["model", "sha256 or fingerprint"], rows=rows, caption="Models")


def questions_table(results: Sequence[Result]) -> Table:
    """Return every test once, with all its parameters and how its uncertainty was made."""
    rows = [
        (
            result.evaluation,
            result.resource,
            result.metric,
            result.oov,
            f"{ends.method}, {ends.level:g}" if (ends := result.interval) else NO_INTERVAL,
            f"{result.baseline.kind}, {result.baseline.draws} draws",
        )
        for result in results
    ]
    columns = ["evaluation", "resource", "metric", "oov", "interval", "null baseline"]
    return Table(columns=columns, rows=list(dict.fromkeys(rows)), caption="Tests")


def results_provenance(results: Sequence[Result]) -> Table:
    """Return one row per result: when it was made and what it took."""
    environments = versions(results)
    columns: list[Column | str] = [
        *("model", "evaluation", "resource"),
        *(Column(title=title, align="right") for title in ("seed", "seconds", "peak MB")),
        "created",
        Column(title="versions", shown=len(environments) > 1),
        "key",
    ]
    rows: list[list[Cell | Scalar]] = [
        [
            *(result.model, result.evaluation, result.resource, source.seed),
            Cell(text=f"{source.wall_seconds:.2f}", values=(source.wall_seconds,)),
            Cell(text=f"{source.peak_memory_mb:.0f}", values=(source.peak_memory_mb,)),
            *(source.created, f"set {1 + environments.index(dict(source.versions))}", result.key),
        ]
        for result, source in ((each, each.provenance) for each in results)
    ]
    return Table(columns=columns, rows=rows, caption="Results")


def versions(results: Sequence[Result]) -> list[dict[str, str]]:
    """Return the different sets of versions that the results were made with."""
    found = dict.fromkeys(tuple(result.provenance.versions.items()) for result in results)
    return [dict(each) for each in found]


#: The drawing in a cell, in pixels: its width, and the room for the dot at each end.
WIDTH = 132.0
MARGIN = 5.0


@dataclass(frozen=True, kw_only=True)
class Bar:
    """Where things lie in the drawing of a cell, in pixels from the left."""

    score: float
    low: float
    high: float
    null_low: float
    null_high: float
    null_mean: float
    zero: float | None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One cell."""

    score: str = ""
    interval: str = ""
    parts: str = ""  # the lowest and the highest of what the score is a mean over
    null: str = ""
    bar: Bar | None = None
    coverage: str | None = None  # as text, if it is too low to speak for all items
    words: str | None = None  # the share of known words, as text, if it is low
    best: bool = False  # whether it is the best of its column and its interval overlaps no other's
    chance: bool = False  # whether it is no better than the null baseline reaches
    failure: str | None = None  # the reason, if there is no score


@dataclass(frozen=True, kw_only=True)
class Head:
    """The head of a column; of one that has failures alone not all is known."""

    label: str
    resource: str
    title: str
    metric: str = ""
    items: str = ""
    mark: str = ""
    low: str = ""
    high: str = ""


@dataclass(frozen=True, kw_only=True)
class VerdictTable:
    """Heads, and rows of a model's name with its cells; a cell that was not asked for is None."""

    heads: list[Head] = field(default_factory=list)
    rows: list[tuple[str, list[Verdict | None]]] = field(default_factory=list)


def verdict_table(results: Sequence[Result], failures: Sequence[Failure] = ()) -> VerdictTable:
    """Put all results and failures into one grid, models and trials as they first appear."""
    name = model_namer(results)
    columns: list[tuple[Head, dict[str, Verdict]]] = []
    places: dict[tuple[str, str, int], int] = {}
    for trial in trials(results):
        first = trial.results[0]
        places.setdefault((trial.label, first.resource, first.provenance.seed), len(columns))
        cells = {name(r): _verdict(r, trial) for r in trial.results}
        columns.append((_head(trial), cells))
    for failure in failures:
        asked = (failure.evaluation, failure.resource, failure.seed)
        place = places.setdefault(asked, len(columns))
        if place == len(columns):
            columns.append((_failed_head(failure), {}))
        columns[place][1].setdefault(failure.model, Verdict(failure=failure.message))
    models = dict.fromkeys([*map(name, results), *(failure.model for failure in failures)])
    return VerdictTable(
        heads=[head for head, _ in columns],
        rows=[(model, [cells.get(model) for _, cells in columns]) for model in models],
    )


def _verdict(result: Result, trial: Trial) -> Verdict:
    write = metric_of(result).write
    ends, null = result.ends, result.baseline
    return Verdict(
        score=write(result.score),
        interval=f"{write(ends[0])} to {write(ends[1])}" if ends else "no interval",
        parts=" to ".join(map(write, result.extremes)),
        null=f"{write(null.low)} to {write(null.high)}, mean {write(null.mean)}",
        bar=_bar(result, *axis(trial.results)),
        coverage=(
            write_share(result.n_covered, result.n_items)
            if result.coverage < ENOUGH_COVERAGE
            else None
        ),
        words=_few_words(result),
        best=stands_out(result, trial.results),
        chance=is_chance(result),
    )


def _few_words(result: Result) -> str | None:
    share = result.word_coverage
    return None if share is None or share >= ENOUGH_WORDS else write_percent(share)


#: A score without an interval has to lie so many times as far from the null's mean as the null
#: reaches. Pairs that share words make a null that shuffles pairs look sharper than it is, and more
#: pairs do not help (``studies/coverage_chance.py``). The legend of the verdict names the number.
_TIMES_AS_FAR = 2.0


def is_chance(result: Result) -> bool:
    """Tell whether a score is not told apart from chance.

    It is, where it lies beyond what the null reaches and its interval beyond the null's mean. A
    score without an interval has to lie twice as far beyond; a mean that has none, for it is of one
    cluster or two items, never does.
    """
    null, ends = result.baseline, result.interval
    sign, reach = (-1, null.low) if is_lower_better(result) else (1, null.high)
    beyond = sign * (result.score - null.mean)
    if ends is None:
        # A fit to words (QVEC) has no interval for other reasons, and a null of its own.
        lone = result.statistic == "mean" and "dimensions" not in result.others
        return lone or beyond <= _TIMES_AS_FAR * sign * (reach - null.mean)
    if sign < 0:
        return result.score >= reach or ends.high >= null.mean
    return result.score <= reach or ends.low <= null.mean


def stands_out(result: Result, rivals: Sequence[Result]) -> bool:
    """Tell whether a result is better than all its rivals, and its interval clear of theirs."""
    own, others = result.interval, [each.interval for each in rivals if each is not result]
    known = [each for each in others if each is not None]
    if own is None or not known or len(known) < len(others):
        return False
    if is_lower_better(result):
        return all(own.high < each.low for each in known)
    return all(own.low > each.high for each in known)


def _bar(result: Result, low: float, high: float) -> Bar:
    def x(value: float) -> float:
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 1)

    return Bar(
        score=x(result.score),
        low=x(min(result.ends or (result.score,))),
        high=x(max(result.ends or (result.score,))),
        null_low=x(result.baseline.low),
        null_high=x(result.baseline.high),
        null_mean=x(result.baseline.mean),
        zero=x(0.0) if low < 0.0 else None,
    )


def _head(trial: Trial) -> Head:
    low, high = axis(trial.results)
    sizes = sorted({result.n_items for result in trial.results})
    return Head(
        label=trial.label,
        resource=trial.resource,
        title=trial.title,
        metric=metric_of(trial.results[0]).title,
        items=f"{' or '.join(f'{size:,}' for size in sizes)} items",
        mark=trial.mark,
        low=f"{low:g}",
        high=f"{high:g}",
    )


def _failed_head(failure: Failure) -> Head:
    title = f"{failure.evaluation.partition('(')[0]}: {resource_title(failure.resource)}"
    return Head(label=failure.evaluation, resource=resource_name(failure.resource), title=title)


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

    ``suite_text`` is the suite in TOML that gives these results again, if there is one.
    """
    page = render_report(results, failures, title=title, suite_text=suite_text, items=items)
    write_output(path, page)


def render_report(
    results: Sequence[Result],
    failures: Sequence[Failure],
    *,
    title: str,
    suite_text: str | None,
    items: ItemsLoader,
) -> str:
    """Return the report as text; see :func:`write_report`."""
    return _render(
        "report.html.jinja",
        title=title,
        results=results,
        failures=failures,
        table=verdict_table(results, failures),
        direction=say_direction(results),
        bar_width=WIDTH,
        sections=_sections(results, _lenient(items)),
        models=models_table(results),
        sources=sources(results),
        questions=questions_table(results),
        provenance=results_provenance(results),
        versions=versions(results),
        suite_text=suite_text,
    )


def _render(template: str, **values: Any) -> str:  # noqa: ANN401 - what the template names
    colours = {
        "light": Markup(palette.declarations(dark=False)),
        "dark": Markup(palette.declarations(dark=True)),
    }
    return environment().get_template(template).render(**values, **colours)


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
    return environment


def _finalize(value: object) -> object:
    """Make all text that goes into the page visible; templates and pictures are left alone."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _lines(text: str) -> Markup:
    """Escape a text of several lines."""
    return escape(visible(text, keep="\n\t"))


def write_meta_page(found: MetaEvaluation, path: Path, *, title: str) -> None:
    """Write the report; a reader sees the old file or the whole new one."""
    write_output(path, render_meta_page(found, title=title))


def render_meta_page(found: MetaEvaluation, *, title: str) -> str:
    """Return the report as text."""
    (shown,) = show_sections([meta_section(found)])
    return _render(
        "meta.html.jinja",
        title=title,
        models=len(found.scores.models),
        intrinsic=len(found.scores.intrinsic),
        downstream=len(found.scores.downstream),
        tests=found.tests,
        shown=shown,
    )
