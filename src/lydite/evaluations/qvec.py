"""QVEC and QVEC-CCA: how much linguistic knowledge the dimensions of a space hold.

Tsvetkov, Faruqui, Ling, Lample & Dyer (2015), Evaluation of word vector representations by
subspace alignment; Tsvetkov, Faruqui & Dyer (2016), Correlation-based intrinsic evaluation of
word vector representations. X (n, d) holds the vectors of the n words that space and oracle share,
S (n, p) their linguistic properties.

- ``qvec``: the sum over dimensions of X of the largest Pearson correlation with any column of S.
- ``cca-first``: the first canonical correlation of X and S, the formula of the 2016 paper.
- ``cca``: the mean of all canonical correlations, which the authors' script reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from lydite.errors import UndefinedScoreError
from lydite.evaluations.catalogue import Evaluation
from lydite.lexicons.oracle import Join, Oracle, join_oracles, read_oracle
from lydite.models.catalogue import model_spec
from lydite.models.words import find_words
from lydite.resources.catalogue import Located
from lydite.results.record import Outcome
from lydite.stats.bootstrap import Interval
from lydite.stats.cca import canonical_correlations, canonical_influence
from lydite.stats.correlation import correlation_matrix
from lydite.stats.null import Baseline, summarise_null
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Mask, PlainMapping, Progress, silent

Method: TypeAlias = Literal["cca", "cca-first", "qvec"]

_DRAWS = 200
_TOP_WORDS = 5


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A score with what each word contributes to it.

    Attributes
    ----------
    score
        QVEC or QVEC-CCA.
    influence
        Shape (n,): how far each word pulls the score; their mean is zero.
    null
        Shape (draws,): the score when the rows of the oracle are shuffled.
    """

    score: float
    influence: Floats
    null: Floats


@dataclass(frozen=True, kw_only=True)
class Qvec(Evaluation):
    """QVEC and QVEC-CCA against one linguistic oracle or several.

    Attributes
    ----------
    method
        ``cca`` (mean of canonical correlations), ``cca-first`` (the first) or ``qvec``.
    join
        How several oracles are put together: the words that all have, or the words of any.
    normalize
        Scale the rows of both matrices to length one before CCA, as the authors' script does.
        QVEC always takes raw values, as theirs does.
    """

    name: ClassVar[str] = "qvec"

    method: Method = "cca"
    join: Join = "intersection"
    normalize: bool = True

    def run(
        self,
        model: object,
        resources: Sequence[Located],
        *,
        seed: int,
        progress: Progress = silent,
    ) -> Outcome:
        """Score the model against the oracles."""
        oracle = join_oracles([read_oracle(path) for r in resources for path in r.paths], self.join)
        X, S, features, found = shared_matrices(model, oracle)
        answer = self.answer(X, S, draws=_DRAWS, seed=child_seed(seed, "baseline"))
        words = [word for word, ok in zip(oracle.words, found, strict=True) if ok]
        return Outcome(
            metric=self.method,
            score=answer.score,
            interval=_normal_interval(answer),
            baseline=_baseline(answer),
            n_items=len(oracle),
            n_covered=len(words),
            oov="skip",
            statistic="mean",
            items=_items(oracle, found, answer),
            others={"dimensions": float(X.shape[1]), "features": float(S.shape[1])},
            details={
                **alignment(X, S, features, words),
                "missing": [w for w, ok in zip(oracle.words, found, strict=True) if not ok][:10],
            },
        )

    def answer(self, X: Floats, S: Floats, *, draws: int = 0, seed: int = 0) -> Answer:
        """Compute the score of two aligned matrices.

        Parameters
        ----------
        X
            Shape (n, d): vectors.
        S
            Shape (n, p): linguistic properties of the same words.
        draws
            How often to shuffle the oracle for the null baseline.
        seed
            The seed of the shuffles.
        """
        generator = np.random.default_rng(seed)
        if self.method == "qvec":
            return _qvec(X, S, draws, generator)
        if self.normalize:
            X, S = _unit(X), _unit(S)
        return _cca(X, S, draws, generator, first=self.method == "cca-first")


def shared_matrices(model: object, oracle: Oracle) -> tuple[Floats, Floats, list[str], Mask]:
    """Return X and S for the words that a model and an oracle share.

    Columns of the oracle that are zero for all these words are dropped.

    Returns
    -------
    X (n, d), S (n, p), the p names of features, and which words of the oracle are shared.
    """
    lookup = find_words(model, oracle.words)
    S = oracle.values[lookup.found]
    kept = np.flatnonzero(S.any(axis=0))
    if len(S) < 3 or not len(kept):
        raise UndefinedScoreError(
            f"{model_spec(model)} shares {len(S)} words with the oracle, too few for a correlation",
            hint="is the model of another language, or cased while the oracle is not?",
        )
    features = [oracle.features[column] for column in kept]
    return lookup.vectors[lookup.found].astype(np.float64), S[:, kept], features, lookup.found


