"""First read and second open of text files of vectors, beside gensim, Polars and pandas.

Each reading runs in a fresh process; peak memory is that of the whole process. The file is in the
page cache for all. The first file has 400,000 x 50 numbers of five digits, as GloVe's have; the
second 100,000 x 300 of as many digits as a float32 has, as gensim writes them. Polars and pandas
give a float32 matrix and a list of words, and check nothing; a word with a blank would stop them.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.inputs import glove, write_text
from benchmarks.measure import Job, Peer, Program
from lydite.spaces.space import Space

CAVEATS = [
    "imports are left out, but for Numba's, which is imported only when a text file is parsed",
    "ours checks every row, makes a digest and writes a cache; the others do neither",
]

_OURS = """
from lydite.models.vectors import VectorFile
start = time.perf_counter()
space = VectorFile.open(sys.argv[1])
seconds = time.perf_counter() - start
value = [*space.vectors.shape, float(space.vectors[-1, -1])]
"""
_GENSIM = """
from gensim.models import KeyedVectors
start = time.perf_counter()
keyed = KeyedVectors.load_word2vec_format(sys.argv[1])
seconds = time.perf_counter() - start
value = [*keyed.vectors.shape, float(keyed.vectors[-1, -1])]
"""
_POLARS = """
import polars
start = time.perf_counter()
frame = polars.read_csv(
    sys.argv[1], separator=' ', has_header=False, skip_rows=1, quote_char=None,
    schema={'word': polars.String} | {str(i): polars.Float32 for i in range(int(sys.argv[2]))},
)
words = frame['word'].to_list()
vectors = frame.drop('word').to_numpy()
seconds = time.perf_counter() - start
value = [*vectors.shape, float(vectors[-1, -1])]
"""
_PANDAS = """
import csv
import pandas
start = time.perf_counter()
frame = pandas.read_csv(
    sys.argv[1], sep=' ', header=None, skiprows=1, quoting=csv.QUOTE_NONE, na_filter=False,
    dtype={0: str} | {i: 'float32' for i in range(1, int(sys.argv[2]) + 1)},
)
words = frame[0].tolist()
vectors = frame.drop(columns=0).to_numpy()
seconds = time.perf_counter() - start
value = [*vectors.shape, float(vectors[-1, -1])]
"""


@dataclass(frozen=True, kw_only=True)
class Size:
    """Words of the short and of the long numbers, and the dimension of the latter."""

    short: int = 400_000
    long: int = 100_000
    dim: int = 300


FULL = Size()
SMALL = Size(short=2_000, long=300, dim=20)


def jobs(size: Size, folder: Path) -> Iterator[Job]:
    short = glove(size.short)
    yield from _reading(short, write_text(short, folder / "short.txt", ".5g"), "five digits")
    long = _wide(glove(size.long), size.dim)
    yield _first(long, write_text(long, folder / "long.txt", ".9g"), "nine digits")


def _wide(space: Space, dim: int) -> Space:
    generator = np.random.default_rng(0)
    turned = space.vectors @ generator.normal(size=(space.dim, dim)).astype(np.float32)
    return replace(space, vectors=turned)


def _reading(space: Space, path: Path, digits: str) -> Iterator[Job]:
    yield _first(space, path, digits)
    cache = {"LYDITE_CACHE": f"{path}.cache"}
    yield Job(
        name=f"second open, {digits}",
        amount=f"{len(space):,} x {space.dim}",
        ours=Program(code=_OURS, arguments=(path,), environment=lambda: cache),
        peers=[_peer("gensim load_word2vec_format", _GENSIM, space, path, 300)],
    )


def _first(space: Space, path: Path, digits: str) -> Job:
    turns = itertools.count()

    def new_cache() -> dict[str, str]:
        return {"LYDITE_CACHE": f"{path}.{next(turns)}"}

    def again() -> None:
        from lydite.models.vectors import VectorFile

        os.environ |= new_cache()
        VectorFile.open(str(path))

    return Job(
        name=f"first read, {digits}",
        amount=f"{len(space):,} x {space.dim}, {path.stat().st_size / 1e6:.0f} MB",
        ours=Program(code=_OURS, arguments=(path,), environment=new_cache),
        peers=[
            _peer("gensim load_word2vec_format", _GENSIM, space, path, 40),
            _peer("pandas read_csv", _PANDAS, space, path, 2),
            _peer("Polars read_csv", _POLARS, space, path, 1),
        ],
        # Four times the matrix, and what Python, NumPy and Numba take.
        most_memory=4 * space.vectors.nbytes / 1e6 if len(space) == FULL.short else None,
        rate=(path.stat().st_size, "bytes"),
        agree=lambda ours, peers: _same([ours, *(each for each in peers if each)]),
        counted=again,
    )


def _same(values: list[list[float]]) -> str:
    # A parser may round the last bit another way.
    assert np.allclose(values, values[0], rtol=1e-6), values
    return ""


def _peer(name: str, code: str, space: Space, path: Path, target: float) -> Peer:
    return Peer(
        name=name, run=Program(code=code, arguments=(path, space.dim)), target=target, at_most=False
    )
