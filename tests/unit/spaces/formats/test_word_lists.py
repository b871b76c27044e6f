from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from lydite.errors import FormatError, ResourceError
from lydite.spaces.formats.arrays import read_words, vocabulary_beside

Save = Callable[..., Path]


def message_of(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        read_words(path)
    return str(caught.value)


@pytest.mark.parametrize("packing", ["", ".gz", ".xz", ".zst"])
@pytest.mark.parametrize(
    "content",
    [
        b"cat\nnew york\n",
        b"cat\nnew york",
        b"\xef\xbb\xbfcat\r\nnew york\r\n",
        b"cat\t12\textra\nnew york\t3\n",
        b'["cat", "new york"]',
        b'{"new york": 1, "cat": 0}',
        b'{"model": {"type": "Unigram", "vocab": [["cat", -1.5], ["new york", -2.0]]}}',
        b'{"version": "1.0", "model": {"vocab": {"new york": 1, "cat": 0}}}',
    ],
)
def test_lists_of_every_kind(save: Save, content: bytes, packing: str) -> None:
    name = "words.json" if content[:1] in b"[{" else "words.txt"
    assert read_words(save(content, name, packing)).to_list() == ["cat", "new york"]


def test_counts_of_word2vec_are_passed_over_where_every_line_has_one(save: Save) -> None:
    assert read_words(save("cat 12\ndog 3\n")).to_list() == ["cat", "dog"]
    assert read_words(save("route 66\ncat\n")).to_list() == ["route 66", "cat"]


def test_blank_lines_keep_their_row(save: Save) -> None:
    assert read_words(save("cat\n\ndog\n")).to_list() == ["cat", "", "dog"]


def test_a_vector_file_is_not_taken_for_a_word_list(save: Save) -> None:
    path = save("cat 0.1 0.2\ndog 0.3 0.4\n")
    assert message_of(path) == (
        f"{path}: expected a word list, one word per line, got vectors of 2 numbers\n"
        "hint: name the word list with vocabulary=, or read this file itself"
    )


@pytest.mark.parametrize(
    "data",
    [{}, [], {"cat": 0, "dog": 2}, {"cat": "x"}, ["cat", 1], "cat", {"model": {"vocab": None}}],
)
def test_json_of_something_else(save: Save, data: object) -> None:
    path = save(json.dumps(data), "words.json")
    assert message_of(path).startswith(
        f"{path}: expected a JSON list of words, or a mapping of words to the rows 0, 1, 2 …, got "
    )


def test_broken_json(save: Save) -> None:
    path = save('{"cat": 0', "words.json")
    assert f"{path}: expected JSON, got: " in message_of(path)


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "words.parquet"
    pl.DataFrame({"rank": [1, 2], "word": ["cat", "größe"]}).write_parquet(path)
    assert read_words(path).to_list() == ["cat", "größe"]


def test_parquet_without_words(tmp_path: Path, save: Save) -> None:
    path = tmp_path / "words.parquet"
    pl.DataFrame({"rank": [1, 2]}).write_parquet(path)
    assert message_of(path) == (
        f"{path}: expected a column of words without gaps, got columns rank (Int64)"
    )
    pl.DataFrame({"word": ["cat", None]}).write_parquet(path)
    assert "got columns word (String)" in message_of(path)
    assert "expected a Parquet file, got: " in message_of(save("cat\n", "words.parquet"))


def test_a_damaged_list_is_named_itself(save: Save) -> None:
    path = save("cat\n" * 1000, "words.txt", ".gz")
    path.write_bytes(path.read_bytes()[:-12])
    assert message_of(path).startswith(f"{path}: expected a whole compressed file")


def test_a_missing_list(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"words\.txt: there is no such file"):
        read_words(tmp_path / "words.txt")


@pytest.mark.parametrize(
    "name",
    [
        *("vectors.vocab", "vectors.words", "vectors.txt", "vectors.parquet"),
        *("vocab.txt", "words.txt", "tokenizer.json", "vocab.json"),
    ],
)
@pytest.mark.parametrize("matrix", ["vectors.npy", "vectors.npy.gz", "vectors.npz"])
def test_lists_beside_a_matrix(save: Save, name: str, matrix: str) -> None:
    path = save(b"", matrix)
    assert vocabulary_beside(path) is None
    words = save("cat\n", name)
    assert vocabulary_beside(path) == words
