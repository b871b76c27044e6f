"""Counting dependency triples from CoNLL-U, beside a plain loop with a Counter.

The peer splits each line and counts ``(head lemma, relation, dependent lemma)`` as it is written,
without collapsing prepositions, which is less than we do. The text is the training part of the
English Web Treebank in ``LYDITE_DATA``, ten times; without it, sentences with words drawn from
Zipf's law.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.measure import Job, Peer, Program
from lydite.trained.parsed.load import open_parsed
from lydite.trained.parsed.triples import count_triples

CAVEATS = [
    "30,000 lemmas; the file is in the memory of the system",
    "the peer collapses no prepositions, which is less than ours does",
]

_TREEBANK = "treebanks/ud-ewt/en_ewt-ud-train.conllu"
_COUNT = """
from benchmarks.bench_triples import ours
from lydite.trained.encoded_corpus import encode, fill_slots
from lydite.trained.parsed.blocks import collapse
from lydite.trained.parsed.conllu import scan
from lydite.compiled import compile_ahead
for kernel in (collapse, encode, fill_slots, scan):
    compile_ahead(kernel)
start = time.perf_counter()
value = ours(Path(sys.argv[1]))
seconds = time.perf_counter() - start
"""


@dataclass(frozen=True, kw_only=True)
class Size:
    """How often the treebank is taken, or sentences are drawn where there is none."""

    repeats: int = 10
    sentences: int = 10_000
    real: bool = True
    tokens_a_second: int = 500_000


FULL = Size()
SMALL = Size(repeats=1, sentences=10, real=False)


def jobs(size: Size, folder: Path) -> Iterator[Job]:
    path = folder / "trees.conllu"
    path.write_text(_text(size) * size.repeats, encoding="utf-8")
    tokens = ours(path)
    amount = f"of {tokens / 1e6:.1f} M tokens"
    yield Job(
        name="dependency triples",
        amount=amount,
        ours=lambda: ours(path),
        peers=[
            Peer(
                name="loop over split lines with a Counter",
                run=lambda: plain_loop(path),
                target=2,
            )
        ],
    )
    yield Job(
        name="dependency triples, by themselves",
        amount=f"{amount}, in a process of its own",
        ours=Program(code=_COUNT, arguments=(path,)),
        peers=[
            Peer(
                name=f"{size.tokens_a_second:,} tokens a second",
                run=tokens / size.tokens_a_second,
                target=1,
                at_most=True,
            )
        ],
        rate=(tokens, "tokens"),
    )


def ours(path: Path) -> int:
    """Count as Lydite does, and return the number of tokens."""
    return count_triples(open_parsed([path])).tokens


def plain_loop(path: Path) -> int:
    """Count as one would in Python, and return the number of triples."""
    counts: Counter[tuple[str, str, str]] = Counter()
    with path.open(encoding="utf-8") as lines:
        words: list[tuple[str, int, str]] = []
        for line in lines:
            if line == "\n":
                for lemma, head, relation in words:
                    if head:
                        counts[words[head - 1][0], relation, lemma] += 1
                words = []
            elif line[0] != "#":
                fields = line.split("\t")
                if fields[0].isdecimal():
                    words.append((fields[2].lower(), int(fields[6]), fields[7]))
    return sum(counts.values())


def _text(size: Size) -> str:
    folder = os.environ.get("LYDITE_DATA")
    path = Path(folder or ".") / _TREEBANK
    known = size.real and path.is_file()
    return path.read_text(encoding="utf-8") if known else _drawn(size.sentences)


def _drawn(count: int) -> str:
    random = np.random.default_rng(1)
    labels = ("nsubj", "obj", "amod", "det", "obl", "case", "advmod", "compound")
    sentences = []
    for length in random.integers(5, 35, count).tolist():
        words = random.zipf(1.5, length).tolist()
        # The first word is the root; each other depends on one before it.
        heads = [0, *(int(random.integers(1, place + 1)) for place in range(1, length))]
        chosen = random.choice(labels, length).tolist()
        rows = zip(words, heads, chosen, strict=True)
        sentences.append(
            "".join(
                f"{number}\tw{word}\tw{word}\tX\tX\t_\t{head}\t{label}\t_\t_\n"
                for number, (word, head, label) in enumerate(rows, 1)
            )
            + "\n"
        )
    return "".join(sentences)
