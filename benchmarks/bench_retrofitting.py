"""Retrofitting 400,000 words to PPDB, ten iterations, beside the authors' loop over dictionaries.

Both start from what was read before, vectors and lists of neighbours, and end with new vectors, in
a space and in a dictionary. Ours finds the words, gives vectors the length 1 and makes a digest of
the new space too; the peer has nothing like the digest, and has the length 1 already, since the
authors give it to vectors when they read them. The loop is run once, whole.

PPDB's list is that of ``LYDITE_DATA``; without it, each of 73,000 words gets four at random.
"""

from __future__ import annotations

import copy
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.measure import Row, peak_of_both, publish
from lydite.lexicons.neighbours import Neighbours, read_neighbours
from lydite.models.catalogue import load
from lydite.spaces.space import Space
from lydite.trained.retrofitting import retrofit
from lydite.types import Floats

_LEXICON = "lexicons/ppdb-xl.txt"
_ITERATIONS = 10
_REPEATS = 5


def _seconds(job: Callable[[], object]) -> float:
    times = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return median(times)


def main() -> bool:
    space = load("glove-6b-50d")
    lexicon = _lexicon(space)
    ours = retrofit(space, lexicon, iterations=_ITERATIONS)
    seconds = _seconds(lambda: retrofit(space, lexicon, iterations=_ITERATIONS))
    vectors, lists = _as_dictionaries(space, lexicon)
    start = time.perf_counter()
    peer = loop_over_words(vectors, lists, _ITERATIONS)
    peer_seconds = time.perf_counter() - start
    apart = np.abs(np.array(list(peer.values())) - ours.space.vectors).max()
    assert apart < 1e-5
    return publish(
        "retrofitting",
        [
            Row(
                job=f"{_ITERATIONS} iterations over {len(space):,} words",
                peer="the authors' algorithm: dictionaries of NumPy vectors",
                ours_seconds=seconds,
                peer_seconds=peer_seconds,
                target=50,
                memory=peak_of_both(),
                note=f"{ours.moved:,} words have {ours.edges:,} neighbours; "
                f"the largest difference of a number is {apart:.1e}",
            )
        ],
        ["the peer goes through words in the order of the space, as ours does"],
    )


def loop_over_words(
    vectors: dict[str, Floats], lists: dict[str, list[str]], iterations: int
) -> dict[str, Floats]:
    """Retrofit as Faruqui et al. (2015) publish it, with all weights of neighbours 1 / degree."""
    moved = copy.deepcopy(vectors)
    known = set(vectors)
    turn = [word for word in vectors if word in lists]
    for _ in range(iterations):
        for word in turn:
            near = known.intersection(lists[word])
            if not near:
                continue
            total = len(near) * vectors[word]
            for other in near:
                total += moved[other]
            moved[word] = total / (2 * len(near))
    return moved


def _as_dictionaries(
    space: Space, lexicon: Neighbours
) -> tuple[dict[str, Floats], dict[str, list[str]]]:
    rows = space.vectors.astype(np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    # Rows of one matrix would be closer to each other than the vectors that a loop reads.
    vectors = {word: row.copy() for word, row in zip(space.vocabulary, rows, strict=True)}
    words = list(lexicon.words)
    near = {word: [words[i] for i in lexicon.lists[n].tolist()] for n, word in enumerate(words)}
    return vectors, {word: others for word, others in near.items() if others}


def _lexicon(space: Space) -> Neighbours:
    path = Path(os.environ.get("LYDITE_DATA", "")) / _LEXICON
    if path.is_file():
        return read_neighbours(path)
    words = list(space.vocabulary)[:73_000]
    others = np.random.default_rng(0).integers(0, len(words), (len(words), 4))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "neighbours.txt"
        lines = (
            " ".join([word, *(words[i] for i in row)])
            for word, row in zip(words, others.tolist(), strict=True)
        )
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return read_neighbours(file)


if __name__ == "__main__":
    main()
