"""Word similarity: whether a model's similarities order word pairs as people do.

The score is the correlation, over pairs, of the model's similarity (cosine, or the score of a
pair model) with the rating that people gave. Pairs share words, so the interval is robust to that
(see :mod:`lydite.stats.dyadic`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from lydite.declare import Metric, Param, Slot
from lydite.errors import InputError, MissingWordError, UndefinedScoreError
from lydite.evaluations.catalogue import Evaluation, only_resource
from lydite.lexicons.pairs import RatedPairs, read_pairs
from lydite.models.catalogue import model_spec
from lydite.models.protocols import PairModel, TextModel, WordModel
from lydite.models.words import fill_absent, find_words
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located
from lydite.results.details import Missing
from lydite.results.record import Items, Outcome
from lydite.spaces.cosine import exact_cosine
from lydite.stats.bootstrap import Interval
from lydite.stats.correlation import (
    MIN_ITEMS,
    excess_kurtosis,
    pearson,
    pearson_influence,
    pearson_rows,
    spearman,
    spearman_influence,
)
from lydite.stats.dyadic import dyadic_interval
from lydite.stats.null import Baseline, summarize_null
from lydite.stats.ranks import midranks
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Mask, OovPolicy

Leading: TypeAlias = Literal["spearman", "pearson"]

_DRAWS = 1000
#: Excess kurtosis above which the interval of Pearson's r holds less than it says. Cosines and
#: ratings of the usual sets have -1.7 to 0.4, samples of normal values seldom more than 2.
_HEAVY_TAILS = 2.0
#: Spearman's rho, in size, above which the interval of Pearson's r may hold less than it says:
#: where similarities follow ratings closely, but along a curve, r hangs on the few pairs at the
#: steep end.
_CLOSE_RELATION = 0.8


@dataclass(frozen=True, kw_only=True)
class Similarity(Evaluation):
    """Test whether a model orders word pairs by similarity as people do.

    The score is the correlation of the model's cosines with human ratings; shuffled ratings are the
    baseline.

    Notes
    -----
    ``n_items`` counts the pairs of the set as they stand in it, repeated ones included.
    ``n_covered`` counts those whose two words the model has (a zero vector, or one with NaN, is
    none), whatever the policy: with ``zero`` and ``mean`` the score is of more pairs than that. A
    pair model has no vectors to put in a place: with these it has to know all pairs. A word that
    the pairs have in lower case and the model only in upper is absent: ``vectors(FILE, case=fold)``
    finds it. Text and pair models always get words as written.

    There is no interval of three pairs or fewer, nor of Pearson's r where ratings or similarities
    have heavy tails (excess kurtosis above 2) or Spearman's rho is beyond 0.8: simulated, it would
    hold less than 90 % where the relation is bent.
    """

    name: ClassVar[str] = "similarity"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("spearman", "Spearman ρ"),
        Metric("pearson", "Pearson r"),
    )
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot(
            "pairs",
            "Rated word pairs: word1, word2 and a rating per line.",
            default=("starter-similarity",),
            accepts=("similarity",),
        ),
    )
    examples: ClassVar[tuple[str, ...]] = (
        "similarity vectors.txt",
        "similarity vectors.txt glove-6b-50d --pairs simlex-999 men my-pairs.tsv",
        "similarity vectors.txt --pairs ws-353 --oov mean --format markdown",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.similarity.section:section"

    metric: Annotated[
        Leading, Param("The correlation that leads; the other one is reported too.")
    ] = "spearman"
    oov: Annotated[
        OovPolicy,
        Param(
            "Pairs with unknown words: skip leaves them out, zero scores them 0, mean puts the "
            "mean of all vectors in, error stops."
        ),
    ] = "skip"
    case: Annotated[
        Literal["exact", "fold"],
        Param("fold tries unknown words again in lower case; exact does not."),
    ] = "fold"

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Score the model on one set of rated pairs."""
        resource = only_resource(self.name, resources)
        pairs = read_pairs(resource.single())
        predicted, covered = self.similarities(model, pairs)
        used = covered if self.oov == "skip" else np.isfinite(predicted)
        _check_defined(model_spec(model), resource.name, pairs, predicted, used)
        return self._outcome(pairs, predicted, covered, used, seed)

    def similarities(self, model: object, pairs: RatedPairs) -> tuple[Floats, Mask]:
        """Return the model's similarity of each pair, (n,), and which pairs it knows, (n,).

        A model that gives vectors is asked for these, even if it scores pairs too. The similarity
        of a pair that is left out is NaN.
        """
        if isinstance(model, PairModel) and not isinstance(model, WordModel | TextModel):
            return self._pair_scores(model, pairs)
        words = list(dict.fromkeys(pairs.left + pairs.right))
        place = {word: row for row, word in enumerate(words)}
        lookup = find_words(model, words, case=self.case)
        filled = fill_absent(model, words, lookup, self.oov)
        left = np.array([place[word] for word in pairs.left])
        right = np.array([place[word] for word in pairs.right])
        covered = lookup.found[left] & lookup.found[right]
        scores = exact_cosine(filled.vectors[left], filled.vectors[right])
        if self.oov == "skip":
            scores[~covered] = np.nan
        return scores, covered

    def _pair_scores(self, model: PairModel, pairs: RatedPairs) -> tuple[Floats, Mask]:
        scores = np.asarray(model.score(pairs.left, pairs.right), dtype=np.float64)
        if scores.shape != (len(pairs),):
            raise InputError(
                f"expected {len(pairs)} scores from {model_spec(model)}, one per pair, got an "
                f"array of shape {scores.shape}"
            )
        covered = np.isfinite(scores)
        if self.oov == "skip" or covered.all():
            return np.where(covered, scores, np.nan), covered
        unknown = f"{model_spec(model)} has no score for {int((~covered).sum())} of {len(pairs)} "
        first = _missing(pairs, covered)[0]
        if self.oov == "error":
            raise MissingWordError(f"{unknown}pairs, first {first}", hint="use oov=skip")
        raise InputError(
            f"{unknown}pairs, first {first}, and oov={self.oov} is for models that give vectors",
            hint="use oov=skip",
        )

    def _outcome(
        self, pairs: RatedPairs, predicted: Floats, covered: Mask, used: Mask, seed: int
    ) -> Outcome:
        gold, scores = pairs.gold[used], predicted[used]
        _, nodes = np.unique(np.array(pairs.left + pairs.right), return_inverse=True)
        left, right = nodes[: len(pairs)], nodes[len(pairs) :]
        both = {"spearman": spearman(gold, scores), "pearson": pearson(gold, scores)}
        score = both.pop(self.metric)
        return Outcome(
            metric=self.metric,
            score=score,
            interval=interval_of(self.metric, gold, scores, left[used], right[used]),
            baseline=self._baseline(gold, scores, seed),
            n_items=len(pairs),
            n_covered=int(covered.sum()),
            oov=self.oov,
            statistic=self.metric,
            items=_items(pairs, predicted, covered, used),
            others=both,
            details=Missing(missing=tuple(_missing(pairs, covered))).plain(),
        )

    def _baseline(self, gold: Floats, scores: Floats, seed: int) -> Baseline:
        generator = np.random.default_rng(child_seed(seed, "baseline"))
        if self.metric == "spearman":
            gold, scores = midranks(gold), midranks(scores)
        shuffled = generator.permuted(np.tile(gold, (_DRAWS, 1)), axis=1)
        return summarize_null(pearson_rows(shuffled, scores), kind="shuffled ratings")


