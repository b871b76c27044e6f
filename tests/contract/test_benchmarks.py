"""Every benchmark still runs, at a size at which its times say nothing.

Sizes are set smaller, rounds are one, and what a benchmark runs in processes of its own runs here,
each text once; whether targets are met is not asked.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import lydite
from lydite.resources.catalogue import locate

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (ROOT / "benchmarks").glob("bench_*.py"))

#: The constants that say how much is done: the new value, fields of it, or a text in it.
SIZES: dict[str, dict[str, Any]] = {
    # A space of 100 dimensions needs as many words that stand 100 times.
    "bench_counting": {"_COUNTED": 2_000, "_TRAINED": 200_000},
    "bench_glove": {"_WORDS": 20_000, "_TRIAD": 1 << 10},
    "bench_intrinsic": {"_WORDS": 5_000, "_DIM": 10},
    "bench_lda": {
        "_LEMMAS": 10,
        "_CONTEXTS": 20,
        "_TOKENS": 10,
        "_RECIPE": {"senses": 3, "iterations": 2},
    },
    "bench_nonce2vec": {"_LOOPED": 2},
    "bench_ranks": {"_QUERIES": 10, "_GENSIM_PAIRS": 3},
    "bench_read": {"_OURS": ("400000", "5000"), "_GENSIM": ("400000", "5000")},
    "bench_retrofitting": {"_ITERATIONS": 1, "_REPEATS": 1},
    "bench_separation": {"_EXPRESSING": 5, "_OTHERS": 7, "_REPEATS": 1},
    "bench_skipgram": {"_WORDS": 1_000, "_ROUNDS": 1, "_RECIPE": {"dim": 4, "min_count": 1}},
    "bench_subsumption": {"_TRIPLES": 20},
    "bench_triples": {"_SENTENCES": 10, "_REPEATS": 1},
    # NLTK takes ten seconds to walk through WordNet.
    "bench_wordnet": {"_NLTK": "seconds = 1.0"},
}
#: Those whose data are not to be had smaller.
WHOLE = {"bench_nonce2vec", "bench_subsumption", "bench_wordnet"}
#: Data that stand for others, and are always at hand.
STARTER = {"msrp-grouped": "starter-groups"}
SUITE = """
[[evaluations]]
evaluation = "similarity"
resources = ["starter-similarity"]
[[evaluations]]
evaluation = "localization(repeats=1)"
resources = ["starter-groups"]
wrap = "mean({})"
"""


@pytest.fixture
def measure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """What the benchmarks share, with a folder of the test's to write to."""
    monkeypatch.syspath_prepend(str(ROOT))
    module = importlib.import_module("benchmarks.measure")
    monkeypatch.setattr(module, "OUT", tmp_path / "out")
    return module


def imported(name: str) -> ModuleType:
    try:
        # What peers warn of when they are imported is their own affair.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(f"benchmarks.{name}")
    except ModuleNotFoundError as error:
        if str(error.name).startswith(("lydite", "benchmarks")):
            raise
        pytest.skip(f"{error.name} is not installed")


def smaller(constant: Any, size: Any) -> Any:  # noqa: ANN401
    if isinstance(size, dict):
        return dataclasses.replace(constant, **size)
    if isinstance(size, tuple):
        assert size[0] in constant
        return constant.replace(*size)
    return size


def in_this_process() -> Callable[..., tuple[float, float]]:
    """Return what stands for running code in a fresh interpreter, here and once for each text."""
    known: set[str] = set()

    def run(code: str, *arguments: str, **environment: str) -> tuple[float, float]:
        names: dict[str, Any] = {"seconds": 1.0}
        if code not in known:
            known.add(code)
            whole = f"import sys, time\nfrom pathlib import Path\n{code}"
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(sys, "argv", ["-c", *arguments])
                for variable, value in environment.items():
                    patch.setenv(variable, value)
                exec(compile(whole, "benchmark", "exec"), names)
        return max(names["seconds"], 1e-9), 1.0

    return run


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_runs(
    name: str, measure: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if name in WHOLE and "LYDITE_DATA" not in os.environ:
        pytest.skip("LYDITE_DATA is not set: real data are not at hand")
    if name not in WHOLE:
        monkeypatch.delenv("LYDITE_DATA", raising=False)
    bench = imported(name)
    (tmp_path / "suite.toml").write_text(SUITE)
    whole = lydite.load
    # Of the few dimensions that QVEC's double loop can go through.
    columns = 3 if name == "bench_qvec" else None
    words = 20_000 if name == "bench_subsumption" else 5_000

    def load(spec: str) -> Any:  # noqa: ANN401
        space = whole(spec).head(words)
        return dataclasses.replace(space, vectors=space.vectors[:, :columns])

    replaced = {
        "load": load,
        "locate": lambda name: locate(STARTER.get(name, str(name))),
        "in_process": in_this_process(),
        "side_by_side": lambda ours, peer, *, repeats: measure.side_by_side(ours, peer, repeats=1),
        "_SUITE": tmp_path / "suite.toml",
    }
    # Where the package's own name, and every import within a function, finds it.
    monkeypatch.setattr(sys.modules[whole.__module__], "load", load)
    for each, value in replaced.items():
        if hasattr(bench, each):
            monkeypatch.setattr(bench, each, value)
    for constant, size in SIZES.get(name, {}).items():
        monkeypatch.setattr(bench, constant, smaller(getattr(bench, constant), size))
    bench.main()
    (published,) = (tmp_path / "out").iterdir()
    rows = json.loads(published.read_text())["rows"]
    assert all(row["ours_seconds"] > 0 and row["peer_seconds"] > 0 for row in rows)
    assert rows


def test_code_in_a_process_of_its_own_gives_seconds_and_memory(measure: ModuleType) -> None:
    seconds, peak = measure.in_process("seconds = float(sys.argv[1])", "2.5")
    assert seconds == 2.5
    assert 1 < peak < 100
    with pytest.raises(measure.subprocess.CalledProcessError):
        measure.in_process("raise SystemExit(1)")


@pytest.mark.usefixtures("measure")
def test_all_benchmarks_are_run_together() -> None:
    together = imported("__main__")
    assert [bench.__name__ for bench in together._BENCHES] == [f"benchmarks.{n}" for n in NAMES]
