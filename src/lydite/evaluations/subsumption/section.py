"""Subsumption in the report: scores, the funnel, where they come from, the worst violations."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.figures import label
from lydite.drawing.metrics import extent, write_share
from lydite.drawing.panels import (
    Margins,
    Mark,
    draw_chance,
    draw_scores,
    name_rows,
    panels,
    room_for,
    ticks,
    write_beside,
)
from lydite.drawing.section import (
    READING,
    Figure,
    ItemsLoader,
    Section,
    cut_note,
    further_scores,
    missing_notes,
    sentences,
)
from lydite.drawing.table import (
    Cell,
    Table,
    Tone,
    count_cell,
    interval_cell,
    models_table,
    question_cell,
    score_column,
)
from lydite.evaluations.catalogue import Shown
from lydite.evaluations.subsumption.evaluation import (
    METRICS,
    WORST,
    Compared,
    Group,
    Source,
    SubsumptionDetails,
    Violation,
    conditions_of,
    told_problems,
    violations,
)
from lydite.evaluations.subsumption.inventory import Step
from lydite.results.metrics import metric_of
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, resource_name, resource_title, trials

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The scores of the two approaches, condition by condition, and what tables call them.
SIMPLE = {"ss": "SS", "rss": "RSS", "both": "both"}
AGGREGATE = {"as": "AS", "ras": "RAS", "aggregate-both": "both (aggregate)"}

#: Models in a funnel, models and groups of a kind in a breakdown, violations, words named.
_MODELS, _PANELS, _GROUPS, _VIOLATIONS, _MISSING = 12, 6, 24, 10, 5
#: Groups with fewer triples than this are drawn hollow.
_ENOUGH = 20
#: The step that draws a sample.
_SAMPLED = "drawn at random"
_COLOURS = {"concepts": palette.NULL, "pairs": palette.FAINT, "triples": palette.ACCENT}
#: What triples are grouped by, in the order shown; classes alone have no order of their own.
_KINDS = {"depth": "depth of A", "generality": "concepts below C", "class": "class"}
_MARKS = (
    Mark(name="", colour=palette.ACCENT, marker="o", size=5.0, edge=1.0),
    Mark(name="", colour=palette.GOLD, marker="D", size=4.2, edge=1.0),
)


def scores_of(result: Result) -> dict[str, Result]:
    """Return a result for each score: all six, the three simple ones, or the main one alone."""
    parts = SubsumptionDetails.of(result).scores
    for metrics in ({**SIMPLE, **AGGREGATE}, SIMPLE):
        if all(metric in parts for metric in metrics):
            return {metric: _as_result(result, metric) for metric in metrics}
    return {result.metric: result}


def _as_result(result: Result, metric: str) -> Result:
    part = SubsumptionDetails.of(result).scores[metric]
    interval = result.interval
    if interval is not None and part.low is not None and part.high is not None:
        interval = replace(interval, low=part.low, high=part.high)
    low, high = part.baseline_low, part.baseline_high
    return replace(
        result,
        metric=metric,
        score=part.score,
        interval=interval,
        baseline=replace(result.baseline, mean=part.baseline, low=low, high=high),
    )


def scores_figure(trial: Trial) -> Figure:
    """Draw all scores with intervals and baselines, a panel per score, a row per model."""
    # Models without an aggregate come last, so that a row is one model in all panels.
    scores = sorted(map(scores_of, trial.ranked()), key=len, reverse=True)
    present = {metric for each in scores for metric in each}
    columns = [[metric for metric in group if metric in present] for group in (SIMPLE, AGGREGATE)]
    columns = [column for column in columns if column] or [[trial.metric]]
    kinds = " and ".join(sorted({result.baseline.kind for result in trial.results}))
    both = "Left: words as they are; right: centroids of sister lemmas."
    return Figure(
        svg=_score_panels(scores, columns, model_namer(trial.results)),
        caption=sentences(
            f"{trial.title}.", both if len(columns) > 1 else "", f"Grey: null baseline ({kinds})."
        ),
    )


def _score_panels(
    scores: Sequence[Mapping[str, Result]],
    columns: Sequence[Sequence[str]],
    name: Callable[[Result], str],
) -> Markup:
    low, high = extent([result for each in scores for result in each.values()])
    room = 0.04 * (high - low) or 0.5
    names = [label(name(next(iter(each.values()))), 24) for each in scores]
    heights = [0.25 * len(scores) + 0.06] * max(map(len, columns))
    margins = Margins(left=room_for(names), right=0.5, bottom=0.54)
    with panels(
        heights, len(columns), margins=margins, gaps=(0.5, 0.36), share="both", grid="x"
    ) as drawn:
        for place, column in enumerate(columns):
            for row, metric in zip(drawn.grid, column, strict=False):
                shown = [each[metric] for each in scores if metric in each]
                draw_scores(row[place], shown)
                row[place].set_title(metric_of(shown[0]).title)
            drawn.grid[-1][place].set_xlabel("share of triples kept")
        drawn.axes.set_xlim(low - room, high + room)
        for row in drawn.grid:
            name_rows(row[0], names)
        return drawn.to_svg()


@dataclass(frozen=True, kw_only=True)
class Made:
    """An inventory as results tell of it."""

    trial: Trial  # what was asked of it first
    title: str
    steps: Sequence[Step]  # what was left after each step, before any model was asked
    results: Mapping[str, Result]
    source: Source  # what it was made from and how; empty if the results do not say

    @property
    def covered(self) -> list[Step]:
        """What each model covers."""
        return [
            Step(name=f"covered by {name}", count=result.n_covered, unit="triples")
            for name, result in self.results.items()
        ]

    @property
    def rows(self) -> list[Step]:
        """The steps, then what models cover: one row if that is the same for all."""
        covered = self.covered
        if len(covered) > 1 and len({step.count for step in covered}) == 1:
            covered = [replace(covered[0], name="covered by each model")]
        return [*self.steps, *covered]


def inventories(asked: Sequence[Trial]) -> list[Made]:
    """Return each inventory once, whatever was asked of it, in order of first appearance."""
    name = model_namer([result for trial in asked for result in trial.results])
    found: dict[str, Made] = {}
    users: dict[str, dict[str, Result]] = {}
    for trial in asked:
        for result in trial.ranked():
            details = SubsumptionDetails.of(result)
            if not details.funnel:
                continue
            # The last step is the model's own.
            steps = details.funnel[:-1]
            told = [each.plain() for each in steps], dict(details.inventory)
            identity = json.dumps([*told, result.provenance.resource_sha256], sort_keys=True)
            same = users.setdefault(identity, {})
            same.setdefault(name(result), result)
            title = resource_title(result.resource)
            found.setdefault(
                identity,
                Made(trial=trial, title=title, steps=steps, results=same, source=details.source),
            )
    short = Counter(made.title for made in found.values())
    return [_titled(made, alone=short[made.title] == 1) for made in found.values()]


def _titled(made: Made, *, alone: bool) -> Made:
    """Let what was asked first name an inventory where its resource alone does not."""
    title = made.title if alone else made.trial.title
    return replace(made, title=f"{title}{', senses' * (made.source.choices.level == 'sense')}")


def funnel_figure(made: Made) -> Figure:
    """Draw how many were left after each step; a scale of its own for each unit."""
    rows = made.rows[: len(made.steps) + _MODELS]
    scales = _scales(rows)
    most = {
        scale: max(row.count for row, each in zip(rows, scales, strict=True) if each == scale)
        for scale in scales
    }
    places = [place + 0.4 * scale for place, scale in enumerate(scales)]
    names = [label(row.name, 36) for row in rows]
    counts = [f"{row.count:,} {label(row.unit, 12)}" for row in rows]
    margins = Margins(left=room_for(names), right=room_for(counts, more=0.1), top=0.05, bottom=0.05)
    with panels([0.27 * (places[-1] + 1)], margins=margins, grid=None) as drawn:
        axes = drawn.axes
        for y, text, scale, row in zip(places, counts, scales, rows, strict=True):
            colour = _COLOURS.get(row.unit, palette.NULL).light
            axes.barh(y, 1.0, color=palette.RULE.light, height=0.08, lw=0)
            axes.barh(y, row.count / max(most[scale], 1), color=colour, height=0.66, lw=0)
            write_beside(axes, y, text, size=9.0, colour=palette.INK)
        name_rows(axes, names, places=places)
        axes.set_xticks([])
        axes.set_xlim(0.0, 1.0)
        axes.spines["bottom"].set_visible(False)
        svg = drawn.to_svg()
    return Figure(
        svg=svg,
        caption=sentences(
            f"{made.title}: what was left after each step. Adjacent bars share a scale.",
            cut_note(_MODELS, len(made.results), which="") if len(rows) < len(made.rows) else "",
        ),
    )


def _scales(rows: Sequence[Step]) -> list[int]:
    """Give each step its scale: another for another unit, and for a sample beside the whole."""
    scales = [0]
    for before, after in itertools.pairwise(rows):
        scales.append(scales[-1] + (before.unit != after.unit or after.name == _SAMPLED))
    return scales


def choices_note(made: Made) -> str:
    """Say what an inventory was made from and which choices made it; empty if that is unknown."""
    source, chosen = made.source, made.source.choices
    if not source.taxonomy:
        return ""
    pairs = f" between the pairs of {resource_name(source.pairs)}" if source.pairs else ""
    told = {
        f"triples from {resource_name(source.taxonomy)}{pairs}": True,
        f"relation {chosen.relation}": chosen.relation,
        f"part of speech {chosen.part_of_speech}, where the taxonomy has it": chosen.part_of_speech,
        f"{chosen.senses} senses of A and C": chosen.senses,
        f"{chosen.lemmas} lemmas between them": chosen.lemmas,
        f"{chosen.paths} paths": chosen.paths,
        _INFERRED.get(chosen.inferred, ""): chosen.inferred in _INFERRED,
        f"without {', '.join(chosen.exclude)}": chosen.exclude,
        f"each word at least {chosen.min_count:,g} times by "
        f"{resource_name(source.frequencies)}": chosen.min_count,
        f"information content above {chosen.min_ic:g} by {resource_name(source.ic)}": chosen.min_ic,
    }
    return f"{made.title}: {'; '.join(text for text, given in told.items() if given)}."


_INFERRED = {
    "sense": "A-C not asserted between the two senses",
    "word": "A-C not asserted between any senses of the two words",
    "any": "A-C asserted or not",
}


def has_breakdown(result: Result) -> bool:
    """Tell whether a result says where its score comes from."""
    return any(_groups_of(result, kind) for kind in _KINDS)


def _groups_of(result: Result, kind: str) -> dict[str, Group]:
    return {row.group: row for row in SubsumptionDetails.of(result).breakdown.get(kind, ())}


def breakdown_figure(trial: Trial, results: Sequence[Result], metrics: Sequence[str]) -> Figure:
    """Draw the shares of two conditions by group, a panel per model, best first.

    Classes are sorted by the first condition.
    """
    shown = results[:_PANELS]
    groups = {kind: names for kind in _KINDS if (names := _in_order(shown, kind, metrics[0]))}
    best = model_namer(results)(shown[0])
    return Figure(
        svg=_breakdown_panels(shown, groups, metrics),
        caption=sentences(
            f"{trial.title}. Shares of triples that keep each condition, by group; the number of "
            f"triples at the right, hollow where there are under {_ENOUGH}. Dashed: chance.",
            f"Classes are sorted by {best}." if "class" in groups else "",
            *(
                cut_note(_GROUPS, len(names), f"groups by {_KINDS[kind]}", "the first")
                for kind, names in groups.items()
            ),
            cut_note(len(shown), len(results)),
        ),
    )


def _in_order(results: Sequence[Result], kind: str, metric: str) -> list[str]:
    names = list(dict.fromkeys(name for result in results for name in _groups_of(result, kind)))
    if kind != "class":
        return sorted(names, key=_first_number)
    best = _groups_of(results[0], kind)
    return sorted(names, key=lambda name: -best.get(name, Group()).shares.get(metric, -1.0))


def _first_number(name: str) -> int:
    """Order depths and ranges such as ``1,001 to 10,000``."""
    found = re.search(r"\d+", name.replace(",", ""))
    return int(found[0]) if found else 0


def _breakdown_panels(
    results: Sequence[Result], groups: Mapping[str, Sequence[str]], metrics: Sequence[str]
) -> Markup:
    name = model_namer(results)
    marks = [
        replace(mark, name=metric.upper()) for mark, metric in zip(_MARKS, metrics, strict=True)
    ]
    kept = {kind: names[:_GROUPS] for kind, names in groups.items()}
    labels = {kind: [label(each, 24) for each in names] for kind, names in kept.items()}
    written = [*_KINDS.values(), *itertools.chain(*labels.values())]
    with panels(
        [0.2 * len(names) for names in kept.values()],
        len(results),
        margins=Margins(left=room_for(written, 8, more=0.2), right=0.5),
        gaps=(0.5, 0.36),
        least=1.2,
        share="both",
        grid="y",
    ) as drawn:
        for line, (kind, names) in zip(drawn.grid, kept.items(), strict=True):
            for axes, result in zip(line, results, strict=True):
                found = _groups_of(result, kind)
                rows = [found.get(each, Group()) for each in names]
                _draw_groups(
                    axes, rows, dict(zip(metrics, marks, strict=True)), joined=kind != "class"
                )
            name_rows(line[0], labels[kind], size=8)
            line[0].tick_params(axis="y", pad=9)
            _head(line[0], _KINDS[kind])
        for axes, result in zip(drawn.grid[0], results, strict=True):
            axes.set_title(label(name(result), int(13 * (drawn.across + 0.4))))
        for axes in drawn.grid[-1]:
            axes.set_xlabel("share kept")
        drawn.legend(marks)
        return drawn.to_svg()


def _draw_groups(
    axes: Axes, rows: Sequence[Group], marks: Mapping[str, Mark], *, joined: bool
) -> None:
    """Draw a dot per group and condition, joined where the groups have an order."""
    draw_chance(axes, 0.5)
    for metric, mark in marks.items():
        known = [(row.shares.get(metric), y, row.n >= _ENOUGH) for y, row in enumerate(rows)]
        if joined:
            line = replace(mark, marker="", line="-", width=1.5)
            line.draw(axes, [(x, y) for x, y, enough in known if enough])
        mark.draw(axes, [(x, y) for x, y, enough in known if enough])
        replace(mark, hollow=True).draw(axes, [(x, y) for x, y, enough in known if not enough])
    for y, row in enumerate(rows):
        write_beside(axes, y, f"{row.n:,}", size=7.5)
    axes.set_xlim(-0.03, 1.03)
    axes.set_xticks(*ticks(0.0, 0.5, 1.0))


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


def scores_table(results: Sequence[Result]) -> Table:
    """Return one row per model and inventory: all scores with their intervals."""
    columns = [
        (score_column(title, metric), _filler(metric))
        for metric, title in {**SIMPLE, **AGGREGATE}.items()
    ]
    return models_table(
        results,
        columns,
        asked="inventory",
        seed=False,
        caption="Subsumption preserved: share of triples",
        notes=[
            "SS: A is at least as close to B as to C. RSS: C is at least as close to B as to A. "
            "AS, RAS: the same for centroids of sister lemmas.",
            *dict.fromkeys(map(_baseline_note, results)),
            *dict.fromkeys(note for result in results for note in sister_notes(result)),
            *dict.fromkeys(note for result in results for note in taxonomy_notes(result)),
        ],
    )


def _filler(metric: str) -> Callable[[Result], Cell]:
    def fill(result: Result) -> Cell:
        part = SubsumptionDetails.of(result).scores.get(metric)
        if part is None:
            return Cell(text="", values=(None, None, None))
        tone: Tone = "strong" if metric == result.metric else "plain"
        written = metric_of(result, metric)
        return interval_cell(part.score, part.low, part.high, written, tone=tone)

    return fill


def _baseline_note(result: Result) -> str:
    scores = SubsumptionDetails.of(result).scores
    parts = [
        f"{title} {metric_of(result, metric).write(scores[metric].baseline)}"
        for metric, title in {**SIMPLE, **AGGREGATE}.items()
        if metric in scores
    ]
    return f"With {result.baseline.kind}, {result.model} would score {', '.join(parts)}."


def taxonomy_notes(result: Result) -> list[str]:
    """Say what was found in a taxonomy while it was read: cycles, several parents, and the like."""
    source = SubsumptionDetails.of(result).source
    told = told_problems(source)
    return [f"In {source.taxonomy}: {told}."] if told else []


def sister_notes(result: Result) -> list[str]:
    """Say what sister lemmas in another case amount to, where there are aggregate scores."""
    details = SubsumptionDetails.of(result)
    counts, chosen = details.source.sisters, details.source.choices.sisters
    if "as" not in details.scores or not counts.lemmas_in_another_case:
        return []
    words = f"{counts.words_in_another_case:,} of {counts.words:,} words"
    lemmas = f"{counts.lemmas_in_another_case:,} sister lemmas beside {counts.lemmas:,}"
    taken = "are taken" if chosen == "fold" else "are left out; --sisters fold takes them"
    return [f"{words} have senses in another case (bush, Bush): their {lemmas} {taken}."]


def funnel_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each inventory, how many pairs and triples were left after each step."""
    return [
        Table(
            columns=["step", "left", "of"],
            rows=[
                [step.name, count_cell(step.count), step.unit]
                for step in (*made.steps, *made.covered)
            ],
            caption=f"The funnel of {question_cell(made.trial.results[0]).text}",
        )
        for made in inventories(trials(results))
    ]


