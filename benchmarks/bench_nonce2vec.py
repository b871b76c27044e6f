"""Learners of terms on Wiki-rnd (298 terms, 5 samples each), beside a plain Python/NumPy loop.

The loop learns 100 of the 1,490 samples and is scaled. Both start from contexts that were looked up
before. The additive run goes from the file to all ranks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks.inputs import glove
from benchmarks.measure import Job, Peer
from benchmarks.nonce2vec_loop import learn_loop
from lydite.corpora.samples import read_samples
from lydite.models.additive import Additive
from lydite.models.contexts import Encoded, encode_contexts
from lydite.models.nonce2vec import Nonce2Vec
from lydite.resources.catalogue import locate
from lydite.spaces.neighbours import cosine_ranks
from lydite.spaces.space import Space
from lydite.types import Context, Vectors

CAVEATS = ["word vectors stand for output vectors, Zipf's for counts"]

_FILE = "nonce_test_sampledsentences1.txt"


@dataclass(frozen=True, kw_only=True)
class Size:
    """Words of the space, terms, samples that the loop learns, and seconds allowed."""

    words: int = 400_000
    terms: int | None = None
    looped: int = 100
    real: bool = True
    seconds: float = 15.0


FULL = Size()
SMALL = Size(words=5_000, terms=2, looped=2, real=False)


def samples_of(size: Size) -> list[tuple[Context, ...]]:
    """Return the samples of Wiki-rnd, five for each term, or drawn ones in their place."""
    if not size.real:
        return _drawn(5 * (size.terms or 1), size.words)
    read = read_samples(locate("wiki-rnd").named(_FILE))
    return [sample for term in read.terms[: size.terms] for sample in term.samples]


def _drawn(count: int, words: int) -> list[tuple[Context, ...]]:
    generator = np.random.default_rng(0)
    known = list(glove(words).vocabulary)
    drawn = []
    for rows in generator.integers(0, words, (count, 3, 12)).tolist():
        sentences = [tuple(known[row] for row in sentence) for sentence in rows]
        drawn.append(tuple(Context(tokens=each, start=5, stop=6) for each in sentences))
    return drawn


def additive_with_ranks(space: Space, size: Size) -> int:
    """Go from the file to the ranks of all pairs of samples of a term."""
    vectors = Additive.open(space).learn_all(samples_of(size)).vectors
    terms = np.arange(len(vectors)).reshape(-1, 5)
    pairs = np.concatenate([terms[:, both] for both in combinations(range(5), 2)])
    queries, targets = np.concatenate([pairs, pairs[:, ::-1]]).T
    words = np.concatenate([space.vectors, vectors])
    ranks = cosine_ranks(
        words, vectors[queries], targets + len(space), exclude=queries[:, None] + len(space)
    )
    return len(ranks)


def jobs(size: Size, _folder: Path) -> Iterator[Job]:
    space = glove(size.words)
    yield Job(
        name="additive with all ranks",
        amount=f"Wiki-rnd among {size.words:,} words, from the file",
        ours=lambda: additive_with_ranks(space, size),
        peers=[
            Peer(name=f"{size.seconds:g} s allowed", run=size.seconds, target=1, at_most=True),
        ],
        agree=lambda ranks, _: f"{ranks:,} ranks",
    )
    samples = samples_of(size)
    # GloVe has neither counts nor output vectors; the time does not depend on which they are.
    counted = replace(space, counts=1e8 / (np.arange(len(space), dtype=np.float64) + 2.0))
    for preset in ("published", "small-data"):
        learner = Nonce2Vec.open(counted, preset=preset, context="input")
        encoded = encode_contexts(counted, samples).seeded(0)
        few = encode_contexts(counted, samples[: size.looped]).seeded(0)
        yield Job(
            name=f"Nonce2Vec, {preset}",
            amount=f"{len(samples):,} samples",
            ours=partial(_learn, learner, encoded),
            peers=[
                Peer(
                    name="the authors' loop over sentences and pairs",
                    run=partial(learn_loop, learner, few),
                    target=50,
                    times=len(samples) / size.looped,
                )
            ],
            agree=partial(_same, _learn(learner, few)),
        )


def _learn(learner: Nonce2Vec, encoded: Encoded) -> Vectors:
    return learner.learn_encoded(encoded).vectors


def _same(few: Vectors, _ours: Vectors, peers: Sequence[Vectors]) -> str:
    assert np.array_equal(few, peers[0]), "vectors"
    return f"the same {len(few)} vectors, bit for bit"
