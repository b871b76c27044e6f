"""Train word2vec on a corpus with gensim, and the text that gensim trains on.

The sentences go to a temporary file first, from which gensim's compiled threads read by themselves:
several times as fast as sentences that Python hands over. Words stand in the order of their
frequency, and of the alphabet where that is equal, so that vectors do not depend on how a machine
sorts. It is the engine that others use; `lydite.trained.skipgram` says why there is another.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from lydite.errors import InputError, MissingExtraError
from lydite.models.contexts import check_window
from lydite.progress import current_progress
from lydite.results.provenance import versions
from lydite.spaces.space import Space
from lydite.trained.parameters import (
    Alpha,
    Dim,
    MinCount,
    Negative,
    Sample,
    ShortSeed,
    Window,
    Workers,
    check_declared,
)
from lydite.trained.parameters import Epochs as EpochCount

#: gensim passes over what follows in a longer line.
LONGEST_LINE: Final = 10_000


class Written(NamedTuple):
    """What was written: how often each word, how many sentences, on how many lines."""

    counts: Counter[str]
    sentences: int
    lines: int


def write_lines(sentences: Iterable[Sequence[str]], path: Path) -> Written:
    """Write one sentence per line, or several lines if it is longer than `LONGEST_LINE` words."""
    counts: Counter[str] = Counter()
    number = lines = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for sentence in sentences:
            number += 1
            counts.update(sentence)
            for start in range(0, len(sentence), LONGEST_LINE):
                file.write(" ".join(sentence[start : start + LONGEST_LINE]) + "\n")
                lines += 1
    return Written(counts, number, lines)


def frequent_words(counts: Counter[str], least: int) -> dict[str, int]:
    """Return the words that occur often enough, the most frequent first, then by the alphabet.

    >>> frequent_words(Counter("banana"), 2)
    {'a': 3, 'n': 2}
    """
    if not counts:
        raise InputError("expected sentences to train on, got none", hint="check the corpus")
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    frequent = {word: count for word, count in ranked if count >= least}
    if len(frequent) < 2:
        word, most = ranked[0]
        raise InputError(
            f"expected at least 2 words that occur {least} times or more, got {len(frequent)}: of "
            f"{counts.total():,} tokens and {len(counts):,} words, the most frequent, {word!r}, "
            f"occurs {most} times",
            hint="lower --min-count (min_count), or train on more text",
        )
    return frequent


class Epochs:
    """Tells how many epochs are done; gensim asks for these four methods."""

    def __init__(self, architecture: str, epochs: int) -> None:
        self._progress = current_progress()
        self._what = f"epochs of {architecture}"
        self._total = epochs
        self._done = 0

    def on_train_begin(self, model: object) -> None:
        """Tell that none is done."""
        self._progress(self._what, 0, self._total)

    def on_epoch_begin(self, model: object) -> None:
        """Tell nothing."""

    def on_epoch_end(self, model: object) -> None:
        """Tell that one more is done."""
        self._done += 1
        self._progress(self._what, self._done, self._total)

    def on_train_end(self, model: object) -> None:
        """Tell nothing."""


Architecture: TypeAlias = Literal["skipgram", "cbow"]


@dataclass(frozen=True, kw_only=True)
class Word2VecRecipe:
    """How word2vec is trained (Mikolov et al. 2013).

    ``skipgram`` predicts the words around a word, ``cbow`` the word from those around it. For each
    place a window of 1 to ``window`` words within the sentence is drawn. What else there is to say
    of the parameters is said of :class:`lydite.trained.skipgram.SkipgramRecipe`.
    """

    architecture: Architecture = "skipgram"
    dim: Dim = 100
    window: Window = 5
    negative: Negative = 5
    min_count: MinCount = 5
    epochs: EpochCount = 5
    sample: Sample = 1e-3
    alpha: Alpha = 0.025
    seed: ShortSeed = 0
    workers: Workers = 1

    def __post_init__(self) -> None:
        check_declared(self)


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """A space and what it was trained on."""

    space: Space
    #: ``sentences``, ``tokens``: of the corpus, with the words that are too rare.
    sentences: int
    tokens: int
    words: int


def train_word2vec(sentences: Iterable[Sequence[str]], recipe: Word2VecRecipe) -> Trained:
    """Train word2vec.

    Tokens have no white space; sentences are gone through once. The space keeps the output vectors
    as ``contexts`` and the frequencies as ``counts``.

    >>> text = [["the", "cat", "sat"], ["the", "dog", "sat"]] * 20
    >>> trained = train_word2vec(text, Word2VecRecipe(dim=4, epochs=1))
    >>> list(trained.space.vocabulary), trained.space.counts.tolist()
    (['sat', 'the', 'cat', 'dog'], [40.0, 40.0, 20.0, 20.0])
    >>> trained.space.contexts.shape
    (4, 4)
    """
    word2vec = _gensim()
    with tempfile.TemporaryDirectory(prefix="lydite-") as folder:
        lines = Path(folder) / "sentences.txt"
        written = write_lines(sentences, lines)
        frequent = frequent_words(written.counts, recipe.min_count)
        check_window(sum(frequent.values()), recipe.window)
        model = word2vec.Word2Vec(
            sg=int(recipe.architecture == "skipgram"),
            vector_size=recipe.dim,
            window=recipe.window,
            negative=recipe.negative,
            min_count=recipe.min_count,
            sample=recipe.sample,
            alpha=recipe.alpha,
            seed=recipe.seed,
            workers=recipe.workers,
            sorted_vocab=0,
        )
        model.build_vocab_from_freq(frequent, corpus_count=written.lines)
        model.train(
            corpus_file=str(lines),
            total_examples=written.lines,
            total_words=written.counts.total(),
            epochs=recipe.epochs,
            callbacks=[Epochs(recipe.architecture, recipe.epochs)],
        )
    space = replace(Space.of_keyed_vectors(model), spec=recipe.architecture)
    return Trained(
        space=space,
        sentences=written.sentences,
        tokens=written.counts.total(),
        words=len(written.counts),
    )


def _gensim() -> Any:  # noqa: ANN401 - a module without types
    try:
        from gensim.models import word2vec  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingExtraError("training word2vec", extra="train") from error
    return word2vec


def versions_with_gensim() -> dict[str, str]:
    """Return the versions that what is trained with gensim depends on."""
    return {**versions(), "gensim": version("gensim")}