def violations_tables(
    result: Result, model: str, asked: str, *, most: int | None = None
) -> list[Table]:
    """Tell in words where a model goes wrong most, a table for each condition of its score."""
    rows: dict[str, list[Violation]] = {}
    for row in SubsumptionDetails.of(result).violations:
        rows.setdefault(row.condition, []).append(row)
    return [
        _violations_table(told[:most], condition, model, asked) for condition, told in rows.items()
    ]


def _violations_table(rows: Sequence[Violation], condition: str, model: str, asked: str) -> Table:
    notes = []
    if condition in AGGREGATE:
        notes.append("A word stands for the centroid of its sister lemmas.")
    return Table(
        columns=["in words", "triple", "too close by"],
        rows=[
            [
                row.sentence,
                ", ".join(row.triple),
                Cell(text=f"{row.margin:.2f}", values=(row.margin,)),
            ]
            for row in rows
        ],
        caption=f"{asked}: the worst violations of {_TITLES.get(condition, condition)} by {model}",
        notes=notes,
    )


_TITLES = {**SIMPLE, **AGGREGATE}


def _compared(table: Any, condition: str) -> Compared:  # noqa: ANN401 - a Polars data frame
    """Return what a condition compares, from items."""
    approach, which = METRICS[condition]
    prefix = "aggregate_" if approach == "aggregate" else ""
    near, far = (
        table[prefix + name].cast(float).fill_null(float("nan")).to_numpy()
        for name in ("bc" if which == "reverse" else "ab", "ac")
    )
    broken = (table[condition] == 0).fill_null(value=False).to_numpy()
    return Compared(near=near, far=far, broken=broken)


