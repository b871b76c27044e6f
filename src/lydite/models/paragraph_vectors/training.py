"""Train paragraph vectors on the sentences of a corpus, with gensim.

A sentence is a paragraph, as in White et al. (2015). The sentences go to a temporary file first,
from which gensim's compiled threads read by themselves under PV-DBOW: nearly twice as fast as
sentences that Python hands over, and more on several cores. Not so under PV-DM with concatenation,
which has the most to compute and where that reader is wrong: it counts paragraphs from zero in each
thread (``d2v_train_epoch_dm_concat`` of 4.4.0), so that sentences share their vectors.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydite.corpora.preparation import Preparation
from lydite.models.gensim_training import Epochs, frequent_words, write_lines
from lydite.models.paragraph_vectors.network import PADDING, Network, network_of, untrained
from lydite.models.paragraph_vectors.recipe import ParagraphRecipe
from lydite.models.seen import Remembered
from lydite.types import current_progress

_STEP = 1000


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """What was learnt, and from how much.

    Attributes
    ----------
    network
        The weights.
    sentences, tokens
        Of the corpus that was trained on, with the words that are too rare.
    words
        How many different ones it has.
    left_out
        How many sentences of the corpus were not trained on, because they were to be left out.
    """

    network: Network
    sentences: int
    tokens: int
    words: int
    left_out: int


def train_paragraphs(
    sentences: Iterable[Sequence[str]],
    recipe: ParagraphRecipe,
    *,
    preparation: Preparation | None = None,
    exclude: Collection[str] = (),
    keep: bool = False,
) -> Trained:
    """Train paragraph vectors.

    Parameters
    ----------
    sentences
        Tokens without white space; gone through once, such as
        :meth:`lydite.corpora.documents.Corpus.sentences` gives.
    recipe
        How.
    preparation
        How the sentences became tokens, and texts will before their vectors are inferred.
    exclude
        Texts that are not to be trained on: sentences with the same tokens are left out.
    keep
        Keep the vectors of the sentences themselves.

    Raises
    ------
    MissingExtraError
        If gensim is not installed.
    InputError
        If no word is frequent enough.

    Examples
    --------
    >>> text = [("the", "cat", "sat"), ("the", "dog", "sat")] * 20
    >>> recipe = ParagraphRecipe(dim=4, window=2, epochs=1)
    >>> trained = train_paragraphs(text, recipe, exclude=["The dog sat."])
    >>> trained.sentences, trained.left_out
    (20, 20)
    >>> trained.network.outputs.shape  # the, cat, sat and padding; a paragraph and four words
    (4, 20)
    """
    preparation = preparation or Preparation()
    remembered = Remembered(sentences, [preparation.tokens(text) for text in exclude])
    with tempfile.TemporaryDirectory(prefix="lydite-") as folder:
        lines = Path(folder) / "sentences.txt"
        written = write_lines(map(_without_padding, remembered), lines)
        frequent = frequent_words(written.counts, recipe.min_count)
        model = untrained(recipe, frequent, paragraphs=written.lines)
        model.train(
            **_source(lines, written.lines, recipe),
            total_examples=written.lines,
            total_words=written.counts.total(),
            epochs=recipe.epochs,
        )
    return Trained(
        network=network_of(model, recipe, preparation, seen=remembered.hashes(), keep=keep),
        sentences=written.sentences,
        tokens=written.counts.total(),
        words=len(written.counts),
        left_out=remembered.left_out,
    )


def _without_padding(tokens: Sequence[str]) -> Sequence[str]:
    return [token for token in tokens if token != PADDING] if PADDING in tokens else tokens


def _source(path: Path, lines: int, recipe: ParagraphRecipe) -> dict[str, Any]:
    """Return how gensim reads the lines, and who is told of it."""
    if recipe.architecture == "pv-dm":
        return {"corpus_iterable": _Paragraphs(path, lines, recipe)}
    epochs = Epochs(recipe.architecture, recipe.epochs)
    return {"corpus_file": str(path), "callbacks": [epochs]}


class _Paragraphs:
    """The lines of a file as gensim's documents, once an epoch; tells how far it has come."""

    def __init__(self, path: Path, lines: int, recipe: ParagraphRecipe) -> None:
        self._path = path
        self._progress = current_progress()
        self._what = f"paragraphs of {recipe.architecture}, {recipe.epochs} times"
        self._done = 0
        self._total = lines * recipe.epochs

    def __iter__(self) -> Iterator[Any]:
        from gensim.models.doc2vec import TaggedDocument  # type: ignore[import-untyped]

        with self._path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file):
                if self._done % _STEP == 0:
                    self._progress(self._what, self._done, self._total)
                self._done += 1
                yield TaggedDocument(line[:-1].split(" "), (number,))
        self._progress(self._what, self._done, self._total)
