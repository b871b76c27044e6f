"""Subsumption in the report: scores, the funnel, where they come from, the worst violations."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.figures import (
    WIDTH,
    canvas,
    drawing,
    label,
    set_margins,
    text_width,
    to_svg,
)
from lydite.drawing.metrics import extent, metric_named, write_share
from lydite.drawing.panels import draw_scores as draw_rows
from lydite.drawing.section import (
    READING,
    Figure,
    ItemsLoader,
    Section,
    further_scores,
    missing_notes,
)
from lydite.drawing.table import Cell, Column, Scalar, Table, covered_cell
from lydite.results.record import Result
from lydite.results.trials import (
    Trial,
    model_namer,
    resource_name,
    resource_title,
    trials,
)
from lydite.types import PlainMapping

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas


#: The scores of the two approaches, condition by condition.
SIMPLE = ("ss", "rss", "both")
AGGREGATE = ("as", "ras", "aggregate-both")

#: The room above and below the panels, between them, and for a score at their right, in inches.
_TOP, _BOTTOM, _GAP, _SCORE = 0.28, 0.54, 0.36, 0.5


def scores_of(result: Result) -> dict[str, Result]:
    """Return a result for each score: all six, the three simple ones, or the main one alone."""
    parts = result.details.get("scores", {})
    for metrics in ((*SIMPLE, *AGGREGATE), SIMPLE):
        if all(metric in parts for metric in metrics):
            return {metric: _as_result(result, metric) for metric in metrics}
    return {result.metric: result}


def _as_result(result: Result, metric: str) -> Result:
    part = result.details["scores"][metric]
    low, high = part["baseline_low"], part["baseline_high"]
    return replace(
        result,
        metric=metric,
        score=part["score"],
        interval=replace(result.interval, low=part["low"], high=part["high"]),
        baseline=replace(result.baseline, mean=part["baseline"], low=low, high=high),
    )


def scores_figure(trial: Trial) -> Figure:
    """Draw all scores with intervals and baselines, a panel a score, a row a model."""
    # Models without an aggregate come last, so that a row is one model in all panels.
    ranked = sorted(trial.ranked(), key=lambda result: -len(scores_of(result)))
    present = {metric for result in ranked for metric in scores_of(result)}
    columns = [[m for m in group if m in present] for group in (SIMPLE, AGGREGATE)]
    columns = [column for column in columns if column] or [[trial.metric]]
    said = [f"{trial.title}."]
    if len(columns) > 1:
        said.append("Left: words as they are; right: centroids of sister lemmas.")
    kinds = " and ".join(sorted({result.baseline.kind for result in ranked}))
    said.append(f"Grey: null baseline ({kinds}).")
    return Figure(svg=_panels(ranked, columns), caption=" ".join(said))


def _panels(ranked: Sequence[Result], columns: Sequence[Sequence[str]]) -> Markup:
    scores = [scores_of(result) for result in ranked]
    low, high = extent([result for each in scores for result in each.values()])
    room = 0.04 * (high - low) or 0.5
    name = model_namer(ranked)
    down, height = max(map(len, columns)), 0.25 * len(ranked) + 0.06
    with drawing():
        shown = [label(name(result), 24) for result in ranked]
        left = text_width(shown, 8.5) + 0.12
        width = (WIDTH - left) / len(columns) - _SCORE
        figure = canvas(WIDTH, _TOP + height * down + _GAP * (down - 1) + _BOTTOM)
        set_margins(figure, left=left, right=_SCORE, top=_TOP, bottom=_BOTTOM)
        figure.subplots_adjust(hspace=_GAP / height, wspace=_SCORE / width)
        grid = figure.subplots(down, len(columns), squeeze=False, sharex=True, sharey=True)
        for place, column in enumerate(columns):
            for axes, metric in zip(grid[:, place], column, strict=False):
                draw_rows(axes, [each[metric] for each in scores if metric in each])
                axes.set_title(metric_named(metric).title, loc="left", fontsize=8.5)
            grid[-1, place].set_xlabel("share of triples kept")
        grid[0, 0].set_xlim(low - room, high + room)
        grid[0, 0].set_ylim(len(ranked) - 0.5, -0.5)
        grid[0, 0].set_yticks(range(len(shown)), shown)
        return to_svg(figure)


_MODELS = 12
#: The step that draws a sample.
_SAMPLED = "drawn at random"
_COLOURS = {"concepts": palette.NULL, "pairs": palette.FAINT, "triples": palette.ACCENT}


@dataclass(frozen=True, kw_only=True)
class Made:
    """An inventory as results tell of it.

    Attributes
    ----------
    trial
        What was asked of it first.
    title
        What it is called.
    steps
        Name, count and unit of what was left after each step, before any model was asked.
    results
        One a model, by its name.
    provenance
        What it was made from and how; empty if the results do not say.
    """

    trial: Trial
    title: str
    steps: Sequence[tuple[str, int, str]]
    results: Mapping[str, Result]
    provenance: PlainMapping

    @property
    def rows(self) -> list[tuple[str, int, str]]:
        """The steps, then what models cover: one row if that is the same for all."""
        covered = {name: result.n_covered for name, result in self.results.items()}
        if len(covered) > 1 and len(set(covered.values())) == 1:
            covered = {"each model": min(covered.values())}
        return [*self.steps, *((f"covered by {name}", n, "triples") for name, n in covered.items())]


def inventories(asked: Sequence[Trial]) -> list[Made]:
    """Return each inventory once, whatever was asked of it, in order of first appearance."""
    name = model_namer([result for trial in asked for result in trial.results])
    found: dict[str, tuple[Trial, dict[str, Result]]] = {}
    for trial in asked:
        for result in trial.ranked():
            if result.details.get("funnel"):
                _, users = found.setdefault(_identity(result), (trial, {}))
                users.setdefault(name(result), result)
    short = Counter(_short_title(users) for _, users in found.values())
    return [
        # What was asked first names an inventory only where its resource does not.
        _made(trial, users, trial.title if short[_short_title(users)] > 1 else _short_title(users))
        for trial, users in found.values()
    ]


def _short_title(users: Mapping[str, Result]) -> str:
    return resource_title(next(iter(users.values())).resource)


def _made(trial: Trial, users: Mapping[str, Result], title: str) -> Made:
    details = next(iter(users.values())).details
    about = details.get("inventory", {})
    level = about.get("choices", {}).get("level")
    return Made(
        trial=trial,
        title=f"{title}, senses" if level == "sense" else title,
        # The last step is the model's own.
        steps=[(step["name"], step["count"], step["unit"]) for step in details["funnel"][:-1]],
        results=users,
        provenance=about,
    )


def _identity(result: Result) -> str:
    details = result.details
    made = [details["funnel"][:-1], details.get("inventory"), result.provenance.resource_sha256]
    return json.dumps(made, sort_keys=True)


def funnel_figure(made: Made) -> Figure:
    """Draw how many were left after each step; a scale of its own for each unit."""
    rows = made.rows[: len(made.steps) + _MODELS]
    scales = _scales(rows)
    most = [
        max(row[1] for row, s in zip(rows, scales, strict=True) if s == scale) for scale in scales
    ]
    places = [place + 0.4 * scale for place, scale in enumerate(scales)]
    with drawing():
        shown = [label(text, 36) for text, _, _ in rows]
        counts = [f"{count:,} {label(unit, 12)}" for _, count, unit in rows]
        figure = canvas(WIDTH, 0.27 * (places[-1] + 1) + 0.1)
        left, right = text_width(shown, 8.5) + 0.12, text_width(counts, 8.5) + 0.1
        set_margins(figure, left=left, right=right, top=0.05, bottom=0.05)
        axes = figure.add_subplot()
        for y, text, whole, (_, count, unit) in zip(places, counts, most, rows, strict=True):
            share = count / max(whole, 1)
            colour = _COLOURS.get(unit, palette.NULL).light
            axes.barh(y, 1.0, color=palette.RULE.light, height=0.08, lw=0)
            axes.barh(y, share, color=colour, height=0.66, lw=0)
            axes.annotate(text, (1, y), xytext=(6, 0), textcoords="offset points", va="center")
        axes.set_yticks(places, shown)
        axes.set_xticks([])
        axes.set_xlim(0.0, 1.0)
        axes.set_ylim(places[-1] + 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        svg = to_svg(figure)
    said = [f"{made.title}: what was left after each step. Bars that stand together share a scale."]
    if len(rows) < len(made.rows):
        said.append(f"Shown: {_MODELS} of {len(made.results)} models.")
    return Figure(svg=svg, caption=" ".join(said))


def _scales(rows: Sequence[tuple[str, int, str]]) -> list[int]:
    """Give each step its scale: another for another unit, and for a sample beside the whole."""
    scales = [0]
    for (_, _, before), (name, _, after) in itertools.pairwise(rows):
        scales.append(scales[-1] + (before != after or name == _SAMPLED))
    return scales


def choices_note(made: Made) -> str:
    """Say what an inventory was made from and which choices made it; empty if that is unknown."""
    about, choices = made.provenance, made.provenance.get("choices", {})
    if not about.get("taxonomy"):
        return ""
    taxonomy = resource_name(about["taxonomy"])
    pairs = f" between the pairs of {resource_name(about['pairs'])}" if about.get("pairs") else ""
    parts = [f"{made.title}: triples from {taxonomy}{pairs}"]
    parts += [text for text in _told(about, choices) if text]
    return f"{'; '.join(parts)}."


def _told(about: PlainMapping, choices: PlainMapping) -> list[str]:
    def kind(name: str, words: Mapping[Any, str]) -> str:
        return words.get(choices.get(name), "")

    def given(value: object, words: str) -> str:
        return words if value else ""

    relation, part = choices.get("relation"), choices.get("part_of_speech")
    excluded = ", ".join(choices.get("exclude", ()))
    count, content = choices.get("min_count") or 0, choices.get("min_ic") or 0
    counts, contents = (resource_name(about.get(name, "a file")) for name in ("frequencies", "ic"))
    return [
        given(relation, f"relation {relation}"),
        given(part, f"part of speech {part}, where the taxonomy has it"),
        kind("senses", {"all": "all senses of A and C", "first": "first senses of A and C only"}),
        kind("lemmas", {"all": "all lemmas between them", "first": "first lemmas between only"}),
        kind("paths", {"all": "all paths", "shortest": "shortest paths only"}),
        kind("inferred", _INFERRED),
        given(excluded, f"without {excluded}"),
        given(count, f"each word at least {count:,g} times by {counts}"),
        given(content, f"information content above {content:g} by {contents}"),
    ]


_INFERRED = {
    "sense": "A-C not asserted between the two senses",
    "word": "A-C not asserted between any senses of the two words",
    "any": "A-C asserted or not",
}


_PANELS = 6
_GROUPS = 24

#: What triples are grouped by, in the order shown; classes alone have no order of their own.
_KINDS = {"depth": "depth of A", "generality": "concepts below C", "class": "class"}

#: Groups with fewer triples than this are drawn hollow.
_ENOUGH = 20

#: The room above and below the panels, between them, and for a number at their right, in inches.
_BREAKDOWN_TOP, _BREAKDOWN_BOTTOM, _BREAKDOWN_GAP, _NUMBER = 0.28, 0.5, 0.36, 0.5
_ROW = 0.2

#: The colour, marker and size of the two conditions.
_MARKS = ((palette.ACCENT, "o", 5.0), (palette.GOLD, "D", 4.2))


def has_breakdown(result: Result) -> bool:
    """Tell whether a result says where its score comes from."""
    return any(_rows(result, kind) for kind in _KINDS)


def breakdown_figure(trial: Trial, results: Sequence[Result], metrics: Sequence[str]) -> Figure:
    """Draw the shares of two conditions by group, a panel a model, best first.

    Parameters
    ----------
    trial
        What was asked.
    results
        Those of its results that have a breakdown.
    metrics
        The two conditions; classes are sorted by the first.
    """
    shown = results[:_PANELS]
    groups = {kind: _groups(shown, kind, metrics[0]) for kind in _KINDS}
    said = [
        f"{trial.title}. Shares of triples that keep each condition, by group; the number of "
        f"triples at the right, hollow where there are under {_ENOUGH}. Dashed: chance."
    ]
    if groups["class"]:
        said.append(f"Classes are sorted by {model_namer(results)(shown[0])}.")
    if any(len(names) > _GROUPS for names in groups.values()):
        said.append(f"Shown: the first {_GROUPS} groups of a kind.")
    if len(results) > len(shown):
        said.append(f"Shown: {len(shown)} of {len(results)} models, the best.")
    cut = {kind: names[:_GROUPS] for kind, names in groups.items() if names}
    return Figure(svg=_breakdown_panels(shown, cut, metrics), caption=" ".join(said))


def _rows(result: Result, kind: str) -> dict[str, PlainMapping]:
    rows = result.details.get("breakdown", {}).get(kind, [])
    return {row["group"]: row for row in rows}


def _groups(results: Sequence[Result], kind: str, metric: str) -> list[str]:
    names = list(dict.fromkeys(name for result in results for name in _rows(result, kind)))
    if kind != "class":
        return sorted(names, key=_first_number)
    best = _rows(results[0], kind)
    return sorted(names, key=lambda name: -best.get(name, {}).get(metric, -1.0))


def _first_number(name: str) -> int:
    """Order depths and ranges such as ``1,001 to 10,000``."""
    found = re.search(r"\d+", name.replace(",", ""))
    return int(found[0]) if found else 0


def _breakdown_panels(
    results: Sequence[Result], groups: Mapping[str, Sequence[str]], metrics: Sequence[str]
) -> Markup:
    name = model_namer(results)
    heights = [_ROW * len(names) for names in groups.values()]
    with drawing():
        labels = {kind: [label(each, 24) for each in names] for kind, names in groups.items()}
        written = [*_KINDS.values(), *(each for names in labels.values() for each in names)]
        left = text_width(written, 8) + 0.2
        width = max(WIDTH, left + 1.7 * len(results))
        across = (width - left) / len(results) - _NUMBER
        figure = canvas(
            width,
            _BREAKDOWN_TOP + sum(heights) + _BREAKDOWN_GAP * (len(heights) - 1) + _BREAKDOWN_BOTTOM,
        )
        set_margins(figure, left=left, right=_NUMBER, top=_BREAKDOWN_TOP, bottom=_BREAKDOWN_BOTTOM)
        mean = sum(heights) / len(heights)
        figure.subplots_adjust(hspace=_BREAKDOWN_GAP / mean, wspace=_NUMBER / across)
        grid = figure.subplots(
            len(groups),
            len(results),
            squeeze=False,
            sharex=True,
            sharey="row",
            height_ratios=heights,
        )
        for line, (kind, names) in zip(grid, groups.items(), strict=True):
            for axes, result in zip(line, results, strict=True):
                rows = _rows(result, kind)
                _draw(axes, [rows.get(each, {}) for each in names], metrics, joined=kind != "class")
            line[0].set_yticks(range(len(labels[kind])), labels[kind])
            line[0].set_ylim(len(labels[kind]) - 0.5, -0.5)
            _head(line[0], _KINDS[kind])
        for axes, result in zip(grid[0], results, strict=True):
            axes.set_title(label(name(result), int(13 * (across + 0.4))), loc="left", fontsize=8.5)
        for axes in grid[-1]:
            axes.set_xlabel("share kept", fontsize=8)
        _legend(figure, metrics)
        return to_svg(figure)


def _draw(
    axes: Axes, rows: Sequence[PlainMapping], metrics: Sequence[str], *, joined: bool
) -> None:
    """Draw a dot a group and condition, joined where the groups have an order."""
    axes.axvline(0.5, color=palette.NULL_MEAN.light, lw=0.9, ls=(0, (3, 2.5)))
    for metric, (colour, marker, size) in zip(metrics, _MARKS, strict=True):
        places = [(row[metric], y, row["n"]) for y, row in enumerate(rows) if metric in row]
        if joined:
            steady = [(x, y) for x, y, n in places if n >= _ENOUGH]
            axes.plot([x for x, _ in steady], [y for _, y in steady], "-", c=colour.light)
        for x, y, n in places:
            fill = colour if n >= _ENOUGH else palette.PAGE
            axes.plot(
                [x], [y], marker, ms=size, mfc=fill.light, mec=colour.light, mew=1.0, clip_on=False
            )
    for y, row in enumerate(rows):
        axes.annotate(
            f"{row.get('n', 0):,}",
            (1.0, y),
            xycoords=("axes fraction", "data"),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=7.5,
            color=palette.MUTED.light,
        )
    axes.set_xlim(-0.03, 1.03)
    axes.set_xticks([0.0, 0.5, 1.0], ["0", "0.5", "1"])
    axes.tick_params(axis="y", length=0, labelsize=8, pad=9)
    axes.tick_params(axis="x", labelsize=7.5, length=2)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y", color=palette.RULE.light, lw=0.6)
    axes.set_axisbelow(True)


def _head(axes: Axes, text: str) -> None:
    """Write what the groups are above their names."""
    axes.annotate(
        text,
        (0.0, 1.0),
        xycoords="axes fraction",
        xytext=(-9, 6),
        textcoords="offset points",
        ha="right",
        fontsize=8,
        color=palette.MUTED.light,
    )


def _legend(figure: Canvas, metrics: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], ls="", marker=marker, ms=size, c=colour.light)
        for colour, marker, size in _MARKS
    ]
    figure.legend(
        marks,
        [metric.upper() for metric in metrics],
        loc="lower left",
        ncols=len(marks),
        frameon=False,
        fontsize=8,
        handletextpad=0.1,
        columnspacing=1.0,
    )


_WHOLE = re.compile(r"(?<=\d)\.0\b")

#: The scores in the paper's order, each approach followed by both conditions together.
COLUMNS = {
    "ss": "SS",
    "rss": "RSS",
    "both": "both",
    "as": "AS",
    "ras": "RAS",
    "aggregate-both": "both (aggregate)",
}


def scores_table(results: Sequence[Result]) -> Table:
    """Return one row a model and inventory: all scores with their intervals."""
    name = model_namer(results)
    rows: list[list[Cell | Scalar]] = [
        [
            name(result),
            Cell(text=_inventory(result), values=(result.resource, _label(result))),
            *(_score(result, metric) for metric in COLUMNS),
            covered_cell(result),
        ]
        for result in results
    ]
    columns = [
        Column(title="model"),
        Column(title="inventory", fields=("resource", "evaluation")),
        *(Column(title=title, fields=_fields(metric)) for metric, title in COLUMNS.items()),
        Column(title="covered", fields=("n_covered", "n_items")),
    ]
    baselines = [_baseline(result) for result in results]
    return Table(
        columns=columns,
        rows=rows,
        caption="Subsumption preserved: share of triples",
        notes=[
            "SS: A is at least as close to B as to C. RSS: C is at least as close to B as to A. "
            "AS, RAS: the same of centroids of sister lemmas.",
            *dict.fromkeys(baselines),
            *dict.fromkeys(note for result in results for note in taxonomy_notes(result)),
        ],
    )


def _label(result: Result) -> str:
    return result.evaluation


def _inventory(result: Result) -> str:
    inside = _label(result).removeprefix("subsumption").strip("()")
    inside = _WHOLE.sub("", inside)
    return resource_name(result.resource) + (f", {inside}" if inside else "")


def _fields(metric: str) -> tuple[str, ...]:
    return metric, f"{metric}_low", f"{metric}_high"


def _score(result: Result, metric: str) -> Cell:
    part = _scores(result).get(metric)
    if part is None:
        return Cell(text="", values=(None, None, None))
    write = metric_named(metric).write
    return Cell(
        text=f"{write(part['score'])} [{write(part['low'])}, {write(part['high'])}]",
        values=(part["score"], part["low"], part["high"]),
        tone="strong" if metric == result.metric else "plain",
    )


def _scores(result: Result) -> PlainMapping:
    scores = result.details.get("scores", {})
    return scores if isinstance(scores, dict) else {}


def _baseline(result: Result) -> str:
    parts = [
        f"{title} {metric_named(metric).write(_scores(result)[metric]['baseline'])}"
        for metric, title in COLUMNS.items()
        if metric in _scores(result)
    ]
    return f"With {result.baseline.kind}, {result.model} would score {', '.join(parts)}."


def taxonomy_notes(result: Result) -> list[str]:
    """Say what was found in a taxonomy while it was read: cycles, several parents, and the like."""
    inventory = result.details.get("inventory", {})
    problems = inventory.get("taxonomy_problems") or {}
    if not problems:
        return []
    told = ", ".join(f"{kind} ({count:,})" for kind, count in problems.items())
    return [f"In {inventory.get('taxonomy')}: {told}."]


def funnel_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each inventory, how many pairs and triples were left after each step."""
    return [_funnel(trial.results) for trial in trials(results) if _steps(trial.results[0])]


