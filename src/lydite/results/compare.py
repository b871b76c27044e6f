"""Whether the difference between two models is real: tests on the items that both answered."""

from __future__ import annotations

import logging
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations
from statistics import NormalDist
from typing import Any, Literal, TypeAlias

import numpy as np

from lydite.errors import InputError, LyditeError
from lydite.results.record import Result
from lydite.results.trials import model_namer, question_namer
from lydite.stats.correlation import (
    MIN_ITEMS,
    pearson,
    pearson_influence,
    pearson_rows,
    spearman,
    spearman_influence,
)
from lydite.stats.dyadic import correlation_interval, dyadic_standard_error, effective_nodes
from lydite.stats.means import difference_interval, t_quantile
from lydite.stats.multiple import benjamini_hochberg, holm
from lydite.stats.permutation import paired_permutation_test, row_means
from lydite.stats.ranks import midranks
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices

#: A result with its item table (a Polars data frame).
Entry: TypeAlias = tuple[Result, Any]

_Seeds: TypeAlias = dict[int, Entry]


def rivals(entries: Sequence[Entry]) -> tuple[list[tuple[Entry, Entry]], list[str]]:
    """Pair every two models that answered the same question.

    A question is an evaluation with its parameters, the bytes of a resource, and a seed. A model
    is a spec and its bytes, so a file that was trained again is another model; the same model in
    two runs is one, and its later result counts. Where two models give the same items under
    several seeds, they are paired once: a repetition says nothing new.

    Returns the pairs, and why models that answered the same question under other seeds are in none.
    """
    questions: dict[tuple[str, str], dict[tuple[str, str | None], _Seeds]] = defaultdict(dict)
    question = question_namer(result for result, _ in entries)
    for entry in entries:
        result, source = entry[0], entry[0].provenance
        models = questions[question(result), source.resource_sha256]
        models.setdefault((result.model, source.model_sha256), {})[source.seed] = entry
    name = model_namer([result for result, _ in entries])
    pairs: list[tuple[Entry, Entry]] = []
    reasons = []
    for models in questions.values():
        apart: dict[str, list[int]] = {}
        for first, second in combinations(models.values(), 2):
            pairs += _distinct(first, second)
            if not first.keys() & second.keys():
                apart |= {name(_any(seeds)): sorted(seeds) for seeds in (first, second)}
        if apart:
            reasons.append(_seeds_differ(_any(next(iter(models.values()))), apart))
    return pairs, reasons


def _distinct(first: _Seeds, second: _Seeds) -> list[tuple[Entry, Entry]]:
    kept: list[tuple[Entry, Entry]] = []
    for seed in sorted(first.keys() & second.keys()):
        pair = (first[seed], second[seed])
        if not any(_same_items(pair, earlier) for earlier in kept):
            kept.append(pair)
    return kept


def _same_items(one: tuple[Entry, Entry], two: tuple[Entry, Entry]) -> bool:
    return all(left[1].equals(right[1]) for left, right in zip(one, two, strict=True))


def _any(seeds: _Seeds) -> Result:
    return next(iter(seeds.values()))[0]


def _seeds_differ(result: Result, apart: dict[str, list[int]]) -> str:
    seeds = ", ".join(f"{model} with {' and '.join(map(str, s))}" for model, s in apart.items())
    return (
        f"{result.evaluation} on {result.resource} was answered with different seeds, and results "
        f"are compared only where the seed is the same: {seeds}"
    )


_LOGGER = logging.getLogger(__name__)

#: Exchanges drawn where they cannot all be counted. Those of correlations are slower, and their p
#: is mostly that of the standard error, which needs none: fewer do.
RESAMPLES = 100_000
_OF_CORRELATIONS = 10_000

_LEVEL = 0.95
_QUANTILE = NormalDist().inv_cdf((1 + _LEVEL) / 2)

#: The columns of an item table whose words make items depend on each other.
_ENDS = (("left", "right"), ("a", "c"))
#: The column whose items stand or fall together: a paraphrase group, a document, a template.
_CLUSTER = "group"


