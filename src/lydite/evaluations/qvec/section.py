"""QVEC in the report: scores, which features the dimensions hold, and what each one is about."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.figures import WIDTH, canvas, drawing, label, set_margins, text_width, to_svg
from lydite.drawing.section import (
    READING,
    Figure,
    ItemsLoader,
    Section,
    further_scores,
    missing_notes,
    overview,
)
from lydite.drawing.table import Cell, Table
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, trials

_FEATURES = 45
_PANELS = 6
_DIMENSIONS = 20

_METHODS = {
    "cca": (
        "QVEC-CCA is the mean correlation between the vectors and the features that linguists gave "
        "to words, after both were turned to agree as well as they can; 1 is perfect agreement."
    ),
    "cca-first": (
        "This QVEC-CCA is the largest canonical correlation between the vectors and the features "
        "that linguists gave to words; 1 is perfect agreement."
    ),
    "qvec": (
        "QVEC matches each dimension with the feature that it correlates with most and adds these "
        "correlations up: it grows with the number of dimensions and changes when a space is "
        "turned, so compare only spaces of one size by it."
    ),
}
_CHANCE = (
    "With many dimensions some agreement comes by chance, and the null baseline says how much: "
    "what counts is how far a score lies above its grey band, not how far above 0. The fit "
    "flatters the words it was made on, so the line of a score reaches down to words that were "
    "held out; models of different sizes are better compared by those (see Further scores)."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores and alignment for each oracle, and name the dimensions of each model."""
    asked = trials(results)
    figures = [overview(trial) for trial in asked]
    tables: list[Table] = []
    seen: set[Hashable] = set()
    for trial in asked:
        # Methods differ in the score; the alignment of a model with an oracle is the same in all.
        fresh = [r for r in trial.ranked() if _features(r) and _alignment_key(r) not in seen]
        seen |= {_alignment_key(result) for result in fresh}
        if fresh:
            figures.append(features_figure(trial, fresh))
            tables += [dimensions_table(trial, result) for result in fresh]
    methods = dict.fromkeys(trial.metric for trial in asked)
    return Section(
        title="QVEC: linguistic features in the dimensions",
        how_to_read=" ".join([*(_METHODS.get(m, "") for m in methods), _CHANCE, READING]).strip(),
        figures=figures,
        tables=[*tables, *further_scores(asked)],
        notes=missing_notes(results),
    )


def features_figure(trial: Trial, results: Sequence[Result]) -> Figure:
    """Draw how strongly the best dimension of each model holds each feature, a panel a model."""
    shown = results[:_PANELS]
    strongest = sorted(_features(shown[0]).items(), key=lambda pair: -pair[1])
    features = [feature for feature, _ in strongest[:_FEATURES]]
    said = [
        f"{trial.title}. A bar is a feature: the largest correlation, without its sign, of any one "
        f"dimension with it. Sorted by {model_namer(results)(shown[0])}."
    ]
    if len(strongest) > len(features):
        said.append(f"The {len(features)} strongest of {len(strongest)} features.")
    if len(results) > len(shown):
        said.append(f"Shown: {len(shown)} of {len(results)} models, the best.")
    return Figure(svg=_bars(shown, features), caption=" ".join(said))


def _bars(results: Sequence[Result], features: Sequence[str]) -> Markup:
    name = model_namer(results)
    with drawing():
        shown = [label(each, 30) for each in features]
        left = text_width(shown, 7.5) + 0.1
        width = max(WIDTH, left + 1.2 * len(results))
        panel = (width - left) / len(results)
        figure = canvas(width, 0.55 + 0.155 * len(features))
        set_margins(figure, left=left, right=0.12, top=0.25, bottom=0.3)
        figure.subplots_adjust(wspace=0.16)
        grid = figure.subplots(1, len(results), squeeze=False, sharex=True, sharey=True)
        for axes, result in zip(grid.flat, results, strict=True):
            strengths = [_features(result).get(feature, 0.0) for feature in features]
            axes.barh(range(len(features)), strengths, color=palette.ACCENT.light, height=0.66)
            axes.set_title(label(name(result), int(12 * panel)), loc="left", fontsize=8.5)
            axes.set_ylim(len(features) - 0.4, -0.6)
            axes.spines["left"].set_visible(False)
            axes.tick_params(axis="y", length=0, labelsize=7.5)
            axes.tick_params(axis="x", labelsize=7.5)
            axes.grid(axis="x", color=palette.RULE.light, lw=0.6)
            axes.set_axisbelow(True)
            axes.locator_params(axis="x", nbins=4)
        grid.flat[0].set_yticks(range(len(features)), shown)
        grid.flat[0].set_xlim(left=0.0)
        return to_svg(figure)


def dimensions_table(trial: Trial, result: Result) -> Table:
    """Name the feature and the top words of the dimensions that are clearest about one."""
    dimensions = sorted(result.details.get("dimensions", []), key=lambda each: -each["correlation"])
    rows = [
        [
            each["dimension"],
            each["feature"],
            Cell(text=f"{each['correlation']:.3f}", values=(each["correlation"],)),
            ", ".join(each["words"]),
        ]
        for each in dimensions[:_DIMENSIONS]
    ]
    columns = ["dimension", "feature", "correlation", "top words"]
    name = model_namer(trial.results)(result)
    total = int(result.others.get("dimensions", len(dimensions)))
    return Table(
        columns=columns,
        rows=rows,
        caption=f"{trial.title}: what the dimensions of {name} are about",
        notes=[
            f"The {len(rows)} clearest of {total} dimensions, counted from 0. Top words "
            "have the largest values in the dimension."
        ],
    )


def _features(result: Result) -> dict[str, float]:
    return dict(result.details.get("features", {}))


def _alignment_key(result: Result) -> Hashable:
    source = result.provenance
    return source.model, source.model_sha256, tuple(_features(result).items())
