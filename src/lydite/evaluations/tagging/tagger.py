"""A tagger of sequences: a linear chain on top of the vectors of a window of words.

Throughout, t is the number of tags and w the number of places of a window, 2 r + 1. ``scores``
(v, w t) holds what each of v words says for each tag at each place of a window, and ``words`` (m,)
the words of all sentences, with at least r words of padding before, between and after them.
Sentence i is at the places from ``starts[i]`` to before ``stops[i]``, of which there is at least
one. ``transitions`` (t + 2, t) is in ``[i, j]`` the score of tag j after tag i, in ``[t, j]`` that
of tag j at the beginning and in ``[t + 1, j]`` at the end of a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from lydite.compiled import compiled, part
from lydite.evaluations.tagging.data import TaggedWords
from lydite.progress import current_progress
from lydite.types import Floats, Indices


@part
def _longest(starts: Indices, stops: Indices) -> int:
    longest = 0
    for s in range(starts.shape[0]):
        longest = max(longest, stops[s] - starts[s])
    return longest


@part
def _add_window(scores: Floats, words: Indices, place: int, emission: Floats) -> None:
    """Write what the words of a window say for the tag in its middle, (t,)."""
    count = emission.shape[0]
    width = scores.shape[1] // count
    for j in range(count):
        emission[j] = 0.0
    for p in range(width):
        word = words[place - width // 2 + p]
        for j in range(count):
            emission[j] += scores[word, p * count + j]


@part
def _give_back(of_scores: Floats, words: Indices, place: int, gradient: Floats) -> None:
    """Add the gradient of an emission, (t,), to those of the words of its window."""
    count = gradient.shape[0]
    width = of_scores.shape[1] // count
    for p in range(width):
        word = words[place - width // 2 + p]
        for j in range(count):
            of_scores[word, p * count + j] += gradient[j]


@part
def _exponentials(scores: Floats, first: int, stop: int, powers: Floats) -> float:
    """Write exponentials of rows in units of the largest, so that none overflows.

    Returns the logarithm of the unit.
    """
    count = scores.shape[1]
    top: float = scores[first, 0]
    for i in range(first, stop):
        for j in range(count):
            top = max(top, scores[i, j])
    for i in range(first, stop):
        for j in range(count):
            powers[i, j] = np.exp(scores[i, j] - top)
    return top


@part
def _times(row: Floats, matrix: Floats, product: Floats) -> None:
    for j in range(product.shape[0]):
        product[j] = 0.0
    for i in range(row.shape[0]):
        share = row[i]
        for j in range(product.shape[0]):
            product[j] += share * matrix[i, j]


@part
def _follow(
    emissions: Floats, tags: Indices, start: int, length: int, transitions: Floats, followed: Floats
) -> float:
    """Return the score of the path of a sentence, and count its transitions."""
    count = transitions.shape[1]
    score, before = 0.0, count
    for k in range(length):
        tag = tags[start + k]
        score += emissions[k, tag] + transitions[before, tag]
        followed[before, tag] += 1.0
        before = tag
    followed[count + 1, before] += 1.0
    return float(score + transitions[count + 1, before])


@part
def _go_forward(
    emissions: Floats, length: int, weights: Floats, forward: Floats, local: Floats
) -> float:
    """Return the logarithm of the sum over all paths, in units of the transitions' weights.

    Emissions and weights have the shapes (n, t) and (t + 2, t). ``forward``, (n, t), is written,
    each row with the sum 1 (Rabiner 1989, section V.A), so that no sentence is too long; ``local``,
    (n, t), has the exponentials of emissions, each row in units of the sum that made its row of
    ``forward`` 1.
    """
    count = emissions.shape[1]
    likelihood = 0.0
    for k in range(length):
        top = _exponentials(emissions, k, k + 1, local)
        if k == 0:
            for j in range(count):
                forward[0, j] = weights[count, j]
        else:
            _times(forward[k - 1], weights, forward[k])
        if k == length - 1:
            for j in range(count):
                local[k, j] *= weights[count + 1, j]
        for j in range(count):
            forward[k, j] *= local[k, j]
        total = 0.0
        for j in range(count):
            total += forward[k, j]
        likelihood += top + np.log(total)
        for j in range(count):
            forward[k, j] /= total
            local[k, j] /= total
    return likelihood


@part
def _go_back(forward: Floats, length: int, local: Floats, turned: Floats, pairs: Floats) -> None:
    """Turn forward sums into the probabilities of tags, (n, t), and add those of pairs.

    ``pairs`` is added to in units of the transitions' weights, whose turned matrix is ``turned``.
    """
    count = forward.shape[1]
    backward, ahead = np.empty(count), np.empty(count)
    for j in range(count):
        backward[j] = 1.0
    for k in range(length - 1, -1, -1):
        for j in range(count):
            forward[k, j] *= backward[j]
        if k > 0:
            for j in range(count):
                ahead[j] = backward[j] * local[k, j]
            for i in range(count):
                share = forward[k - 1, i]
                for j in range(count):
                    pairs[i, j] += share * ahead[j]
            _times(ahead, turned, backward)


@compiled(
    lambda t: t.f8(
        t.f8[:, ::1],
        t.i8[::1],
        t.i8[::1],
        t.i8[::1],
        t.i8[::1],
        t.f8[:, ::1],
        t.f8[:, ::1],
        t.f8[:, ::1],
    ),
    error_model="numpy",
)
def chain_gradient(
    scores: Floats,
    words: Indices,
    tags: Indices,
    starts: Indices,
    stops: Indices,
    transitions: Floats,
    of_scores: Floats,
    of_transitions: Floats,
) -> float:
    """Return the log-likelihood of tagged sentences, and add its gradient.

    The score of a path is the sum of its emissions and transitions; a tag's emission is the sum of
    what the words of the window say for it.

    Tags of padding mean nothing.
    """
    count, longest = transitions.shape[1], _longest(starts, stops)
    weights, turned = np.empty((count + 2, count)), np.empty((count, count))
    inner = _exponentials(transitions, 0, count, weights)
    ends = _exponentials(transitions, count, count + 1, weights)
    ends += _exponentials(transitions, count + 1, count + 2, weights)
    pairs = np.empty((count, count))
    for i in range(count):
        for j in range(count):
            turned[j, i] = weights[i, j]
            pairs[i, j] = 0.0
    emissions, forward = np.empty((longest, count)), np.empty((longest, count))
    local = np.empty((longest, count))
    likelihood = 0.0
    for s in range(starts.shape[0]):
        start, length = starts[s], stops[s] - starts[s]
        for k in range(length):
            _add_window(scores, words, start + k, emissions[k])
        likelihood += _follow(emissions, tags, start, length, transitions, of_transitions)
        likelihood -= _go_forward(emissions, length, weights, forward, local) + ends
        likelihood -= (length - 1) * inner
        _go_back(forward, length, local, turned, pairs)
        for j in range(count):
            of_transitions[count, j] -= forward[0, j]
            of_transitions[count + 1, j] -= forward[length - 1, j]
        for k in range(length):
            for j in range(count):
                emissions[k, j] = -forward[k, j]
            emissions[k, tags[start + k]] += 1.0
            _give_back(of_scores, words, start + k, emissions[k])
    for i in range(count):
        for j in range(count):
            of_transitions[i, j] -= pairs[i, j] * weights[i, j]
    return likelihood


@part
def _step(best: Floats, transitions: Floats, path: Floats, origin: Indices) -> None:
    """Write the score of the best way to each tag, (t,), and where it comes from."""
    count = best.shape[0]
    for j in range(count):
        path[j] = best[0] + transitions[0, j]
        origin[j] = 0
    for i in range(1, count):
        for j in range(count):
            score = best[i] + transitions[i, j]
            if score > path[j]:
                path[j] = score
                origin[j] = i


@compiled(lambda t: t.void(t.f8[:, ::1], t.i8[::1], t.i8[::1], t.i8[::1], t.f8[:, ::1], t.i8[::1]))
def best_paths(
    scores: Floats,
    words: Indices,
    starts: Indices,
    stops: Indices,
    transitions: Floats,
    tags: Indices,
) -> None:
    """Write the tags of the best path of each sentence (Viterbi 1967); of equal ones the first.

    ``tags``, (m,), is written at the places of sentences.
    """
    count = transitions.shape[1]
    origin = np.empty((_longest(starts, stops), count), np.int64)
    best, path, emission = np.empty(count), np.empty(count), np.empty(count)
    for s in range(starts.shape[0]):
        start, last = starts[s], stops[s] - starts[s] - 1
        for k in range(last + 1):
            _add_window(scores, words, start + k, emission)
            if k == 0:
                for j in range(count):
                    path[j] = transitions[count, j]
            else:
                _step(best, transitions, path, origin[k])
            for j in range(count):
                best[j] = path[j] + emission[j]
        tag = 0
        for j in range(count):
            best[j] += transitions[count + 1, j]
            if best[j] > best[tag]:
                tag = j
        for k in range(last, -1, -1):
            tags[start + k] = tag
            tag = origin[k, tag]


Decoder: TypeAlias = Literal["crf", "softmax"]

#: After so many passes the tagger is tried on development data.
TRIED = 5
#: Training ends when it was tried so many times without being better than before.
PATIENCE = 4
#: How much counted transitions may count; development data choose. Words of a window tell much of
#: what transitions do, and to count both in full would count it twice.
SHARES = (0.0, 0.25, 0.5, 1.0)

_REMEMBERED = 20


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How taggers are trained; the attributes are those of the evaluation."""

    window: int
    decoder: Decoder
    epochs: int
    l2: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Laid:
    """Sentences laid out with padding between them."""

    # (m,).
    words: Indices
    tags: Indices
    places: Indices  # (n,): where the words of sentences are
    # (s,): where sentences begin and end.
    starts: Indices
    stops: Indices

    @classmethod
    def of(cls, data: TaggedWords, *, window: int, padding: int) -> Laid:
        """Lay sentences out, ``padding`` being the word between them."""
        lengths = data.lengths
        gaps = window * np.arange(1, len(lengths) + 1)
        places = np.arange(len(data.words)) + np.repeat(gaps, lengths)
        size = len(data.words) + window * (len(lengths) + 1)
        words, tags = np.full(size, padding, dtype=np.int64), np.zeros(size, dtype=np.int64)
        words[places], tags[places] = data.words, data.tags
        starts = data.starts[:-1] + gaps
        return cls(words=words, tags=tags, places=places, starts=starts, stops=starts + lengths)


