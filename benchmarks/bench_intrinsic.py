"""All intrinsic scores of one opened space, as ``examples/tsvetkov-2016.toml`` asks for them.

Each is asked as a user would, one after the other in one process, and gives its interval, baseline
and items. What is read of data and taxonomies is read within the time. The space has 100,000 words
and 300 dimensions: those of the embedded default, turned at random, with noise.
"""

from __future__ import annotations

import time
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.measure import Row, peak_of_both, publish
from lydite.evaluations.catalogue import make_evaluation
from lydite.models.additive import Additive
from lydite.models.catalogue import load
from lydite.models.composition import MeanOfWords
from lydite.runner import evaluate
from lydite.spaces.space import Space

_SUITE = Path(__file__).parent.parent / "examples" / "tsvetkov-2016.toml"
_WORDS, _DIM = 100_000, 300
_SECONDS = 10.0


def main() -> bool:
    space = _space()
    models = {
        "{}": space,
        "additive({})": Additive.open(space),
        "mean({})": MeanOfWords.open(space),
    }
    times: dict[str, float] = {}
    for wrap, evaluation, resource in _questions():
        start = time.perf_counter()
        evaluate(models[wrap], evaluation, resource)
        times[f"{evaluation} {resource}"] = time.perf_counter() - start
    return publish(
        "intrinsic",
        [
            Row(
                job=f"{len(times)} intrinsic scores of {_WORDS:,} x {_DIM}",
                peer=f"the {_SECONDS:g} s allowed",
                ours_seconds=sum(times.values()),
                peer_seconds=_SECONDS,
                target=1,
                memory=peak_of_both(),
                note="\n    ".join(f"{each:7.3f} s  {name}" for name, each in times.items()),
            )
        ],
        [],
    )


def _space() -> Space:
    generator = np.random.default_rng(0)
    whole = load("glove-6b-50d")
    assert isinstance(whole, Space)
    vectors = whole.vectors[:_WORDS] @ generator.normal(size=(whole.dim, _DIM)).astype(np.float32)
    vectors += generator.normal(size=vectors.shape).astype(np.float32)
    counts = 1e9 / (np.arange(_WORDS, dtype=np.float64) + 2)
    return replace(whole.head(_WORDS), vectors=vectors, counts=counts)


def _questions() -> list[tuple[str, str, str]]:
    """Return how the space is wrapped, the evaluation and the resource of each question."""
    suite = tomllib.loads(_SUITE.read_text(encoding="utf-8"))
    return [
        (block.get("wrap", "{}"), block["evaluation"], resource)
        for block in suite["evaluations"]
        if not make_evaluation(block["evaluation"]).downstream
        for resource in block["resources"]
    ]


if __name__ == "__main__":
    main()
