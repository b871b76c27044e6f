"""What the benchmarks are run on: the embedded default, and words of the Wikipedia sample."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lydite.spaces.space import Space

#: Where ``LYDITE_DATA`` has the Wikipedia sample.
_SAMPLE = "corpora/wikipedia-2014-20m.txt.gz"


def glove(words: int) -> Space:
    """Open the embedded default, 400,000 x 50, or its first words."""
    from lydite.models.catalogue import load

    space = load("glove-6b-50d")
    assert isinstance(space, Space)
    return space if words == len(space) else space.head(words)


def write_text(space: Space, path: Path, digits: str) -> Path:
    """Write a space as a word2vec text file, numbers in the format ``digits``."""
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{len(space)} {space.dim}\n")
        for word, row in zip(space.vocabulary, np.asarray(space.vectors).tolist(), strict=True):
            file.write(f"{word} {' '.join([format(x, digits) for x in row])}\n")
    return path


def first_words(path: Path, count: int, *, lower: bool = False) -> Path:
    """Write so many words, in lines: the first of the Wikipedia sample, or drawn by Zipf's law."""
    with path.open("w", encoding="utf-8") as file:
        for line in _lines():
            words = (line.lower() if lower else line).split()[:count]
            file.write(" ".join(words) + "\n")
            count -= len(words)
            if not count:
                break
    return path


def _lines() -> Iterator[str]:
    sample = Path(os.environ.get("LYDITE_DATA", "")) / _SAMPLE
    if sample.is_file():
        with gzip.open(sample, "rt", encoding="utf-8") as lines:
            yield from lines
    generator = np.random.default_rng(0)
    while True:
        yield " ".join(f"w{number}" for number in generator.zipf(1.2, 30) % 1_000_000)
