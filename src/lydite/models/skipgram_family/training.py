"""Train a model of the skip-gram family on a corpus of numbers.

Mikolov et al., "Distributed representations of words and phrases and their compositionality", 2013;
Ling et al., "Two/too simple adaptations of word2vec for syntax problems", NAACL 2015 (a), and "Not
all contexts are created equal: better word representations with variable attention", EMNLP 2015
(b).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from lydite.corpora.cooccurrence.encoding import EncodedCorpus, WordRows, frequent_words
from lydite.errors import InputError
from lydite.models.background import check_window
from lydite.models.skipgram_family.alias import alias_table
from lydite.models.skipgram_family.kernel import train_block
from lydite.models.skipgram_family.layout import Plan, Weights
from lydite.models.skipgram_family.recipe import ARCHITECTURES, SkipgramRecipe
from lydite.models.subsampling import keep_probability
from lydite.spaces.space import Space, content_digest
from lydite.spaces.vocabulary import Vocabulary
from lydite.types import current_progress

#: The learning rate at the end.
LEAST_ALPHA: Final = 1e-4
#: How much the frequency of a word says about how often it is drawn as a negative.
NEGATIVE_POWER: Final = 0.75
#: Places of the corpus that a thread takes at a time.
BLOCK: Final = 1 << 16


def train_skipgram_family(corpus: EncodedCorpus, recipe: SkipgramRecipe) -> Space:
    """Train word vectors.

    For a true word and its negatives ``w`` with labels 1 and 0, ``log sigmoid(±score(w))`` is
    raised by one step of its gradient, where ``score(w)`` is ``h · o(w)``, and ``h`` the vector of
    a word (skip-gram), the mean of the words around (CBOW), or their mean by the softmax of
    ``k(word, position) + s(position)`` (CBOW with attention). Structured skip-gram has an ``o`` for
    each position, and so has CWindow: ``sum over positions p of v(word at p) · o(p, w)``.

    The words of a mean are moved by as many times their part of the gradient as there are words in
    the window: word2vec's and gensim's way, and rates like theirs are meant for it.

    Parameters
    ----------
    corpus
        Sentences as numbers, as :func:`lydite.corpora.cooccurrence.encoding.encode_files` gives.
    recipe
        How.

    Returns
    -------
    Space
        With counts; with the output vectors as ``contexts`` where there is one matrix of them. The
        most frequent word is first; of equally frequent ones, the first met.

    Raises
    ------
    InputError
        If there are fewer than two frequent words, no sentence of two of them, or fewer than a
        window holds; if the learning rate is so large that the vectors grow beyond all numbers.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from lydite.corpora.cooccurrence.encoding import encode_sentences
    >>> text = [["the", "cat", "sat"], ["the", "dog", "sat"]] * 20
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     corpus = encode_sentences(text, Path(folder))
    ...     space = train_skipgram_family(corpus, SkipgramRecipe(dim=4, epochs=1, window=2))
    >>> list(space.vocabulary), space.counts.tolist(), space.contexts.shape
    (['the', 'sat', 'cat', 'dog'], [40.0, 40.0, 20.0, 20.0], (4, 4))
    """
    rows = _vocabulary(corpus, recipe)
    weights = first_weights(len(rows.words), recipe)
    plan = plan_of(corpus, rows, recipe)
    if not _train(corpus, recipe, weights, plan):
        raise InputError(
            "expected sentences with at least 2 words of the vocabulary, got none",
            hint="lower min_count or sample, or join lines that belong together",
        )
    return _space(rows, weights, recipe)


def first_weights(words: int, recipe: SkipgramRecipe) -> Weights:
    """Return what training starts from: even inputs from -1 / d to 1 / d as gensim's, and zeros.

    Parameters
    ----------
    words
        How many.
    recipe
        Says how large, and the seed.
    """
    generator = np.random.default_rng(recipe.seed)
    inputs = generator.random((words, recipe.dim), dtype=np.float32)
    inputs -= np.float32(0.5)
    inputs *= np.float32(2 / recipe.dim)
    valued = words + 1 if recipe.architecture == "cbow-attention" else 0
    return Weights(
        inputs=inputs,
        outputs=np.zeros((words, recipe.matrices, recipe.dim), dtype=np.float32),
        worth=np.zeros((valued, 2 * recipe.window), dtype=np.float32),
    )


def plan_of(corpus: EncodedCorpus, rows: WordRows, recipe: SkipgramRecipe) -> Plan:
    """Return the recipe as the compiled loop takes it."""
    counts = rows.counts.astype(np.float64)
    keep = np.ones(len(counts))
    if recipe.sample:
        keep = keep_probability(counts, recipe.sample * float(counts.sum()))
    return Plan(
        rows=rows.rows,
        keep=keep,
        table=alias_table(counts**NEGATIVE_POWER),
        architecture=ARCHITECTURES.index(recipe.architecture),
        window=recipe.window,
        dynamic=recipe.draws_windows,
        negative=recipe.negative,
        alpha=float(recipe.alpha),
        least=min(LEAST_ALPHA, float(recipe.alpha)),
        places=recipe.epochs * len(corpus.ids),
    )


def _vocabulary(corpus: EncodedCorpus, recipe: SkipgramRecipe) -> WordRows:
    rows = frequent_words(corpus, min_count=recipe.min_count, limit=recipe.limit)
    if len(rows.words) < 2:
        raise InputError(
            f"expected at least 2 words that stand {recipe.min_count} times or more, got 1",
            hint="use a larger corpus or a smaller min_count",
        )
    check_window(int(rows.counts.sum()), recipe.window)
    return rows


def _train(corpus: EncodedCorpus, recipe: SkipgramRecipe, weights: Weights, plan: Plan) -> int:
    """Go through the corpus; returns how many places something was learnt from."""
    size = len(corpus.ids)
    seeds = np.random.SeedSequence(recipe.seed)

    def learn(epoch: int, first: int) -> int:
        drawn = np.random.SeedSequence(seeds.entropy, spawn_key=(epoch, first))
        seed = drawn.generate_state(1, np.uint64)[0]
        last = min(first + BLOCK, size)
        return train_block(corpus.ids, first, last, epoch * size, seed, weights, plan)

    blocks = list(itertools.product(range(recipe.epochs), range(0, size, BLOCK)))
    tell, learnt = current_progress(), 0
    for done, count in enumerate(_in_threads(learn, blocks, recipe.workers), start=1):
        learnt += count
        tell(f"training {recipe.architecture}", done, len(blocks))
    return learnt


def _in_threads(
    work: Callable[[int, int], int], blocks: list[tuple[int, int]], workers: int
) -> Iterator[int]:
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(work, *zip(*blocks, strict=True))
    finally:
        pool.shutdown(cancel_futures=True)


def _space(rows: WordRows, weights: Weights, recipe: SkipgramRecipe) -> Space:
    if not np.isfinite(weights.inputs).all():
        raise InputError(
            f"the vectors grew beyond all numbers with a learning rate of {recipe.alpha:g}",
            hint="lower alpha",
        )
    counts = rows.counts.astype(np.float64)
    contexts = weights.outputs[:, 0] if recipe.matrices == 1 else None
    return Space(
        vocabulary=Vocabulary.build(rows.words),
        vectors=weights.inputs,
        counts=counts,
        contexts=contexts,
        spec=recipe.architecture,
        fingerprint=content_digest(rows.words, weights.inputs, counts=counts, contexts=contexts),
    )
