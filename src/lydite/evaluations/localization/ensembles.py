"""Several models that classify together: by vote, by their scores, by weights learnt for these.

White et al. (2015) find that models of words and models of sentences make different mistakes, and
propose to combine them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lydite.evaluations.localization.classifying import Decisions, Setting, classify
from lydite.evaluations.localization.features import Features
from lydite.evaluations.localization.folds import stratified_folds
from lydite.models.texts import has_direction
from lydite.types import Floats, Indices

#: Folds of the training sentences on which weights are learnt; each group has one in each.
INNER_FOLDS = 2


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

    Parameters
    ----------
    by
        ``vote``: one vote a model for its best group; equal votes are decided by the scores.
        ``scores``: the mean of the standardised scores. ``stacked``: their weighted mean, with
        weights that are learnt on training sentences held out from the classifiers.
    seed
        Of the inner folds of ``stacked``.
    """
    decisions = [_classify(each, labels, train, test, setting) for each in members]
    scores = np.stack([each.scores for each in decisions])
    if by == "vote":
        combined = votes(scores)
    elif by == "stacked":
        weights = _learnt_weights(members, labels, train, setting, seed)
        combined = np.tensordot(weights, scores, axes=1)
    else:
        combined = scores.mean(axis=0)
    return replace(
        decisions[0],
        scores=combined,
        trained=sum(each.trained for each in decisions),
        unconverged=sum(each.unconverged for each in decisions),
    )


def _classify(
    features: Features, labels: Indices, train: Indices, test: Indices, setting: Setting
) -> Decisions:
    """Return standardised scores of the test sentences, all 0 for those without a direction."""
    known, asked = features.split(train, test)
    decided = classify(known, labels[train], asked, setting)
    heard = has_direction(asked)[:, None]
    return replace(decided, scores=np.where(heard, standardised(decided.scores), 0))


def standardised(scores: Floats) -> Floats:
    """Bring the scores (m, k) of each sentence to mean 0 and deviation 1 over the groups."""
    centred = scores - scores.mean(axis=1, keepdims=True)
    deviation = centred.std(axis=1, keepdims=True)
    unit: Floats = np.divide(centred, deviation, out=np.zeros_like(centred), where=deviation > 0)
    return unit


def votes(scores: Floats) -> Floats:
    """Count votes for groups; the standardised scores break ties and count for nothing else.

    Parameters
    ----------
    scores
        Shape (models, m, k), standardised; all 0 for an abstention.

    Returns
    -------
    Shape (m, k).

    Examples
    --------
    >>> three = np.array([[[2.0, 1.0, 0.0]], [[0.0, 2.0, 1.0]], [[0.0, 1.5, 1.0]]])
    >>> votes(three).argmax(axis=1).tolist()
    [1]
    """
    counts = np.zeros(scores.shape[1:])
    for each in scores:
        said = np.flatnonzero(each.any(axis=1))
        counts[said, each[said].argmax(axis=1)] += 1
    means = scores.mean(axis=0)
    # Standardised over k groups, no score is beyond the root of k: a whole vote always outweighs.
    counted: Floats = counts + means / (4 * np.sqrt(scores.shape[2]))
    return counted


def _learnt_weights(
    members: Sequence[Features], labels: Indices, train: Indices, setting: Setting, seed: int
) -> Floats:
    """Learn a weight a model, from training sentences that its classifiers did not see."""
    inner = stratified_folds(labels[train], INNER_FOLDS, seed)
    scores = np.empty((len(members), len(train), labels.max() + 1))
    for fold in range(INNER_FOLDS):
        held_out = inner == fold
        for i, each in enumerate(members):
            decided = _classify(each, labels, train[~held_out], train[held_out], setting)
            scores[i, held_out] = decided.scores
    return stacking_weights(scores, labels[train])


def stacking_weights(scores: Floats, labels: Indices) -> Floats:
    """Return weights, not negative, under which the right groups are most likely.

    The likelihood is that of a softmax over the weighted scores.

    Parameters
    ----------
    scores
        Shape (models, m, k).
    labels
        Shape (m,): the right groups.

    Examples
    --------
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
