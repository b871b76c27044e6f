from pathlib import Path

import pytest

from lydite.errors import FormatError, ResourceError
from lydite.files.lines import numbered_lines


def _write(folder: Path, content: bytes) -> Path:
    path = folder / "lines.txt"
    path.write_bytes(content)
    return path


def test_blank_lines_and_comments_are_passed_over_but_counted(tmp_path: Path) -> None:
    path = _write(tmp_path, b"# a comment\n\nfirst\n  \t \n#second\n#\tthird\n")
    assert list(numbered_lines(path)) == [(3, "first"), (5, "#second"), (6, "#\tthird")]


@pytest.mark.parametrize("content", [b"a\nb", b"a\nb\n", b"a\r\nb\r\n", b"\xef\xbb\xbfa\r\nb\n"])
def test_byte_order_mark_and_line_ends_do_not_matter(content: bytes, tmp_path: Path) -> None:
    assert list(numbered_lines(_write(tmp_path, content))) == [(1, "a"), (2, "b")]


@pytest.mark.parametrize("letter", ["\u2028", "\x85", "\x0b", "\x1c"])
def test_only_newlines_end_a_line(letter: str, tmp_path: Path) -> None:
    path = _write(tmp_path, f"a{letter}b\n".encode())
    assert list(numbered_lines(path)) == [(1, f"a{letter}b")]


@pytest.mark.parametrize("content", [b"fine\ncaf\xe9\n", b"fine\n\xff\xfea\x00"])
def test_other_encodings_are_refused_with_their_line(content: bytes, tmp_path: Path) -> None:
    path = _write(tmp_path, content)
    with pytest.raises(FormatError) as caught:
        list(numbered_lines(path))
    assert caught.value.message == f"{path}:2: expected UTF-8, got other bytes"
    assert caught.value.hint == "save the file as UTF-8"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ResourceError) as caught:
        list(numbered_lines(tmp_path / "absent"))
    assert (
        caught.value.message == f"{tmp_path / 'absent'} cannot be read: No such file or directory"
    )
    assert caught.value.hint == "check the path"


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read: Is a directory"):
        list(numbered_lines(tmp_path))
