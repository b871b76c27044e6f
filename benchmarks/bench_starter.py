"""The starter suite with all its models and its report: ``lydite run``, as a user starts it.

Everything is computed; only what is cached between runs (opened spaces, compiled code) is warm.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Job, Peer, Program

CAVEATS = [
    "with all imports but that of the command line itself; memory is that of the first process"
]

_CODE = """
from lydite.cli.app import run_app
start = time.perf_counter()
code = run_app(['run', *sys.argv[1:], '--quiet', '--out', os.environ['BENCH_OUT']])
seconds = time.perf_counter() - start
assert code == 0, code
with (Path(os.environ['BENCH_OUT']) / 'results.jsonl').open() as lines:
    value = sum(1 for line in lines)
"""
_SMALL = """
models = ["glove-6b-50d"]
[[evaluations]]
evaluation = "similarity"
resources = ["starter-similarity"]
"""


@dataclass(frozen=True, kw_only=True)
class Size:
    """The seconds allowed, and the suite in the starter's place."""

    seconds: float = 10.0
    suite: str = ""


FULL = Size()
SMALL = Size(suite=_SMALL)


def jobs(size: Size, folder: Path) -> Iterator[Job]:
    turns = itertools.count()
    suite: list[Path] = []
    if size.suite:
        suite = [folder / "suite.toml"]
        suite[0].write_text(size.suite, "utf-8")
    yield Job(
        name="starter suite, warm",
        amount="all models and the report",
        ours=Program(
            code=_CODE,
            arguments=suite,
            environment=lambda: {"BENCH_OUT": str(folder / f"run{next(turns)}")},
        ),
        peers=[
            Peer(name=f"{size.seconds:g} s allowed", run=size.seconds, target=1, at_most=True),
        ],
        agree=lambda results, _: f"{results} results",
    )
