"""Which paraphrase group a sentence belongs to: by SVMs, centroids, neighbors and ensembles.

Nothing depends on a factor that all vectors have in common. For centroids and neighbors vectors are
brought to length 1; a zero vector has no direction: it is left out of means, and nothing is nearest
to it. The support vector machines get vectors divided by their root mean squared length, and choose
the price of an error themselves.
Ensembles are due to White et al. (2015): models of words and of sentences make different mistakes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from lydite.errors import InputError, UndefinedScoreError
from lydite.models.protocols import FittedToTexts, Joint
from lydite.models.texts import encode_texts, has_direction
from lydite.progress import current_progress
from lydite.spaces.neighbours import nearest_words, over_blocks
from lydite.stats.linear_svm import LinearSvms, Rows, liblinear, svm_path
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Vectors


def stratified_folds(labels: Indices, folds: int, seed: int) -> Indices:
    """Deal the sentences of each group out to folds, at random, as evenly as they go.

    Returns the fold of each sentence, (n,). Folds depend on the seed and the labels alone, so that
    models are compared on the same ones.

    >>> stratified_folds(np.array([0, 0, 0, 1, 1, 1]), 3, seed=1)
    array([0, 2, 1, 2, 0, 1])
    """
    generator = np.random.default_rng(seed)
    shuffled = generator.permutation(len(labels))
    by_group = shuffled[np.argsort(labels[shuffled], kind="stable")]
    sizes = np.bincount(labels)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    offsets = np.repeat(_offsets(sizes, folds, generator), sizes)
    dealt = np.empty(len(labels), dtype=np.int64)
    dealt[by_group] = (np.arange(len(labels)) - starts + offsets) % folds
    return dealt


def _offsets(sizes: Indices, folds: int, generator: np.random.Generator) -> Indices:
    """Return the fold that each group's first sentence goes to.

    Dealing goes on where the group before left off, the groups in an order of their own: so folds
    are of one size, whatever is left over of the groups.
    """
    order = generator.permutation(len(sizes))
    offsets = np.empty(len(sizes), dtype=np.int64)
    offsets[order] = np.cumsum(sizes[order]) - sizes[order]
    return offsets % folds


Scale: TypeAlias = Literal["rms", "none", "unit", "standard"]


class Features:
    """What a model says of a list of sentences, in any split.

    A model that is fitted to texts, such as a bag of words or its principal components, is fitted
    anew to the training sentences of every split; any other is asked once.
    """

    def __init__(self, model: object, texts: Sequence[str]) -> None:
        self._model = model
        self.texts = texts
        self.vectors: Vectors = encode_texts(model, texts)

    def split(self, train: Indices, test: Indices) -> tuple[Vectors, Vectors]:
        """Return the vectors of training sentences (m, d) and of test sentences (n - m, d)."""
        if not isinstance(self._model, FittedToTexts):
            return self.vectors[train], self.vectors[test]
        known = [self.texts[i] for i in train]
        fitted = self._model.fitted_to(known)
        return encode_texts(fitted, known), encode_texts(fitted, [self.texts[i] for i in test])


def scaled(train: Vectors, test: Vectors, scale: Scale) -> tuple[Floats, Floats]:
    """Scale vectors for a classifier, by what the training ones say.

    ``rms`` divides all by one number, the root of the mean squared length of the training vectors
    that are not zero, so that a factor common to all is none; ``none`` leaves them as the model
    gives them, which is what the paper does; ``unit`` makes their length 1; ``standard`` gives each
    component mean 0 and deviation 1 over the training vectors, and 0 to one that does not vary
    there.

    >>> vectors = np.array([[3.0, 4.0], [0.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    >>> scaled(vectors, vectors[:1], "unit")[0].tolist()
    [[0.6, 0.8], [0.0, 0.0], [0.0, 1.0]]
    >>> scaled(vectors, vectors[:1], "rms")[1].round(3).tolist()  # by the root of (25 + 1) / 2
    [[0.832, 1.109]]
    """
    left, right = train.astype(np.float64), test.astype(np.float64)
    if scale == "rms":
        length = _typical_length(left)
        return left / length, right / length
    if scale == "unit":
        return _unit(left), _unit(right)
    if scale == "standard":
        mean, deviation = left.mean(axis=0), left.std(axis=0)
        deviation[deviation == 0] = np.inf
        return (left - mean) / deviation, (right - mean) / deviation
    return left, right


def _typical_length(vectors: Floats) -> float:
    """Return the root of the mean squared length of vectors that are not zero; 1 if all are."""
    largest = float(np.abs(vectors).max(initial=0.0))
    if not largest:
        return 1.0
    # By the largest entry first: the square of a tiny one would vanish.
    squares = np.square(vectors / largest).sum(axis=1)
    return largest * float(np.sqrt(squares[squares > 0].mean()))


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit


Leading: TypeAlias = Literal["svm", "centroid", "neighbour"]
Solver: TypeAlias = Literal["newton", "liblinear"]
Weights: TypeAlias = Literal["balanced", "none"]

#: What C is chosen from, for vectors whose typical length is 1.
PRICES: Final = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
#: Taken where no group has two training sentences, so that nothing could be held out to choose by.
UNCHOSEN: Final = 1.0
#: Folds of the training sentences in which C is chosen, and weights of models are learned.
INNER_FOLDS: Final = 2

#: Below this share of non-zero components, vectors are handed to the solver as a sparse matrix.
_SPARSE = 0.1
#: Scores that differ by less are equal: rounding is some 1e-15.
_EQUAL = 1e-9


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How the classifiers are trained: the parameters of `Localization` of the same names.

    ``C`` is None where it is chosen from `PRICES` in inner folds of the training sentences.
    """

    C: float | None
    weights: Weights
    solver: Solver
    scale: Scale


@dataclass(frozen=True, kw_only=True, eq=False)
class Decisions:
    """What the classifiers of one fold say."""

    scores: Floats  # (m, k): of each test sentence, of each group
    # How many classifiers there are, one per group, and how many of them were not solved to the
    # tolerance.
    trained: int
    unconverged: int
    C: tuple[float, ...]  # the price of an error that they were trained with, one for each model

    @property
    def predicted(self) -> Indices:
        """The group of each sentence, (m,): the one with the highest score, of equals the first."""
        return _first_highest(self.scores)


def classify(
    known: Vectors, labels: Indices, asked: Vectors, setting: Setting, *, seed: int
) -> Decisions:
    """Train one classifier per group, each against the rest, and score other sentences.

    The seed is of the inner folds in which C is chosen; it is not used where C is given.
    """
    train, test = scaled(known, asked, setting.scale)
    C = chosen_price(train, labels, setting, seed=seed) if setting.C is None else setting.C
    machines = next(_machines(_compact(train), labels, [C], setting))
    return Decisions(
        scores=machines.scores(_compact(test)),
        trained=len(machines.converged),
        unconverged=int((~machines.converged).sum()),
        C=(C,),
    )


def chosen_price(rows: Floats, labels: Indices, setting: Setting, *, seed: int) -> float:
    """Return the C of `PRICES` under which most sentences are right, of equal ones the smallest.

    Each training sentence is classified by those of the other inner folds. The only sentence of a
    group is always learned from and never asked about, so that all groups stay in the choice.

    >>> rows = np.array([[1, 0], [0.9, 0.2], [0, 1], [0.1, 1], [-1, 0]])
    >>> setting = Setting(C=None, weights="balanced", solver="newton", scale="rms")
    >>> chosen_price(rows, np.array([0, 0, 1, 1, 2]), setting, seed=0)
    0.1
    """
    several = np.bincount(labels)[labels] >= INNER_FOLDS
    if not several.any():
        return UNCHOSEN
    dealt = np.where(several, stratified_folds(labels, INNER_FOLDS, seed), UNANSWERED)
    right = np.zeros(len(PRICES), dtype=np.int64)
    for fold in range(INNER_FOLDS):
        known, asked = np.flatnonzero(dealt != fold), np.flatnonzero(dealt == fold)
        if not len(asked):
            continue
        test = _compact(rows[asked])
        found = _machines(_compact(rows[known]), labels[known], PRICES, setting)
        for place, machines in enumerate(found):
            predicted = _first_highest(machines.scores(test))
            right[place] += np.count_nonzero(predicted == labels[asked])
    return PRICES[int(right.argmax())]


def _machines(
    rows: Rows, labels: Indices, prices: Sequence[float], setting: Setting
) -> Iterator[LinearSvms]:
    if setting.solver == "newton":
        return svm_path(rows, labels, prices, weights=setting.weights)
    return (liblinear(rows, labels, C=C, weights=setting.weights) for C in prices)


def _first_highest(scores: Floats) -> Indices:
    """Return where the highest score of each row is, of those that are equal the first."""
    highest = scores.max(axis=1, keepdims=True)
    first: Indices = (scores >= highest - _EQUAL).argmax(axis=1)
    return first


def _compact(vectors: Floats) -> Rows:
    """Return a sparse matrix where most components are 0, as in a bag of words."""
    if np.count_nonzero(vectors) >= _SPARSE * vectors.size:
        return vectors
    from scipy.sparse import csr_array

    return csr_array(vectors)


#: What a classifier says of a sentence without a direction, or if there is nothing to compare.
UNANSWERED: Final = -1

#: Rows whose products with others are held at a time.
_ROWS = 1024
#: Cosines to centroids that differ by less are equal, and a shorter mean is zero: rounding is
#: some 1e-15.
_TIE = 1e-12


def alignment(vectors: Vectors, labels: Indices) -> float:
    """Return how far apart sentences of one group lie: 0 if they are all in one place.

    The mean of ||x - y||² over all pairs of sentences of one group, with x and y of length 1
    (Wang & Isola 2020, with their exponent 2). They draw pairs of views of one thing; here all
    pairs of all groups count, so a group of m sentences weighs m (m - 1) / 2. It is summed from
    the distances to the groups' means, and no pair is looked at.

    References
    ----------
    Wang & Isola (2020), Understanding contrastive representation learning through alignment and
    uniformity on the hypersphere.

    Examples
    --------
    >>> vectors = np.array([[1, 0], [0, 2], [3, 0]], dtype=np.float32)
    >>> alignment(vectors, np.array([0, 0, 1]))
    2.0
    """
    groups = _Groups.of(vectors, labels)
    pairs = groups.sizes @ (groups.sizes - 1) / 2
    if not pairs:
        raise UndefinedScoreError(
            "alignment is about sentences of one group, but no two of one have a direction"
        )
    means = groups.sums / groups.sizes[:, None]
    spread = np.zeros(len(groups.sizes))
    for rows, units in groups.blocks():
        number = groups.number[rows]
        squares = ((units - means[number]) ** 2).sum(axis=1)
        spread += np.bincount(number, weights=squares, minlength=len(spread))
    # The squared distances of all pairs of m points sum to m times those to their mean.
    return float(groups.sizes @ spread / pairs)


def uniformity(vectors: Vectors, *, t: float = 2.0) -> float:
    """Return how evenly sentences spread over the sphere: the lower, the more evenly.

    log of the mean of exp(-t ||x - y||²) over all pairs of different sentences, of one group or
    not, with x and y of length 1 (Wang & Isola 2020): 0 if all are in one place, at least -4t. How
    fast the potential falls with distance is ``t``.

    >>> vectors = np.array([[1, 0], [0, 2], [3, 0]], dtype=np.float32)
    >>> round(uniformity(vectors), 4)  # log((1 + 2 exp(-4)) / 3)
    -1.0626
    """
    if not 0 < t < np.inf:
        raise InputError(f"expected t to be a number above 0, got {t!r}")
    units = _units(_checked(vectors))
    units = units[units.any(axis=1)]
    n = len(units)
    if n < 2:
        raise UndefinedScoreError(
            f"uniformity is about pairs of sentences, but {n} have a direction"
        )

    def potentials(start: int) -> float:
        """Sum over the pairs of some sentences with each other and with all after them."""
        block, total = units[start : start + _ROWS], 0.0
        for other in range(start, n, _ROWS):
            values = block @ units[other : other + _ROWS].T
            np.minimum(values, 1, out=values)
            values -= 1
            values *= 2 * t
            np.exp(values, out=values)
            total += float((np.triu(values, k=1) if other == start else values).sum())
        return total

    total = sum(over_blocks(potentials, range(0, n, _ROWS)))
    return float(np.log(total / (n * (n - 1) / 2)))


def nearest_centroid(train: Vectors, labels: Indices, test: Vectors) -> Indices:
    """Classify by the group whose mean direction is nearest.

    Returns the group of each test sentence, (m,): that with the highest cosine between the sentence
    and the mean of the group's vectors of length 1; of equal ones the lowest. -1 for a sentence
    without a direction. A group whose mean is zero is near to nothing.

    >>> train = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32)
    >>> test = np.array([[3, 1], [0, 1], [0, 0]], dtype=np.float32)
    >>> nearest_centroid(train, np.array([4, 4, 7]), test)
    array([ 4,  7, -1])
    """
    groups = _Groups.of(train, labels)
    _check_width(train, test)
    centroids = _means_directed(groups.sums, groups.sizes)
    predicted = np.full(len(test), UNANSWERED, dtype=np.int64)
    asked = np.flatnonzero(test.any(axis=1))
    for start in range(0, len(asked), _ROWS):
        rows = asked[start : start + _ROWS]
        predicted[rows] = groups.best(_cosines(_units(test[rows]), centroids))
    return predicted


def _cosines(units: Floats, centroids: Floats) -> Floats:
    """Return the cosines of sentences with centroids, (b, k); minus infinity with a zero one."""
    cosines = units @ centroids.T
    cosines[:, ~centroids.any(axis=1)] = -np.inf
    return np.asarray(cosines)


def _means_directed(sums: Floats, sizes: Indices) -> Floats:
    """Return the directions (k, d) of sums of so many vectors of length 1, zero if they cancel."""
    cancelled = np.linalg.norm(sums, axis=1) <= _TIE * sizes
    return _units(np.where(cancelled[:, None], 0, sums))


def nearest_neighbour(train: Vectors, labels: Indices, test: Vectors) -> Indices:
    """Classify by the group of the one nearest sentence.

    Of equal ones the lowest group counts; -1 for a sentence without a direction.

    >>> train = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32)
    >>> test = np.array([[3, 1], [1, 9], [0, 0]], dtype=np.float32)
    >>> nearest_neighbour(train, np.array([4, 4, 7]), test)
    array([ 4,  7, -1])
    """
    train, labels = _checked(train), _checked_labels(train, labels)
    _check_width(train, test)
    asked = np.flatnonzero(_checked(test).any(axis=1))
    predicted = np.full(len(test), UNANSWERED, dtype=np.int64)
    # Of equally near ones the first is taken: in this order, that of the lowest group.
    known = np.flatnonzero(train.any(axis=1))
    known = known[np.argsort(labels[known], kind="stable")]
    if len(known) and len(asked):
        found = nearest_words(train[known], test[asked], 1)
        predicted[asked] = labels[known[found.indices[:, 0]]]
    return predicted


@dataclass(frozen=True, kw_only=True, eq=False)
class _Groups:
    """Sentences that have a direction, by group.

    ``rows`` are their places among ``vectors``; ``number`` (n,) is the place of each sentence's
    group among ``names``, ascending; ``sums`` (k, d) are the groups' sums of vectors of length 1.
    """

    vectors: Vectors
    rows: Indices
    number: Indices
    names: Indices
    sizes: Indices
    sums: Floats

    @classmethod
    def of(cls, vectors: Vectors, labels: Indices) -> _Groups:
        vectors = _checked(vectors)
        labels = _checked_labels(vectors, labels)
        rows = np.flatnonzero(vectors.any(axis=1))
        names = np.unique(labels[rows])
        number = np.searchsorted(names, labels)
        sums = np.zeros((len(names), vectors.shape[1]))
        for start in range(0, len(rows), _ROWS):
            block = rows[start : start + _ROWS]
            np.add.at(sums, number[block], _units(vectors[block]))
        sizes = np.bincount(number[rows], minlength=len(names))
        return cls(vectors=vectors, rows=rows, number=number, names=names, sizes=sizes, sums=sums)

    def blocks(self) -> Iterator[tuple[Indices, Floats]]:
        """Yield places of sentences, and their vectors of length 1, some at a time."""
        for start in range(0, len(self.rows), _ROWS):
            block = self.rows[start : start + _ROWS]
            yield block, _units(self.vectors[block])

    def best(self, cosines: Floats) -> Indices:
        """Return the group of the highest of each row (b, k), of equal ones the lowest, or -1."""
        if not len(self.names):
            return np.full(len(cosines), UNANSWERED, dtype=np.int64)
        highest = cosines.max(axis=1)
        first = (cosines >= highest[:, None] - _TIE).argmax(axis=1)
        return np.where(np.isfinite(highest), self.names[first], UNANSWERED)


def _units(vectors: Vectors | Floats) -> Floats:
    """Return vectors of length 1 in float64; a zero vector stays zero."""
    wide: Floats = vectors.astype(np.float64)
    # By its largest entry first: the square of a tiny one would vanish.
    largest = np.abs(wide).max(axis=1, initial=0, keepdims=True)
    np.divide(wide, largest, out=wide, where=largest > 0)
    lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide))[:, None]
    np.divide(wide, lengths, out=wide, where=lengths > 0)
    return wide


def _checked(vectors: Vectors) -> Vectors:
    vectors = np.asarray(vectors)
    if vectors.ndim != 2:
        raise InputError(f"expected vectors of shape (n, d), got {vectors.shape}")
    wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(wrong):
        raise InputError(
            f"expected vectors of finite numbers, got NaN or infinity at row {wrong[0]}"
        )
    return vectors


def _checked_labels(vectors: Vectors, labels: Indices) -> Indices:
    labels = np.asarray(labels)
    if labels.shape != (len(vectors),):
        raise InputError(
            f"expected one group for each of {len(vectors)} vectors, got shape {labels.shape}"
        )
    if len(labels) and labels.min() < 0:
        raise InputError(f"expected groups numbered from 0, got {labels.min()}")
    return labels


def _check_width(train: Vectors, test: Vectors) -> None:
    if _checked(test).shape[1] != train.shape[1]:
        raise InputError(
            f"expected test vectors of {train.shape[1]} dimensions, got shape {test.shape}"
        )


def classify_together(
    members: Sequence[Features],
    by: str,
    labels: Indices,
    train: Indices,
    test: Indices,
    setting: Setting,
    *,
    seed: int,
) -> Decisions:
    """Combine what the classifiers of several models say of the test sentences.

    A model that has the zero vector for a sentence says nothing of it: its classifier would know
    no more than how large the groups are.

    ``vote`` gives each model one vote for its best group; equal votes are decided by the scores.
    ``scores`` is the mean of the standardized scores. ``stacked`` is their weighted mean, with
    weights that are learned on training sentences held out from the classifiers, in inner folds.
    """
    decisions = [_classify(each, labels, train, test, setting, seed) for each in members]
    scores = np.stack([each.scores for each in decisions])
    if by == "vote":
        combined = votes(scores)
    elif by == "stacked":
        settings = [replace(setting, C=each.C[0]) for each in decisions]
        weights = _learnt_weights(members, labels, train, settings, seed)
        combined = np.tensordot(weights, scores, axes=1)
    else:
        combined = scores.mean(axis=0)
    return replace(
        decisions[0],
        scores=combined,
        trained=sum(each.trained for each in decisions),
        unconverged=sum(each.unconverged for each in decisions),
        C=tuple(C for each in decisions for C in each.C),
    )


def _classify(
    features: Features,
    labels: Indices,
    train: Indices,
    test: Indices,
    setting: Setting,
    seed: int,
) -> Decisions:
    """Return standardized scores of the test sentences, all 0 for those without a direction."""
    known, asked = features.split(train, test)
    decided = classify(known, labels[train], asked, setting, seed=seed)
    heard = has_direction(asked)[:, None]
    return replace(decided, scores=np.where(heard, standardised(decided.scores), 0))


def standardised(scores: Floats) -> Floats:
    """Bring the scores (m, k) of each sentence to mean 0 and deviation 1 over the groups."""
    centred = scores - scores.mean(axis=1, keepdims=True)
    deviation = centred.std(axis=1, keepdims=True)
    unit: Floats = np.divide(centred, deviation, out=np.zeros_like(centred), where=deviation > 0)
    return unit


def votes(scores: Floats) -> Floats:
    """Count votes for groups; the standardized scores break ties and count for nothing else.

    Scores, (models, m, k), are standardized, all 0 for an abstention. Returns shape (m, k).

    >>> three = np.array([[[2.0, 1.0, 0.0]], [[0.0, 2.0, 1.0]], [[0.0, 1.5, 1.0]]])
    >>> votes(three).argmax(axis=1).tolist()
    [1]
    """
    counts = np.zeros(scores.shape[1:])
    for each in scores:
        said = np.flatnonzero(each.any(axis=1))
        counts[said, each[said].argmax(axis=1)] += 1
    means = scores.mean(axis=0)
    # Standardized over k groups, no score is beyond the root of k: a whole vote always outweighs.
    counted: Floats = counts + means / (4 * np.sqrt(scores.shape[2]))
    return counted


def _learnt_weights(
    members: Sequence[Features],
    labels: Indices,
    train: Indices,
    settings: Sequence[Setting],
    seed: int,
) -> Floats:
    """Learn one weight per model, from training sentences that its classifiers did not see.

    The only sentence of a group is never held out; where no group has two, all weigh the same.
    """
    several = np.bincount(labels[train])[labels[train]] >= INNER_FOLDS
    if not several.any():
        return np.ones(len(members))
    inner = np.where(several, stratified_folds(labels[train], INNER_FOLDS, seed), UNANSWERED)
    scores = np.empty((len(members), len(train), labels.max() + 1))
    for fold in range(INNER_FOLDS):
        held_out = inner == fold
        for i, (each, setting) in enumerate(zip(members, settings, strict=True)):
            asked = train[held_out]
            decided = _classify(each, labels, train[~held_out], asked, setting, seed)
            scores[i, held_out] = decided.scores
    return stacking_weights(scores[:, several], labels[train][several])


def stacking_weights(scores: Floats, labels: Indices) -> Floats:
    """Return weights, not negative, under which the right groups are most likely.

    The likelihood is that of a softmax over the weighted scores; scores are (models, m, k).

    >>> right = np.eye(4) * 3
    >>> wrong = np.roll(right, 1, axis=1)
    >>> weights = stacking_weights(np.stack([right, wrong]), np.arange(4))
    >>> bool(weights[0] > 100 * weights[1])
    True
    """
    from scipy.optimize import minimize

    rows = np.arange(len(labels))

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits = np.tensordot(weights, scores, axes=1)
        logits -= logits.max(axis=1, keepdims=True)
        shares = np.exp(logits)
        totals = shares.sum(axis=1, keepdims=True)
        value = np.log(totals[:, 0]) - logits[rows, labels]
        expected = (scores * (shares / totals)).sum(axis=2)
        slope = expected - scores[:, rows, labels]
        # A little pull towards 0: without it, scores that tell all groups apart would have weights
        # without end.
        return float(value.mean() + 1e-3 * (weights**2).sum()), slope.mean(axis=1) + 2e-3 * weights

    start = np.ones(len(scores))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(scores))
    weights: Floats = found.x
    return weights if weights.any() else start


