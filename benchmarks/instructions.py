"""Count the instructions of our jobs at the small size, with Valgrind's callgrind.

Seconds depend on what else a machine does; instructions hardly do. The counters of processors are
not to be had in most virtual machines, so that the simulated processor of Valgrind counts: one
without AVX-512, for which Numba and OpenBLAS are told to make and to take the same code everywhere,
on one thread. A job is run twice before, so that compiling and caches do not count.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from benchmarks.measure import Job

#: Functions of the C library that nothing else calls: where counting begins and where it ends.
_BEGIN, _END = "getpgid", "getsid"
_ENVIRONMENT = {
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "+avx2,+fma",
    "OPENBLAS_CORETYPE": "Haswell",
    "PYTHONHASHSEED": "0",
    "LYDITE_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
}


def count_instructions(
    arguments: Iterable[str], cache: Path, jobs: Path
) -> tuple[dict[str, int], str]:
    """Run this interpreter with arguments that call :func:`run_counted`, and read its counts.

    Returns the counts by job and how they were made; without Valgrind none, and why.
    """
    valgrind = shutil.which("valgrind")
    if valgrind is None or shutil.which("callgrind_control") is None:
        return {}, "not counted: Valgrind is not installed"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        command = [
            *(valgrind, "--quiet", "--tool=callgrind", "--instr-atstart=no"),
            *(f"--callgrind-out-file={out}", f"--zero-before={_BEGIN}", f"--dump-before={_END}"),
            *(sys.executable, *arguments),
        ]
        done = subprocess.run(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=os.environ | _ENVIRONMENT | {"NUMBA_CACHE_DIR": str(cache)},
        )
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            return {}, f"not counted: {reason}"
        names = jobs.read_text("utf-8").splitlines()
        # The first is empty: it makes callgrind see the functions that it is told to look for.
        counts = {name: _total(Path(f"{out}.{n}")) for n, name in enumerate(names, 2)}
    return counts, _method(valgrind)


def _total(path: Path) -> int:
    # Not its summary, which takes the work of threads twice.
    found = re.search(r"^totals: (\d+)", path.read_text("utf-8"), re.MULTILINE)
    assert found is not None, path
    return int(found[1])


def _method(valgrind: str) -> str:
    done = subprocess.run([valgrind, "--version"], capture_output=True, text=True, check=True)
    return f"callgrind of {done.stdout.strip()}, code for AVX2, one thread"


def run_counted(jobs: Iterable[Job], names: Path) -> None:
    """Run jobs within Valgrind; writes the names of those whose instructions were counted."""
    counted: dict[str, Callable[[], object]] = {}
    _instrument("on")
    _between(lambda: None)
    _instrument("off")
    for job in jobs:
        work = job.for_counting()
        if work is None or job.name in counted:
            continue
        counted[job.name] = work
        work()
        _instrument("on")
        work()
        _between(work)
        _instrument("off")
    names.write_text("".join(f"{name}\n" for name in counted), "utf-8")


def _between(work: Callable[[], object]) -> None:
    os.getpgid(0)
    work()
    os.getsid(0)


def _instrument(state: str) -> None:
    command = ["callgrind_control", "-i", state, str(os.getpid())]
    subprocess.run(command, check=True, capture_output=True, env=_outside(os.environ))


def _outside(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment for programs that Valgrind does not run."""
    return {name: value for name, value in environment.items() if name != "LD_PRELOAD"}