def interval_of(
    metric: Leading, gold: Floats, scores: Floats, left: Indices, right: Indices
) -> Interval | None:
    """Return the interval of a correlation of ratings and scores, (n,), of pairs of words.

    ``left`` and ``right``, (n,), are words as numbers. None with three pairs or fewer, and for
    Pearson's r where tails are heavy or the relation is close.
    """
    ranked = metric == "spearman"
    if not ranked and _outliers_decide(gold, scores):
        return None
    correlation, influence = (
        (spearman, spearman_influence) if ranked else (pearson, pearson_influence)
    )
    return dyadic_interval(
        correlation(gold, scores), influence(gold, scores), left, right, ranked=ranked
    )


def _outliers_decide(gold: Floats, scores: Floats) -> bool:
    """Say whether Pearson's r may hang on a few pairs, which no sample of this size shows well."""
    heavy = max(excess_kurtosis(gold), excess_kurtosis(scores)) > _HEAVY_TAILS
    return heavy or abs(spearman(gold, scores)) > _CLOSE_RELATION


def _check_defined(
    model: str, resource: str, pairs: RatedPairs, predicted: Floats, used: Mask
) -> None:
    gold, scores = pairs.gold[used], predicted[used]
    if len(gold) < MIN_ITEMS:
        raise UndefinedScoreError(
            f"a correlation needs at least {MIN_ITEMS} pairs, but {model} covers {len(gold)} of "
            f"the {len(pairs)} in {resource}",
            hint="is the model of another language, or cased while the pairs are not?",
        )
    if np.ptp(gold) == 0:
        raise UndefinedScoreError(
            f"all {len(gold)} pairs of {resource} that {model} covers have the rating {gold[0]:g}",
            hint="a correlation needs ratings that differ",
        )
    if np.ptp(scores) == 0:
        raise UndefinedScoreError(
            f"{model} gives all {len(gold)} pairs of {resource} the same similarity, {scores[0]:g}",
            hint="does the model give different words different vectors?",
        )


def _items(pairs: RatedPairs, predicted: Floats, covered: Mask, used: Mask) -> Items:
    return {
        "item": [f"{a}\t{b}" for a, b in zip(pairs.left, pairs.right, strict=True)],
        "left": pairs.left,
        "right": pairs.right,
        "gold": pairs.gold.tolist(),
        "predicted": [
            score if kept else None for score, kept in zip(predicted.tolist(), used, strict=True)
        ],
        "covered": covered.tolist(),
    }


def _missing(pairs: RatedPairs, covered: Mask) -> list[str]:
    """Name a few of the pairs that are not covered."""
    first = np.flatnonzero(~covered)[:10].tolist()
    return [f"{pairs.left[i]} / {pairs.right[i]}" for i in first]
