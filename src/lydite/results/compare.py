"""Whether the difference between two models is real: tests on the items that both answered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np

from lydite.errors import InputError
from lydite.results.record import Result
from lydite.stats.correlation import (
    pearson,
    pearson_influence,
    pearson_rows,
    spearman,
    spearman_influence,
)
from lydite.stats.dyadic import dyadic_standard_error
from lydite.stats.multiple import benjamini_hochberg, holm
from lydite.stats.permutation import paired_permutation_test, row_means
from lydite.stats.ranks import midranks
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two models on the same items.

    Attributes
    ----------
    first, second
        The models.
    first_score, second_score
        Their scores on the items that both answered. For scores that are no mean of items
        (QVEC), the first-order value there: the score plus the mean influence of these items.
    low, high
        95 % interval of the difference, robust to pairs that share words.
    p_value
        Of the paired permutation test, two-sided.
    p_holm, p_fdr
        The same, corrected for the number of comparisons made at once, after Holm (family-wise)
        and Benjamini & Hochberg (false discovery rate).
    n_shared
        How many items both answered.
    n_items
        How many items there are.
    caution
        Why the difference may not mean what it seems to, if there is a reason.
    """

    evaluation: str
    resource: str
    metric: str
    seed: int
    first: str
    second: str
    first_score: float
    second_score: float
    low: float
    high: float
    p_value: float
    p_holm: float
    p_fdr: float
    n_shared: int
    n_items: int
    caution: str | None = None

    @property
    def difference(self) -> float:
        """The first score less the second."""
        return self.first_score - self.second_score


#: A result with its item table (a Polars data frame).
Entry = tuple[Result, Any]


def compare_results(
    entries: Sequence[Entry], *, seed: int = 0, resamples: int = 10_000
) -> list[Comparison]:
    """Compare every two models that answered the same question.

    Parameters
    ----------
    entries
        Results with their item tables, from one run or several.
    seed
        The seed of the permutations.
    resamples
        How many permutations.
    """
    found = []
    for first, second in _rivals(entries):
        found.append(_compare(first, second, seed, resamples))
    if not found:
        raise InputError(
            "expected at least two models with results on the same evaluation and resource",
            hint="'lydite run' with several models, or name several runs",
        )
    p_values = [comparison.p_value for comparison in found]
    corrected = zip(found, holm(p_values), benjamini_hochberg(p_values), strict=True)
    return [replace(c, p_holm=float(a), p_fdr=float(b)) for c, a, b in corrected]


def _rivals(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    questions: dict[tuple[str, str, int], dict[str, Entry]] = defaultdict(dict)
    for entry in entries:
        result = entry[0]
        source = result.provenance
        question = (result.evaluation, source.resource_sha256, source.seed)
        # The same model in two runs is one model; the later result counts.
        questions[question][result.model] = entry
    for models in questions.values():
        yield from combinations(models.values(), 2)


def _compare(first: Entry, second: Entry, seed: int, resamples: int) -> Comparison:
    result = first[0]
    items = _shared(first, second)
    score, influence, test_scores, statistic = _STATISTICS[result.statistic](items)
    test = paired_permutation_test(
        statistic,
        test_scores[0],
        test_scores[1],
        resamples=resamples,
        seed=child_seed(seed, result.evaluation, result.resource, result.model, second[0].model),
    )
    if items.nodes is None:
        error = float(np.sqrt((influence**2).sum())) / len(influence)
    else:
        error = dyadic_standard_error(influence, *items.nodes)
    reach = NormalDist().inv_cdf(0.975) * error
    difference = score[0] - score[1]
    return Comparison(
        evaluation=result.evaluation,
        resource=result.resource,
        metric=result.metric,
        seed=result.provenance.seed,
        first=result.model,
        second=second[0].model,
        first_score=score[0],
        second_score=score[1],
        low=difference - reach,
        high=difference + reach,
        p_value=test.p_value,
        p_holm=test.p_value,
        p_fdr=test.p_value,
        n_shared=len(influence),
        n_items=result.n_items,
        caution=_caution(result, second[0]),
    )


def _caution(first: Result, second: Result) -> str | None:
    """Warn where a score grows with the dimensions whatever the model knows."""
    sizes = [result.others.get("dimensions") for result in (first, second)]
    held_out = [result.others.get("held_out") for result in (first, second)]
    if None in sizes + held_out or sizes[0] == sizes[1]:
        return None
    return (
        f"{first.evaluation.partition('(')[0]} grows with dimensions, and {first.model} has "
        f"{sizes[0]:.0f} where {second.model} has {sizes[1]:.0f}; on held-out words they score "
        f"{held_out[0]:.3f} and {held_out[1]:.3f}"
    )


@dataclass(frozen=True, kw_only=True)
class _Shared:
    """The items that both models answered; ``gold`` is empty where there is none."""

    scores: tuple[Floats, Floats]
    gold: Floats
    nodes: tuple[Indices, Indices] | None


def _shared(first: Entry, second: Entry) -> _Shared:
    (result, left), (other, right) = first, second
    if left["item"].to_list() != right["item"].to_list():
        raise InputError(
            f"the items of {result.model} and {other.model} on {result.resource} differ",
            hint="one of the item files was changed; run the evaluation again",
        )
    column = "value" if result.statistic == "mean" else "predicted"
    scores = [table[column].cast(float).fill_null(np.nan).to_numpy() for table in (left, right)]
    both = np.isfinite(scores[0]) & np.isfinite(scores[1])
    if both.sum() < 3:
        raise InputError(
            f"{result.model} and {other.model} share {int(both.sum())} items on "
            f"{result.resource}, too few to compare"
        )
    gold = left["gold"].to_numpy()[both] if "gold" in left.columns else np.empty(0)
    nodes = None
    if "left" in left.columns and "right" in left.columns:
        words = np.array(left["left"].to_list() + left["right"].to_list())
        ids = np.unique(words, return_inverse=True)[1]
        nodes = (ids[: len(both)][both], ids[len(both) :][both])
    return _Shared(scores=(scores[0][both], scores[1][both]), gold=gold, nodes=nodes)


_Terms = tuple[tuple[float, float], Floats, tuple[Floats, Floats], Callable[[Floats], Floats]]


def _means(items: _Shared) -> _Terms:
    a, b = items.scores
    score = (float(a.mean()), float(b.mean()))
    return score, (a - score[0]) - (b - score[1]), (a, b), row_means


def _correlations(items: _Shared, *, ranked: bool) -> _Terms:
    (a, b), gold = items.scores, items.gold
    of, influence = (spearman, spearman_influence) if ranked else (pearson, pearson_influence)
    # Scores are exchanged between the models, so both are put on one scale first.
    scale = midranks if ranked else _standard
    target = midranks(gold) if ranked else gold
    return (
        (of(gold, a), of(gold, b)),
        influence(gold, a) - influence(gold, b),
        (scale(a), scale(b)),
        lambda rows: pearson_rows(rows, target),
    )


def _standard(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / values.std())


_STATISTICS: dict[str, Callable[[_Shared], _Terms]] = {
    "mean": _means,
    "spearman": lambda items: _correlations(items, ranked=True),
    "pearson": lambda items: _correlations(items, ranked=False),
}
