"""Infer the vector of a text with gensim: it alone learns, the rest of the network is locked.

As gensim does it: a vector begins near zero at random, and for so many epochs learns to predict
the text's words, at a rate that falls in a straight line from ``alpha`` to 0.0001. What is drawn
(the beginning, dropped words, negative samples) depends on the seed and the text's own words
alone, so that neither the order nor the company of texts, nor the process, changes a vector.
gensim by itself begins with Python's hash of the text, which is another in each process, and draws
on from where the last text left off.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from lydite.models.paragraph_vectors.network import PADDING
from lydite.models.paragraph_vectors.recipe import LEAST_ALPHA
from lydite.types import Vectors


class Inference:
    """Infers one vector after the other; each thread needs its own.

    Parameters
    ----------
    model
        A Doc2Vec, which is not changed.
    epochs
        How often a text is gone through.
    alpha
        The learning rate at the beginning.
    seed
        Of everything drawn.
    """

    def __init__(self, model: Any, *, epochs: int, alpha: float, seed: int) -> None:  # noqa: ANN401
        from gensim.models import doc2vec  # type: ignore[import-untyped]

        # The weights are shared, the state of what is drawn is not.
        self._model = copy.copy(model)
        self._rates = list(rates(alpha, epochs))
        self._seed = seed
        self._train = doc2vec.train_document_dbow if model.sg else doc2vec.train_document_dm_concat
        # Without memory to work in, the compiled code takes some that it has given back already.
        self._memory = [np.zeros(model.layer1_size, dtype=np.float32) for _ in range(2 - model.sg)]
        self._free = np.ones(1, dtype=np.float32)

    def vector(self, tokens: Sequence[str]) -> Vectors:
        """Return the vector of a text, (dim,); zero if no word is known.

        Of a text of more than 10,000 known words, gensim takes the first 10,000.
        """
        model, places = self._model, self._model.wv.key_to_index
        known = [token for token in tokens if token in places and token != PADDING]
        if not known:
            return np.zeros(model.vector_size, dtype=np.float32)
        model.random = np.random.RandomState(_key(self._seed, known))
        vectors = first_vector(model.random, model.vector_size)[None]
        for rate in self._rates:
            self._train(
                model,
                known,
                [0],
                rate,
                *self._memory,
                learn_words=False,
                learn_hidden=False,
                doctag_vectors=vectors,
                doctags_lockf=self._free,
            )
        vector: Vectors = vectors[0]
        return vector


def _key(seed: int, tokens: Sequence[str]) -> list[int]:
    text = "\n".join((str(seed), *tokens)).encode("utf-8", "surrogatepass")
    key: list[int] = np.frombuffer(blake2b(text, digest_size=16).digest(), dtype="<u4").tolist()
    return key


def first_vector(draws: np.random.RandomState, dim: int) -> Vectors:
    """Return the vector that inference begins with: numbers from -0.5 / dim to 0.5 / dim."""
    return (draws.random_sample(dim).astype(np.float32) - np.float32(0.5)) / np.float32(dim)


def rates(alpha: float, epochs: int) -> Iterator[float]:
    """Yield the learning rate of each epoch.

    >>> [round(rate, 4) for rate in rates(0.025, 3)]
    [0.025, 0.0126, 0.0001]
    """
    step = (alpha - LEAST_ALPHA) / max(epochs - 1, 1)
    for _ in range(epochs):
        yield alpha
        alpha -= step
