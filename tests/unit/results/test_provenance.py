from __future__ import annotations

import sys

import numpy as np
import pytest
import sklearn  # type: ignore[import-untyped]

from lydite.results.provenance import peak_memory_mb, reset_peak_memory, versions


def test_versions_name_what_can_change_a_number() -> None:
    found = versions()
    assert found["numpy"] == np.__version__
    assert found["scikit-learn"] == sklearn.__version__
    assert found["python"].startswith(f"{sys.version_info.major}.{sys.version_info.minor}.")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the mark cannot be reset")
def test_the_memory_of_one_job_does_not_count_for_the_next() -> None:
    reset_peak_memory()
    before = peak_memory_mb()
    block = np.ones(25_000_000)  # 200 MB, given back to the system when freed
    during = peak_memory_mb()
    del block
    assert during > before + 190
    assert peak_memory_mb() > before + 190
    reset_peak_memory()
    assert peak_memory_mb() < during - 190
