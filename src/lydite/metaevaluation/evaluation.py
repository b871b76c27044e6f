"""The question behind all questions: whether intrinsic scores say how useful vectors will be.

After Tsvetkov, Faruqui & Dyer (2016), Correlation-based intrinsic evaluation of word vector
representations: scores are laid out as in its Tables 3 and 4, and all there are in one grid.
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
from lydite.metaevaluation.correlation import LEVEL, Association, Method, associate
from lydite.metaevaluation.scores import (
    Measure,
    Scores,
    collect_scores,
    measure_names,
    model_names,
    oracle_name,
    short_name,
)
from lydite.progress import current_progress
from lydite.registry import unknown_name
from lydite.results.record import Result
from lydite.results.store import RunStore
from lydite.stats.multiple import benjamini_hochberg, holm
from lydite.types import Floats

#: Which of the tables are made: those of the paper, or all there is.
Tables: TypeAlias = Literal["3", "4", "all"]

_SIMILARITY = ("WS-353", "MEN", "SimLex")
_METHODS = ("QVEC", "QVEC-CCA", "QVEC-CCA (first)", "QVEC explained")
#: Oracles and columns of the paper's two tables, in the paper's order.
_PAPER: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "3": (("SST",), ("20NG", "Metaphor", "Senti")),
    "4": (("PTB", "PTB+SST"), ("POS", "Parse")),
}
_TITLES = {
    "3": "Table 3: intrinsic scores and text classification",
    "4": "Table 4: intrinsic scores and syntactic tasks",
    "all": "All intrinsic and all downstream scores",
}


@dataclass(frozen=True, kw_only=True)
class Line:
    """A row or column of a grid: a measure, and what it is called within its group.

    The group is the oracle in Table 4, the evaluation in a grid of all; columns have none.
    """

    group: str
    name: str
    measure: Measure


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Intrinsic measures by downstream ones."""

    key: Tables
    title: str
    # The measures with their names; columns have no groups.
    rows: tuple[Line, ...]
    columns: tuple[Line, ...]
    missing: tuple[str, ...] = ()  # what the paper's table has and this has not

    @property
    def pairs(self) -> list[tuple[Measure, Measure]]:
        """Every row with every column."""
        return [(row.measure, column.measure) for row in self.rows for column in self.columns]


def lay_out(scores: Scores, tables: Tables = "all") -> tuple[Grid, ...]:
    """Return the grids that these scores fill.

    ``3`` or ``4`` is that table of the paper alone. ``all`` also gives a grid of all measures,
    unless those of the paper say everything.
    """
    names = measure_names(scores.measures)
    wanted: tuple[Literal["3", "4"], ...] = ("3", "4") if tables == "all" else (tables,)
    grids = [grid for key in wanted if (grid := _paper(key, scores, names)) is not None]
    if tables == "all":
        covered = {pair for grid in grids for pair in grid.pairs}
        every = _everything(scores, names)
        if set(every.pairs) - covered:
            grids.append(every)
    if not grids:
        raise _nothing(scores, tables, names)
    return tuple(grids)


def _paper(key: Literal["3", "4"], scores: Scores, names: dict[Measure, str]) -> Grid | None:
    oracles, tasks = _PAPER[key]
    rows = _chosen(scores.intrinsic, _SIMILARITY, names, "")
    missing = _missing(scores.intrinsic, _SIMILARITY)
    for oracle in oracles:
        wanted = [f"{method} {oracle}" for method in _METHODS]
        rows += _chosen(scores.intrinsic, wanted, names, oracle if key == "4" else "", f" {oracle}")
        missing += _missing(scores.intrinsic, wanted[:2])
    columns = _chosen(scores.downstream, tasks, names, "")
    missing += _missing(scores.downstream, tasks)
    if not rows or not columns:
        return None
    return Grid(
        key=key,
        title=_TITLES[key],
        rows=tuple(rows),
        columns=tuple(columns),
        missing=tuple(missing),
    )


