"""The question behind all questions: whether intrinsic scores say how useful vectors will be.

After Tsvetkov, Faruqui & Dyer (2016), Correlation-based intrinsic evaluation of word vector
representations, Tables 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, get_args, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError, UndefinedScoreError
from lydite.metaevaluation.comparison import Compared, Comparison, compare_scores
from lydite.metaevaluation.correlation import ENOUGH_MODELS, Association, Method, associate
from lydite.metaevaluation.layout import Grid, Tables, lay_out
from lydite.metaevaluation.scores import Measure, Scores, collect_scores, measure_names, model_names
from lydite.progress import current_progress
from lydite.registry import unknown_name
from lydite.results.record import Result
from lydite.results.store import RunStore
from lydite.stats.multiple import benjamini_hochberg, holm
from lydite.types import Floats

Methods: TypeAlias = Literal["pearson", "spearman", "both"]
Correction: TypeAlias = Literal["holm", "bh", "none"]

LEVEL = 0.05

_CORRECTIONS: dict[str, Callable[[ArrayLike], Floats]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    "none": lambda p: np.asarray(p, dtype=np.float64),
}


@runtime_checkable
class HasResults(Protocol):
    """A run in memory, such as :func:`lydite.run` gives."""

    @property
    def results(self) -> Sequence[Result]:
        """All finished results."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class MetaEvaluation:
    """Every intrinsic score against every downstream score.

    Attributes
    ----------
    scores
        The scores of all models.
    grids
        How they are laid out: Tables 3 and 4 of the paper, and all there is.
    associations
        One a pair of scores and method.
    correction
        How p is corrected for the number of tests.
    comparisons
        For each downstream score and method the best intrinsic score against every other; or
        every other against one that was named.
    choices
        For how many comparisons their p is corrected: all pairs of scores, since the best is known
        only after looking at all; those that were made if one was named.
    against
        The score that was named.
    """

    scores: Scores
    grids: tuple[Grid, ...]
    associations: tuple[Association, ...]
    correction: Correction
    comparisons: tuple[Comparison, ...] = ()
    choices: int = 0
    against: Measure | None = None

    @property
    def tests(self) -> int:
        """How many tests were made at once."""
        return sum(each.p_value is not None for each in self.associations)

    @property
    def methods(self) -> tuple[Method, ...]:
        """The kinds of correlation, the first leads."""
        return tuple(dict.fromkeys(each.method for each in self.associations))

    @property
    def level(self) -> float:
        """How small p of the clearest test must be to stand out after the correction."""
        return LEVEL if self.correction == "none" else LEVEL / max(1, self.tests)

    @cached_property
    def names(self) -> dict[Measure, str]:
        """What the measures are called."""
        return measure_names(self.scores.measures)

    @cached_property
    def model_names(self) -> dict[str, str]:
        """What the models are called for short."""
        return model_names(self.scores.models)

    def find(self, intrinsic: Measure, downstream: Measure, method: Method) -> Association:
        """Return how two scores go together."""
        return self._by_pair[intrinsic, downstream, method]

    @cached_property
    def _by_pair(self) -> dict[tuple[Measure, Measure, Method], Association]:
        return {(each.intrinsic, each.downstream, each.method): each for each in self.associations}

    def of(self, grid: Grid, method: Method) -> list[Association]:
        """Return the associations of a grid, row by row."""
        return [self.find(*pair, method) for pair in grid.pairs]


def stands_out(association: Association) -> bool:
    """Tell whether p after correction is under 0.05, and the models are enough to say so."""
    p = association.p_corrected
    return p is not None and p < LEVEL and association.n >= ENOUGH_MODELS


def differs(comparison: Comparison) -> bool:
    """Tell whether one of two scores is the better guide: p after correction is under 0.05."""
    p = comparison.p_corrected
    return p is not None and p < LEVEL


