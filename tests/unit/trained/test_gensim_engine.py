from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lydite.errors import InputError
from lydite.trained.gensim_engine import LONGEST_LINE, frequent_words, write_lines


def test_a_sentence_a_line(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    long = ["x"] * LONGEST_LINE + ["y"]
    written = write_lines([("a", "b"), (), long, ("b",)], path)
    assert (written.sentences, written.lines) == (4, 4)
    assert written.counts == Counter({"x": LONGEST_LINE, "b": 2, "a": 1, "y": 1})
    lines = path.read_text().splitlines()
    assert [lines[0], *lines[2:]] == ["a b", "y", "b"]


def test_words_in_order() -> None:
    counts = Counter({"b": 2, "a": 2, "c": 5, "d": 1})
    assert list(frequent_words(counts, 2).items()) == [("c", 5), ("a", 2), ("b", 2)]
    with pytest.raises(InputError, match="the most frequent, 'c', occurs 5 times"):
        frequent_words(counts, 3)
