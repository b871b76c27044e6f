"""Latent senses: our way to tomotopy's sampler and back, beside the sampler called by itself.

All of it is timed: documents are handed over, the sampler iterates, and ours counts what it ended
with and tells of its progress besides. There is no quicker sampler to be had from Python: gensim
and scikit-learn take 50 to 100 times as long for a pass.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.measure import Job, Peer
from lydite.spaces.vocabulary import bounds
from lydite.trained.cheung_penn.dinu_lapata import SenseRecipe, sample_senses
from lydite.trained.cooccurrence import CountMatrix

CAVEATS = ["seconds of both cores together: other work on the machine does not count"]


@dataclass(frozen=True, kw_only=True)
class Size:
    """Lemmas, contexts, tokens of each lemma, and what is learned."""

    lemmas: int = 1_000
    contexts: int = 3_000
    tokens: int = 200
    recipe: SenseRecipe = SenseRecipe(senses=1200, iterations=10, most=None, workers=2)  # noqa: RUF009


FULL = Size()
SMALL = Size(
    lemmas=10,
    contexts=20,
    tokens=10,
    recipe=SenseRecipe(senses=3, iterations=2, most=None, workers=2),
)


def jobs(size: Size, _folder: Path) -> Iterator[Job]:
    counts, recipe = _counts(size), size.recipe
    yield Job(
        name="latent senses",
        amount=f"{recipe.senses}, {recipe.iterations} iterations, "
        f"{size.lemmas * size.tokens // 1000} k tokens",
        ours=lambda: sample_senses(counts, size.contexts, recipe),
        peers=[
            Peer(
                name="tomotopy by itself",
                run=lambda: _direct(counts, size.contexts, recipe),
                target=1.1,
                at_most=True,
            )
        ],
        clock="cpu",
        rate=(recipe.iterations * float(counts.values.sum()), "tokens"),
    )


def _direct(counts: CountMatrix, contexts: int, recipe: SenseRecipe) -> object:
    import tomotopy  # type: ignore[import-untyped]

    model = tomotopy.LDAModel(k=recipe.senses, alpha=recipe.prior, eta=recipe.eta, seed=0)
    model.optim_interval = 0
    names = [str(number) for number in range(contexts)]
    for row in range(len(counts)):
        entries = slice(counts.starts[row], counts.starts[row + 1])
        model.add_doc(
            [
                names[column]
                for column, value in zip(
                    counts.columns[entries].tolist(), counts.values[entries].tolist(), strict=True
                )
                for _ in range(value)
            ]
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.train(recipe.iterations, workers=recipe.workers)
    return model


def _counts(size: Size) -> CountMatrix:
    """Context words drawn from Zipf's law, of which every lemma prefers some."""
    generator = np.random.default_rng(0)
    frequent = 1 / np.arange(1, size.contexts + 1)
    rows = []
    for _ in range(size.lemmas):
        shares = frequent * generator.gamma(0.1, size=size.contexts)
        rows.append(generator.multinomial(size.tokens, shares / shares.sum()))
    table = np.stack(rows)
    places = np.nonzero(table)
    return CountMatrix(
        starts=bounds(np.count_nonzero(table, axis=1)),
        columns=places[1].astype(np.int32),
        values=table[places].astype(np.uint32),
    )
