"""The skip-gram family beside gensim's skip-gram: 100 dimensions, windows of 5, two threads.

gensim reads the file in its own compiled threads, its quickest way, and has its vocabulary ready;
ours goes from the text to the vectors. Windows are drawn for both or whole for both: a drawn one
has six words on average where a whole one has ten.

The corpus is the Wikipedia sample in ``LYDITE_DATA``; without it, words drawn from Zipf's law.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.inputs import first_words
from benchmarks.measure import Job, Peer, Program
from lydite.trained.encoded_corpus import encode_files
from lydite.trained.skipgram import (
    ARCHITECTURES,
    Architecture,
    SkipgramRecipe,
    train_skipgram_family,
)

CAVEATS = ["seconds of both cores together: other work on the machine does not count"]

_LOAD = """
import numba
from lydite.trained.skipgram import train_block
from lydite.compiled import compile_ahead
start = time.process_time()
compile_ahead(train_block)
seconds = time.process_time() - start
"""


@dataclass(frozen=True, kw_only=True)
class Size:
    """Words of the corpus, what is learned, and seconds allowed for loading compiled code."""

    words: int = 500_000
    recipe: SkipgramRecipe = SkipgramRecipe(epochs=1, workers=2)  # noqa: RUF009
    seconds: float = 1.0


FULL = Size()
SMALL = Size(words=1_000, recipe=SkipgramRecipe(epochs=1, workers=2, dim=4, min_count=1))


def jobs(size: Size, folder: Path) -> Iterator[Job]:
    text = first_words(folder / "text.txt", size.words, lower=True)
    for dynamic in (True, False):
        for architecture in ARCHITECTURES:
            yield _job(size, architecture, text, folder, dynamic=dynamic)
    yield Job(
        name="loading compiled code",
        amount="of all architectures, after the first time",
        ours=Program(code=_LOAD),
        peers=[
            Peer(name=f"{size.seconds:g} s allowed", run=size.seconds, target=1, at_most=True),
        ],
    )


def _job(size: Size, architecture: Architecture, text: Path, folder: Path, *, dynamic: bool) -> Job:
    kind = "drawn" if dynamic else "whole"
    recipe = replace(size.recipe, architecture=architecture, dynamic=dynamic)
    return Job(
        name=f"{architecture}, {kind} windows",
        amount=f"{size.words // 1000} k words, two threads",
        ours=lambda: train_skipgram_family(encode_files([text], folder), recipe),
        peers=[
            Peer(
                name=f"gensim's skip-gram, {kind} windows",
                run=_gensim(text, size, recipe),
                target=1,
            )
        ],
        clock="cpu",
        rate=(size.words, "words"),
        # One thread at a time, so that the order of updates is the same in each run.
        counted=partial(_alone, text, folder, replace(recipe, workers=1)),
    )


def _alone(text: Path, folder: Path, recipe: SkipgramRecipe) -> None:
    train_skipgram_family(encode_files([text], folder), recipe)


def _gensim(text: Path, size: Size, recipe: SkipgramRecipe) -> Callable[[], object]:
    """Return gensim's training; its vocabulary is made at the first call."""
    models: list[Any] = []

    def train() -> object:
        from gensim.models import Word2Vec  # type: ignore[import-untyped]

        if not models:
            models.append(
                Word2Vec(
                    sg=1,
                    shrink_windows=recipe.dynamic,
                    vector_size=recipe.dim,
                    window=recipe.window,
                    negative=recipe.negative,
                    min_count=recipe.min_count,
                    sample=recipe.sample,
                    alpha=recipe.alpha,
                    workers=recipe.workers,
                    seed=0,
                )
            )
            models[0].build_vocab(corpus_file=str(text))
        return models[0].train(corpus_file=str(text), total_words=size.words, epochs=1)

    return train
