"""First read and second open of a 400,000 x 50 text file, beside gensim.

Each reading runs in a fresh process, in turns; peak memory is that of the whole process. The
file is in the page cache for both.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from benchmarks.measure import Row, glove_text, in_process, publish

_OURS = """
from lydite.models.vectors import VectorFile
start = time.perf_counter()
space = VectorFile.open(sys.argv[1])
seconds = time.perf_counter() - start
assert space.vectors.shape == (400000, 50), space.vectors.shape
"""
_GENSIM = """
from gensim.models import KeyedVectors
start = time.perf_counter()
keyed = KeyedVectors.load_word2vec_format(sys.argv[1])
seconds = time.perf_counter() - start
assert keyed.vectors.shape == (400000, 50), keyed.vectors.shape
"""
_MATRIX_MB = 400_000 * 50 * 4 / 1e6


def main() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = str(glove_text(Path(folder) / "glove.txt"))
        kernels = str(Path(folder) / "kernels")
        cold, _ = in_process(
            _OURS, path, LYDITE_CACHE=f"{folder}/cold", NUMBA_CACHE_DIR=f"{folder}/none"
        )
        in_process(_OURS, path, LYDITE_CACHE=f"{folder}/warm-up", NUMBA_CACHE_DIR=kernels)
        first, second, peer = [], [], []
        for turn in range(3):
            cache = f"{folder}/cache{turn}"
            first.append(in_process(_OURS, path, LYDITE_CACHE=cache, NUMBA_CACHE_DIR=kernels))
            peer.append(in_process(_GENSIM, path))
            second.append(in_process(_OURS, path, LYDITE_CACHE=cache, NUMBA_CACHE_DIR=kernels))
    ours_peak = median(peak for _, peak in first)
    memory = (
        f"peak {ours_peak:.0f} MB ({ours_peak / _MATRIX_MB:.1f}x the matrix, at most 4x), "
        f"gensim {median(peak for _, peak in peer):.0f} MB"
    )
    peer_seconds = median(seconds for seconds, _ in peer)
    return publish(
        "read",
        [
            Row(
                job="first read of a 400,000 x 50 text file",
                peer="gensim load_word2vec_format",
                ours_seconds=median(seconds for seconds, _ in first),
                peer_seconds=peer_seconds,
                target=12,
                memory=memory,
                memory_met=ours_peak <= 4 * _MATRIX_MB,
                note=f"the very first read after installing compiles the kernel: {cold:.2f} s",
            ),
            Row(
                job="second open",
                peer="gensim load_word2vec_format",
                ours_seconds=median(seconds for seconds, _ in second),
                peer_seconds=peer_seconds,
                target=300,
            ),
        ],
        [
            "imports of lydite and of gensim are left out; ours includes loading Numba, which is "
            "imported only when a text file is parsed",
            "ours checks every row and writes a cache; gensim checks little and writes nothing",
        ],
    )


if __name__ == "__main__":
    main()
