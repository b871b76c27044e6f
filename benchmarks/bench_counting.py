"""Co-occurrence counting, and text to vectors, beside Hyperwords' way.

Hyperwords' way of counting is a Python loop that writes every pair, then ``sort | uniq -c``; it is
run here on the first million words, as we are. Text to vectors is ours alone on ten million words:
Hyperwords needs minutes for it, and its figure was taken once, with its own code.

The corpus is the Wikipedia sample in ``LYDITE_DATA``; without it, words drawn from Zipf's law.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.inputs import first_words
from benchmarks.measure import Job, Peer, Program
from lydite.trained.cooccurrence import Windows, count_cooccurrences
from lydite.trained.encoded_corpus import encode_files, frequent_words

CAVEATS = [
    "words are cut at white space and have to stand 100 times, as in Hyperwords",
    "Hyperwords' 387 s and 5.6 GB for text to vectors were measured once, on another machine",
]

_MIN_COUNT = 100
_WINDOW = 5
#: Of ten million words on the machine where the targets were set; its memory was 5.6 GB.
_HYPERWORDS_SECONDS = 387.0
_MOST_MEMORY = 2000.0

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


@dataclass(frozen=True, kw_only=True)
class Size:
    """Words counted beside the peer, and words counted and trained on alone."""

    counted: int = 1_000_000
    trained: int = 10_000_000
    words_a_second: float = 1.4e6


FULL = Size()
#: A space of 100 dimensions needs as many words that stand 100 times.
SMALL = Size(counted=20_000, trained=200_000)


def jobs(size: Size, folder: Path) -> Iterator[Job]:
    short = first_words(folder / "short.txt", size.counted)
    long = first_words(folder / "long.txt", size.trained)
    few, many = (f"of {count / 1e6:g} M words" for count in (size.counted, size.trained))
    yield Job(
        name="co-occurrences",
        amount=f"{few}, window {_WINDOW}",
        ours=lambda: ours(short, folder),
        peers=[
            Peer(
                name="Hyperwords' way: loop that writes pairs, sort | uniq -c",
                run=lambda: hyperwords(short, folder),
                target=15,
            )
        ],
        agree=_same,
    )
    yield Job(
        name="co-occurrences, by themselves",
        amount=f"{many}, window {_WINDOW}, in a process of its own",
        ours=Program(code=_COUNT, arguments=(long,)),
        peers=[
            Peer(
                name=f"{size.words_a_second / 1e6:g} million words a second",
                run=size.trained / size.words_a_second,
                target=1,
                at_most=True,
            )
        ],
        rate=(size.trained, "words"),
    )
    yield Job(
        name="text to vectors",
        amount=f"{many}, 100 dimensions",
        ours=Program(code=_TRAIN, arguments=(long,)),
        peers=[
            Peer(
                name="Hyperwords, 387 s once",
                run=_HYPERWORDS_SECONDS * size.trained / FULL.trained,
                target=12,
            )
        ],
        most_memory=_MOST_MEMORY,
    )


def _same(found: int, peers: Sequence[int]) -> str:
    assert found == peers[0], f"{found} and {peers[0]} different pairs"
    return f"{found:,} different pairs by both"


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
