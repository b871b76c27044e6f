"""Compiled loops of a linear chain over windows: the gradient of its likelihood, its best paths.

Throughout, t is the number of tags and w the number of places of a window, 2 r + 1. ``scores``
(v, w t) holds what each of v words says for each tag at each place of a window, and ``words`` (m,)
the words of all sentences, with at least r words of padding before, between and after them.
Sentence i is at the places from ``starts[i]`` to before ``stops[i]``, of which there is at least
one. ``transitions`` (t + 2, t) is in ``[i, j]`` the score of tag j after tag i, in ``[t, j]`` that
of tag j at the beginning and in ``[t + 1, j]`` at the end of a sentence.
"""

from __future__ import annotations

import numpy as np

from lydite.spaces.compiled import compiled, part
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

    Parameters
    ----------
    emissions, weights
        Shapes (n, t) and (t + 2, t).
    forward
        Shape (n, t): written, each row with the sum 1 (Rabiner 1989, section V.A), so that no
        sentence is too long.
    local
        Shape (n, t): exponentials of emissions, each row in units of the sum that made its row of
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

    Parameters
    ----------
    scores, words, starts, stops, transitions
        See above.
    tags
        Shape (m,): the right ones; those of padding mean nothing.
    of_scores, of_transitions
        Shapes of ``scores`` and ``transitions``: the gradient is added.
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

    Parameters
    ----------
    scores, words, starts, stops, transitions
        See above.
    tags
        Shape (m,): written at the places of sentences.
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
