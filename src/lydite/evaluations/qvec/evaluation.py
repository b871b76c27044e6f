"""QVEC and QVEC-CCA: how much linguistic knowledge the dimensions of a space hold.

Tsvetkov, Faruqui, Ling, Lample & Dyer (2015), Evaluation of word vector representations by
subspace alignment; Tsvetkov, Faruqui & Dyer (2016), Correlation-based intrinsic evaluation of
word vector representations. X (n, d) holds the vectors of the n words that space and oracle share,
S (n, p) their linguistic properties.

- ``qvec``: the sum over dimensions of X of the largest Pearson correlation with any column of S.
- ``cca-first``: the first canonical correlation of X and S, the formula of the 2016 paper.
- ``cca``: the mean of all canonical correlations, which the authors' script reports.

All three pick the best of many fits, so that they grow with the number of dimensions and as words
get fewer, whatever the space knows: on Gaussian data of 50 dimensions and 41 properties whose true
mean canonical correlation is 0.224, ``cca`` is 0.25 with 4,200 words, 0.29 with 1,300 and 0.39 with
400, and with 300 dimensions and 4,200 words 0.37. Held-out words show how much of a score is fit:
the interval reaches down to them, and the baseline says what a shuffled oracle gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from statistics import NormalDist
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from lydite.declare import Metric, Param, Slot, View
from lydite.drawing.section import ItemsLoader
from lydite.drawing.table import Table, results_table
from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.catalogue import Evaluation, Shown
from lydite.lexicons.oracles import Join, Oracle, join_oracles, read_oracle
from lydite.models.catalogue import model_spec
from lydite.models.words import find_words
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located
from lydite.results.details import Details, Missing
from lydite.results.record import Outcome, Result
from lydite.stats.bootstrap import Interval
from lydite.stats.cca import (
    canonical_correlations,
    canonical_influence,
    held_out_correlations,
    shuffled_products,
)
from lydite.stats.correlation import ColumnCorrelations, correlation_matrix
from lydite.stats.null import summarize_null
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Mask, PlainMapping

Method: TypeAlias = Literal["cca", "cca-first", "qvec"]

_DRAWS = 200
_FOLDS = 10
_TOP_WORDS = 5
# A result is one line of text: of a space with more dimensions, only the clearest are shown.
_SHOWN_DIMENSIONS = 100


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A score with what each word contributes to it."""

    score: float
    held_out: float  # the same where each word is scored with an alignment found on other words
    influence: Floats  # (n,): how far each word pulls the score; their mean is zero
    null: Floats  # (draws,): the score when the rows of the oracle are shuffled

    def interval(self, level: float = 0.95) -> Interval:
        """Reach from the score of held-out words to the score, and by their error beyond."""
        error = float(np.sqrt((self.influence**2).sum())) / len(self.influence)
        reach = NormalDist().inv_cdf((1 + level) / 2) * error
        low, high = min(self.held_out, self.score) - reach, self.score + reach
        return Interval(low=low, high=high, level=level, method="held-out")


