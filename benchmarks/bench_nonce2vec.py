"""Learners of terms on Wiki-rnd (298 terms, 5 samples each), beside a plain Python/NumPy loop.

The loop learns 100 of the 1,490 samples and is scaled. Both start from contexts that were looked up
before. The additive run goes from the file to all ranks.
"""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import combinations

import numpy as np

from benchmarks.measure import Row, peak_of_both, publish, side_by_side
from benchmarks.nonce2vec_loop import learn_loop
from lydite.corpora.samples import read_samples
from lydite.models.additive import Additive
from lydite.models.catalogue import load
from lydite.models.contexts import encode_contexts
from lydite.models.nonce2vec import Nonce2Vec
from lydite.resources.catalogue import locate
from lydite.spaces.neighbours import cosine_ranks
from lydite.spaces.space import Space
from lydite.types import Context

_LOOPED = 100
_FILE = "nonce_test_sampledsentences1.txt"
_SECONDS = 15.0


def wiki_rnd() -> list[tuple[Context, ...]]:
    read = read_samples(locate("wiki-rnd").named(_FILE))
    return [sample for term in read.terms for sample in term.samples]


def additive_with_ranks(space: Space) -> float:
    """Return the seconds from the file to the ranks of all pairs of samples of a term."""
    start = time.perf_counter()
    samples = wiki_rnd()
    vectors = Additive.open(space).learn_all(samples).vectors
    terms = np.arange(len(vectors)).reshape(-1, 5)
    pairs = np.concatenate([terms[:, both] for both in combinations(range(5), 2)])
    queries, targets = np.concatenate([pairs, pairs[:, ::-1]]).T
    words = np.concatenate([space.vectors, vectors])
    cosine_ranks(
        words, vectors[queries], targets + len(space), exclude=queries[:, None] + len(space)
    )
    return time.perf_counter() - start


def main() -> bool:
    space = load("glove-6b-50d")
    seconds = additive_with_ranks(space)
    samples = wiki_rnd()
    # GloVe has neither counts nor output vectors; the time does not depend on which they are.
    counted = replace(space, counts=1e8 / (np.arange(len(space)) + 2.0))
    rows = []
    for preset in ("published", "small-data"):
        learner = Nonce2Vec.open(counted, preset=preset, context="input")
        encoded = encode_contexts(counted, samples).seeded(0)
        few = encode_contexts(counted, samples[:_LOOPED]).seeded(0)
        same = np.array_equal(learner.learn_encoded(few).vectors, learn_loop(learner, few))
        ours, loop = side_by_side(
            lambda: learner.learn_encoded(encoded),  # noqa: B023 - run before the next turn
            lambda: learn_loop(learner, few),  # noqa: B023
            repeats=5,
        )
        rows.append(
            Row(
                job=f"Nonce2Vec of {len(samples)} samples, {preset}",
                peer="Python/NumPy loop over sentences and pairs",
                ours_seconds=ours,
                peer_seconds=loop * len(samples) / _LOOPED,
                target=50,
                memory=peak_of_both(),
                note="the same vectors, bit for bit" if same else "the vectors DIFFER",
                memory_met=same,
            )
        )
    rows.append(
        Row(
            job="additive on Wiki-rnd with all ranks",
            peer=f"the {_SECONDS:g} s allowed; 5,960 ranks among 401,490",
            ours_seconds=seconds,
            peer_seconds=_SECONDS,
            target=1,
        )
    )
    return publish("nonce2vec", rows, ["word vectors stand for output vectors, Zipf's for counts"])


if __name__ == "__main__":
    main()
