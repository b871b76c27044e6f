"""Results made by hand, without running anything; vector files, written and read."""

from __future__ import annotations

import gzip
import logging
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import polars
import pytest
import zstandard

from lydite.results.record import Failure, Provenance, Result
from lydite.spaces.formats.catalogue import read_chunks
from lydite.spaces.formats.rows import Reading
from lydite.stats.bootstrap import Interval
from lydite.stats.null import Baseline

ResultMaker: TypeAlias = Callable[..., Result]
FailureMaker: TypeAlias = Callable[..., Failure]
Save: TypeAlias = Callable[..., Path]
Read: TypeAlias = Callable[..., tuple[list[str], list[list[float]]]]

#: What a vocabulary may hold.
EVIL = (
    "<script>alert(1)</script>",
    "a & b \"c\" 'd'",
    "$x_1^2$ \\frac{",
    "two\nlines\x00nul\x1b[31m",
    "\u05e9\u05dc\u05d5\u05dd",
    "\U0001f600",
    "\u202egnp.exe",
    "</style><img src=x onerror=alert(1)>",
    "[red]x[/red] | {{ 7*7 }}",
    "\ud800",
)


def result(
    model: str = "random(50)",
    *,
    evaluation: str = "similarity",
    resource: str = "starter-similarity",
    metric: str = "spearman",
    score: float = 0.5,
    low: float | None = None,
    high: float | None = None,
    seed: int = 0,
    model_sha256: str | None = "ab" * 32,
    resource_sha256: str = "cd" * 32,
    n_items: int = 100,
    n_covered: int = 100,
    **other: Any,  # noqa: ANN401
) -> Result:
    source = Provenance(
        evaluation=evaluation.partition("(")[0],
        parameters={},
        model=model,
        model_sha256=model_sha256,
        resource=resource,
        resource_sha256=resource_sha256,
        seed=seed,
        versions={"python": "3.11.7", "lydite": "0.1.0"},
        wall_seconds=1.25,
        peak_memory_mb=320.4,
        created="2025-06-01T12:00:00+00:00",
    )
    fields: dict[str, Any] = {
        "key": f"{model}|{evaluation}|{resource}|{seed}|{model_sha256}|{resource_sha256}",
        "oov": "skip",
        "statistic": "spearman",
        "others": {},
        "details": {},
        "items": None,
        "interval": Interval(
            low=score - 0.05 if low is None else low,
            high=score + 0.05 if high is None else high,
            level=0.95,
            method="dyadic",
        ),
        "baseline": Baseline(
            kind="shuffled ratings", mean=0.001, low=-0.095, high=0.095, draws=1000
        ),
    }
    return Result(
        **{
            **fields,
            "evaluation": evaluation,
            "model": model,
            "resource": resource,
            "metric": metric,
            "score": score,
            "n_items": n_items,
            "n_covered": n_covered,
            "provenance": source,
            **other,
        }
    )


def failure(
    model: str = "broken.txt",
    *,
    evaluation: str = "similarity",
    resource: str = "starter-similarity",
    message: str = "broken.txt:3: expected 2 numbers\nhint: mend the line",
    seed: int = 0,
) -> Failure:
    return Failure(
        key="f0",
        evaluation=evaluation,
        model=model,
        resource=resource,
        seed=seed,
        error="FormatError",
        message=message,
    )


def rated(words: tuple[str, ...] = ("cat", "dog", "car"), n: int = 60) -> polars.DataFrame:
    """An item table of word similarity: ratings 0 to 9, predictions that mostly follow them."""
    gold = [float(i % 10) for i in range(n)]
    return polars.DataFrame(
        {
            "item": [str(i) for i in range(n)],
            "left": [words[i % len(words)] for i in range(n)],
            "right": [f"{words[(i + 1) % len(words)]}{i}" for i in range(n)],
            "gold": gold,
            "predicted": [None if i == 7 else g / 10 + (i % 3) / 20 for i, g in enumerate(gold)],
            "covered": [i != 7 for i in range(n)],
        }
    )


def aligned(names: tuple[str, ...], words: tuple[str, ...]) -> dict[str, Any]:
    """The details of a QVEC result."""
    return {
        "features": {name: 0.9 - 0.01 * i for i, name in enumerate(names)},
        "dimensions": [
            {"dimension": i, "feature": name, "correlation": 0.5 + 0.01 * i, "words": list(words)}
            for i, name in enumerate(names)
        ],
        "missing": list(words[:1]),
    }


@pytest.fixture
def make_result() -> ResultMaker:
    return result


@pytest.fixture
def make_failure() -> FailureMaker:
    return failure


@pytest.fixture
def heard(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> pytest.LogCaptureFixture:
    """What is logged, even after the command line has taken the log over."""
    monkeypatch.setattr(logging.getLogger("lydite"), "propagate", True)
    return caplog


@pytest.fixture
def evil() -> tuple[str, ...]:
    return EVIL


@pytest.fixture
def make_items() -> Callable[..., polars.DataFrame]:
    return rated


@pytest.fixture
def make_alignment() -> Callable[..., dict[str, Any]]:
    return aligned


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda content: content,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Write bytes or text to a file, compressed if asked."""

    def save(content: bytes | str, name: str = "vectors.txt", packing: str = "") -> Path:
        path = tmp_path / (name + packing)
        raw = content.encode() if isinstance(content, str) else content
        path.write_bytes(COMPRESSORS[packing](raw))
        return path

    return save


@pytest.fixture
def read() -> Read:
    """Read a file without the cache: its words and vectors."""

    def read(
        path: Path, reading: Reading | None = None, vocabulary: Path | None = None
    ) -> tuple[list[str], list[list[float]]]:
        reading = reading or Reading(path=path)
        chunks = list(reading.settle(read_chunks(reading, vocabulary)))
        words = [word for chunk in chunks for word in chunk.words.to_list()]
        return words, [row for chunk in chunks for row in chunk.vectors.tolist()]

    return read
