"""QVEC in the report: scores, which features the dimensions hold, and what each one is about."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.figures import label
from lydite.drawing.panels import Margins, name_rows, panels, room_for
from lydite.drawing.section import (
    READING,
    Figure,
    ItemsLoader,
    Section,
    cut_note,
    further_scores,
    missing_notes,
    overview,
    sentences,
)
from lydite.drawing.table import Cell, Table
from lydite.evaluations.qvec.evaluation import (
    Alignment,
    by_explained,
    directions_table,
    repeated_notes,
)
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, trials

_FEATURES = 45
_PANELS = 6
_DIMENSIONS = 20

_METHODS = {
    "explained": (
        "Variance explained says how much of the features that linguists gave to words can be read "
        "off the vectors of words that were held out: 1 is all, 0 is no more than the average "
        "word's features. It is fair across dimensions: vectors that know nothing have 0 at any "
        "size, and leaving dimensions out cannot raise it. Its baseline is a control task, where "
        "every word has the features of another; selectivity is the score less that."
    ),
    "cca": (
        "QVEC-CCA is the mean correlation between the vectors and the features that linguists "
        "gave to words, after both were rotated to agree as well as possible; 1 is perfect "
        "agreement."
    ),
    "cca-first": (
        "This QVEC-CCA is the largest canonical correlation between the vectors and the features "
        "that linguists gave to words; 1 is perfect agreement."
    ),
    "qvec": (
        "QVEC matches each dimension with the feature that it correlates with most and adds "
        "these correlations up: it grows with the number of dimensions and changes when a space "
        "is rotated, so use it only to compare spaces of the same size."
    ),
}
_CHANCE = (
    "Scores that are correlations grow with the number of dimensions, whatever vectors know, and "
    "the null baseline shows how much comes by chance: what counts is how far such a score lies "
    "above its grey band, not how far above 0. They are fitted to the words they are measured on "
    "and have no interval; to compare models of different sizes, use the variance explained (see "
    "Further scores)."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores and alignment for each oracle, and name the dimensions of each model."""
    asked = trials(results)
    figures = [overview(trial) for trial in asked]
    tables: list[Table] = []
    seen: set[Hashable] = set()
    for trial in asked:
        # Methods differ in the score; what a model holds of an oracle is the same in all.
        fresh = [
            r for r in trial.ranked() if Alignment.of(r).explained and _identity(r) not in seen
        ]
        seen |= {_identity(result) for result in fresh}
        if fresh:
            figures.append(features_figure(trial, fresh))
            tables += [dimensions_table(trial, result) for result in fresh]
        tables += [
            directions_table(
                Alignment.of(result),
                f"{trial.title}: what the canonical directions of "
                f"{model_namer(trial.results)(result)} are about",
            )
            for result in trial.ranked()
            if Alignment.of(result).directions
        ]
    methods = dict.fromkeys(trial.metric for trial in asked)
    return Section(
        title="QVEC: linguistic features in the dimensions",
        how_to_read=sentences(
            *(_METHODS.get(each, "") for each in methods),
            _CHANCE if set(methods) != {"explained"} else "",
            READING,
        ),
        figures=figures,
        tables=[*tables, *further_scores(asked)],
        notes=[*missing_notes(results), *repeated_notes(results)],
    )


def features_figure(trial: Trial, results: Sequence[Result]) -> Figure:
    """Draw how much of each feature the vectors explain, a panel per model."""
    shown = results[:_PANELS]
    every = by_explained(Alignment.of(shown[0]))
    features = every[:_FEATURES]
    return Figure(
        svg=_bars(shown, features),
        caption=sentences(
            f"{trial.title}. A bar is a feature: the share of its variance that the vectors "
            f"explain for held-out words. Sorted by {model_namer(results)(shown[0])}.",
            cut_note(len(features), len(every), "features", "the best explained"),
            cut_note(len(shown), len(results)),
        ),
    )


def _bars(results: Sequence[Result], features: Sequence[str]) -> Markup:
    name = model_namer(results)
    shown = [label(each, 30) for each in features]
    margins = Margins(left=room_for(shown, 7.5, more=0.1), right=0.12, top=0.25, bottom=0.3)
    height = 0.155 * len(features)
    lowest = 0.0
    with panels(
        [height], len(results), margins=margins, least=1.0, share="both", grid="x"
    ) as drawn:
        for axes, result in zip(drawn.all, results, strict=True):
            explained = Alignment.of(result).explained
            shares = [explained.get(feature, 0.0) for feature in features]
            lowest = min(lowest, *shares)
            axes.barh(range(len(features)), shares, color=palette.ACCENT.light, height=0.66)
            axes.set_title(label(name(result), int(12 * (drawn.across + 0.2))))
            axes.locator_params(axis="x", nbins=4)
        name_rows(drawn.axes, shown, size=7.5)
        # A few are below 0 by a hair, where nothing is known of a feature.
        drawn.axes.set_xlim(left=1.05 * lowest)
        return drawn.to_svg()


def dimensions_table(trial: Trial, result: Result, *, most: int = _DIMENSIONS) -> Table:
    """Name the feature and the top words of the dimensions that are clearest about one."""
    dimensions = sorted(Alignment.of(result).dimensions, key=lambda each: -each.correlation)
    total = int(result.others.get("dimensions", len(dimensions)))
    return Table(
        columns=["dimension", "feature", "correlation", "top words"],
        rows=[
            [
                each.dimension,
                each.feature,
                Cell(text=f"{each.correlation:.3f}", values=(each.correlation,)),
                ", ".join(each.words),
            ]
            for each in dimensions[:most]
        ],
        caption=f"{trial.title}: what the dimensions of {model_namer(trial.results)(result)} are "
        "about",
        notes=[
            sentences(
                cut_note(min(most, len(dimensions)), total, "dimensions", "the clearest"),
                "Dimensions are counted from 0, and top words have the largest values in one.",
            )
        ],
    )


def _identity(result: Result) -> Hashable:
    source = result.provenance
    return source.model, source.model_sha256, tuple(Alignment.of(result).explained.items())
