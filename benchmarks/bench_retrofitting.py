"""Retrofitting 400,000 words to PPDB, ten iterations, beside the authors' loop over dictionaries.

Both start from what was read before, vectors and lists of neighbours, and end with new vectors, in
a space and in a dictionary. Ours finds the words, gives vectors the length 1 and makes a digest of
the new space too; the peer has nothing like the digest, and has the length 1 already, since the
authors give it to vectors when they read them.

PPDB's list is that of ``LYDITE_DATA``; without it, each of 73,000 words gets four at random.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.inputs import glove
from benchmarks.measure import Job, Peer
from lydite.lexicons.neighbours import Neighbours, read_neighbours
from lydite.spaces.space import Space
from lydite.trained.retrofitting import Retrofitted, retrofit
from lydite.types import Floats

CAVEATS = ["the peer goes through words in the order of the space, as ours does"]

_LEXICON = "lexicons/ppdb-xl.txt"


@dataclass(frozen=True, kw_only=True)
class Size:
    """Words, those with neighbors where there is no lexicon, and iterations."""

    words: int = 400_000
    drawn: int = 73_000
    real: bool = True
    iterations: int = 10


FULL = Size()
SMALL = Size(words=2_000, drawn=500, real=False, iterations=2)


def jobs(size: Size, folder: Path) -> Iterator[Job]:
    space = glove(size.words)
    lexicon = _lexicon(space, size, folder)
    vectors, lists = _as_dictionaries(space, lexicon)
    yield Job(
        name="retrofitting",
        amount=f"{size.iterations} iterations over {len(space):,} words",
        ours=lambda: retrofit(space, lexicon, iterations=size.iterations),
        peers=[
            Peer(
                name="the authors' loop over dictionaries of NumPy vectors",
                run=lambda: loop_over_words(vectors, lists, size.iterations),
                target=50,
            )
        ],
        agree=_same,
    )


def _same(ours: Retrofitted, peers: Sequence[dict[str, Floats]]) -> str:
    apart = np.abs(np.array(list(peers[0].values())) - ours.space.vectors).max()
    assert apart < 1e-5, f"by {apart}"
    return (
        f"{ours.moved:,} words have {ours.edges:,} neighbors; "
        f"the largest difference of a number is {apart:.1e}"
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


def _lexicon(space: Space, size: Size, folder: Path) -> Neighbours:
    path = Path(os.environ.get("LYDITE_DATA", "")) / _LEXICON
    if size.real and path.is_file():
        return read_neighbours(path)
    words = list(space.vocabulary)[: size.drawn]
    others = np.random.default_rng(0).integers(0, len(words), (len(words), 4))
    file = folder / "neighbors.txt"
    lines = (
        " ".join([word, *(words[i] for i in row)])
        for word, row in zip(words, others.tolist(), strict=True)
    )
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_neighbours(file)