@dataclass(frozen=True, kw_only=True, eq=False)
class Tagger:
    """What was learned."""

    weights: Floats  # (f, w t): of f features of a word at each of w places of a window, for t tags
    # (t + 2, t): after each tag, at the beginning, and at the end of a sentence.
    transitions: Floats
    epochs: int  # after how many passes
    development: float  # the accuracy on development data

    def tags(self, features: Floats, laid: Laid) -> Indices:
        """Return the best tags, (n,), of sentences whose words have these features, (v, f)."""
        tags = np.zeros_like(laid.tags)
        scores = features @ self.weights
        best_paths(scores, laid.words, laid.starts, laid.stops, self.transitions, tags)
        return tags[laid.places]


def train_tagger(
    features: Floats,
    train: TaggedWords,
    development: TaggedWords,
    count: int,
    setting: Setting,
    *,
    seed: int | None = None,
) -> Tagger:
    r"""Train a tagger until development data show no more gain.

    The conditional likelihood of the tags of a sentence, :math:`p(y | x) \propto \exp \sum_i
    (\sum_k W_k x_{i+k} + A_{y_{i-1}})_{y_i}`, is made as large as possible by L-BFGS with its exact
    gradient. It is concave, so all beginnings lead to the same end; but training ends before, when
    development data say so.

    Features, (v, f), are of all words; the last row is padding. With ``decoder=softmax`` the tags
    of a sentence are learned one by one, A being 0. The best path then takes transitions counted in
    training, as in a hidden Markov model: to :math:`\log p(y_i | x)` is added a share of
    :math:`\log p(y_i | y_{i-1}) - \log p(y_i)` that is chosen on development data. The seed is of
    the first weights; None begins with zeros, which is the same for rotated vectors.

    References
    ----------
    Lafferty, McCallum & Pereira (2001), Conditional random fields. Liu & Nocedal (1989), On the
    limited memory BFGS method for large scale optimization.
    """
    from scipy.optimize import OptimizeResult, minimize

    objective = _Objective(features, train, count, setting)
    trial = _Trial(features, development, objective, setting)

    def watch(intermediate_result: OptimizeResult) -> None:
        trial.after_pass(intermediate_result.x)

    found = minimize(
        objective,
        objective.first_weights(seed),
        jac=True,
        method="L-BFGS-B",
        callback=watch,
        options={"maxiter": setting.epochs, "maxcor": _REMEMBERED, "maxfun": 2**31 - 1},
    )
    trial.at_the_end(found.x)
    return trial.best


