"""Exact cosine ranks of 1,000 vectors against 400,000, beside gensim and the bare product.

gensim ranks one pair at a time; it is timed on 20 pairs and scaled. The bare product writes into
memory that was allocated and touched before, so that page faults do not flatter us.
"""

from __future__ import annotations

import numpy as np
from gensim.models import KeyedVectors  # type: ignore[import-untyped]

from benchmarks.measure import Row, peak_of_both, publish, side_by_side
from lydite.models.catalogue import load
from lydite.spaces.neighbours import cosine_ranks
from lydite.types import Floats

_QUERIES = 1000
_GENSIM_PAIRS = 20


def main() -> bool:
    space = load("glove-6b-50d")
    words = list(space.vocabulary)
    vectors = np.array(space.vectors)
    keyed = KeyedVectors(space.dim)
    keyed.add_vectors(words, vectors)
    generator = np.random.default_rng(0)
    queries = generator.integers(0, len(words), _QUERIES)
    targets = generator.integers(0, len(words), _QUERIES)
    out = np.zeros((_QUERIES, len(words)), dtype=np.float32)

    def ours() -> Floats:
        return cosine_ranks(
            vectors, vectors[queries], targets, exclude=queries[:, None], ties="min"
        )

    def gensim() -> list[int]:
        pairs = zip(queries[:_GENSIM_PAIRS], targets[:_GENSIM_PAIRS], strict=True)
        return [keyed.rank(words[a], words[b]) for a, b in pairs]

    def product() -> object:
        return np.matmul(vectors[queries], vectors.T, out=out)

    ours_seconds, gensim_seconds = side_by_side(ours, gensim, repeats=3)
    again_seconds, product_seconds = side_by_side(ours, product, repeats=7)
    agreeing = sum(a == b for a, b in zip(ours(), gensim(), strict=False))
    return publish(
        "ranks",
        [
            Row(
                job="ranks of 1,000 vectors against 400,000",
                peer="gensim rank per pair",
                ours_seconds=ours_seconds,
                peer_seconds=gensim_seconds * _QUERIES / _GENSIM_PAIRS,
                target=80,
                memory=peak_of_both() + ", of which the bare product's output 1600 MB",
                note=f"{agreeing} of {_GENSIM_PAIRS} ranks agree with gensim's, which rounds to "
                "float32; ours are those of float64",
            ),
            Row(
                job="the same",
                peer="bare float32 matrix product, same shapes",
                ours_seconds=again_seconds,
                peer_seconds=product_seconds,
                target=1.7,
                at_most=True,
            ),
        ],
        [],
    )


if __name__ == "__main__":
    main()
