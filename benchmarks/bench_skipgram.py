"""The skip-gram family beside gensim's skip-gram: 100 dimensions, windows of 5, two threads.

gensim reads the file in its own compiled threads, its quickest way, and has its vocabulary ready;
ours goes from the text to the vectors. Windows are drawn for both or whole for both: a drawn one
has six words on average where a whole one has ten.

The corpus is the Wikipedia sample in ``LYDITE_DATA``; without it, words drawn from Zipf's law.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import NamedTuple

from gensim.models import Word2Vec  # type: ignore[import-untyped]

from benchmarks.measure import Row, first_words, in_process, peak_of_both, publish
from lydite.trained.encoded_corpus import encode_files
from lydite.trained.skipgram import (
    ARCHITECTURES,
    Architecture,
    SkipgramRecipe,
    train_skipgram_family,
)

_WORDS = 500_000
_ROUNDS = 3
_RECIPE = SkipgramRecipe(epochs=1, workers=2)

_LOAD = """
import numba
from lydite.trained.skipgram import train_block
from lydite.compiled import compile_ahead
start = time.process_time()
compile_ahead(train_block)
seconds = time.process_time() - start
"""


class _Time(NamedTuple):
    """Of a job: seconds of both cores together, and seconds by the clock."""

    spent: float
    clock: float


def main() -> bool:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = folder / "text.txt"
        first_words(text, _WORDS, lower=True)
        rows = [row for dynamic in (True, False) for row in _rows(text, folder, dynamic=dynamic)]
        cold, _ = in_process(_LOAD, NUMBA_CACHE_DIR=str(folder / "cache"))
        warm, _ = in_process(_LOAD, NUMBA_CACHE_DIR=str(folder / "cache"))
    return publish(
        "skipgram",
        rows,
        [
            "seconds of both cores together: other work on the machine does not count",
            f"compiled once for all five: {cold:.1f} s the first time, then {warm:.2f} s to load",
        ],
    )


def _rows(text: Path, folder: Path, *, dynamic: bool) -> list[Row]:
    peer = _prepared(text, dynamic=dynamic)
    jobs: dict[str, Callable[[], object]] = {
        "gensim": lambda: peer.train(corpus_file=str(text), total_words=_WORDS, epochs=1),
        **{name: _job(name, text, folder, dynamic=dynamic) for name in ARCHITECTURES},
    }
    times = _in_turns(jobs)
    kind = "drawn" if dynamic else "whole"
    return [
        Row(
            job=f"{name}, {kind} windows",
            peer=f"gensim's skip-gram on {_WORDS // 1000} k words, {kind} windows, two threads",
            ours_seconds=times[name].spent,
            peer_seconds=times["gensim"].spent,
            target=1,
            memory=peak_of_both(),
            note=f"{_pace(times[name])}, the peer {_pace(times['gensim'])} by the clock",
        )
        for name in ARCHITECTURES
    ]


def _pace(times: _Time) -> str:
    return f"{_WORDS / times.clock / 1e3:.0f} k words a second"


def _in_turns(jobs: dict[str, Callable[[], object]]) -> dict[str, _Time]:
    """Return the median times of jobs that take turns, after one warm-up of each."""
    times: dict[str, list[_Time]] = {name: [] for name in jobs}
    for turn in range(_ROUNDS + 1):
        for name, job in jobs.items():
            clock, spent = time.perf_counter(), time.process_time()
            job()
            if turn:
                times[name].append(_Time(time.process_time() - spent, time.perf_counter() - clock))
    return {name: _Time(*map(median, zip(*found, strict=True))) for name, found in times.items()}


def _prepared(text: Path, *, dynamic: bool) -> Word2Vec:
    """Return gensim's model with its vocabulary."""
    model = Word2Vec(
        sg=1,
        shrink_windows=dynamic,
        vector_size=_RECIPE.dim,
        window=_RECIPE.window,
        negative=_RECIPE.negative,
        min_count=_RECIPE.min_count,
        sample=_RECIPE.sample,
        alpha=_RECIPE.alpha,
        workers=_RECIPE.workers,
        seed=0,
    )
    model.build_vocab(corpus_file=str(text))
    return model


def _job(
    architecture: Architecture, text: Path, folder: Path, *, dynamic: bool
) -> Callable[[], object]:
    recipe = replace(_RECIPE, architecture=architecture, dynamic=dynamic)
    return lambda: train_skipgram_family(encode_files([text], folder), recipe)


if __name__ == "__main__":
    main()
