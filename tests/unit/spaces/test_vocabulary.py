from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from lydite.spaces import vocabulary as module
from lydite.spaces.vocabulary import (
    VOCABULARY_ARRAYS,
    Hashes,
    PackedWords,
    Vocabulary,
    hash_words,
    pack,
    pack_bytes,
)


def colliding_words() -> tuple[str, str]:
    """Return two words of equal hash: a Thue-Morse word and its complement.

    Their polynomials differ by the product of (B^(2^i) - 1), which 2^64 divides from 2^11 letters
    on whatever odd B is.
    """
    word, other = "a", "b"
    for _ in range(11):
        word, other = word + other, other + word
    return word, other


@pytest.fixture
def one_hash_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def collide(words: PackedWords) -> Hashes:
        return np.full(len(words), 7, dtype=np.uint64)

    monkeypatch.setattr(module, "hash_words", collide)


def test_words_are_found_at_their_place() -> None:
    words = ["cat", "größe", "日本", "", "new york", "😀", "cat "]
    vocabulary = Vocabulary.of(words)
    assert vocabulary.find(words).tolist() == list(range(7))
    assert vocabulary.find(["emu", "Cat", "ca", "catt"]).tolist() == [-1] * 4
    assert list(vocabulary) == words
    assert "cat" in vocabulary
    assert "emu" not in vocabulary
    assert not vocabulary.__contains__(3)


def test_nothing_asked_and_nothing_there() -> None:
    assert Vocabulary.of(["cat"]).find([]).tolist() == []
    assert Vocabulary.of([]).find(["cat"]).tolist() == [-1]
    assert Vocabulary.of([]).repeats().tolist() == []
    assert list(Vocabulary.of([])) == []


def test_queries_that_are_not_utf8_are_absent() -> None:
    assert Vocabulary.of(["cat"]).find(["\ud800", "cat"]).tolist() == [-1, 0]
    assert list(Vocabulary.of(["\ud800"])) == ["\ud800"]


def test_indexing_like_a_list() -> None:
    words = [f"w{i}" for i in range(10)]
    vocabulary = Vocabulary.of(words)
    assert vocabulary[0] == "w0"
    assert vocabulary[-1] == "w9"
    assert vocabulary[2:7:2] == words[2:7:2]
    assert vocabulary[::-1] == words[::-1]
    with pytest.raises(IndexError, match="the vocabulary has 10 words, got index 10"):
        vocabulary[10]
    with pytest.raises(IndexError, match="got index -11"):
        vocabulary[-11]


def test_a_repeated_word_is_found_at_its_first_place() -> None:
    vocabulary = Vocabulary.of(["a", "b", "a", "c", "b", "a"])
    assert vocabulary.find(["a", "b", "c"]).tolist() == [0, 1, 3]
    assert vocabulary.repeats().tolist() == [2, 4, 5]
    distinct, kept = vocabulary.distinct()
    assert list(distinct) == ["a", "b", "c"]
    assert kept.tolist() == [0, 1, 3]
    assert distinct.distinct()[0] is distinct


def test_true_collisions_of_the_hash_are_told_apart() -> None:
    one, other = colliding_words()
    assert one != other
    assert len(set(hash_words(pack([one, other])).tolist())) == 1
    vocabulary = Vocabulary.of(["cat", other, "dog", one, other])
    assert vocabulary.find([one, other, one + "a", "dog"]).tolist() == [3, 1, -1, 2]
    assert vocabulary.repeats().tolist() == [4]


@pytest.mark.usefixtures("one_hash_for_all")
def test_lookups_stay_right_when_every_hash_collides() -> None:
    words = [f"w{i % 40}" for i in range(60)]
    vocabulary = Vocabulary.of(words)
    assert vocabulary.find(["w0", "w39", "w40", ""]).tolist() == [0, 39, -1, -1]
    assert vocabulary.repeats().tolist() == list(range(40, 60))
    assert list(vocabulary.distinct()[0]) == words[:40]


def test_hashes_do_not_depend_on_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    words = pack(["", "a", "größe", "x" * 100, "", "b" * 3, "c"])
    whole = hash_words(words)
    assert len(set(whole.tolist())) == 6
    for size in (1, 2, 50):
        monkeypatch.setattr(module, "_BLOCK_BYTES", size)
        assert hash_words(words).tolist() == whole.tolist()


def test_finding_does_not_depend_on_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = Vocabulary.of([f"w{i}" for i in range(100)])
    monkeypatch.setattr(module, "_BLOCK_WORDS", 7)
    assert vocabulary.find([f"w{i}" for i in range(120)]).tolist() == [*range(100), *[-1] * 20]


def test_case_folding_takes_the_first_of_the_vocabulary() -> None:
    vocabulary = Vocabulary.of(["Straße", "CAT", "cat", "İstanbul", "ΣΊΣΥΦΟΣ"])
    asked = ["STRASSE", "strasse", "cAt", "i̇stanbul", "σίσυφος", "istanbul"]
    assert vocabulary.find_folded(asked).tolist() == [0, 0, 1, 3, 4, -1]


def test_packings_are_joined_and_taken() -> None:
    joined = PackedWords.join([pack(["a", "bc"]), PackedWords.empty(), pack_bytes([b"d"])])
    assert joined.to_list() == ["a", "bc", "d"]
    assert joined.take(np.array([2, 0, 2])).to_list() == ["d", "a", "d"]
    assert joined.raw(1) == b"bc"


def test_a_million_identical_words_need_little_memory() -> None:
    words = PackedWords(
        letters=np.frombuffer(b"cat" * 1_000_000, dtype=np.uint8),
        offsets=np.arange(0, 3_000_001, 3),
    )
    vocabulary = Vocabulary.build(words)
    tracemalloc.start()
    repeats = vocabulary.repeats()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert repeats.tolist() == list(range(1, 1_000_000))
    # A handful of arrays of 8 bytes a word and a letter.
    assert peak < 12 * 8 * 1_000_000


def test_a_vocabulary_and_its_arrays() -> None:
    arrays = Vocabulary.of(["cat", "dog", "é"]).arrays()
    assert {name: array.dtype for name, array in arrays.items()} == VOCABULARY_ARRAYS
    again = Vocabulary.of_arrays(arrays)
    assert list(again) == ["cat", "dog", "é"]
    assert again.find(["é", "cat", "emu"]).tolist() == [2, 0, -1]
