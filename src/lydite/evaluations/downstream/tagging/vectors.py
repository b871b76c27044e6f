"""Vectors of words as the features of a tagger, whatever their scale and basis."""

from __future__ import annotations

import numpy as np

from lydite.errors import UndefinedScoreError
from lydite.types import Floats, Indices, Lookup

#: Directions whose variance is below this share of the largest are not blown up any further.
LEAST_VARIANCE = 1e-6

#: Columns after those of the vector: whether it is one, whether a word has none, whether there is
#: no word at all.
KINDS = 3


def features_of_words(lookup: Lookup, counts: Indices, name: str) -> Floats:
    r"""Return the features of v words and, in the last row, of padding, (v + 1, d + 3).

    Vectors are centred and whitened by the running words of training: :math:`(x - \mu) U
    \Lambda^{-1/2}` with :math:`U \Lambda U^\top` their covariance. So neither a rotation nor
    the scale of a space matters, and training takes about as many steps for all spaces. Words
    without a vector have zeros and a mark in the column d + 1, padding zeros and a mark in the
    column d + 2; all others have a mark in the column d.

    Parameters
    ----------
    lookup
        Vectors of v words.
    counts
        Shape (v,): how often each stands in training.
    name
        Of the model, for messages.

    Raises
    ------
    UndefinedScoreError
        If no word of training has a vector, or all have the same.
    """
    seen = lookup.found & (counts > 0)
    vectors = lookup.vectors.astype(np.float64)
    if not seen.any():
        raise UndefinedScoreError(
            f"{name} has none of the {np.count_nonzero(counts):,} different training words",
            hint="does the model know words of this language?",
        )
    known = vectors[seen]
    if (known == known[0]).all():
        raise UndefinedScoreError(
            f"{name} has the same vector for all {len(known):,} training words that it has",
            hint="is the vector file whole?",
        )
    weights = counts[seen] / counts[seen].sum()
    mean = weights @ known
    centred = known - mean
    variances, directions = np.linalg.eigh((centred.T * weights) @ centred)
    scales = 1 / np.sqrt(np.maximum(variances, variances[-1] * LEAST_VARIANCE))
    count, dim = vectors.shape
    features = np.zeros((count + 1, dim + KINDS))
    features[:-1, :dim][lookup.found] = (vectors[lookup.found] - mean) @ (directions * scales)
    features[:-1, dim] = lookup.found
    features[:-1, dim + 1] = ~lookup.found
    features[-1, dim + 2] = 1
    return features