@dataclass(frozen=True, kw_only=True)
class Dimension(Details):
    """A dimension of a space: the feature that it correlates with most, and its top words."""

    dimension: int = 0
    feature: str = ""
    correlation: float = 0.0
    words: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Alignment(Missing):
    """What a result tells beside its scores."""

    dimensions: tuple[Dimension, ...] = ()  # those that vary, in order
    # For each feature that varies the largest correlation with any dimension, in absolute value
    # since the sign of a dimension is arbitrary.
    features: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Qvec(Evaluation):
    """Measure how much linguistic knowledge is in the dimensions of a space.

    The vectors are correlated with linguistic features of words; a shuffled oracle is the baseline.

    Notes
    -----
    Words are looked up exactly as the oracle writes them; those that the model lacks,
    or has only a zero vector for, are left out and counted. Constant dimensions and properties that
    none of the remaining words has are left out too.

    The 95 % interval is for the score of unlimitedly many words of the same kind. A sample's score
    lies above that value, the score of held-out words below it (10 folds, ``others["held_out"]``);
    the interval runs from the lower to the upper, widened at both ends by 1.96 standard errors of
    the infinitesimal jackknife. Simulated with Gaussian and heavier-tailed data, 400 to 4,200
    words, 5 to 300 dimensions and 4 to 41 properties, it covered 94 to 100 % (75 to 93 % where
    nothing is to be found). The score plus and minus 1.96 standard errors covered 94 to 98 % with 5
    dimensions, but with 50 the true mean canonical correlation not once, even with 4,200 words. A
    bootstrap does no better: a resample repeats words, which overfits once more. The shuffled
    oracle is a baseline for the score, not for the held-out end of the interval.

    Whether two models of as many dimensions differ is better asked of their items, which are
    paired, than of two intervals; models of different dimensions are better compared by
    ``held_out``.
    """

    name: ClassVar[str] = "qvec"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("cca", "mean canonical correlation"),
        Metric("cca-first", "first canonical correlation"),
        Metric("qvec", "sum of correlations", digits=4),
        Metric("held_out", "held out"),
        Metric("dimensions", "dimensions", digits=0, higher=None),
    )
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot(
            "oracle",
            "Linguistic features of words; a+b puts two oracles side by side.",
            default=("starter-supersenses",),
            metavar="NAME|FILE[+FILE...]",
            accepts=("oracle",),
            joined=True,
        ),
    )
    views: ClassVar[tuple[View, ...]] = (
        View("interpret", "Show the feature and the top words of each dimension."),
    )
    examples: ClassVar[tuple[str, ...]] = (
        "qvec vectors.txt",
        "qvec vectors.txt --oracle semcor-supersenses --method qvec",
        "qvec vectors.txt --oracle semcor-supersenses+ptb-pos-tags --interpret",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.qvec.section:section"

    method: Annotated[
        Method,
        Param(
            "cca is the mean of the canonical correlations, cca-first the first of them, qvec the "
            "sum of the best correlations of single dimensions."
        ),
    ] = "cca"
    join: Annotated[
        Join, Param("Which words of several oracles: those that all have, or those of any.")
    ] = "intersection"
    normalize: Annotated[
        bool,
        Param(
            "Scale rows to length one before CCA, as the authors' script does; QVEC takes raw "
            "values, as theirs does."
        ),
    ] = True

    def more(self, model: object, resources: Sequence[Located], shown: Shown) -> PlainMapping:
        """Return the alignment of every dimension; a result keeps the clearest alone."""
        return self.interpret(model, resources) if shown.options.get("interpret") else {}

    @classmethod
    def tables(
        cls, results: Sequence[Result], items: ItemsLoader, shown: Shown
    ) -> Sequence[Table] | None:
        """Return what each dimension is aligned to, if that is asked for."""
        if not shown.options.get("interpret"):
            return None
        return [*map(_alignment_table, results), results_table(results)]

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Score the model against the oracles."""
        oracle = self._oracle(resources)
        X, S, features, found = shared_matrices(model, oracle)
        answer = self.answer(X, S, draws=_DRAWS, seed=seed)
        words = [word for word, ok in zip(oracle.words, found, strict=True) if ok]
        missing = [word for word, ok in zip(oracle.words, found, strict=True) if not ok]
        return Outcome(
            metric=self.method,
            score=answer.score,
            interval=answer.interval(),
            baseline=summarize_null(answer.null, kind="shuffled oracle"),
            n_items=len(oracle),
            n_covered=len(words),
            oov="skip",
            statistic="mean",
            items=_items(oracle, found, answer),
            others={
                "held_out": answer.held_out,
                "dimensions": float(X.shape[1]),
                "features": float(S.shape[1]),
            },
            details=replace(
                alignment(X, S, features, words, most=_SHOWN_DIMENSIONS),
                missing=tuple(missing[:10]),
            ).plain(),
        )

    def interpret(self, model: object, resources: Sequence[Located]) -> PlainMapping:
        """Return the :func:`alignment` of every dimension; a result keeps the clearest alone."""
        oracle = self._oracle(resources)
        X, S, features, found = shared_matrices(model, oracle)
        words = [word for word, ok in zip(oracle.words, found, strict=True) if ok]
        missing = [word for word, ok in zip(oracle.words, found, strict=True) if not ok]
        return replace(alignment(X, S, features, words), missing=tuple(missing[:10])).plain()

    def _oracle(self, resources: Sequence[Located]) -> Oracle:
        if not resources:
            raise InputError("qvec takes one oracle or several, got none")
        oracles = [oracle for r in resources for oracle in _read(tuple(r.paths), r.sha256)]
        return join_oracles(oracles, self.join)

    def answer(self, X: Floats, S: Floats, *, draws: int = 0, seed: int = 0) -> Answer:
        """Compute the score of two aligned matrices.

        X, (n, d), has the vectors and S, (n, p), the linguistic properties of the same words. The
        oracle is shuffled ``draws`` times for the null baseline.

        >>> X = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0], [5.0, 0.0]])
        >>> S = np.array([[0.0], [0.0], [0.0], [1.0], [1.0]])
        >>> round(Qvec(method="qvec").answer(X, S).score, 4)
        1.0327
        """
        shuffles = np.random.default_rng(child_seed(seed, "baseline"))
        folds = child_seed(seed, "folds")
        if self.method == "qvec":
            return _qvec(X, S, draws, shuffles, folds)
        if self.normalize:
            X, S = _unit(X), _unit(S)
        return _cca(X, S, draws, shuffles, folds, first=self.method == "cca-first")


@lru_cache(maxsize=4)
def _read(paths: tuple[Path, ...], sha256: str) -> tuple[Oracle, ...]:
    """Read the oracles of a resource; a suite asks many models about the same."""
    return tuple(map(read_oracle, paths))


def shared_matrices(model: object, oracle: Oracle) -> tuple[Floats, Floats, list[str], Mask]:
    """Return X and S for the words that a model and an oracle share.

    Columns of the oracle that are zero for all these words are dropped.

    Returns X (n, d), S (n, p), the p names of features, and which words of the oracle are shared.
    """
    lookup = find_words(model, oracle.words)
    S = oracle.values[lookup.found]
    if len(S) < 3:
        raise UndefinedScoreError(
            f"a correlation needs at least 3 words, but {model_spec(model)} has {len(S)} of the "
            f"{len(oracle)} in the oracle",
            hint="is the model for another language, or cased while the oracle is in lower case?",
        )
    kept = np.flatnonzero(S.any(axis=0))
    if not len(kept):
        raise UndefinedScoreError(
            f"the {len(S)} words that {model_spec(model)} shares with the oracle have no property",
            hint="the weights in the oracle are all zero for them",
        )
    features = [oracle.features[column] for column in kept]
    return lookup.vectors[lookup.found].astype(np.float64), S[:, kept], features, lookup.found


def _unit(matrix: Floats) -> Floats:
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(np.divide(matrix, norms, out=np.zeros_like(matrix), where=norms > 0))


def _standard(matrix: Floats) -> Floats:
    """Return columns of mean 0 and variance 1; none of them is constant."""
    centred = matrix - matrix.mean(axis=0)
    return np.asarray(centred / np.sqrt((centred**2).mean(axis=0)))


def _qvec(
    X: Floats, S: Floats, draws: int, shuffles: np.random.Generator, fold_seed: int
) -> Answer:
    found = correlation_matrix(X, S)
    best, r = best_features(found)
    X, S = _without(X, found.left_constant), _without(S, found.right_constant)
    x, s = _standard(X), _standard(S)
    # Whose feature is whose: with it, what each word adds up to takes products alone.
    chosen = np.equal.outer(best, np.arange(s.shape[1])).astype(np.float64)
    scaled = S / S.std(axis=0)
    tables = shuffled_products(x, s, scaled, np.eye(len(chosen.T)), draws=draws, shuffles=shuffles)
    return Answer(
        score=float(r.sum()),
        held_out=_held_out_qvec(x, s, fold_seed),
        influence=(x @ chosen * s).sum(axis=1) - 0.5 * (x**2 @ r + s**2 @ (r @ chosen)),
        null=np.array([table.max(axis=0).sum() for table in tables]) / len(x),
    )


def _without(matrix: Floats, constant: Mask) -> Floats:
    return matrix[:, ~constant] if constant.any() else matrix


def best_features(found: ColumnCorrelations) -> tuple[Indices, Floats]:
    """Return, for each dimension that varies, which varying feature is best, and its r.

    The sum of these correlations is QVEC.
    """
    for which, constant in (("vectors", found.left_constant), ("oracle", found.right_constant)):
        if constant.all():
            raise UndefinedScoreError(f"no column of the {which} varies over the words shared")
    table = found.values[np.ix_(~found.left_constant, ~found.right_constant)]
    return table.argmax(axis=1), table.max(axis=1)


def _held_out_qvec(x: Floats, s: Floats, seed: int) -> float:
    """Sum the correlations of each dimension with the feature that is best for other words."""
    n, d = x.shape
    folds = min(_FOLDS, n)
    dealt = np.random.default_rng(seed).permutation(n) % folds
    parts = np.array([x[dealt == fold].T @ s[dealt == fold] for fold in range(folds)])
    chosen = (parts.sum(axis=0) - parts).argmax(axis=2)
    return float(parts[np.arange(folds)[:, None], np.arange(d), chosen].sum() / n)


def _cca(
    X: Floats, S: Floats, draws: int, shuffles: np.random.Generator, fold_seed: int, *, first: bool
) -> Answer:
    analysis = canonical_correlations(X, S)
    used = slice(0, 1) if first else slice(None)
    held_out = held_out_correlations(analysis, folds=_FOLDS, seed=fold_seed)
    spread = np.ptp(S, axis=0)
    tables = shuffled_products(
        analysis.left_basis,
        analysis.right_basis,
        S / np.where(spread > 0, spread, 1.0),
        analysis.right_weights,
        draws=draws,
        shuffles=shuffles,
    )
    return Answer(
        score=float(analysis.correlations[used].mean()),
        held_out=float(held_out[used].mean()),
        influence=canonical_influence(analysis)[:, used].mean(axis=1),
        null=np.array([_singular_values(table)[used].mean() for table in tables]),
    )


def _singular_values(table: Floats) -> Floats:
    """Return the singular values, largest first, from the smaller of the two Gram matrices."""
    gram = table @ table.T if table.shape[0] < table.shape[1] else table.T @ table
    values: Floats = np.sqrt(np.maximum(np.linalg.eigvalsh(gram)[::-1], 0))
    return values


def _items(oracle: Oracle, found: Mask, answer: Answer) -> dict[str, list[object]]:
    # Influence is centered at zero, so that the mean of these values is the score itself.
    values = np.full(len(oracle), np.nan)
    values[found] = answer.score + answer.influence
    shown = [value if ok else None for value, ok in zip(values.tolist(), found, strict=True)]
    return {"item": list(oracle.words), "value": list(shown), "covered": found.tolist()}


def alignment(
    X: Floats, S: Floats, features: list[str], words: list[str], *, most: int | None = None
) -> Alignment:
    """Name, for each dimension, the feature that it correlates with most and its top words.

    X and S, (n, d) and (n, p), have one row for each of the same n words. ``most`` keeps those
    dimensions with the largest correlations.

    >>> X, S = np.array([[3.0], [1.0], [2.0], [0.0]]), np.array([[1.0], [0.0], [1.0], [0.0]])
    >>> alignment(X, S, ["animal"], ["cat", "tea", "dog", "cup"]).dimensions
    (Dimension(dimension=0, feature='animal', correlation=0.894427,
      words=('cat', 'dog', 'tea', 'cup')),)
    """
    found = correlation_matrix(X, S)
    varying = np.flatnonzero(~found.right_constant)
    dimensions = np.flatnonzero(~found.left_constant)
    if not len(varying) or not len(dimensions):
        return Alignment()
    best, r = best_features(found)
    clearest = np.sort(np.argsort(-r, kind="stable")[:most])
    table = tuple(
        Dimension(
            dimension=int(dimensions[j]),
            feature=features[varying[best[j]]],
            correlation=round(float(r[j]), 6),
            words=tuple(words[i] for i in _top(X[:, dimensions[j]])),
        )
        for j in clearest
    )
    strongest = np.abs(found.values[np.ix_(dimensions, varying)]).max(axis=0)
    return Alignment(
        dimensions=table,
        features={
            features[column]: round(float(value), 6)
            for column, value in zip(varying, strongest, strict=True)
        },
    )


def _top(column: Floats) -> Indices:
    """Return where the largest values are, of equal ones the first."""
    place = max(0, len(column) - _TOP_WORDS)
    likely = np.flatnonzero(column >= np.partition(column, place)[place])
    return likely[np.argsort(-column[likely], kind="stable")[:_TOP_WORDS]]


def _alignment_table(result: Result) -> Table:
    """Return one row per dimension: the feature it is aligned to, how well, and its top words."""
    rows = [
        (row.dimension, row.feature, row.correlation, " ".join(row.words))
        for row in sorted(Alignment.of(result).dimensions, key=lambda row: -row.correlation)
    ]
    return Table(
        columns=("dimension", "feature", "correlation", "top words"),
        rows=rows,
        caption=f"{result.model} on {result.resource}",
    )
