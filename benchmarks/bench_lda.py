"""Latent senses: our way to tomotopy's sampler and back, beside the sampler called by itself.

All of it is timed: documents are handed over, the sampler iterates, and ours counts what it ended
with and tells of its progress besides. There is no quicker sampler to be had from Python: gensim
and scikit-learn take 50 to 100 times as long for a pass.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from statistics import median

import numpy as np
import tomotopy  # type: ignore[import-untyped]

from benchmarks.measure import Row, peak_of_both, publish, side_by_side
from lydite.spaces.vocabulary import bounds
from lydite.trained.cheung_penn.dinu_lapata import SenseRecipe, sample_senses
from lydite.trained.cooccurrence import CountMatrix

_LEMMAS = 1_000
_CONTEXTS = 3_000
_TOKENS = 200
_RECIPE = SenseRecipe(senses=1200, iterations=10, most=None, workers=2)


def main() -> bool:
    counts = _counts()
    tokens = _RECIPE.iterations * int(counts.values.sum())
    ours: list[float] = []
    peer: list[float] = []
    seconds, _ = side_by_side(
        lambda: ours.append(_spent(lambda: sample_senses(counts, _CONTEXTS, _RECIPE))),
        lambda: peer.append(_spent(lambda: _direct(counts))),
        repeats=5,
    )
    return publish(
        "lda",
        [
            Row(
                job=f"{_RECIPE.senses} senses, {_RECIPE.iterations} iterations, 200 k tokens",
                peer="tomotopy by itself",
                ours_seconds=median(ours[1:]),
                peer_seconds=median(peer[1:]),
                target=1.1,
                at_most=True,
                memory=peak_of_both(),
                note=f"{tokens / median(ours[1:]) / 1e6:.2f} million tokens a second and core; "
                f"with two workers {tokens / seconds / 1e6:.2f} million by the clock",
            )
        ],
        ["seconds of both cores together: other work on the machine does not count"],
    )


def _spent(job: Callable[[], object]) -> float:
    """Return the seconds that a job takes on all cores together."""
    start = time.process_time()
    job()
    return time.process_time() - start


def _direct(counts: CountMatrix) -> object:
    model = tomotopy.LDAModel(k=_RECIPE.senses, alpha=_RECIPE.prior, eta=_RECIPE.eta, seed=0)
    model.optim_interval = 0
    names = [str(number) for number in range(_CONTEXTS)]
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
        model.train(_RECIPE.iterations, workers=_RECIPE.workers)
    return model


def _counts() -> CountMatrix:
    """Context words drawn from Zipf's law, of which every lemma prefers some."""
    generator = np.random.default_rng(0)
    frequent = 1 / np.arange(1, _CONTEXTS + 1)
    rows = []
    for _ in range(_LEMMAS):
        shares = frequent * generator.gamma(0.1, size=_CONTEXTS)
        rows.append(generator.multinomial(_TOKENS, shares / shares.sum()))
    table = np.stack(rows)
    places = np.nonzero(table)
    return CountMatrix(
        starts=bounds(np.count_nonzero(table, axis=1)),
        columns=places[1].astype(np.int32),
        values=table[places].astype(np.uint32),
    )


if __name__ == "__main__":
    main()