def _unit(matrix: Floats) -> Floats:
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(np.divide(matrix, norms, out=np.zeros_like(matrix), where=norms > 0))


def _standard(matrix: Floats) -> Floats:
    """Return columns of mean 0 and variance 1; constant ones become zero."""
    centred = matrix - matrix.mean(axis=0)
    spread = np.sqrt((centred**2).mean(axis=0))
    return np.asarray(np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0))


def _qvec(X: Floats, S: Floats, draws: int, generator: np.random.Generator) -> Answer:
    found = correlation_matrix(X, S)
    dimensions = np.flatnonzero(~found.left_constant)
    table = np.where(np.isnan(found.values), -np.inf, found.values)[dimensions]
    best = table.argmax(axis=1)
    r = table[np.arange(len(table)), best]
    if not len(r) or not np.isfinite(r).all():
        raise UndefinedScoreError("no column of the vectors or of the oracle varies")
    x, s = _standard(X[:, dimensions]), _standard(S)
    aligned = s[:, best]
    influence = (x * aligned - 0.5 * r * (x * x + aligned * aligned)).sum(axis=1)
    varying = s[:, ~found.right_constant]
    null = np.array([_shuffled_qvec(x, varying, generator) for _ in range(draws)])
    return Answer(score=float(r.sum()), influence=influence, null=null)


def _shuffled_qvec(x: Floats, s: Floats, generator: np.random.Generator) -> float:
    return float((x.T @ generator.permutation(s) / len(x)).max(axis=1).sum())


def _cca(
    X: Floats, S: Floats, draws: int, generator: np.random.Generator, *, first: bool
) -> Answer:
    analysis = canonical_correlations(X, S)
    used = slice(0, 1) if first else slice(None)
    null = [
        np.linalg.svd(
            analysis.left_basis.T @ generator.permutation(analysis.right_basis), compute_uv=False
        )[used].mean()
        for _ in range(draws)
    ]
    return Answer(
        score=float(analysis.correlations[used].mean()),
        influence=canonical_influence(analysis)[:, used].mean(axis=1),
        null=np.array(null),
    )


def _normal_interval(answer: Answer, level: float = 0.95) -> Interval:
    """Return the score plus and minus normal quantiles of its infinitesimal-jackknife error.

    A bootstrap would not do: a resample repeats words, which overfits the alignment, and its
    scores lie above the one they should surround.
    """
    error = float(np.sqrt((answer.influence**2).sum())) / len(answer.influence)
    reach = NormalDist().inv_cdf((1 + level) / 2) * error
    low, high = answer.score - reach, answer.score + reach
    return Interval(low=low, high=high, level=level, method="influence")


def _baseline(answer: Answer) -> Baseline:
    return summarise_null(answer.null, kind="shuffled oracle")


def _items(oracle: Oracle, found: Mask, answer: Answer) -> dict[str, list[object]]:
    # Influence is centred at zero, so that the mean of these values is the score itself.
    values = np.full(len(oracle), np.nan)
    values[found] = answer.score + answer.influence
    shown = [value if ok else None for value, ok in zip(values.tolist(), found, strict=True)]
    return {"item": list(oracle.words), "value": list(shown), "covered": found.tolist()}


def alignment(X: Floats, S: Floats, features: list[str], words: list[str]) -> PlainMapping:
    """Name, for each dimension, the feature that it correlates with most and its top words.

    Returns
    -------
    Plain data: ``dimensions``, a list of {dimension, feature, correlation, words}, and
    ``features``, for each feature the largest correlation of any dimension.
    """
    table = np.nan_to_num(correlation_matrix(X, S).values, nan=0.0)
    best = table.argmax(axis=1)
    top = np.argsort(-X, axis=0, kind="stable")[:_TOP_WORDS].T
    dimensions = [
        {
            "dimension": j,
            "feature": features[best[j]],
            "correlation": round(float(table[j, best[j]]), 6),
            "words": [words[i] for i in top[j]],
        }
        for j in range(X.shape[1])
    ]
    strongest = np.abs(table).max(axis=0)
    return {
        "dimensions": dimensions,
        "features": {name: round(float(r), 6) for name, r in zip(features, strongest, strict=True)},
    }
