"""Co-occurrence counting, and text to vectors, beside Hyperwords' way.

Hyperwords' way of counting is a Python loop that writes every pair, then ``sort | uniq -c``; it is
run here on the first million words, as we are. Text to vectors is ours alone on ten million words:
Hyperwords needs minutes for it, and its figure was taken once, with its own code.

The corpus is the Wikipedia sample in ``LYDITE_DATA``; without it, words drawn from Zipf's law.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.measure import (
    Row,
    first_words,
    in_process,
    peak_of_both,
    publish,
    side_by_side,
)
from lydite.trained.cooccurrence import Windows, count_cooccurrences
from lydite.trained.encoded_corpus import encode_files, frequent_words

_COUNTED = 1_000_000
_TRAINED = 10_000_000
_MIN_COUNT = 100
_WINDOW = 5
_TOKENS_A_SECOND = 1.4e6
#: Of the ten million words on the machine where the targets were set; its memory was 5.6 GB.
_HYPERWORDS_SECONDS = 387.0

_COUNT = """
from benchmarks.bench_counting import ours
from lydite.trained.cooccurrence import (
    count_rows, list_places, merge_rows, prepare
)
from lydite.trained.encoded_corpus import encode, fill_slots
from lydite.compiled import compile_ahead
for kernel in (count_rows, encode, fill_slots, list_places, merge_rows, prepare):
    compile_ahead(kernel)
folder = Path(sys.argv[1]).parent
start = time.perf_counter()
ours(Path(sys.argv[1]), folder)
seconds = time.perf_counter() - start
"""

_TRAIN = """
start = time.perf_counter()
from lydite.trained.cooccurrence import Counting, counted
from lydite.trained.cooccurrence import Windows
from lydite.trained.ppmi_svd import Factors, ppmi_svd_space
with counted(Counting(files=[Path(sys.argv[1])], windows=Windows())) as corpus:
    space = ppmi_svd_space(corpus, Factors())
assert space.dim == 100
seconds = time.perf_counter() - start
"""


def main() -> bool:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        short, long = folder / "short.txt", folder / "long.txt"
        first_words(short, _COUNTED)
        first_words(long, _TRAINED)
        pairs: list[int] = []
        found: list[int] = []
        ours_seconds, peer_seconds = side_by_side(
            lambda: found.append(ours(short, folder)),
            lambda: pairs.append(hyperwords(short, folder)),
            repeats=1,
        )
        both = peak_of_both()
        count_seconds, count_peak = min(in_process(_COUNT, str(long)) for _ in range(2))
        train_seconds, train_peak = min(in_process(_TRAIN, str(long)) for _ in range(2))
    return publish(
        "counting",
        [
            Row(
                job="counting 1 M words, window 5",
                peer="Python loop that writes every pair, then sort | uniq -c",
                ours_seconds=ours_seconds,
                peer_seconds=peer_seconds,
                target=15,
                memory=both,
                note=f"{found[0]} different pairs, the peer {pairs[0]}",
            ),
            Row(
                job="counting 10 M words, window 5",
                peer=f"{_TOKENS_A_SECOND / 1e6:g} million words a second",
                ours_seconds=count_seconds,
                peer_seconds=_TRAINED / _TOKENS_A_SECOND,
                target=1,
                memory=f"peak {count_peak:.0f} MB",
                note=f"{_TRAINED / count_seconds / 1e6:.2f} million words a second, from text",
            ),
            Row(
                job="10 M words to 100-d vectors",
                peer="Hyperwords, measured once: 387 s, 5.6 GB",
                ours_seconds=train_seconds,
                peer_seconds=_HYPERWORDS_SECONDS,
                target=12,
                memory=f"peak {train_peak:.0f} MB, at most 2000",
                memory_met=train_peak < 2000,
            ),
        ],
        ["words are cut at white space and have to stand 100 times, as in Hyperwords"],
    )


def ours(text: Path, folder: Path) -> int:
    """Count as Lydite does, and return the number of different pairs."""
    corpus = encode_files([text], folder)
    kept = frequent_words(corpus, min_count=_MIN_COUNT)
    windows = Windows(size=_WINDOW)
    counts = count_cooccurrences(corpus, kept.rows, kept.counts, windows, folder / "counts")
    return len(counts.columns)


def hyperwords(text: Path, folder: Path) -> int:
    """Count as Hyperwords' scripts do, and return the number of different pairs."""
    met: Counter[str] = Counter()
    with text.open(encoding="utf-8") as lines:
        for line in lines:
            met.update(line.split())
    known = {word for word, count in met.items() if count >= _MIN_COUNT}
    pairs, counts = folder / "pairs", folder / "pair-counts"
    with text.open(encoding="utf-8") as lines, pairs.open("w", encoding="utf-8") as out:
        for line in lines:
            tokens = [word if word in known else None for word in line.split()]
            for i, word in enumerate(tokens):
                if word is None:
                    continue
                around = range(max(0, i - _WINDOW), min(len(tokens), i + _WINDOW + 1))
                rows = [f"{word} {tokens[j]}" for j in around if j != i and tokens[j] is not None]
                if rows:
                    out.write("\n".join(rows) + "\n")
    command = ["sort", "-T", str(folder), str(pairs)]
    with (
        counts.open("wb") as out_counts,
        subprocess.Popen(command, stdout=subprocess.PIPE) as sort,
    ):
        subprocess.run(["uniq", "-c"], stdin=sort.stdout, stdout=out_counts, check=True)
    with counts.open("rb") as lines_of_counts:
        return sum(1 for _ in lines_of_counts)


if __name__ == "__main__":
    main()
