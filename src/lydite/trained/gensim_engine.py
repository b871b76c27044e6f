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
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from lydite.errors import InputError, MissingExtraError
from lydite.models.contexts import check_count, check_number, check_window
from lydite.progress import current_progress
from lydite.spaces.space import Space

#: gensim passes over what follows in a longer line.
LONGEST_LINE: Final = 10_000


class Written(NamedTuple):
    """What was written: how often each word, how many sentences, on how many lines."""

    counts: Counter[str]
    sentences: int
    lines: int


def write_lines(sentences: Iterable[Sequence[str]], path: Path) -> Written:
    """Write a sentence a line, or several lines if it is longer than `LONGEST_LINE` words."""
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

    Raises
    ------
    InputError
        If there are fewer than two.

    Examples
    --------
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

    Attributes
    ----------
    architecture
        ``skipgram`` predicts the words around a word, ``cbow`` the word from those around it.
    dim
        The number of dimensions.
    window
        Words on either side, within the sentence; for each place a window of 1 to this is drawn.
    negative
        Words drawn against each true one, by their frequency to the power of 0.75.
    min_count
        Words that are rarer are left out before windows are laid.
    epochs
        How often the corpus is gone through.
    sample
        Words of a relative frequency above this are dropped at random; 0 keeps all.
    alpha
        The learning rate at the beginning, which falls in a straight line to 0.0001.
    seed
        Of the first vectors and of everything drawn.
    workers
        Threads. Only with one does the same seed give the same bits: several write to the same
        vectors without waiting for each other.
    """

    architecture: Architecture = "skipgram"
    dim: int = 100
    window: int = 5
    negative: int = 5
    min_count: int = 5
    epochs: int = 5
    sample: float = 1e-3
    alpha: float = 0.025
    seed: int = 0
    workers: int = 1

    def __post_init__(self) -> None:
        if self.architecture not in {"skipgram", "cbow"}:
            raise InputError(f"expected skipgram or cbow, got {self.architecture!r}")
        for name in ("dim", "window", "negative", "min_count", "epochs", "workers"):
            check_count(name, getattr(self, name), least=1)
        check_number("sample", self.sample, least=0)
        check_number("alpha", self.alpha, least=0, above=True)
        if type(self.seed) is not int or not 0 <= self.seed < 2**32:
            raise InputError(f"expected a seed from 0 to 2^32 - 1, got {self.seed!r}")


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """A space and what it was trained on.

    Attributes
    ----------
    space
        With counts and context vectors.
    sentences, tokens
        Of the corpus, with the words that are too rare.
    words
        How many different ones the corpus has.
    """

    space: Space
    sentences: int
    tokens: int
    words: int


def train_word2vec(sentences: Iterable[Sequence[str]], recipe: Word2VecRecipe) -> Trained:
    """Train word2vec.

    Parameters
    ----------
    sentences
        Tokens without white space; gone through once, such as
        :meth:`lydite.corpora.documents.Corpus.sentences` gives.
    recipe
        How.

    Returns
    -------
    A space that keeps the output vectors as ``contexts`` and the frequencies as ``counts``.

    Raises
    ------
    MissingExtraError
        If gensim is not installed.
    InputError
        If no word is frequent enough, or there are fewer of them than a window holds.

    Examples
    --------
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