def with_violations(result: Result, items: ItemsLoader, most: int) -> Result:
    """Return a result with as many violations as are asked for, all of them for 0.

    More of them than a result keeps are in its items.
    """
    table = None if 0 < most <= WORST else items(result)
    if table is None:
        return result
    asked = {each: _compared(table, each) for each in conditions_of(result.metric)}
    told = violations(list(zip(table["a"], table["b"], table["c"], strict=True)), asked)
    return replace(result, details={**result.details, "violations": [row.plain() for row in told]})


def command_tables(results: Sequence[Result], items: ItemsLoader, shown: Shown) -> list[Table]:
    """Return what the command prints: scores, the funnel, and violations if they are asked for."""
    told: list[Table] = []
    most = shown.options.get("most", WORST)
    if shown.options.get("violations"):
        told = [
            table
            for result in results
            for table in violations_tables(
                with_violations(result, items, most),
                result.model,
                question_cell(result).text,
                most=most or None,
            )
        ]
    return [scores_table(results), *funnel_table(results), *told]


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
    told: list[Table] = []
    # Questions that differ in the metric alone share their details, which are shown once.
    seen: set[Hashable] = set()
    for trial in asked:
        figures.append(scores_figure(trial))
        figures += [funnel_figure(made) for made in known if made.trial is trial]
        conditions = tuple(AGGREGATE if trial.metric in AGGREGATE else SIMPLE)[:2]
        grouped = [
            each
            for each in trial.ranked()
            if has_breakdown(each) and _is_new(each, (each.details["breakdown"], conditions), seen)
        ]
        if grouped:
            breakdowns.append(breakdown_figure(trial, grouped, conditions))
        name = model_namer(trial.results)
        told += [
            table
            for each in trial.ranked()
            if (worst := SubsumptionDetails.of(each).violations)
            and _is_new(each, [row.plain() for row in worst], seen)
            for table in violations_tables(each, name(each), trial.title, most=_VIOLATIONS)
        ]
    scored = [each for trial in asked for each in trial.results if len(scores_of(each)) > 1]
    return Section(
        title="Subsumption: what lies between is closer",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[*figures, *breakdowns],
        tables=[
            *told,
            *([scores_table(scored)] if scored else further_scores(asked)),
            *funnel_table(results),
        ],
        notes=[
            *filter(None, map(choices_note, known)),
            *_coverage_notes(results),
            *_agreement_notes(asked),
        ],
    )


