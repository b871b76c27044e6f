from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.errors import InputError
from lydite.trained import cooccurrence as counts_module
from lydite.trained.cooccurrence import (
    MEMORY,
    CountMatrix,
    Dynamics,
    Windows,
    add_counts,
    count_cooccurrences,
    write_counts,
)
from lydite.trained.encoded_corpus import encode_sentences, frequent_words

Sentences = list[list[str]]
Counted = dict[tuple[str, str], int]

SENTENCES = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=12), min_size=1, max_size=8)


def counted(
    sentences: Sentences,
    windows: Windows,
    *,
    min_count: int = 1,
    memory: int = MEMORY,
    threads: int = 1,
) -> Counted:
    with TemporaryDirectory() as name:
        corpus = encode_sentences(sentences, Path(name))
        kept = frequent_words(corpus, min_count=min_count)
        found = count_cooccurrences(
            corpus,
            kept.rows,
            kept.counts,
            windows,
            Path(name) / "counts",
            memory=memory,
            threads=threads,
        )
        words = kept.words.to_list()
        return as_dictionary(found, words)


def as_dictionary(matrix: CountMatrix, words: list[str]) -> Counted:
    rows = np.repeat(np.arange(len(matrix)), np.diff(matrix.starts)).tolist()
    for row in range(len(matrix)):
        columns = matrix.columns[matrix.starts[row] : matrix.starts[row + 1]]
        assert (np.diff(columns) > 0).all()
    entries = zip(rows, matrix.columns.tolist(), matrix.values.tolist(), strict=True)
    return {(words[row], words[column]): value for row, column, value in entries}


def pairs_of_hyperwords(
    sentences: Sentences, size: int, *, min_count: int, delete: bool, weigh: bool
) -> Counted:
    """Write every pair down and count, as Hyperwords' corpus2pairs does."""
    met = Counter(word for sentence in sentences for word in sentence)
    pairs: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        tokens = [word if met[word] >= min_count else None for word in sentence]
        if delete:
            tokens = [token for token in tokens if token is not None]
        for i, token in enumerate(tokens):
            for j in range(max(0, i - size), min(len(tokens), i + size + 1)):
                other = tokens[j]
                if j != i and token is not None and other is not None:
                    pairs[token, other] += size - abs(i - j) + 1 if weigh else 1
    return dict(pairs)


def test_only_the_first_rows_are_contexts(tmp_path: Path) -> None:
    corpus = encode_sentences([["a", "b", "c", "a"], ["c", "d"]], tmp_path)
    # Rows: c 0, a and b share 1, d 2. Only c has a column: a and b see it once each and a once
    # more, c never sees itself.
    rows, counts = np.array([1, 1, 0, 2], dtype=np.int32), np.array([2, 3, 1])
    for memory in (MEMORY, 16):
        found = count_cooccurrences(
            corpus, rows, counts, Windows(size=2), tmp_path / f"{memory}", contexts=1, memory=memory
        )
        assert as_dictionary(found, ["c", "ab", "d"]) == {("ab", "c"): 3, ("d", "c"): 1}


def test_contexts_within_two_words() -> None:
    # Of "a b c a": a at 0 sees b, c; b sees a, c, a; c sees a, b, a; a at 3 sees b, c.
    assert counted([["a", "b", "c", "a"]], Windows(size=2)) == {
        ("a", "b"): 2,
        ("a", "c"): 2,
        ("b", "a"): 2,
        ("b", "c"): 1,
        ("c", "a"): 2,
        ("c", "b"): 1,
    }


def test_no_window_reaches_into_the_next_sentence() -> None:
    assert counted([["a"], ["b"]], Windows(size=5)) == {}


def test_rare_words_leave_gaps_or_not() -> None:
    sentences = [["a", "x", "b"], ["a", "b"]]
    gaps = counted(sentences, Windows(size=1), min_count=2)
    deleted = counted(sentences, Windows(size=1, delete=True), min_count=2)
    assert gaps == {("a", "b"): 1, ("b", "a"): 1}
    assert deleted == {("a", "b"): 2, ("b", "a"): 2}


