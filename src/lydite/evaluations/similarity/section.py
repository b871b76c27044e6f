"""Word similarity in the report: scores, scatter of each model, the pairs it misjudges most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.figures import canvas, drawing, label, set_margins, to_svg
from lydite.drawing.metrics import metric_named
from lydite.drawing.section import (
    READING,
    Figure,
    ItemsLoader,
    Section,
    further_scores,
    missing_notes,
    overview,
)
from lydite.drawing.table import Table
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, trials
from lydite.stats.ranks import midranks
from lydite.types import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PANELS = 12
#: How many panels stand side by side, by how many there are; more than six take four.
_ACROSS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}
#: The width of a panel, in inches, by how many stand side by side.
_PANEL = {1: 3.2, 2: 2.4, 3: 1.76, 4: 1.76}
#: Points in one figure, so that its file stays small.
_POINTS = 3000
_POINTS_A_PANEL = 500
_BINS = 10
_MISJUDGED = 8


@dataclass(frozen=True, kw_only=True)
class Judged:
    """The pairs that entered a score: ``gold`` and ``predicted``, shape (n,), and the words."""

    left: list[str]
    right: list[str]
    gold: Floats
    predicted: Floats


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores and scatter for each set of pairs, and tell what the best model gets wrong."""
    asked = trials(results)
    figures: list[Figure] = []
    tables: list[Table] = []
    for trial in asked:
        figures.append(overview(trial))
        loaded = [(result, judged(items(result))) for result in trial.ranked()[:_PANELS]]
        known = [(result, pairs) for result, pairs in loaded if pairs is not None]
        if known:
            figures.append(scatter(trial, known))
            tables += misjudged(trial, *known[0])
    return Section(
        title="Word similarity",
        how_to_read=(
            "The score says how far a model orders word pairs as their ratings do: 1 is the same "
            "order, 0 an order that has nothing to do with it. Where people rated the pairs, they "
            "do not agree with each other completely, so no honest model reaches 1. " + READING
        ),
        figures=figures,
        tables=[*tables, *further_scores(asked)],
        notes=missing_notes(results),
    )


def judged(table: object) -> Judged | None:
    """Take the pairs that have a prediction from an item table."""
    import polars

    if not isinstance(table, polars.DataFrame) or "predicted" not in table.columns:
        return None
    used = table.filter(polars.col("predicted").is_finite())
    if not len(used):
        return None
    return Judged(
        left=used["left"].to_list(),
        right=used["right"].to_list(),
        gold=used["gold"].to_numpy().astype(np.float64),
        predicted=used["predicted"].to_numpy().astype(np.float64),
    )


