"""Word similarity in the report: scores, scatter of each model, the pairs it misjudges most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.figures import label
from lydite.drawing.panels import Margins, Mark, panels
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
from lydite.drawing.table import Table
from lydite.results.metrics import metric_of
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, trials
from lydite.stats.ranks import midranks
from lydite.types import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PANELS = 12
#: How many panels stand side by side, by how many there are; more than six take four.
_ACROSS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}
#: The width of a panel with its room, in inches, by how many stand side by side.
_PANEL = {1: 3.2, 2: 2.4, 3: 1.76, 4: 1.76}
#: Points in one figure, so that its file stays small.
_POINTS = 3000
_POINTS_PER_PANEL = 500
_BINS = 10
_MISJUDGED = 8
_MEDIANS = Mark(name="", colour=palette.ACCENT, marker="o", size=3.2, line="-", width=1.8)


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
            "The score shows how closely a model orders word pairs as their ratings do: 1 is the "
            "same order, 0 an unrelated order. Where people rated the pairs, they do not agree "
            "completely, so no honest model reaches 1. " + READING
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
    """Draw ratings against similarities, a panel per model, best first."""
    room = max(1, min(_POINTS_PER_PANEL, _POINTS // len(known)))
    n = max(len(pairs.gold) for _, pairs in known)
    return Figure(
        svg=_panels(known, room),
        caption=sentences(
            f"{trial.title}. A dot is a pair: its rating across, the model's similarity up.",
            cut_note(room, n, "pairs in each panel", "chosen at random"),
            "Line: the median similarity of pairs with similar ratings, over all pairs.",
            cut_note(len(known), len(trial.results)),
        ),
    )


def _panels(known: Sequence[tuple[Result, Judged]], room: int) -> Markup:
    across = _ACROSS.get(len(known), 4)
    down = -(-len(known) // across)
    name = model_namer([result for result, _ in known])
    with panels(
        [1.3] * down,
        across,
        margins=Margins(left=0.6, right=0.05, top=0.4, bottom=0.45),
        gaps=(0.45, 0.54),
        width=0.5 + _PANEL[across] * across,
        share="x",
        grid=None,
    ) as drawn:
        for place, axes in enumerate(drawn.all):
            if place >= len(known):
                axes.set_visible(False)
                continue
            result, pairs = known[place]
            _dots(axes, pairs, room)
            axes.spines["left"].set_visible(True)
            score = metric_of(result).write(result.score)
            axes.set_title(f"{label(name(result), int(10 * _PANEL[across]))}\n{score}")
            if place % across == 0:
                axes.set_ylabel("similarity")
            if place + across >= len(known):
                axes.tick_params(labelbottom=True)
                axes.set_xlabel("rating")
        return drawn.to_svg()


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
    _MEDIANS.draw(axes, zip(x.tolist(), y.tolist(), strict=True))
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
    """Tell in words which pairs a model ranks most unlike their ratings, a row per pair."""
    off = np.abs(midranks(pairs.gold) - midranks(pairs.predicted))
    worst = [i for i in np.argsort(-off, kind="stable")[:_MISJUDGED].tolist() if off[i] > 0]
    if not worst:
        return []
    low, high, n = pairs.gold.min(), pairs.gold.max(), len(pairs.gold)
    return [
        Table(
            columns=["pair", "rating", "similarity", "in words"],
            rows=[
                [
                    _pair(pairs, i),
                    f"{pairs.gold[i]:g}",
                    f"{pairs.predicted[i]:.3f}",
                    _sentence(pairs, i),
                ]
                for i in worst
            ],
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