#: What is said of the first model beside the second.
Verdict: TypeAlias = Literal["better", "worse", "at the threshold", "undecided"]
_THRESHOLD = 0.05


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two models on the same items.

    Attributes
    ----------
    seed
        That of both results; if their items are the same under several seeds, the lowest.
    first, second
        The models, with the first digits of their bytes where two share a spec.
    first_score, second_score
        Their scores on the items that both answered.
    low, high
        95 % interval of the difference, robust to pairs that share words and to clusters of items.
    p_permutation
        Of the paired permutation test, two-sided. Items are exchanged one by one, or cluster by
        cluster where they stand in clusters.
    p_value
        The same; but where items are pairs of words, the larger of it and the two-sided p of the
        difference over its standard error, which allows for shared words.
    p_low, p_high
        Where ``p_value`` would lie if all exchanges were tried, with 99.9 % certainty.
    p_holm, p_fdr
        ``p_value`` corrected for the number of comparisons made at once, after Holm (family-wise)
        and Benjamini & Hochberg (false discovery rate).
    p_holm_low, p_holm_high
        ``p_low`` and ``p_high`` corrected after Holm.
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
    p_permutation: float
    p_value: float
    p_low: float
    p_high: float
    p_holm: float
    p_holm_low: float
    p_holm_high: float
    p_fdr: float
    n_shared: int
    n_items: int
    caution: str | None = None

    @property
    def difference(self) -> float:
        """The first score less the second."""
        return self.first_score - self.second_score

    @property
    def verdict(self) -> Verdict:
        """What follows: a difference needs p after Holm under 0.05 and an interval without 0.

        Where other exchanges of the same items could put p on the other side of 0.05, it is at the
        threshold.
        """
        if self.low <= 0 <= self.high or self.p_holm_low >= _THRESHOLD:
            return "undecided"
        if self.p_holm_high >= _THRESHOLD:
            return "at the threshold"
        return "better" if self.difference > 0 else "worse"

    @property
    def clear(self) -> bool:
        """Whether the verdict is better or worse."""
        return self.verdict in {"better", "worse"}


def compare_results(
    entries: Sequence[Entry], *, resamples: int = RESAMPLES, draw: int = 0
) -> list[Comparison]:
    """Compare every two models that answered the same question.

    A pair that cannot be compared is left out with a warning. Exchanges are drawn by a hash of the
    items, so that the same items always get the same p; another ``draw`` is for studies that ask
    what others would have given.

    Entries are results with their item tables, from one run or several; no pair among them is an
    error.
    """
    pairs, reasons = rivals(entries)
    name = model_namer([result for result, _ in entries])
    found = []
    for first, second in pairs:
        try:
            found.append(_compare(first, second, name, resamples, draw))
        except LyditeError as error:
            names = f"{name(first[0])} and {name(second[0])}"
            question = f"{first[0].provenance.evaluation} on {first[0].resource}"
            reasons.append(f"{names}, {question}: {error.message}")
    if not found:
        raise InputError(
            "\n".join(
                ["expected at least two models to compare on the same evaluation and resource"]
                + [f"not compared: {reason}" for reason in reasons]
            ),
            hint="'lydite run' with several models and one seed, or name several runs",
        )
    for reason in reasons:
        _LOGGER.warning("not compared: %s", reason)
    return _correct(found)


def _correct(found: Sequence[Comparison]) -> list[Comparison]:
    p_values = [each.p_value for each in found]
    corrected = zip(
        found,
        holm(p_values),
        holm([each.p_low for each in found]),
        holm([each.p_high for each in found]),
        benjamini_hochberg(p_values),
        strict=True,
    )
    return [
        replace(
            each,
            p_holm=float(p),
            p_holm_low=float(low),
            p_holm_high=float(high),
            p_fdr=float(fdr),
        )
        for each, p, low, high, fdr in corrected
    ]


def _compare(
    first: Entry, second: Entry, name: Callable[[Result], str], resamples: int, draw: int
) -> Comparison:
    result, other = first[0], second[0]
    items = _shared(first, second)
    score, influence, test_scores, statistic = _STATISTICS[result.statistic](items)
    test = paired_permutation_test(
        statistic,
        test_scores[0],
        test_scores[1],
        resamples=resamples if result.statistic == "mean" else min(resamples, _OF_CORRELATIONS),
        seed=child_seed(draw, _digest(*test_scores)),
        clusters=items.clusters,
    )
    low, high, p_shared = _uncertainty(
        items, result.statistic, score[0] - score[1], influence, score
    )
    # Exchanged one by one, pairs that share words seem to give more evidence than they do.
    p_value, p_low, p_high = (max(p, p_shared) for p in (test.p_value, test.p_low, test.p_high))
    return Comparison(
        evaluation=result.evaluation,
        resource=result.resource,
        metric=result.metric,
        seed=result.provenance.seed,
        first=name(result),
        second=name(other),
        first_score=score[0],
        second_score=score[1],
        low=low,
        high=high,
        p_permutation=test.p_value,
        p_value=p_value,
        p_low=p_low,
        p_high=p_high,
        p_holm=p_value,
        p_holm_low=p_low,
        p_holm_high=p_high,
        p_fdr=p_value,
        n_shared=len(influence),
        n_items=result.n_items,
        caution=_caution(result, other, name),
    )


def _digest(first: Floats, second: Floats) -> str:
    """Return a hash of two models' scores, the same whichever comes first."""
    return sha256(b"".join(sorted((first.tobytes(), second.tobytes())))).hexdigest()