def _chosen(
    measures: Sequence[Measure],
    wanted: Sequence[str],
    names: dict[Measure, str],
    group: str,
    said: str = "",
) -> list[Line]:
    """Return the measures of these short names, in that order; ``said`` need not be repeated."""
    return [
        Line(group=group, name=names[measure].replace(said, "", 1), measure=measure)
        for short in wanted
        for measure in measures
        if short_name(measure) == short
    ]


def _missing(measures: Sequence[Measure], wanted: Sequence[str]) -> list[str]:
    found = {short_name(measure) for measure in measures}
    return [short for short in wanted if short not in found]


def _everything(scores: Scores, names: dict[Measure, str]) -> Grid:
    groups: dict[str, list[Line]] = {}
    for measure in scores.intrinsic:
        group, said = measure.name, f"{measure.name} "
        if group == "qvec":
            group, said = f"qvec {oracle_name(measure)}", f" {oracle_name(measure)}"
        line = Line(group=group, name=names[measure].replace(said, "", 1), measure=measure)
        groups.setdefault(group, []).append(line)
    paper = [task for _, tasks in _PAPER.values() for task in tasks]
    columns = [Line(group="", name=names[each], measure=each) for each in scores.downstream]
    # The tasks of the paper come first, in its order, whichever result was the first to be ready.
    columns.sort(key=lambda line: paper.index(n) if (n := line.name) in paper else len(paper))
    return Grid(
        key="all",
        title=_TITLES["all"],
        rows=tuple(line for group in groups.values() for line in group),
        columns=tuple(columns),
    )


def _nothing(scores: Scores, tables: str, names: dict[Measure, str]) -> InputError:
    def listed(measures: Sequence[Measure]) -> str:
        return ", ".join(names[measure] for measure in measures) or "none"

    what = "intrinsic and downstream scores"
    return InputError(
        f"expected {what if tables == 'all' else f'{what} of Table {tables}'}, got the intrinsic "
        f"scores {listed(scores.intrinsic)} and the downstream scores {listed(scores.downstream)}",
        hint="'lydite downstream MODEL... --out DIR' and 'lydite similarity MODEL... --out DIR' "
        "make them; name both folders",
    )


Methods: TypeAlias = Literal["pearson", "spearman", "both"]
Correction: TypeAlias = Literal["holm", "bh", "none"]

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
    grids
        How they are laid out: Tables 3 and 4 of the paper, and all there is.
    associations
        One for each pair of scores and method.
    correction
        How p is corrected for the number of tests.
    comparisons
        For each downstream score and method the best intrinsic score against every other; or
        every other against one that was named.
    choices
        For how many comparisons their p is corrected: all pairs of scores, since the best is known
        only after looking at all; those that were made if one was named.
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

    def compared(self, method: Method) -> dict[Measure, list[Comparison]]:
        """Return the comparisons by their downstream score."""
        groups: dict[Measure, list[Comparison]] = {}
        for each in self.comparisons:
            if each.method == method:
                groups.setdefault(each.downstream, []).append(each)
        return groups


def meta(  # noqa: PLR0913 - what a user may choose, and the command names
    *runs: HasResults | Sequence[Result] | str | Path,
    method: Methods = "both",
    tables: Tables = "all",
    metrics: Sequence[str] = (),
    only: Sequence[str] = (),
    families: Sequence[str] = (),
    unwrap: bool = True,
    correction: Correction = "holm",
    against: str | None = None,
    resamples: int = 100_000,
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
    families
        Which models belong together, ``NAME=GLOB``. Of others the name without dimensions and
        window tells it. Tests and intervals are over families: models of one family are alike.
    unwrap
        A model composed of one space, such as ``mean(x)``, counts for that space.
    correction
        For the number of tests: ``holm`` (family-wise), ``bh`` (false discovery rate) or ``none``.
    against
        The name of an intrinsic score, such as ``MEN``, with which all others are compared. By
        default the best one for each downstream score is compared with all others.
    resamples
        Orders tried in a permutation test; of up to 9 families all are.
    seed
        Of the permutations and the exchanges.

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
    scores = collect_scores(results, metrics=metrics, unwrap=unwrap, only=only, families=families)
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
