"""QVEC and QVEC-CCA: how much linguistic knowledge the dimensions of a space hold.

Tsvetkov, Faruqui, Ling, Lample & Dyer (2015), Evaluation of word vector representations by
subspace alignment; Tsvetkov, Faruqui & Dyer (2016), Correlation-based intrinsic evaluation of
word vector representations. X (n, d) holds the vectors of the n words that space and oracle share,
S (n, p) their linguistic properties.

- ``explained``: the share of the variance of S that ridge regression on X explains, for words that
  it has not seen. It is 0 for vectors that know nothing, whatever their size.
- ``qvec``: the sum over dimensions of X of the largest Pearson correlation with any column of S.
- ``cca-first``: the first canonical correlation of X and S, the formula of the 2016 paper.
- ``cca``: the mean of all canonical correlations, which the authors' script reports.

The last three are the papers'. They pick the best of many fits, so that they grow with the number
of dimensions and as words get fewer, whatever the space knows: on Gaussian data of 50 dimensions
and 41 properties whose true mean canonical correlation is 0.224, ``cca`` is 0.25 with 4,200 words,
0.29 with 1,300 and 0.39 with 400, and with 300 dimensions and 4,200 words 0.37. The baseline says
what a shuffled oracle gives.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from lydite.declare import Metric, Param, Slot, View
from lydite.drawing.section import ItemsLoader
from lydite.drawing.table import Cell, Table, results_table
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
from lydite.stats.cca import canonical_correlations, canonical_influence, shuffled_products
from lydite.stats.correlation import ColumnCorrelations, correlation_matrix
from lydite.stats.null import summarize_null
from lydite.stats.ridge import Explained, explain
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Mask, PlainMapping

Method: TypeAlias = Literal["explained", "cca", "cca-first", "qvec"]

_DRAWS = 200
# Of the control task, which varies by a ten-thousandth where the score varies by a hundredth.
_CONTROLS = 20
_FOLDS = 10
_TOP_WORDS = 5
_TOP_FEATURES = 3
# A result is one line of text: of a space with more dimensions, only the clearest are shown.
_SHOWN_DIMENSIONS = 100
_SHOWN_DIRECTIONS = 10


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A score with what each word contributes to it."""

    score: float
    influence: Floats  # (n,): how far each word pulls the score; their mean is zero
    null: Floats  # (draws,): the score when the rows of the oracle are shuffled
    interval: Interval | None = None  # None for the scores that grow with dimensions


@dataclass(frozen=True, kw_only=True)
class Dimension(Details):
    """A dimension of a space: the feature that it correlates with most, and its top words."""

    dimension: int = 0
    feature: str = ""
    correlation: float = 0.0
    words: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Direction(Details):
    """A canonical direction: how well vectors and features agree in it, and what it is about."""

    direction: int = 0
    correlation: float = 0.0
    # The features that go with it most, with their correlations; the first is positive, since the
    # sign of a direction is arbitrary.
    features: Mapping[str, float] = field(default_factory=dict)
    # The words whose vectors lie furthest along it, and against it.
    words: tuple[str, ...] = ()
    opposite: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Alignment(Missing):
    """What a result tells beside its scores."""

    dimensions: tuple[Dimension, ...] = ()  # those that vary, in order
    # For each feature that varies the share of its variance explained for words held out.
    explained: Mapping[str, float] = field(default_factory=dict)
    directions: tuple[Direction, ...] = ()  # of CCA, the clearest first
    repeated: int = 0  # rows of the oracle whose word had a row before; they are left out


