"""All intrinsic scores of one opened space, as ``examples/tsvetkov-2016.toml`` asks for them.

Each is asked as a user would, one after the other in a fresh process, and gives its interval,
baseline and items. What is read of data and taxonomies is read within the time. The space has
100,000 words and 300 dimensions: those of the embedded default, turned at random, with noise.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.inputs import glove
from benchmarks.measure import Job, Peer, Program
from lydite.spaces.space import Space

CAVEATS = ["taxonomies and oracles were opened once before: their caches are on disk"]

_SUITE = Path(__file__).parent.parent / "examples" / "tsvetkov-2016.toml"
_STARTER = """
[[evaluations]]
evaluation = "similarity"
resources = ["starter-similarity"]
[[evaluations]]
evaluation = "qvec"
resources = ["starter-supersenses"]
[[evaluations]]
evaluation = "localization(repeats=1)"
resources = ["starter-groups"]
wrap = "mean({})"
"""
_CODE = """
from benchmarks.bench_intrinsic import ask
value = ask(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
seconds = sum(value.values())
"""


@dataclass(frozen=True, kw_only=True)
class Size:
    """The space, the seconds allowed, and whether the starter data stand for the paper's."""

    words: int = 100_000
    dim: int = 300
    seconds: float = 5.0
    starter: bool = False


FULL = Size()
SMALL = Size(words=5_000, dim=10, starter=True)


def jobs(size: Size, folder: Path) -> Iterator[Job]:
    suite = folder / "suite.toml"
    suite.write_text(_STARTER if size.starter else _SUITE.read_text("utf-8"), "utf-8")
    yield Job(
        name="intrinsic scores",
        amount=f"{len(questions(suite))} of {size.words:,} x {size.dim}",
        ours=Program(code=_CODE, arguments=(suite, size.words, size.dim)),
        peers=[
            Peer(name=f"{size.seconds:g} s allowed", run=size.seconds, target=1, at_most=True),
        ],
        agree=lambda times, _: ", ".join(f"{what} {each:.2f} s" for what, each in times.items()),
        counted=lambda: ask(suite, size.words, size.dim),
    )


def ask(suite: Path, words: int, dim: int) -> dict[str, float]:
    """Ask everything of one space, and return the seconds that each question takes."""
    from lydite.models.additive import Additive
    from lydite.models.composition import MeanOfWords
    from lydite.runner import evaluate

    space = _space(words, dim)
    models = {
        "{}": space,
        "additive({})": Additive.open(space),
        "mean({})": MeanOfWords.open(space),
    }
    times: dict[str, float] = {}
    for wrap, evaluation, resource in questions(suite):
        start = time.perf_counter()
        evaluate(models[wrap], evaluation, resource)
        times[f"{evaluation} {resource}"] = time.perf_counter() - start
    return times


def _space(words: int, dim: int) -> Space:
    generator = np.random.default_rng(0)
    space = glove(words)
    vectors = space.vectors @ generator.normal(size=(space.dim, dim)).astype(np.float32)
    vectors += generator.normal(size=vectors.shape).astype(np.float32)
    counts = 1e9 / (np.arange(words, dtype=np.float64) + 2)
    return replace(space, vectors=vectors, counts=counts)


def questions(suite: Path) -> list[tuple[str, str, str]]:
    """Return how the space is wrapped, the evaluation and the resource of each question."""
    from lydite.evaluations.catalogue import make_evaluation

    return [
        (block.get("wrap", "{}"), block["evaluation"], resource)
        for block in tomllib.loads(suite.read_text("utf-8"))["evaluations"]
        if not make_evaluation(block["evaluation"]).downstream
        for resource in block["resources"]
    ]