#: Sentences are divided in one way for all seeds: a verdict that is near its border must not hang
#: on the division. How much it does is told by the accuracies of the repeats.
_DIVISION: Final = 0


@dataclass(frozen=True, kw_only=True)
class Validation:
    """How often sentences are split, and how their classifiers are trained."""

    folds: int
    repeats: int
    setting: Setting

    def splits(self, labels: Indices) -> Iterator[Split]:
        """Yield every fold of every repeat."""
        for repeat in range(self.repeats):
            seed = child_seed(_DIVISION, "folds", str(repeat))
            dealt = stratified_folds(labels, self.folds, seed)
            for fold in range(self.folds):
                yield Split(
                    repeat=repeat,
                    train=np.flatnonzero(dealt != fold),
                    test=np.flatnonzero(dealt == fold),
                    seed=child_seed(_DIVISION, "inner", str(repeat * self.folds + fold)),
                )


@dataclass(frozen=True, kw_only=True, eq=False)
class Split:
    """A fold: the sentences that are learned from and those that are asked about."""

    repeat: int
    train: Indices
    test: Indices
    seed: int  # of what is random inside the training sentences

    def of_at_most(self, examples: int, labels: Indices) -> Split:
        """Keep so many training sentences of each group, drawn at random.

        What is kept for one number is part of what is kept for a larger one.
        """
        shuffled = np.random.default_rng(child_seed(self.seed, "examples")).permutation(self.train)
        by_group = shuffled[np.argsort(labels[shuffled], kind="stable")]
        sizes = np.bincount(labels[by_group])
        place = np.arange(len(by_group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return replace(self, train=np.sort(by_group[place < examples]))


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictions:
    """What each classifier takes each sentence for."""

    # ``svm``, ``centroid`` and ``neighbour``, each (repeats, n): groups, -1 for no answer.
    by_classifier: Mapping[Leading, Indices]
    # How many support vector machines were trained, and how many of them were not solved to the
    # tolerance.
    trained: int
    unconverged: int
    # The price of an error in each fold of each repeat, one for each member of an ensemble.
    C: tuple[tuple[float, ...], ...]

    @property
    def notes(self) -> list[str]:
        """What a reader has to know of the classifiers."""
        if not self.unconverged:
            return []
        return [
            f"{self.unconverged:,} of {self.trained:,} classifiers did not converge, and the "
            "accuracy could change with more steps; scale=rms helps where vectors are long"
        ]


@dataclass(frozen=True, kw_only=True, eq=False)
class Answers:
    """What classifiers say of the test sentences of one fold."""

    predicted: Mapping[Leading, Indices]  # (m,) each: groups, -1 for no answer
    decisions: Decisions | None  # of the support vector machines, if they were asked


class Classifiers:
    """The classifiers of one model, which learn the sentences of groups fold by fold."""

    def __init__(self, model: object, features: Features, labels: Indices) -> None:
        self.labels = labels
        self._features = features
        self._members: list[Features] = []
        self._by = ""
        # The members of a concatenation have one vector together.
        if isinstance(model, Joint) and model.by != "concatenation":
            self._members = [Features(each, features.texts) for each in model.members]
            self._by = model.by

    def answer(self, split: Split, setting: Setting, asked: Collection[Leading]) -> Answers:
        """Let some of the classifiers learn the training sentences and classify the others."""
        known, other = self._features.split(split.train, split.test)
        labels = self.labels[split.train]
        decisions = self._decide(known, other, split, setting) if "svm" in asked else None
        found: dict[Leading, Indices] = {}
        if decisions is not None:
            found["svm"] = decisions.predicted
        if "centroid" in asked:
            found["centroid"] = nearest_centroid(known, labels, other)
        if "neighbour" in asked:
            found["neighbour"] = nearest_neighbour(known, labels, other)
        return Answers(predicted=found, decisions=decisions)

    def _decide(self, known: Vectors, other: Vectors, split: Split, setting: Setting) -> Decisions:
        if not self._members:
            return classify(known, self.labels[split.train], other, setting, seed=split.seed)
        return classify_together(
            self._members, self._by, self.labels, split.train, split.test, setting, seed=split.seed
        )


def predict(classifiers: Classifiers, plan: Validation) -> Predictions:
    """Classify every sentence by the others, once per repeat."""
    labels = classifiers.labels
    every: tuple[Leading, ...] = get_args(Leading)
    found = {name: np.full((plan.repeats, len(labels)), UNANSWERED) for name in every}
    decided = []
    progress, total = current_progress(), plan.repeats * plan.folds
    for done, split in enumerate(plan.splits(labels)):
        progress("folds", done, total)
        answers = classifiers.answer(split, plan.setting, every)
        for name, predicted in answers.predicted.items():
            found[name][split.repeat, split.test] = predicted
        if answers.decisions is not None:
            decided.append(answers.decisions)
    progress("folds", total, total)
    return Predictions(
        by_classifier=found,
        trained=sum(each.trained for each in decided),
        unconverged=sum(each.unconverged for each in decided),
        C=tuple(each.C for each in decided),
    )


def learning_curve(
    classifiers: Classifiers, plan: Validation, *, by: Leading
) -> dict[int, Indices]:
    """Classify every sentence by at most 1, 2, 4, 8 ... training sentences of each group.

    Returns what each takes each sentence for, (repeats, n), as long as some group has more. A group
    that has fewer gives all that it has: which groups there are to choose between, and which
    sentences are asked about, is the same all along.
    """
    labels = classifiers.labels
    largest = int(np.bincount(labels).max())
    most = largest - largest // plan.folds
    sizes = [2**power for power in range(most.bit_length()) if 2**power < most]
    found = {size: np.full((plan.repeats, len(labels)), UNANSWERED) for size in sizes}
    progress, total = current_progress(), plan.repeats * plan.folds
    for done, split in enumerate(plan.splits(labels)):
        progress("learning curve", done, total)
        for size, predicted in found.items():
            answers = classifiers.answer(split.of_at_most(size, labels), plan.setting, [by])
            predicted[split.repeat, split.test] = answers.predicted[by]
    progress("learning curve", total, total)
    return found