class _Objective:
    """The negative log-likelihood of a training word, with a penalty, and its gradient."""

    def __init__(self, features: Floats, train: TaggedWords, count: int, setting: Setting) -> None:
        self._laid = Laid.of(train, window=setting.window, padding=len(features) - 1)
        used, numbers = np.unique(self._laid.words, return_inverse=True)
        self._numbers = numbers.astype(np.int64)
        self._features = features[used]
        self._turned = np.ascontiguousarray(self._features.T)
        self._shape = (features.shape[1], (2 * setting.window + 1) * count)
        self._count, self._setting = count, setting
        self.counted = counted_transitions(train, count)

    def first_weights(self, seed: int | None) -> Floats:
        """Return zeros, or weights that make scores of about a variance of 1."""
        size = self._shape[0] * self._shape[1]
        weights = np.zeros(size + (self._count + 2) * self._count)
        if seed is not None:
            width = self._shape[0] * (2 * self._setting.window + 1)
            weights[:size] = np.random.default_rng(seed).normal(0, width**-0.5, size)
        return weights

    def split(self, flat: Floats) -> tuple[Floats, Floats]:
        """Return weights and transitions."""
        size = self._shape[0] * self._shape[1]
        return flat[:size].reshape(self._shape), flat[size:].reshape(-1, self._count)

    def __call__(self, flat: Floats) -> tuple[float, Floats]:
        laid, l2 = self._laid, self._setting.l2
        weights, transitions = self.split(flat)
        scores = self._features @ weights
        of_scores, of_transitions = np.zeros_like(scores), np.zeros_like(transitions)
        likelihood = chain_gradient(
            scores,
            self._numbers,
            laid.tags,
            laid.starts,
            laid.stops,
            transitions,
            of_scores,
            of_transitions,
        )
        if self._setting.decoder == "softmax":
            of_transitions[:] = 0
        gradient = np.concatenate([(self._turned @ of_scores).ravel(), of_transitions.ravel()])
        words = len(laid.places)
        value = -likelihood / words + l2 / 2 * float(flat @ flat)
        return value, l2 * flat - gradient / words