@settings(deadline=None, max_examples=80)
@given(
    sentences=SENTENCES,
    size=st.integers(1, 6),
    min_count=st.integers(1, 3),
    delete=st.booleans(),
    weigh=st.booleans(),
    memory=st.sampled_from([1, 300, 2000, MEMORY]),
    threads=st.integers(1, 3),
)
def test_counts_are_those_of_writing_every_pair(
    sentences: Sentences,
    size: int,
    min_count: int,
    delete: bool,
    weigh: bool,
    memory: int,
    threads: int,
) -> None:
    met = Counter(word for sentence in sentences for word in sentence)
    if max(met.values(), default=0) < min_count:
        return
    dynamic: Dynamics = "expected" if weigh else "none"
    ours = counted(
        sentences,
        Windows(size=size, delete=delete, dynamic=dynamic),
        min_count=min_count,
        memory=memory,
        threads=threads,
    )
    assert ours == pairs_of_hyperwords(
        sentences, size, min_count=min_count, delete=delete, weigh=weigh
    )


@pytest.mark.parametrize("delete", [False, True])
@pytest.mark.parametrize("dynamic", ["none", "expected", "sampled"])
def test_what_is_drawn_depends_on_the_seed_and_the_place_alone(
    dynamic: Dynamics, delete: bool
) -> None:
    generator = np.random.default_rng(0)
    sentences = [
        [f"w{number}" for number in generator.zipf(1.5, size) % 50]
        for size in generator.integers(0, 30, 200)
    ]
    windows = Windows(size=4, dynamic=dynamic, sample=0.01, delete=delete, seed=3)
    whole = counted(sentences, windows)
    assert counted(sentences, windows, memory=1000, threads=2) == whole
    assert counted(sentences, windows, memory=1, threads=2) == whole
    other = Windows(size=4, dynamic=dynamic, sample=0.01, delete=delete, seed=4)
    assert counted(sentences, other) != whole


def test_subsampling_leaves_as_many_as_word2vec_would() -> None:
    # "the" is 0.8 of all: it is kept with probability sqrt(0.05 / 0.8) = 0.25, "cat" with 0.5.
    sentences = [["the"] * 8 + ["cat"] * 2] * 2000
    windows = Windows(size=9, sample=0.05)
    pairs = counted(sentences, windows)
    # Pairs of two different places out of 8 and of 2, both kept.
    assert pairs["the", "the"] == pytest.approx(2000 * 56 * 0.25**2, rel=0.05)
    assert pairs["cat", "cat"] == pytest.approx(2000 * 2 * 0.5**2, rel=0.15)
    assert pairs["the", "cat"] == pairs["cat", "the"]


def test_windows_that_are_drawn_have_the_expected_size() -> None:
    sentences = [list("abcdefghij")] * 3000
    drawn = counted(sentences, Windows(size=4, dynamic="sampled"))
    expected = counted(sentences, Windows(size=4, dynamic="expected"))
    assert drawn.keys() == expected.keys()
    for pair, weight in expected.items():
        assert drawn[pair] == pytest.approx(weight / 4, rel=0.15)


def test_no_vocabulary_is_refused(tmp_path: Path) -> None:
    corpus = encode_sentences([["a"]], tmp_path)
    nothing = np.full(1, -1, dtype=np.int32)
    with pytest.raises(InputError, match="got no words"):
        count_cooccurrences(corpus, nothing, np.zeros(0, dtype=np.int64), Windows(), tmp_path)


def matrix(rows: list[dict[int, int]], folder: Path) -> CountMatrix:
    pieces = [
        (
            np.array(list(row), dtype=np.int32),
            np.array(list(row.values()), dtype=np.uint32),
            np.array([len(row)], dtype=np.int64),
        )
        for row in rows
    ]
    return write_counts(pieces, folder)


def test_matrices_of_different_size_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts_module, "_BLOCK", 2)
    left = matrix([{0: 1, 1: 2}, {}], tmp_path / "left")
    right = matrix([{1: 5, 2: 1}, {}, {0: 4}], tmp_path / "right")
    total = add_counts([left, right], 3, tmp_path / "sum")
    assert total.starts.tolist() == [0, 3, 3, 4]
    assert total.columns.tolist() == [0, 1, 2, 0]
    assert total.values.tolist() == [1, 7, 1, 4]
    assert total.row_sums().tolist() == [9, 0, 4]


def test_a_count_beyond_32_bits_is_refused(tmp_path: Path) -> None:
    run = matrix([{0: (1 << 32) - 1}], tmp_path / "run")
    with pytest.raises(InputError, match="4294967295 times, got more"):
        add_counts([run, run], 1, tmp_path / "sum")


@pytest.mark.parametrize(("size", "sample"), [(0, 0.0), (5, -0.1), (5, 2.0)])
def test_windows_that_make_no_sense_are_refused(size: int, sample: float) -> None:
    with pytest.raises(InputError, match="expected"):
        Windows(size=size, sample=sample)
