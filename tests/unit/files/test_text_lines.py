from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError, ResourceError
from lydite.files.lines import text_lines


def lines(path: Path, encoding: str | None = None) -> list[tuple[int, str]]:
    return list(text_lines(path, encoding))


@pytest.mark.parametrize(
    "content",
    [b"a\nb", b"a\r\nb\r\n", b"\xef\xbb\xbfa\nb\n", "a\nb\n".encode("utf-16"), b"a\rb\r"],
)
def test_line_breaks_and_byte_order_marks_are_taken_off(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    assert lines(path) == [(1, "a"), (2, "b")]


def test_a_last_line_without_a_break_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\ntwo three four")
    assert lines(path) == [(1, "one"), (2, "two three four")]


def test_wrong_bytes_are_named_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"plain\n" * 30_000 + "caf\u00e9 au lait\n".encode("latin-1") + b"more\n" * 9)
    with pytest.raises(FormatError, match=r"latin\.txt:30001: expected text.*utf-8"):
        lines(path)
    assert lines(path, "latin-1")[30_000] == (30_001, "caf\u00e9 au lait")


def test_bytes_that_are_wrong_in_the_asked_encoding_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("a\nb\n\u00e9".encode())
    with pytest.raises(FormatError, match=r"a\.txt:3: .*ascii"):
        lines(path, "ascii")


def test_the_encoding_that_gutenberg_declares_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    header = "Project Gutenberg\nCharacter set encoding: ISO-8859-1\n"
    path.write_bytes(f"{header}caf\u00e9\n".encode("latin-1"))
    assert lines(path)[-1] == (3, "caf\u00e9")


def test_binary_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(b"%PDF-1.4\n\x00\x01\x02")
    with pytest.raises(FormatError, match=r"book\.pdf:2: expected text"):
        lines(path)


def test_a_compressed_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"line\n" * 9999)[:-12])
    with pytest.raises(FormatError, match="decompressing failed"):
        lines(path)


def test_an_unknown_encoding_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(ResourceError, match="cannot be read"):
        lines(path)
    path.write_text("a")
    with pytest.raises(InputError, match="utf-9"):
        lines(path, "utf-9")


def test_a_very_long_line_comes_in_pieces_that_end_with_a_word(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one two three\nfour")
    pieces = list(text_lines(path, longest=5))
    assert pieces == [(1, "one "), (1, "two "), (1, "three"), (2, "four")]
    assert "".join(piece for _, piece in pieces) == "one two threefour"
