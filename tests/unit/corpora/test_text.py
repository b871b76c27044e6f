from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lydite.corpora import tokens as text
from lydite.corpora.tokens import BREAK, text_tokens
from lydite.errors import FormatError, ResourceError

TEXT = "\ufeffOne two,\r\nthree\r\n\r\nfour  \n \n\nfünf"
TOKENS = ["One", "two", ",", "three", BREAK, "four", BREAK, "fünf"]


@pytest.mark.parametrize("size", [3, 4, 1 << 20])
def test_blocks_of_any_size_give_the_same_tokens(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "_BLOCK_LETTERS", size)
    path = tmp_path / "text"
    path.write_bytes(gzip.compress(TEXT.encode()))
    assert [token for block in text_tokens(path) for token in block] == TOKENS


@pytest.mark.parametrize("wrong", [b"\xff", b"\0"])
def test_other_bytes_are_named_with_their_line(wrong: bytes, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(b"one\ntwo\n" + wrong)
    with pytest.raises(FormatError, match=r"text\.txt:3: expected text, got bytes that are"):
        list(text_tokens(path))


def test_a_text_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress(b"one two")[:-4])
    with pytest.raises(FormatError, match="decompressing failed"):
        list(text_tokens(path))


def test_a_folder_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read"):
        list(text_tokens(tmp_path))
