"""Counting dependency triples from CoNLL-U, beside a plain loop with a Counter.

The peer splits each line and counts ``(head lemma, relation, dependent lemma)`` as it is written,
without collapsing prepositions, which is less than we do. The text is the training part of the
English Web Treebank in ``LYDITE_DATA``, ten times; without it, sentences with words drawn from
Zipf's law.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.measure import Row, in_process, peak_of_both, publish, side_by_side
from lydite.trained.parsed.load import open_parsed
from lydite.trained.parsed.triples import count_triples

_TREEBANK = "treebanks/ud-ewt/en_ewt-ud-train.conllu"
_REPEATS = 10
_SENTENCES = 10_000
_TOKENS_A_SECOND = 500_000

_COUNT = """
from benchmarks.bench_triples import ours
from lydite.trained.encoded_corpus import encode, fill_slots
from lydite.trained.parsed.blocks import collapse
from lydite.trained.parsed.conllu import scan
from lydite.compiled import compile_ahead
for kernel in (collapse, encode, fill_slots, scan):
    compile_ahead(kernel)
start = time.perf_counter()
ours(Path(sys.argv[1]))
seconds = time.perf_counter() - start
"""


def main() -> bool:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "trees.conllu"
        path.write_text(_text() * _REPEATS, encoding="utf-8")
        tokens: list[int] = []
        met: list[int] = []
        ours_seconds, peer_seconds = side_by_side(
            lambda: tokens.append(ours(path)), lambda: met.append(plain_loop(path)), repeats=3
        )
        both = peak_of_both()
        alone, peak = min(in_process(_COUNT, str(path)) for _ in range(3))
    return publish(
        "triples",
        [
            Row(
                job=f"counting triples of {tokens[0] / 1e6:.1f} M tokens",
                peer="Python loop over split lines with a Counter",
                ours_seconds=ours_seconds,
                peer_seconds=peer_seconds,
                target=2,
                memory=both,
                note=f"the peer counts {met[0]} triples, and collapses no prepositions",
            ),
            Row(
                job="the same in a process of its own",
                peer=f"{_TOKENS_A_SECOND} tokens a second",
                ours_seconds=alone,
                peer_seconds=tokens[0] / _TOKENS_A_SECOND,
                target=1,
                memory=f"peak {peak:.0f} MB",
                note=f"{tokens[0] / alone / 1e6:.2f} million tokens a second, from CoNLL-U",
            ),
        ],
        ["30,000 lemmas; the file is in the memory of the system"],
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


def _text() -> str:
    folder = os.environ.get("LYDITE_DATA")
    path = Path(folder or ".") / _TREEBANK
    return path.read_text(encoding="utf-8") if path.is_file() else _drawn()


def _drawn() -> str:
    random = np.random.default_rng(1)
    labels = ("nsubj", "obj", "amod", "det", "obl", "case", "advmod", "compound")
    sentences = []
    for length in random.integers(5, 35, _SENTENCES).tolist():
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


if __name__ == "__main__":
    main()
