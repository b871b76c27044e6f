from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lydite.spaces.space import Space


@pytest.fixture
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LYDITE_CACHE", str(folder))
    return folder


@pytest.fixture
def make_space() -> Callable[..., Space]:
    """A space of n random words; the same each time."""

    def make_space(n: int = 20, dim: int = 4) -> Space:
        vectors = np.random.default_rng(0).standard_normal((n, dim)).astype(np.float32)
        return Space.of({f"w{row}": vector for row, vector in enumerate(vectors.tolist())})

    return make_space
