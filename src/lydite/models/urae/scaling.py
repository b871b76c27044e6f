"""Word vectors as the network takes them: around zero, and within the reach of its decoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lydite.corpora.trees.forest import Forest
from lydite.errors import InputError
from lydite.models.catalogue import model_spec
from lydite.models.words import find_words
from lydite.spaces.space import CaseRule
from lydite.types import Mask, Vectors

#: In standard deviations: what becomes 1, which is as far as a hyperbolic tangent reaches.
_REACH = 4.0


class ScaledWords(NamedTuple):
    """Vectors of words, (v, w), and which of the words have one, (v,); the others have zeros."""

    vectors: Vectors
    found: Mask


@dataclass(frozen=True, kw_only=True, eq=False)
class Scaling:
    """Where the middle of the word vectors is, and how far from it they reach.

    The mean and the standard deviation are over the tokens of the training trees: one mean a
    dimension, and one deviation for all, so that directions stay as they are.

    Attributes
    ----------
    mean
        Shape (w,).
    scale
        What vectors are divided by: four standard deviations.
    """

    mean: Vectors
    scale: float

    def words(self, model: object, words: Sequence[str], *, case: CaseRule) -> ScaledWords:
        """Look words up; an unknown one gets the mean of the known ones, which is zero."""
        lookup = find_words(model, list(words) or [""], case=case)
        vectors = (lookup.vectors[: len(words)] - self.mean) / np.float32(self.scale)
        found = lookup.found[: len(words)]
        vectors[~found] = 0
        return ScaledWords(vectors, found)


def scaling_of(model: object, forest: Forest, *, case: CaseRule) -> Scaling:
    """Measure the words of training trees.

    Raises
    ------
    InputError
        If the model has fewer than two of them.
    """
    lookup = find_words(model, forest.words, case=case)
    tokens = forest.tokens[forest.leaves]
    counts = np.bincount(tokens, minlength=len(forest.words)) * lookup.found
    if np.count_nonzero(counts) < 2:
        raise InputError(
            f"expected vectors for the words of the trees, but {model_spec(model)} has "
            f"{np.count_nonzero(counts)} of {len(forest.words):,} words",
            hint="is the space of another language, or cased otherwise than the trees?",
        )
    vectors = lookup.vectors.astype(np.float64)
    mean = counts @ vectors / counts.sum()
    squares = counts @ (vectors - mean) ** 2 / counts.sum()
    scale = _REACH * float(np.sqrt(squares.mean()))
    return Scaling(mean=mean.astype(np.float32), scale=scale or 1.0)