def meta(  # noqa: PLR0913 - what a user may choose, and the command names
    *runs: HasResults | Sequence[Result] | str | Path,
    method: Methods = "both",
    tables: Tables = "all",
    metrics: Sequence[str] = (),
    only: Sequence[str] = (),
    unwrap: bool = True,
    correction: Correction = "holm",
    against: str | None = None,
    resamples: int = 20_000,
    seed: int = 0,
) -> MetaEvaluation:
    """Correlate every intrinsic score with every downstream score over all models.

    Models are matched by their spec and their bytes. The scores of classification, tagging and
    parsing are downstream, all others intrinsic.

    Parameters
    ----------
    *runs
        Runs, their folders, or results.
    method
        ``pearson``, ``spearman`` or ``both``.
    tables
        ``3`` or ``4`` for the scores of that table of the paper alone: fewer tests are made, and
        p is corrected for these.
    metrics
        Further scores to correlate, as ``evaluation:name``: ``parsing:las``.
    only
        Patterns of models, such as ``*-300d-*``.
    unwrap
        A model composed of one space, such as ``mean(x)``, counts for that space.
    correction
        For the number of tests: ``holm`` (family-wise), ``bh`` (false discovery rate) or ``none``.
    against
        The name of an intrinsic score, such as ``MEN``, with which all others are compared. By
        default the best one for each downstream score is compared with all others.
    resamples
        Orders tried in a permutation test; of few models all are.
    seed
        Of everything random.

    Raises
    ------
    InputError
        If there are no scores of both kinds, or a name stands for two models.
    UnknownNameError
        If no intrinsic score is called ``against``.
    UndefinedScoreError
        If not one correlation exists.
    """
    _check(method, get_args(Methods), "method")
    _check(tables, get_args(Tables), "tables")
    _check(correction, get_args(Correction), "correction")
    if not runs:
        raise InputError("expected at least one run, got none", hint="lydite.meta('runs/zoo')")
    results = [result for run in runs for result in _results(run)]
    scores = collect_scores(results, metrics=metrics, unwrap=unwrap, only=only)
    grids = lay_out(scores, tables)
    methods: tuple[Method, ...] = ("pearson", "spearman") if method == "both" else (method,)
    pairs = dict.fromkeys(pair for grid in grids for pair in grid.pairs)
    found, asked = [], [(each, pair) for each in methods for pair in pairs]
    for done, (each, pair) in enumerate(asked):
        current_progress()("correlations", done, len(asked))
        found.append(associate(scores, *pair, method=each, resamples=resamples, seed=seed))
    current_progress()("correlations", len(asked), len(asked))
    if all(each.r is None for each in found):
        raise _undefined(found, measure_names(scores.measures))
    rival = None if against is None else _named(against, scores, [each for each, _ in pairs])
    compared = compare_scores(scores, found, against=rival, resamples=resamples, seed=seed)
    return MetaEvaluation(
        scores=scores,
        grids=grids,
        associations=tuple(_corrected(found, correction)),
        correction=correction,
        comparisons=tuple(_corrected_differences(compared, correction)),
        choices=compared.choices,
        against=rival,
    )


def _undefined(found: Sequence[Association], names: dict[Measure, str]) -> UndefinedScoreError:
    reasons: dict[str, str] = {}
    for each in found:
        pair = f"{names[each.intrinsic]} with {names[each.downstream]}"
        reasons.setdefault(str(each.reason), pair)
    said = "; ".join(f"{pair}: {reason}" for reason, pair in list(reasons.items())[:3])
    return UndefinedScoreError(
        f"no correlation exists: {said}",
        hint="evaluate more models, whose scores differ, on the same intrinsic and downstream data",
    )


def _corrected(found: Sequence[Association], correction: Correction) -> list[Association]:
    p_values = [each.p_value for each in found if each.p_value is not None]
    adjusted = iter(_CORRECTIONS[correction](p_values))
    return [
        each if each.p_value is None else replace(each, p_corrected=float(next(adjusted)))
        for each in found
    ]


def _corrected_differences(compared: Compared, correction: Correction) -> list[Comparison]:
    """Correct for all pairs: those that were not tested count as if they had p = 1."""
    p_values = [each.p_value for each in compared.comparisons]
    untested = [1.0] * (compared.choices - len(p_values))
    adjusted = _CORRECTIONS[correction]([*p_values, *untested])
    return [
        replace(each, p_corrected=float(p))
        for each, p in zip(compared.comparisons, adjusted, strict=False)
    ]


def _named(name: str, scores: Scores, intrinsic: Sequence[Measure]) -> Measure:
    names = measure_names(scores.measures)
    known = {names[each]: each for each in intrinsic}
    found = {called.casefold(): each for called, each in known.items()}.get(name.casefold())
    if found is None:
        raise unknown_name("intrinsic score", name, known, hint=f"there are {', '.join(known)}")
    return found


def _results(run: HasResults | Sequence[Result] | str | Path) -> Sequence[Result]:
    if isinstance(run, str | Path):
        return RunStore.existing(Path(run)).results()
    return run.results if isinstance(run, HasResults) else run


def _check(value: str, choices: Sequence[str], what: str) -> None:
    if value not in choices:
        raise InputError(
            f"expected one of {', '.join(choices)} as {what}, got {value!r}",
            hint=f"use {choices[0]}",
        )
