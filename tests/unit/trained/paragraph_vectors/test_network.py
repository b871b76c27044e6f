"""A network made anew from its weights is the one that was trained, to the bit."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from lydite.corpora.preparation import Preparation
from lydite.spaces.vocabulary import Hashes
from lydite.trained.gensim_engine import frequent_words
from lydite.trained.paragraph_vectors import ParagraphRecipe, network_of, untrained

NONE: Hashes = np.zeros(0, dtype=np.uint64)


@pytest.fixture
def original(text: list[tuple[str, ...]], recipe: ParagraphRecipe) -> Any:  # noqa: ANN401
    from gensim.models.doc2vec import TaggedDocument  # type: ignore[import-untyped]

    counts = Counter(word for sentence in text for word in sentence)
    frequent = frequent_words(counts, recipe.min_count)
    model = untrained(recipe, frequent, paragraphs=len(text))
    documents = [TaggedDocument(sentence, (i,)) for i, sentence in enumerate(text)]
    model.train(documents, total_examples=len(text), epochs=recipe.epochs)
    return model


def test_tables_are_those_of_the_original(original: Any, recipe: ParagraphRecipe) -> None:  # noqa: ANN401
    network = network_of(original, recipe, Preparation(), seen=NONE, keep=False)
    again = network.doc2vec()
    assert again.wv.index_to_key == original.wv.index_to_key
    assert np.array_equal(again.cum_table, original.cum_table)
    assert np.array_equal(again.wv.expandos["sample_int"], original.wv.expandos["sample_int"])
    # "the" is 60 of 300 words, more than the share of 0.05 from which on words are dropped.
    assert again.wv.expandos["sample_int"][0] < 2**32 - 1
    for name in ("layer1_size", "window", "negative", "sample", "alpha", "min_alpha", "sg"):
        assert getattr(again, name) == getattr(original, name)


def test_gensim_infers_the_same_bits(original: Any, recipe: ParagraphRecipe) -> None:  # noqa: ANN401
    network = network_of(original, recipe, Preparation(), seen=NONE, keep=False)
    again = network.doc2vec()
    inferred = []
    for model in (original, again, again):
        model.random.seed(7)
        inferred.append(model.infer_vector(["the", "cat", "sings", "emu"], epochs=5))
    assert np.array_equal(inferred[0], inferred[1])
    assert np.array_equal(inferred[0], inferred[2])
