"""Run the studies: ``python -m studies coverage|seeds [NAME...] [--samples N]``."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from studies import coverage


def main() -> int:
    """Run what is asked for and store it; 1 if an interval holds the truth too seldom."""
    parser = argparse.ArgumentParser(prog="python -m studies", description=__doc__)
    parser.add_argument("study", choices=("coverage", "seeds"))
    parser.add_argument("names", nargs="*", help="parts of names; all without one")
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--out", type=Path, help="seeds: where runs are kept and taken up again")
    asked = parser.parse_args()
    if asked.study == "seeds":
        from studies import seeds

        return seeds.main(asked.names, out=asked.out)
    return _coverage(asked.names, asked.samples)


def _coverage(wanted: list[str], samples: int) -> int:
    held = True
    for name in coverage.names():
        if wanted and not any(part in name for part in wanted):
            continue
        start = time.perf_counter()
        cells = coverage.simulate(name, samples=samples)
        coverage.store(name, cells)
        print(f"{name}: {len(cells)} settings, {time.perf_counter() - start:.0f} s")
        for row in coverage.rows(cells):
            print("  " + " | ".join(row))
        held &= all(cell.holds for cell in cells)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
