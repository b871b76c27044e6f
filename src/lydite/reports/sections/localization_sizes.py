"""How large paraphrase groups are: figures 2 and 3 of White et al. (2015)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lydite.reports import palette
from lydite.reports.figures import WIDTH, canvas, drawing, set_margins, to_svg
from lydite.reports.sections import Figure
from lydite.reports.trials import Trial, resource_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Larger groups than this share one bar.
_LARGE = 40
#: With so many bars or fewer each tells its number.
_COUNTED = 24


@dataclass(frozen=True, kw_only=True)
class GroupSet:
    """Paraphrase groups as results tell of them.

    Attributes
    ----------
    title
        What they are called.
    sizes
        How many groups there are of each size, the smallest size first.
    changes
        What was done to them when they were read, and how often.
    """

    title: str
    sizes: Mapping[int, int]
    changes: Mapping[str, int]

    @property
    def groups(self) -> int:
        """How many there are."""
        return sum(self.sizes.values())

    @property
    def sentences(self) -> int:
        """How many sentences they have together."""
        return sum(size * count for size, count in self.sizes.items())


def group_sets(asked: Sequence[Trial]) -> list[GroupSet]:
    """Return all groups that were asked about, each set once whatever was asked of it."""
    found: dict[str, Trial] = {}
    for trial in asked:
        first = trial.results[0]
        if first.details.get("histogram"):
            said = [first.details["histogram"], first.details.get("changes", {})]
            identity = [first.resource, first.provenance.resource_sha256, said]
            found.setdefault(json.dumps(identity), trial)
    short = Counter(_short(trial) for trial in found.values())
    return [
        GroupSet(
            # What was asked first names groups only where their resource does not.
            title=trial.title if short[_short(trial)] > 1 else _short(trial),
            sizes=_sizes(trial.results[0].details["histogram"]),
            changes=trial.results[0].details.get("changes", {}),
        )
        for trial in found.values()
    ]


def _short(trial: Trial) -> str:
    return resource_title(trial.results[0].resource)


def _sizes(histogram: Mapping[str, int]) -> dict[int, int]:
    return dict(sorted((int(size), int(count)) for size, count in histogram.items()))


def sizes_figure(groups: GroupSet) -> Figure:
    """Draw how many groups there are of each size; the largest sizes share a bar."""
    bars = {size: count for size, count in groups.sizes.items() if size <= _LARGE}
    large = sum(count for size, count in groups.sizes.items() if size > _LARGE)
    with drawing():
        figure = canvas(WIDTH, 2.1)
        set_margins(figure, left=0.55, right=0.1, top=0.2, bottom=0.47)
        axes = figure.add_subplot()
        _bars(axes, bars, large)
        svg = to_svg(figure)
    said = [
        f"{groups.title}: {groups.groups:,} paraphrase groups of {groups.sentences:,} sentences, "
        "by their size."
    ]
    if large:
        said.append(f"The last bar has all groups of more than {_LARGE}.")
    return Figure(svg=svg, caption=" ".join(said))


def _bars(axes: Axes, bars: Mapping[int, int], large: int) -> None:
    from matplotlib.ticker import MaxNLocator

    # Groups of more than that many stand apart from the rest.
    drawn = {**bars, **({_LARGE + 2: large} if large else {})}
    axes.bar(list(drawn), list(drawn.values()), width=0.8, color=palette.FAINT.light, lw=0)
    if len(drawn) <= _COUNTED:
        for size, count in drawn.items():
            axes.annotate(
                f"{count:,}",
                (size, count),
                xytext=(0, 2.5),
                textcoords="offset points",
                ha="center",
                fontsize=7.5,
            )
    # A few bars would else be as broad as the page.
    axes.set_xlim(min(drawn) - 1, max(*drawn, min(drawn) + 11) + 1)
    axes.set_ylim(0, 1.08 * max(drawn.values()))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=12))
    if large:
        ticks = [tick for tick in range(0, _LARGE, 5) if tick >= min(drawn) - 1]
        axes.set_xticks([*ticks, _LARGE + 2], [*map(str, ticks), f"over {_LARGE}"])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))
    axes.tick_params(axis="y", length=0, labelsize=8, labelcolor=palette.MUTED.light)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y", color=palette.RULE.light, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("sentences in a group")
    axes.set_ylabel("groups")