def scatter(trial: Trial, known: Sequence[tuple[Result, Judged]]) -> Figure:
    """Draw ratings against similarities, a panel a model, best first."""
    room = max(1, min(_POINTS_A_PANEL, _POINTS // len(known)))
    n = max(len(pairs.gold) for _, pairs in known)
    said = [f"{trial.title}. A dot is a pair: its rating across, the model's similarity up."]
    if n > room:
        said.append(f"{room} of {n} pairs are drawn, chosen at random.")
    said.append("Line: the median similarity of pairs rated alike, all pairs counted.")
    if len(trial.results) > len(known):
        said.append(f"Shown: {len(known)} of {len(trial.results)} models, the best.")
    return Figure(svg=_panels(known, room), caption=" ".join(said))


def _panels(known: Sequence[tuple[Result, Judged]], room: int) -> Markup:
    across = _ACROSS.get(len(known), 4)
    down = -(-len(known) // across)
    name = model_namer([result for result, _ in known])
    with drawing():
        figure = canvas(0.5 + _PANEL[across] * across, 0.45 + 1.75 * down)
        set_margins(figure, left=0.6, right=0.05, top=0.4, bottom=0.45)
        figure.subplots_adjust(wspace=0.32, hspace=0.42)
        grid = figure.subplots(down, across, squeeze=False, sharex=True)
        for place, axes in enumerate(grid.flat):
            if place >= len(known):
                axes.set_visible(False)
                continue
            result, pairs = known[place]
            _dots(axes, pairs, room)
            score = metric_named(result.metric).write(result.score)
            title = f"{label(name(result), int(10 * _PANEL[across]))}\n{score}"
            axes.set_title(title, loc="left", fontsize=8.5)
            axes.tick_params(labelsize=7.5, length=2, labelcolor=palette.MUTED.light)
            if place % across == 0:
                axes.set_ylabel("similarity", fontsize=8)
            if place + across >= len(known):
                axes.tick_params(labelbottom=True)
                axes.set_xlabel("rating", fontsize=8)
        return to_svg(figure)


def _dots(axes: Axes, pairs: Judged, room: int) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    drawn = np.arange(len(pairs.gold))
    if len(drawn) > room:
        drawn = np.sort(np.random.default_rng(0).choice(drawn, room, replace=False))
    # One path of dots without length, drawn by their round ends: fewer bytes than markers.
    points = np.column_stack([pairs.gold[drawn], pairs.predicted[drawn]])
    path = Path(np.repeat(points, 2, axis=0), np.tile([Path.MOVETO, Path.LINETO], len(points)))
    path.should_simplify = False
    axes.add_artist(
        PathPatch(path, fill=False, ec=palette.FAINT.light, lw=2.6, capstyle="round", snap=False)
    )
    x, y = binned_medians(pairs.gold, pairs.predicted)
    axes.plot(x, y, "-", color=palette.ACCENT.light, lw=1.8, marker="o", ms=3.2, mew=0)
    axes.update_datalim(points)
    axes.autoscale_view()
    axes.locator_params(nbins=4)


def binned_medians(gold: Floats, predicted: Floats, bins: int = _BINS) -> tuple[Floats, Floats]:
    """Return the medians of both in groups of about equal size, by gold; ties stay together.

    >>> x, y = binned_medians(np.array([1.0, 1, 2, 2]), np.array([0.0, 2, 5, 7]))
    >>> x.tolist(), y.tolist()
    ([1.0, 2.0], [1.0, 6.0])
    """
    # The group of a pair follows from its midrank, which is one for pairs rated alike.
    group = np.minimum((midranks(gold) - 0.5) / len(gold) * bins, bins - 1).astype(int)
    used = np.unique(group)
    middles = [(np.median(gold[group == g]), np.median(predicted[group == g])) for g in used]
    x, y = np.array(middles).T
    return x, y


def misjudged(trial: Trial, result: Result, pairs: Judged) -> list[Table]:
    """Tell in words which pairs a model ranks most unlike their ratings, a row a pair."""
    n = len(pairs.gold)
    by_rating, by_model = midranks(pairs.gold), midranks(pairs.predicted)
    worst = np.argsort(-np.abs(by_rating - by_model), kind="stable")[:_MISJUDGED]
    worst = worst[np.abs(by_rating - by_model)[worst] > 0]
    if not len(worst):
        return []
    low, high = pairs.gold.min(), pairs.gold.max()
    rows = [
        [_pair(pairs, i), f"{pairs.gold[i]:g}", f"{pairs.predicted[i]:.3f}", _sentence(pairs, i)]
        for i in worst.tolist()
    ]
    return [
        Table(
            columns=["pair", "rating", "similarity", "in words"],
            rows=rows,
            caption=f"{trial.title}: what {result.model} misjudges most",
            notes=[f"Ratings run from {low:g} to {high:g}; places are among {n} pairs."],
        )
    ]


def _sentence(pairs: Judged, i: int) -> str:
    """Say how a pair was rated and where the model puts it, with a telling pair between."""
    gold, predicted = pairs.gold, pairs.predicted
    place = 1 + int((predicted > predicted[i]).sum())
    n, top = len(gold), f"{gold.max():g}"
    said = f"rated {gold[i]:g} of at most {top}, but "
    below = midranks(predicted)[i] < midranks(gold)[i]
    rivals = np.flatnonzero(predicted > predicted[i] if below else predicted < predicted[i])
    if not len(rivals):
        return f"{said}in place {place} of {n} for the model"
    telling = rivals[gold[rivals].argmin() if below else gold[rivals].argmax()]
    return (
        f"{said}in place {place} of {n} for the model, {'below' if below else 'above'} "
        f"{_pair(pairs, int(telling))} (rated {gold[telling]:g})"
    )


def _pair(pairs: Judged, i: int) -> str:
    return f"{pairs.left[i]} / {pairs.right[i]}"
