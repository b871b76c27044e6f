import gzip
import lzma
from pathlib import Path

import pytest

from lydite.errors import FormatError, ResourceError
from lydite.files.lines import read_content, require_utf8

TEXT = "\ufeffcafé\n".encode()


@pytest.mark.parametrize("content", [TEXT, gzip.compress(TEXT, mtime=0), lzma.compress(TEXT)])
def test_compression_and_byte_order_mark_do_not_matter(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    assert read_content(path) == "café\n".encode()
    assert read_content(path, 5) == b"ca"


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(gzip.compress(TEXT, mtime=0)[:-9])
    with pytest.raises(FormatError, match="decompressing failed"):
        read_content(path)


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read: Is a directory"):
        read_content(tmp_path)


@pytest.mark.parametrize(("content", "line"), [(b"caf\xe9", 1), (b"a\nb\ncaf\xe9\n", 3)])
def test_other_encodings_are_refused_with_their_line(content: bytes, line: int) -> None:
    require_utf8("café".encode(), Path("x"))
    with pytest.raises(FormatError) as caught:
        require_utf8(content, Path("x"))
    assert (caught.value.line, caught.value.hint) == (line, "save the file as UTF-8")