def _uncertainty(
    items: _Shared, statistic: str, difference: float, influence: Floats, score: Sequence[float]
) -> tuple[float, float, float]:
    """Return the ends of the difference's interval, and its p if shared words count, else 0."""
    if items.nodes is None and statistic == "mean":
        interval = difference_interval(items.scores[0] - items.scores[1], items.clusters)
        if interval is None:
            raise InputError("all items that they share are of one group; two groups are needed")
        most = 1.0 if items.within_bounds else math.inf
        return max(interval.low, -most), min(interval.high, most), 0.0
    n = len(influence)
    left, right = items.nodes if items.nodes is not None else (np.arange(n), np.arange(n))
    correlated = statistic != "mean"
    error = _standard_error(items, influence, (left, right), score if correlated else ())
    degrees = max(min(effective_nodes(left, right), n) - 2, 1)
    reach, most = t_quantile(_LEVEL, degrees) * error, 2.0 if correlated else 1.0
    p_value = 0.0 if items.nodes is None else _p_value(difference, error, degrees)
    return max(difference - reach, -most), min(difference + reach, most), p_value


def _standard_error(
    items: _Shared,
    influence: Floats,
    nodes: tuple[Indices, Indices],
    correlations: Sequence[float],
) -> float:
    n = len(influence)
    error = dyadic_standard_error(influence, *nodes)
    if np.array_equal(*items.scores):
        return error
    # At a correlation of 1 all influence is 0, which hides how unsure it is with few items.
    for r in correlations:
        if math.isclose(abs(r), 1):
            interval = correlation_interval(round(r), 0.0, _LEVEL, n=n)
            error = math.hypot(error, (interval.high - interval.low) / _QUANTILE)
    return error


def _p_value(difference: float, error: float, degrees: float) -> float:
    from scipy.special import stdtr

    if error == 0:
        return float(difference == 0)
    return 2 * float(stdtr(degrees, -abs(difference) / error))


def _caution(first: Result, second: Result, name: Callable[[Result], str]) -> str | None:
    """Warn where a score grows with the dimensions whatever the model knows."""
    sizes = [result.others.get("dimensions") for result in (first, second)]
    explained = [result.others.get("explained") for result in (first, second)]
    if None in sizes + explained or sizes[0] == sizes[1]:
        return None
    return (
        f"{first.provenance.evaluation} grows with dimensions, and {name(first)} has "
        f"{sizes[0]:.0f} where {name(second)} has {sizes[1]:.0f}; of held-out words' features "
        f"they explain {explained[0]:.3f} and {explained[1]:.3f}"
    )


@dataclass(frozen=True, kw_only=True)
class _Shared:
    """The items that both models answered; ``gold`` is empty where there is none."""

    scores: tuple[Floats, Floats]
    gold: Floats
    nodes: tuple[Indices, Indices] | None  # the two words of each item, where items share words
    clusters: Indices | None  # the cluster of each item, where there are any

    @property
    def within_bounds(self) -> bool:
        """Whether all scores lie between 0 and 1."""
        return all(((each >= 0) & (each <= 1)).all() for each in self.scores)


def _shared(first: Entry, second: Entry) -> _Shared:
    (result, left), (other, right) = first, second
    if left["item"].to_list() != right["item"].to_list():
        raise InputError("their items differ; one of the item files was changed")
    column = "value" if result.statistic == "mean" else "predicted"
    scores = [table[column].cast(float).fill_null(np.nan).to_numpy() for table in (left, right)]
    known = [np.isfinite(each) for each in scores]
    both = known[0] & known[1]
    if both.sum() < MIN_ITEMS:
        raise InputError(f"they share {int(both.sum())} items, too few to compare")
    if _is_fitted(result, other) and not np.array_equal(*known):
        raise InputError(
            f"they cover {known[0].sum()} and {known[1].sum()} words, {both.sum()} of them in "
            "common, and a score that was fitted to other words says too little about these; "
            "give both models the same words and evaluate again"
        )
    gold = left["gold"].to_numpy()[both] if "gold" in left.columns else np.empty(0)
    nodes = None
    # Pairs share words on both sides, triples share their ends.
    ends = next((pair for pair in _ENDS if set(pair) <= set(left.columns)), None)
    if ends is not None:
        words = np.array([word for end in ends for word in left[end].to_list()])
        ids = np.unique(words, return_inverse=True)[1]
        nodes = (ids[: len(both)][both], ids[len(both) :][both])
    clusters = None
    if _CLUSTER in left.columns:
        names = np.array([str(name) for name in left[_CLUSTER].to_list()])
        clusters = np.unique(names[both], return_inverse=True)[1]
    return _Shared(
        scores=(scores[0][both], scores[1][both]), gold=gold, nodes=nodes, clusters=clusters
    )


def _is_fitted(*results: Result) -> bool:
    """Whether values are influences on a fit, which a subset of the words would change."""
    return all(result.statistic == "mean" and "dimensions" in result.others for result in results)


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
