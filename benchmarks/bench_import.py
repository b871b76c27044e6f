"""What `import lydite` costs on top of `import numpy`, in fresh processes, in turns."""

from __future__ import annotations

from statistics import median

from benchmarks.measure import Row, in_process, publish

_CODE = "start = time.perf_counter()\nimport {}\nseconds = time.perf_counter() - start"
_LIMIT_SECONDS = 0.050


def main() -> bool:
    both, alone, used = [], [], []
    for _ in range(15):
        both.append(in_process(_CODE.format("numpy, lydite"))[0])
        alone.append(in_process(_CODE.format("numpy"))[0])
        used.append(in_process(_CODE.format("numpy, lydite; lydite.load"))[0])
    extra = median(both) - median(alone)
    return publish(
        "import",
        [
            Row(
                job="import lydite, on top of import numpy",
                peer="50 ms",
                ours_seconds=max(extra, 1e-6),
                peer_seconds=_LIMIT_SECONDS,
                target=1,
                at_most=True,
                note=f"import numpy alone: {median(alone):.3f} s; "
                f"with lydite.load also looked up: {median(used):.3f} s",
            )
        ],
        [],
    )


if __name__ == "__main__":
    main()
