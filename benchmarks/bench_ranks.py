"""Exact cosine ranks and nearest words of 1,000 vectors among 400,000.

gensim ranks one pair at a time; it is timed on 20 pairs, and its seconds are scaled. faiss has no
ranks: per query, all that is nearer than the target is asked for (``range_search``) and counted,
on 50 queries, scaled too. The bare product writes into memory that was allocated and touched
before, so that page faults do not flatter us.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.inputs import glove
from benchmarks.measure import DiffersError, Job, Peer
from lydite.spaces.cosine import unit_rows
from lydite.spaces.neighbours import Neighbours, cosine_ranks, nearest_words
from lydite.types import Floats, Indices, Vectors

CAVEATS = [
    "gensim and faiss compare in float32, ours are the ranks and neighbors of exact arithmetic",
    "the vectors are in gensim's and faiss's indexes before; ours starts from the bare matrix",
]


@dataclass(frozen=True, kw_only=True)
class Size:
    """Words, queries, and how many of these the slow peers are timed on."""

    words: int = 400_000
    queries: int = 1000
    gensim: int = 20
    faiss: int = 50
    neighbors: int = 10


FULL = Size()
SMALL = Size(words=5_000, queries=10, gensim=3, faiss=5)


def jobs(size: Size, _folder: Path) -> Iterator[Job]:
    space = glove(size.words)
    vectors = np.array(space.vectors)
    generator = np.random.default_rng(0)
    queries = generator.integers(0, len(vectors), size.queries)
    targets = generator.integers(0, len(vectors), size.queries)
    asked = vectors[queries]
    amount = f"of {size.queries:,} vectors among {size.words:,}"
    index = _Index(vectors)
    yield Job(
        name="ranks",
        amount=amount,
        ours=lambda: cosine_ranks(vectors, asked, targets, exclude=queries[:, None], ties="min"),
        peers=[
            Peer(
                name="gensim rank per pair",
                run=_gensim(list(space.vocabulary), vectors, queries, targets, size.gensim),
                target=80,
                times=size.queries / size.gensim,
            ),
            Peer(
                name="faiss range_search per query",
                run=lambda: index.ranks(queries[: size.faiss], targets[: size.faiss]),
                target=5,
                times=size.queries / size.faiss,
            ),
            Peer(
                name="bare float32 product, same shapes",
                run=_product(asked, vectors),
                target=1.3,
                at_most=True,
            ),
        ],
        agree=_same_ranks,
    )
    yield Job(
        name="neighbors",
        amount=f"{size.neighbors} {amount}",
        ours=lambda: nearest_words(vectors, asked, size.neighbors, exclude=queries[:, None]),
        peers=[
            Peer(
                name="faiss IndexFlatIP.search",
                run=lambda: index.search(queries, size.neighbors),
                target=2,
                at_most=True,
            )
        ],
        agree=_same_neighbors,
    )


def _product(queries: Vectors, vectors: Vectors) -> Callable[[], object]:
    out = np.zeros((len(queries), len(vectors)), dtype=np.float32)
    return lambda: np.matmul(queries, vectors.T, out=out)


def _same_ranks(ours: Floats, peers: Sequence[Any]) -> str:
    """Compare with gensim and faiss, whose rounding may put a rank wrong by a few."""
    said = []
    for name, theirs in zip(("gensim", "faiss"), peers, strict=False):
        if theirs is None:
            continue
        own = ours[: len(theirs)]
        same = int(np.sum(own == theirs))
        if np.max(np.abs(own - theirs)) > 1e-3 * np.max(own):
            raise DiffersError(f"{same} of {len(theirs)} ranks are those of {name}")
        said.append(f"{same} of {len(theirs)} ranks are those of {name}")
    return ", ".join(said)


def _same_neighbors(ours: Neighbours, peers: Sequence[Any]) -> str:
    (theirs,) = peers
    if theirs is None:
        return ""
    share = float(np.mean(ours.indices == theirs))
    if share < 0.99:
        raise DiffersError(f"{share:.2%} of neighbors are those of faiss")
    return f"{share:.2%} of neighbors are those of faiss"


def _gensim(
    words: list[str], vectors: Vectors, queries: Indices, targets: Indices, count: int
) -> Callable[[], Floats]:
    keyed: list[Any] = []

    def ranks() -> Floats:
        from gensim.models import KeyedVectors  # type: ignore[import-untyped]

        if not keyed:
            keyed.append(KeyedVectors(vectors.shape[1]))
            keyed[0].add_vectors(words, vectors)
        pairs = zip(queries[:count], targets[:count], strict=True)
        return np.array([keyed[0].rank(words[a], words[b]) for a, b in pairs], dtype=np.float64)

    return ranks


class _Index:
    """A flat index of faiss, made when it is first asked."""

    def __init__(self, vectors: Vectors) -> None:
        self.units = unit_rows(vectors)
        self._index: Any = None

    def open(self) -> Any:  # noqa: ANN401
        import faiss

        if self._index is None:
            self._index = faiss.IndexFlatIP(self.units.shape[1])
            self._index.add(self.units)
        return self._index

    def ranks(self, queries: Indices, targets: Indices) -> Floats:
        index = self.open()
        ranks = []
        for query, target in zip(queries, targets, strict=True):
            own = float(self.units[query] @ self.units[target])
            _, _, nearer = index.range_search(self.units[query : query + 1], own)
            # Neither the query itself nor the target counts.
            ranks.append(1 + len({*nearer.tolist()} - {int(query), int(target)}))
        return np.array(ranks, dtype=np.float64)

    def search(self, queries: Indices, k: int) -> Indices:
        _, found = self.open().search(self.units[queries], k + 1)
        others = found != queries[:, None]
        # A query whose own row is not found, since others are as near, loses its last neighbor.
        others[others.all(axis=1), -1] = False
        kept: Indices = found[others].reshape(len(queries), k)
        return kept