def _funnel(results: Sequence[Result]) -> Table:
    name = model_namer(results)
    rows: list[list[Cell | Scalar]] = []
    first = _steps(results[0])
    shared = all(_steps(result)[:-1] == first[:-1] for result in results)
    for result in results:
        steps = _steps(result)
        if shared and result is not results[0]:
            steps = steps[-1:]
        for step in steps:
            last = step is steps[-1]
            what = f"covered by {name(result)}" if last else str(step["name"])
            count = int(step["count"])
            rows.append([what, Cell(text=f"{count:,}", values=(count,)), str(step["unit"])])
    return Table(
        columns=["step", "left", "of"],
        rows=rows,
        caption=f"The funnel of {_inventory(results[0])}",
    )


def _steps(result: Result) -> list[PlainMapping]:
    return list(result.details.get("funnel", []))


def violations_table(result: Result) -> Table:
    """Tell in words where a model goes wrong most."""
    rows: list[list[Cell | Scalar]] = [
        [
            str(row["sentence"]),
            ", ".join(map(str, row["triple"])),
            Cell(text=f"{row['margin']:.2f}", values=(row["margin"],)),
        ]
        for row in result.details.get("violations", [])
    ]
    return Table(
        columns=["in words", "triple", "too close by"],
        rows=rows,
        caption=f"{_inventory(result)}: the worst violations of {result.model}",
    )


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
        tables=[*tables, *_score_figures(asked), *funnels],
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


def _score_figures(asked: Sequence[Trial]) -> list[Table]:
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
