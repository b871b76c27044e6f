from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zstandard

from lydite.spaces.formats.catalogue import read_chunks
from lydite.spaces.formats.rows import Reading
from lydite.spaces.space import Space

Save = Callable[..., Path]
Read = Callable[..., tuple[list[str], list[list[float]]]]

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda content: content,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


@pytest.fixture
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LYDITE_CACHE", str(folder))
    return folder


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


@pytest.fixture
def make_space() -> Callable[..., Space]:
    """A space of n random words; the same each time."""

    def make_space(n: int = 20, dim: int = 4) -> Space:
        vectors = np.random.default_rng(0).standard_normal((n, dim)).astype(np.float32)
        return Space.of({f"w{row}": vector for row, vector in enumerate(vectors.tolist())})

    return make_space
