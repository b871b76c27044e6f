"""The weights of trained paragraph vectors, and gensim's Doc2Vec around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lydite.corpora.preparation import Preparation
from lydite.errors import MissingExtraError
from lydite.models.paragraph_vectors.recipe import LEAST_ALPHA, ParagraphRecipe
from lydite.spaces.vocabulary import Hashes, PackedWords, pack
from lydite.types import Indices, Vectors

#: gensim's own word for what stands before and after a sentence; no word of a text may be it.
PADDING: Final = "\0"


@dataclass(frozen=True, kw_only=True, eq=False)
class Network:
    """All that inference needs, and what tells whether a text was trained on.

    Attributes
    ----------
    recipe
        How it was trained.
    preparation
        How text became tokens.
    words
        The n words, the most frequent first.
    counts
        Shape (n,): how often they stand in the corpus.
    outputs
        The weights that predict words. Shape (n, dim) for PV-DBOW; (n + 1, (1 + 2 window) dim) for
        PV-DM, whose last row is that of the padding word.
    vectors
        Shape (n + 1, dim): the vectors of words and, last, of padding. None for PV-DBOW, which has
        no word vectors.
    seen
        The sorted hashes of the sentences that it was trained on.
    paragraphs
        The vectors of these sentences in the order of the corpus, if they are kept.
    """

    recipe: ParagraphRecipe
    preparation: Preparation
    words: PackedWords
    counts: Indices
    outputs: Vectors
    vectors: Vectors | None
    seen: Hashes
    paragraphs: Vectors | None = None

    def doc2vec(self) -> Any:  # noqa: ANN401 - an object without types
        """Make gensim's Doc2Vec of the weights, which infers what the trained one would.

        Vocabulary, subsampling and the table of negative samples are made by gensim itself from
        the counts, as before training.
        """
        frequent = dict(zip(self.words.to_list(), self.counts.tolist(), strict=True))
        model = untrained(self.recipe, frequent, paragraphs=0)
        model.syn1neg = self.outputs
        if self.vectors is not None:
            model.wv.vectors = self.vectors
        return model


def untrained(recipe: ParagraphRecipe, frequent: dict[str, int], *, paragraphs: int) -> Any:  # noqa: ANN401
    """Return a Doc2Vec with its vocabulary and its first weights.

    Parameters
    ----------
    recipe
        How it is to be trained.
    frequent
        Counts of the words, in their order.
    paragraphs
        How many have a vector.
    """
    try:
        from gensim.models.doc2vec import Doc2Vec  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingExtraError(
            f"paragraph vectors ({recipe.architecture})", extra="train"
        ) from error
    memory = int(recipe.architecture == "pv-dm")
    model = Doc2Vec(
        dm=memory,
        dm_concat=memory,
        vector_size=recipe.dim,
        window=recipe.window,
        negative=recipe.negative,
        min_count=recipe.min_count,
        sample=recipe.sample,
        alpha=recipe.alpha,
        min_alpha=LEAST_ALPHA,
        seed=recipe.seed,
        workers=recipe.workers,
        epochs=recipe.epochs,
        sorted_vocab=0,
    )
    model.dv.index_to_key = list(range(paragraphs))
    model.build_vocab_from_freq(frequent, corpus_count=paragraphs)
    return model


def network_of(
    model: Any,  # noqa: ANN401
    recipe: ParagraphRecipe,
    preparation: Preparation,
    *,
    seen: Hashes,
    keep: bool,
) -> Network:
    """Take the weights out of a trained Doc2Vec."""
    words = model.wv.index_to_key[: -1 if recipe.pads else None]
    return Network(
        recipe=recipe,
        preparation=preparation,
        words=pack(words),
        counts=np.array(model.wv.expandos["count"][: len(words)], dtype=np.int64),
        outputs=model.syn1neg,
        vectors=model.wv.vectors if recipe.pads else None,
        seen=seen,
        paragraphs=model.dv.vectors if keep else None,
    )
