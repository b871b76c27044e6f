"""Latent Dirichlet allocation over the context words of lemmas, by tomotopy's Gibbs sampler.

A lemma is a document, and the words in its windows are the document's words. Of the sampler only
the counts of its last state are kept, from which the distributions follow.
"""

from __future__ import annotations

import importlib
import importlib.util
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.cooccurrence.counts import CountMatrix
from lydite.errors import InputError, MissingExtraError
from lydite.models.dinu_lapata.recipe import SenseRecipe
from lydite.spaces.vocabulary import bounds
from lydite.types import Indices, current_progress


@dataclass(frozen=True, kw_only=True, eq=False)
class SenseCounts:
    """How often the sampler has ended with which sense.

    Attributes
    ----------
    lemmas
        Shape (n, senses): of the context words of each lemma.
    contexts
        Shape (m, senses): of each context word, for all lemmas together.
    log_likelihood
        Of a context word together with its sense, on average; natural logarithm.
    """

    lemmas: CountMatrix
    contexts: NDArray[np.int64]
    log_likelihood: float


def sample_senses(counts: CountMatrix, contexts: int, recipe: SenseRecipe) -> SenseCounts:
    """Give a sense to every context word of every lemma.

    Parameters
    ----------
    counts
        Shape (n, m): how often each context word stands in the windows of each lemma.
    contexts
        m.
    recipe
        How.

    Raises
    ------
    MissingExtraError
        If tomotopy is not installed.
    InputError
        If there is nothing to sample from.

    Examples
    --------
    >>> counts = CountMatrix(
    ...     starts=np.array([0, 1, 2]),
    ...     columns=np.array([0, 1], dtype=np.int32),
    ...     values=np.array([50, 50], dtype=np.uint32),
    ... )
    >>> found = sample_senses(counts, 2, SenseRecipe(senses=2, iterations=50))
    >>> sorted(found.contexts.tolist())  # each of two words that never stand together has its own
    [[0, 50], [50, 0]]
    """
    model, rows = untrained(counts, contexts, recipe)
    progress = current_progress()

    def tell(_: object, done: int, total: int) -> None:
        progress("Gibbs iterations", done, total)

    with warnings.catch_warnings():
        # That several workers are not reproducible is said where workers are chosen.
        warnings.filterwarnings("ignore", message="The training result may differ")
        model.train(recipe.iterations, workers=recipe.workers, callback_interval=1, callback=tell)
    return _counted(model, rows, len(counts), contexts, recipe.senses)


def untrained(counts: CountMatrix, contexts: int, recipe: SenseRecipe) -> tuple[Any, Indices]:
    """Return tomotopy's model with all documents, and which lemma each of these is."""
    model = _tomotopy().LDAModel(
        k=recipe.senses, alpha=recipe.prior, eta=recipe.eta, seed=recipe.seed
    )
    model.optim_interval = 0
    names = np.array([str(number) for number in range(contexts)], dtype=object)
    rows: list[int] = []
    for row, columns, values in _documents(counts, recipe):
        model.add_doc(np.repeat(names[columns], values).tolist())
        rows.append(row)
        current_progress()("handing over lemmas", row + 1, len(counts))
    if not rows:
        raise InputError(
            f"expected context words of {len(counts)} lemmas, got none",
            hint="use a larger corpus, or a wider window",
        )
    return model, np.array(rows, dtype=np.int64)


def _documents(
    counts: CountMatrix, recipe: SenseRecipe
) -> Iterator[tuple[int, NDArray[np.int32], Indices]]:
    """Yield lemma, context words and how many of each are sampled from, where there are any."""
    generator = np.random.default_rng(recipe.seed)
    for row in range(len(counts)):
        entries = slice(counts.starts[row], counts.starts[row + 1])
        values = counts.values[entries].astype(np.int64)
        if recipe.most is not None and values.sum() > recipe.most:
            values = generator.multivariate_hypergeometric(values, recipe.most, method="marginals")
        if values.any():
            yield row, counts.columns[entries], values


def _counted(model: Any, rows: Indices, lemmas: int, contexts: int, senses: int) -> SenseCounts:  # noqa: ANN401
    """Count the senses of the sampler's last state."""
    numbers = np.array([int(name) for name in model.used_vocabs], dtype=np.int64)
    of_contexts = np.zeros((contexts, senses), dtype=np.int64)
    lengths = np.zeros(lemmas, dtype=np.int64)
    columns, values = [], []
    # Iterated over: the package's documents by number are wrong (0.14.0).
    for row, document in zip(rows, model.docs, strict=True):
        topics = np.asarray(document.topics, dtype=np.int64)
        np.add.at(of_contexts, (numbers[np.asarray(document.words)], topics), 1)
        found, times = np.unique(topics, return_counts=True)
        lengths[row] = len(found)
        columns.append(found.astype(np.int32))
        values.append(times.astype(np.uint32))
    return SenseCounts(
        lemmas=CountMatrix(
            starts=bounds(lengths), columns=np.concatenate(columns), values=np.concatenate(values)
        ),
        contexts=of_contexts,
        log_likelihood=float(model.ll_per_word),
    )


def _tomotopy() -> Any:  # noqa: ANN401 - a module without types
    if importlib.util.find_spec("tomotopy") is None:
        raise MissingExtraError("learning latent senses", extra="train")
    with warnings.catch_warnings():
        # Of a type without a module; where warnings are errors, it could not be imported at all.
        warnings.simplefilter("ignore", DeprecationWarning)
        return importlib.import_module("tomotopy")
