from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.errors import FormatError, InputError, ResourceError
from lydite.trained import encoded_corpus as encoding
from lydite.trained.encoded_corpus import (
    EncodedCorpus,
    encode_files,
    encode_sentences,
    frequent_words,
)


def sentences_of(corpus: EncodedCorpus) -> list[list[str]]:
    words = corpus.words.to_list()
    found: list[list[str]] = [[]]
    for number in corpus.ids.tolist():
        if number < 0:
            found.append([])
        else:
            found[-1].append(words[number])
    assert found.pop() == []
    return found


def test_words_are_numbered_as_they_are_met(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("the cat\n\nthe  dog the\n")
    corpus = encode_files([file], tmp_path)
    assert corpus.ids.tolist() == [0, 1, -1, 0, 2, 0, -1]
    assert corpus.words.to_list() == ["the", "cat", "dog"]
    assert corpus.counts.tolist() == [3, 1, 1]
    assert corpus.tokens == 5


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(st.sampled_from("aé\u00a0\u2003\u3000\u202f\x1c\t \u2026漢Âb\x85‐"))))
def test_lines_are_cut_where_python_cuts_them(lines: list[str]) -> None:
    with TemporaryDirectory() as name:
        file = Path(name) / "text.txt"
        file.write_bytes("\n".join(lines).encode())
        corpus = encode_files([file], Path(name))
        expected = [line.split() for line in lines if line.split()]
        assert sentences_of(corpus) == expected


def test_what_files_and_blocks_there_are_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [" ".join(f"w{i * j % 97}" for j in range(i % 13)) for i in range(500)]
    first, second = tmp_path / "1.txt.gz", tmp_path / "2.txt"
    first.write_bytes(gzip.compress("\n".join(lines[:200]).encode()))
    second.write_text("\ufeff" + "\n".join(lines[200:]) + "\n")
    # Tables that start too small have to grow in the middle of a block.
    monkeypatch.setattr(encoding, "_BLOCK_BYTES", 100)
    monkeypatch.setattr(encoding, "_FIRST_SLOTS", 4)
    corpus = encode_files([first, second], tmp_path)
    assert sentences_of(corpus) == [line.split() for line in lines if line]
    counted = Counter(word for line in lines for word in line.split())
    assert dict(zip(corpus.words.to_list(), corpus.counts.tolist(), strict=True)) == counted


def test_one_letter_a_line_fills_as_many_numbers_as_bytes(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("a\nb\n" * 1000)
    assert encode_files([file], tmp_path).ids.tolist() == [0, -1, 1, -1] * 1000


def test_lower_case_is_that_of_python(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("Ärger ÄRGER ΟΔΟΣ\n")
    assert encode_files([file], tmp_path, lower=True).words.to_list() == ["ärger", "οδος"]


def test_tokens_of_sentences_may_hold_anything(tmp_path: Path) -> None:
    sentences = [["new york", "a\nb", "\ud800"], [], ["new york", ""], ["\xff"]]
    corpus = encode_sentences(sentences, tmp_path)
    assert sentences_of(corpus) == [["new york", "a\nb", "\ud800"], ["new york"], ["\xff"]]


def test_an_empty_corpus_has_no_words(tmp_path: Path) -> None:
    corpus = encode_sentences([], tmp_path)
    assert (len(corpus.words), len(corpus.ids), corpus.tokens) == (0, 0, 0)
    with pytest.raises(InputError, match="got none among 0 words"):
        frequent_words(corpus)


def test_other_bytes_than_utf8_are_refused_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes(b"good\nb\xe9d\n")
    with pytest.raises(FormatError, match=r"text\.txt:2: expected a text in UTF-8"):
        encode_files([file], tmp_path)


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"none\.txt cannot be read"):
        encode_files([tmp_path / "none.txt"], tmp_path)


def test_frequent_words_lead_and_ties_keep_their_order(tmp_path: Path) -> None:
    corpus = encode_sentences([list("cabbdda")], tmp_path)
    kept = frequent_words(corpus, min_count=2)
    assert kept.words.to_list() == ["a", "b", "d"]
    assert kept.counts.tolist() == [2, 2, 2]
    assert kept.rows.tolist() == [-1, 0, 1, 2]
    assert frequent_words(corpus, limit=1).words.to_list() == ["a"]