class _Trial:
    """Tries a tagger on development data now and then, and keeps the best."""

    def __init__(
        self, features: Floats, development: TaggedWords, objective: _Objective, setting: Setting
    ) -> None:
        self._features, self._objective, self._setting = features, objective, setting
        self._laid = Laid.of(development, window=setting.window, padding=len(features) - 1)
        self._gold = development.tags
        self._progress = current_progress()
        self._passes = self._last = 0
        self.best = self._tried(objective.first_weights(None))

    def after_pass(self, flat: Floats) -> None:
        """Take note of a pass; raise StopIteration when there is no more gain."""
        self._passes += 1
        self._progress("training a tagger", self._passes, self._setting.epochs)
        if self._passes % TRIED and self._passes != self._setting.epochs:
            return
        if not self._is_better(flat) and self._passes >= self.best.epochs + PATIENCE * TRIED:
            raise StopIteration

    def at_the_end(self, flat: Floats) -> None:
        """Try once more, unless the last pass was tried: the optimum may be reached before."""
        if self._passes != self._last:
            self._is_better(flat)

    def _is_better(self, flat: Floats) -> bool:
        self._last = self._passes
        tried = self._tried(flat)
        better = tried.development > self.best.development
        if better:
            self.best = tried
        return better

    def _tried(self, flat: Floats) -> Tagger:
        weights, learnt = self._objective.split(flat.copy())
        choices = [learnt]
        if self._setting.decoder == "softmax":
            choices = [share * self._objective.counted for share in SHARES]
        tried = [self._judged(weights, transitions) for transitions in choices]
        return max(tried, key=lambda tagger: tagger.development)

    def _judged(self, weights: Floats, transitions: Floats) -> Tagger:
        tagger = Tagger(
            weights=weights, transitions=transitions, epochs=self._passes, development=0.0
        )
        right = tagger.tags(self._features, self._laid) == self._gold
        return replace(tagger, development=float(right.mean()))


def counted_transitions(train: TaggedWords, count: int) -> Floats:
    """Return log p(tag | tag before) - log p(tag) from counts, each raised by one, (t + 2, t).

    The last row is log p(end | tag) - log p(end).
    """
    before = np.concatenate([[count], train.tags[:-1]])
    before[train.starts[:-1]] = count
    pairs = np.zeros((count + 1, count + 1))
    np.add.at(pairs, (before, train.tags), 1)
    pairs[:count, count] = np.bincount(train.tags[train.starts[1:] - 1], minlength=count)
    # No sentence is empty: the end never follows the beginning.
    pairs[:count] += 1
    pairs[count, :count] += 1
    after = pairs.sum(axis=0)
    with np.errstate(divide="ignore"):
        logs = np.log(pairs / pairs.sum(axis=1, keepdims=True)) - np.log(after / after.sum())
    return np.ascontiguousarray(np.vstack([logs[:, :count], logs[:count, count]]))
