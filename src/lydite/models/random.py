"""Random vectors: the model that knows nothing, for baselines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lydite.errors import InputError
from lydite.spaces.vocabulary import Hashes, hash_words, mix, pack
from lydite.spec import Spec
from lydite.types import Lookup, Vectors


@dataclass(frozen=True, kw_only=True)
class RandomModel:
    """A fixed Gaussian vector for every text, drawn from a hash of the text and a seed.

    Every word is found, the same text always gets the same vector, and different texts get
    independent ones.
    """

    dim: int
    seed: int = 0

    @property
    def spec(self) -> str:
        """The text that names this model."""
        return str(Spec("random", (self.dim,), (("seed", self.seed),) if self.seed else ()))

    @property
    def fingerprint(self) -> str:
        """The spec says it all."""
        return self.spec

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector a text, (n, d)."""
        keys = mix(hash_words(pack(texts)) + mix(np.array([self.seed], dtype=np.uint64)))
        places = np.arange(1, 2 * self.dim + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return _gaussians(mix(keys[:, None] + places[None, :]))

    def lookup(self, words: Sequence[str]) -> Lookup:
        """Return one vector a word; all are found."""
        return Lookup(vectors=self.encode(words), found=np.ones(len(words), dtype=np.bool_))


def _gaussians(bits: Hashes) -> Vectors:
    """Turn (n, 2d) random integers into (n, d) Gaussian numbers (Box & Muller 1958)."""
    uniform = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
    half = bits.shape[1] // 2
    radius = np.sqrt(-2.0 * np.log1p(-uniform[:, :half]))
    return np.asarray(radius * np.cos(2.0 * np.pi * uniform[:, half:]), dtype=np.float32)


def random(dim: int, *, seed: int = 0) -> RandomModel:
    """Random Gaussian vectors, the same for the same text: a baseline.

    >>> random(2).lookup(["cat", "cat"]).vectors.std(axis=0).tolist()
    [0.0, 0.0]
    """
    if type(dim) is not int or dim < 1:
        raise InputError(f"expected a dimension of at least 1, got {dim!r}", hint="random(50)")
    if type(seed) is not int or not 0 <= seed < 2**64:
        raise InputError(f"expected a seed from 0 to 2^64 - 1, got {seed!r}")
    return RandomModel(dim=dim, seed=seed)
