from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

# Tests run in several processes at once, which would fight over cores if each used them all.
# pytest reads this file before anything imports NumPy.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of tests, which stay until the end."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def cache_for_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep every test away from the user's own cache."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LYDITE_CACHE", str(folder))
        yield folder


@pytest.fixture
def elsewhere() -> Callable[[str], str]:
    """Run code in another process, where texts have other hashes, and return what it prints."""

    def run(code: str) -> str:
        # Hashes are drawn anew for each process where no seed is set.
        seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
        return subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    return run


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data, for tests that need it."""
    folder = os.environ.get("LYDITE_DATA")
    if folder is None:
        pytest.skip("LYDITE_DATA is not set: real data are not at hand")
    return Path(folder)