@dataclass(frozen=True, kw_only=True)
class Qvec(Evaluation):
    """Measure how much linguistic knowledge is in the dimensions of a space.

    Linguistic features of words are predicted from the vectors, for words that were held out, or
    correlated with them as the papers do; a shuffled oracle is the baseline.

    Notes
    -----
    Words are looked up exactly as the oracle writes them; those that the model lacks,
    or has only a zero vector for, are left out and counted. Constant dimensions and properties that
    none of the remaining words has are left out too.

    ``explained`` is fair across dimensions: a rotation or a factor changes nothing, dropping
    dimensions can only lose, and vectors that know nothing get 0 at any size. Words are dealt into
    ten folds by a hash of the word, so that no seed decides anything. Its baseline is the control
    task of Hewitt & Liang (2019), each word with the row of another, and ``others["selectivity"]``
    the score less its mean. The 95 % interval is for the expected score of as many words, from the
    influence of each word both as one that is predicted and as one that is learnt from; with 100
    words or more it covered 90 to 100 % in simulations, and 99 to 100 % where nothing is to be
    found.

    ``cca``, ``cca-first`` and ``qvec`` grow with dimensions and have no interval: a score that is
    fitted to the words it is measured on lies above the true one by an unknown amount. Compare
    models of different dimensions by ``explained``, which stands beside them.
    """

    name: ClassVar[str] = "qvec"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("explained", "variance explained"),
        Metric("selectivity", "selectivity"),
        Metric("cca", "mean canonical correlation"),
        Metric("cca-first", "first canonical correlation"),
        Metric("qvec", "sum of correlations", digits=4),
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
        View(
            "interpret",
            "Show how well each feature is explained, the feature and the top words of each "
            "dimension, and with CCA those of each canonical direction.",
        ),
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
            "explained is the variance of the features explained for held-out words; cca the mean "
            "of the canonical correlations, cca-first the first of them, qvec the sum of the best "
            "correlations of single dimensions, which grow with the number of dimensions."
        ),
    ] = "explained"
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
        """Return the details of every dimension; a result keeps the clearest alone."""
        return self.interpret(model, resources) if shown.options.get("interpret") else {}

    @classmethod
    def tables(
        cls, results: Sequence[Result], items: ItemsLoader, shown: Shown
    ) -> Sequence[Table] | None:
        """Return what features, dimensions and directions hold, if that is asked for."""
        plain = results_table(results)
        notes = [*plain.notes, *repeated_notes(results)]
        made = _interpretations(results) if shown.options.get("interpret") else []
        return [*made, replace(plain, notes=notes)]

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Score the model against the oracles."""
        oracle = self._oracle(resources)
        X, S, features, found = shared_matrices(model, oracle)
        words = [word for word, ok in zip(oracle.words, found, strict=True) if ok]
        folds = word_folds(words)
        answer, explained = self.answer(X, S, folds=folds, draws=_DRAWS, seed=seed)
        control = summarize_null(
            answer.null, kind="control task" if self.method == "explained" else "shuffled oracle"
        )
        beside = (
            {"selectivity": answer.score - control.mean}
            if self.method == "explained"
            else {"explained": explained.score}
        )
        return Outcome(
            metric=self.method,
            score=answer.score,
            interval=answer.interval,
            baseline=control,
            n_items=len(oracle),
            n_covered=len(words),
            oov="skip",
            statistic="mean",
            items=_items(oracle, found, answer),
            others={
                **beside,
                "dimensions": float(X.shape[1]),
                "features": float(S.shape[1]),
            },
            details=self._details(
                oracle, (X, S, features, found), explained, most=_SHOWN_DIMENSIONS
            ).plain(),
        )

    def interpret(self, model: object, resources: Sequence[Located]) -> PlainMapping:
        """Return all details; a result keeps those of the clearest dimensions and directions."""
        oracle = self._oracle(resources)
        shared = shared_matrices(model, oracle)
        X, S, _, found = shared
        words = [word for word, ok in zip(oracle.words, found, strict=True) if ok]
        explained = explain(X, S, word_folds(words))
        return self._details(oracle, shared, explained).plain()

    def _details(
        self,
        oracle: Oracle,
        shared: tuple[Floats, Floats, list[str], Mask],
        explained: Explained,
        *,
        most: int | None = None,
    ) -> Alignment:
        X, S, features, found = shared
        words = [word for word, ok in zip(oracle.words, found, strict=True) if ok]
        missing = [word for word, ok in zip(oracle.words, found, strict=True) if not ok]
        shares = zip(features, explained.columns.tolist(), strict=True)
        return replace(
            alignment(X, S, features, words, most=most),
            explained={each: round(share, 6) for each, share in shares if math.isfinite(share)},
            directions=(
                canonical_directions(
                    *self._scaled(X, S), features, words, most=most and _SHOWN_DIRECTIONS
                )
                if self.method in ("cca", "cca-first")
                else ()
            ),
            repeated=oracle.repeated,
            missing=tuple(missing[:10]),
        )

    def _oracle(self, resources: Sequence[Located]) -> Oracle:
        if not resources:
            raise InputError("qvec takes one oracle or several, got none")
        oracles = [oracle for r in resources for oracle in _read(tuple(r.paths), r.sha256)]
        return join_oracles(oracles, self.join)

    def answer(
        self, X: Floats, S: Floats, *, folds: Indices | None = None, draws: int = 0, seed: int = 0
    ) -> tuple[Answer, Explained]:
        """Compute the score of two aligned matrices, and the variance explained in any case.

        X, (n, d), has the vectors and S, (n, p), the linguistic properties of the same words. The
        oracle is shuffled ``draws`` times for the null baseline, 20 times at most for the control
        task. ``folds`` has the fold of each word; by default words are dealt in turn.

        >>> X = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0], [5.0, 0.0]])
        >>> S = np.array([[0.0], [0.0], [0.0], [1.0], [1.0]])
        >>> round(Qvec(method="qvec").answer(X, S)[0].score, 4)
        1.0327
        """
        shuffles = np.random.default_rng(child_seed(seed, "baseline"))
        dealt = np.arange(len(X)) % min(_FOLDS, len(X)) if folds is None else folds
        if self.method != "explained":
            # A control would be of no use here, and takes longer than all else.
            fit = _qvec if self.method == "qvec" else self._cca
            return fit(X, S, draws, shuffles), explain(X, S, dealt)
        orders = (shuffles.permutation(len(X)) for _ in range(min(draws, _CONTROLS)))
        found = explain(X, S, dealt, orders=orders)
        answer = Answer(
            score=found.score,
            influence=found.influence,
            null=found.control,
            interval=found.interval(),
        )
        return answer, found

    def _scaled(self, X: Floats, S: Floats) -> tuple[Floats, Floats]:
        return (_unit(X), _unit(S)) if self.normalize else (X, S)

    def _cca(self, X: Floats, S: Floats, draws: int, shuffles: np.random.Generator) -> Answer:
        return _cca(*self._scaled(X, S), draws, shuffles, first=self.method == "cca-first")


def word_folds(words: Sequence[str]) -> Indices:
    """Deal words into ten folds, or as many as there are words, by a hash of the word.

    Neither a seed nor the order of the oracle changes it.

    >>> word_folds(["cat", "dog", "emu"]).tolist(), word_folds(["emu", "dog", "cat"]).tolist()
    ([0, 1, 2], [2, 1, 0])
    """
    marks = [hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest() for word in words]
    folds = np.empty(len(words), dtype=np.int64)
    folds[sorted(range(len(words)), key=marks.__getitem__)] = np.arange(len(words)) % min(
        _FOLDS, len(words)
    )
    return folds


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


def _qvec(X: Floats, S: Floats, draws: int, shuffles: np.random.Generator) -> Answer:
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


def _cca(X: Floats, S: Floats, draws: int, shuffles: np.random.Generator, *, first: bool) -> Answer:
    analysis = canonical_correlations(X, S)
    used = slice(0, 1) if first else slice(None)
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
    return Alignment(dimensions=table)


def canonical_directions(
    X: Floats, S: Floats, features: list[str], words: list[str], *, most: int | None = None
) -> tuple[Direction, ...]:
    """Say for each canonical direction which features go with it and which words lie along it.

    A feature goes with a direction as it correlates with the canonical variate of the features,
    not by its weight: weights of features that are much alike say little.

    >>> X = np.array([[3.0], [1.0], [2.0], [0.0], [1.0]])
    >>> S = np.array([[1.0], [0.0], [1.0], [0.0], [0.0]])
    >>> found = canonical_directions(X, S, ["animal"], ["cat", "tea", "dog", "cup", "jug"])
    >>> found[0].features, found[0].words[:2], found[0].opposite[0]
    ({'animal': 1.0}, ('cat', 'dog'), 'cup')
    """
    analysis = canonical_correlations(X, S)
    loadings = correlation_matrix(S, analysis.right).values
    made = []
    for k, correlation in enumerate(analysis.correlations[:most]):
        strongest = np.argsort(-np.abs(np.nan_to_num(loadings[:, k])), kind="stable")
        sign = 1.0 if loadings[strongest[0], k] >= 0 else -1.0
        variate = sign * analysis.left[:, k]
        made.append(
            Direction(
                direction=k + 1,
                correlation=round(float(correlation), 6),
                features={
                    features[j]: round(sign * float(loadings[j, k]), 6)
                    for j in strongest[:_TOP_FEATURES]
                    if np.isfinite(loadings[j, k])
                },
                words=tuple(words[i] for i in _top(variate)),
                opposite=tuple(words[i] for i in _top(-variate)),
            )
        )
    return tuple(made)


def _top(column: Floats) -> Indices:
    """Return where the largest values are, of equal ones the first."""
    place = max(0, len(column) - _TOP_WORDS)
    likely = np.flatnonzero(column >= np.partition(column, place)[place])
    return likely[np.argsort(-column[likely], kind="stable")[:_TOP_WORDS]]


def repeated_notes(results: Sequence[Result]) -> list[str]:
    """Say of each oracle how many of its rows were left out because their word stood before."""
    repeated = {result.resource: Alignment.of(result).repeated for result in results}
    return [
        f"{resource} has {count} row{'s' * (count > 1)} of words that it had before; the first row "
        "of a word counts."
        for resource, count in repeated.items()
        if count
    ]


def _interpretations(results: Sequence[Result]) -> list[Table]:
    return [table for result in results for table in _interpretation(result)]


def _interpretation(result: Result) -> list[Table]:
    """Return what a space holds, first by what its score is made of: the one table of CSV."""
    found, about = Alignment.of(result), f"{result.model} on {result.resource}"
    by_feature = Table(
        columns=("feature", "explained"),
        rows=[(name, found.explained[name]) for name in by_explained(found)],
        caption=f"{about}: variance of each feature explained for held-out words",
    )
    by_dimension = Table(
        columns=("dimension", "feature", "correlation", "top words"),
        rows=[
            (row.dimension, row.feature, row.correlation, " ".join(row.words))
            for row in sorted(found.dimensions, key=lambda row: -row.correlation)
        ],
        caption=about,
    )
    if found.directions:
        directions = directions_table(found, f"{about}: canonical directions")
        return [directions, by_feature, by_dimension]
    if result.metric == "qvec":
        return [by_dimension, by_feature]
    return [by_feature, by_dimension]


def by_explained(found: Alignment) -> list[str]:
    """Return the features, those that are explained best first."""
    return sorted(found.explained, key=lambda name: -found.explained[name])


def directions_table(found: Alignment, caption: str) -> Table:
    """Return one row per canonical direction: its features and the words at both ends."""
    return Table(
        columns=("direction", "correlation", "features", "words along", "words against"),
        rows=[
            (
                row.direction,
                Cell(text=f"{row.correlation:.3f}", values=(row.correlation,)),
                ", ".join(f"{name} {r:+.2f}" for name, r in row.features.items()),
                " ".join(row.words),
                " ".join(row.opposite),
            )
            for row in found.directions
        ],
        caption=caption,
    )
