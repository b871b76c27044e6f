from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import lydite
from lydite.spaces.formats import text
from lydite.spaces.neighbours import over_blocks
from lydite.threads import available_cores, children_limited, thread_count

_VARIABLES = (
    "LYDITE_THREADS",
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)


@pytest.mark.parametrize(("text", "count"), [("3", 3), ("0", 1), ("-2", 1)])
def test_the_variable_says_how_many(text: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYDITE_THREADS", text)
    assert thread_count() == count


@pytest.mark.parametrize("text", [None, "", "many"])
def test_without_a_number_all_cores_are_used(
    text: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LYDITE_THREADS", raising=False)
    if text is not None:
        monkeypatch.setenv("LYDITE_THREADS", text)
    assert thread_count() == available_cores()


def test_children_inherit_the_limit_and_the_parent_keeps_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("LYDITE_THREADS", raising=False)
    before = dict(os.environ)
    with children_limited(3):
        assert [os.environ[name] for name in _VARIABLES] == ["3"] * 5
    assert dict(os.environ) == before


# The parent does not load NumPy, as the command line does not before it starts its processes.
_POOLS = """
import json, os, sys
from lydite.engine.local import LocalEngine


def pools(_):
    import numba
    import scipy.linalg
    from threadpoolctl import threadpool_info

    return [pool["num_threads"] for pool in threadpool_info()] + [numba.config.NUMBA_NUM_THREADS]


if __name__ == "__main__":
    before = dict(os.environ)
    answers = [answer for _, answer in LocalEngine(2).run(pools, range(4))]
    assert "numpy" not in sys.modules
    assert dict(os.environ) == before
    print(json.dumps(answers))
"""


def test_the_pools_of_threads_in_workers_have_their_share_of_the_cores(tmp_path: Path) -> None:
    script = tmp_path / "pools.py"
    script.write_text(_POOLS)
    environment = {name: text for name, text in os.environ.items() if name not in _VARIABLES}
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, check=True, stdout=subprocess.PIPE
    )
    answers = json.loads(done.stdout)
    share = max(1, available_cores() // 2)
    assert len(answers) == 4
    for pools in answers:
        # BLAS of NumPy, and numba; SciPy may bring a BLAS of its own.
        assert len(pools) >= 2
        assert set(pools) == {share}


@pytest.mark.parametrize("count", [1, 3])
def test_similarities_are_computed_in_so_many_threads(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYDITE_THREADS", str(count))
    meeting = threading.Barrier(count)

    def meet(_: int) -> int:
        # Passed only by as many threads at once, of which there are no more.
        meeting.wait(timeout=60)
        return threading.get_ident()

    assert len(set(over_blocks(meet, range(12)))) == count


def test_text_is_read_in_so_many_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYDITE_THREADS", "1")
    path = tmp_path / "vectors.txt"
    path.write_text("".join(f"w{i} {i} 1\n" for i in range(200_000)))
    parse, seen = text._parse, set()

    def noted(block: bytearray, dim: int, ended: bool) -> text._Block:
        seen.add(threading.get_ident())
        return parse(block, dim, ended)

    monkeypatch.setattr(text, "_parse", noted)
    lydite.load(str(path))
    assert len(seen) == 1
