"""Run all benchmarks: ``make bench``."""

from __future__ import annotations

from benchmarks import bench_import, bench_qvec, bench_ranks, bench_read

if __name__ == "__main__":
    for benchmark in (bench_import, bench_qvec, bench_ranks, bench_read):
        benchmark.main()
