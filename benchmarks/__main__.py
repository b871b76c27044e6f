"""Run all benchmarks: ``make bench``; the exit code is 1 if a target is missed."""

from __future__ import annotations

import sys

from benchmarks import (
    bench_counting,
    bench_glove,
    bench_import,
    bench_intrinsic,
    bench_lda,
    bench_localization,
    bench_nonce2vec,
    bench_qvec,
    bench_ranks,
    bench_read,
    bench_retrofitting,
    bench_separation,
    bench_skipgram,
    bench_subsumption,
    bench_triples,
    bench_wordnet,
)

_BENCHES = (
    bench_counting,
    bench_glove,
    bench_import,
    bench_intrinsic,
    bench_lda,
    bench_localization,
    bench_nonce2vec,
    bench_qvec,
    bench_ranks,
    bench_read,
    bench_retrofitting,
    bench_separation,
    bench_skipgram,
    bench_subsumption,
    bench_triples,
    bench_wordnet,
)

if __name__ == "__main__":
    met = [bench.main() for bench in _BENCHES]
    sys.exit(0 if all(met) else 1)
