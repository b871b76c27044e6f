"""What `import lydite` costs on top of `import numpy`, in fresh processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Job, Peer, Program

CAVEATS = ["the files of both are in the memory of the system"]

_CODE = """
import numpy
start = time.perf_counter()
import lydite
seconds = time.perf_counter() - start
start = time.perf_counter()
lydite.load
value = time.perf_counter() - start
"""


@dataclass(frozen=True, kw_only=True)
class Size:
    """There is but one."""

    seconds: float = 0.050


FULL = SMALL = Size()


def jobs(size: Size, _folder: Path) -> Iterator[Job]:
    yield Job(
        name="import lydite",
        amount="on top of import numpy",
        ours=Program(code=_CODE),
        peers=[Peer(name="50 ms allowed", run=size.seconds, target=1, at_most=True)],
        agree=lambda looked_up, _: f"lydite.load looked up besides: {1e3 * looked_up:.0f} ms",
    )