def _is_new(result: Result, shown: object, seen: set[Hashable]) -> bool:
    source = result.provenance
    key = (source.model, source.model_sha256, json.dumps(shown))
    new = key not in seen
    seen.add(key)
    return new


def _coverage_notes(results: Sequence[Result]) -> list[str]:
    """Count the triples that are not covered, and name some of the words that they lack."""
    # What is missing are words, not triples.
    notes = missing_notes(results, named=lambda result: ())
    name = model_namer(results)
    for result in results:
        details = SubsumptionDetails.of(result)
        if not details.words or not details.missing:
            continue
        found = round(details.words_found * details.words)
        others = " and others" if details.words - found > _MISSING else ""
        notes.append(
            f"{name(result)} has {write_share(found, details.words)} of the {details.words:,} "
            f"words or senses in the triples of {result.resource}; it lacks "
            f"{', '.join(details.missing[:_MISSING])}{others}."
        )
    return list(dict.fromkeys(notes))


def _agreement_notes(asked: Sequence[Trial]) -> list[str]:
    """Say where the two approaches cannot differ, lest it be taken for an error."""
    return [
        f"{trial.title}: aggregate and simple scores are the same, as they are where words have "
        "no sister lemmas."
        for trial in asked
        if all(_agree(scores_of(result)) for result in trial.results)
    ]


def _agree(scores: Mapping[str, Result]) -> bool:
    pairs = list(zip(SIMPLE, AGGREGATE, strict=True))
    return len(scores) == 2 * len(pairs) and all(
        scores[simple].score == scores[aggregate].score for simple, aggregate in pairs
    )
