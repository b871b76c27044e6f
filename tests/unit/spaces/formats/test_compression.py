from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from lydite.errors import FormatError
from lydite.files import compression as module
from lydite.files.compression import compression, open_decompressed
from lydite.files.lines import read_content

Save = Callable[..., Path]

CONTENT = b"".join(b"w%d %d 0.5\n" % (i, i * 7919) for i in range(2000))
KINDS = {".gz": "gzip", ".xz": "xz", ".zst": "zstd"}
COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda content: content,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Write bytes to a file, compressed if asked."""

    def save(content: bytes, name: str = "lines.txt", packing: str = "") -> Path:
        path = tmp_path / (name + packing)
        path.write_bytes(COMPRESSORS[packing](content))
        return path

    return save


@pytest.mark.parametrize("packing", KINDS)
def test_the_content_decides_and_not_the_name(save: Save, packing: str) -> None:
    path = save(CONTENT, packing=packing).rename(save(b"", "vectors.gz"))
    assert compression(path) == KINDS[packing]
    with open_decompressed(path) as stream:
        assert stream.read() == CONTENT


def test_a_plain_file_that_is_called_gz(save: Save) -> None:
    path = save(CONTENT, "vectors.txt.gz")
    assert compression(path) is None
    assert read_content(path) == CONTENT


@pytest.mark.parametrize("packing", KINDS)
def test_a_file_cut_off_is_an_error_and_not_a_shorter_one(save: Save, packing: str) -> None:
    path = save(CONTENT, packing=packing)
    whole = path.read_bytes()
    for kept in (len(whole) - 1, len(whole) - 9, len(whole) // 2, 10):
        path.write_bytes(whole[:kept])
        with pytest.raises(FormatError) as caught:
            read_content(path)
        assert f"{path}: expected a whole compressed file, but decompressing failed: " in str(
            caught.value
        )
        assert "hint: the file is cut off or damaged; fetch or copy it again" in str(caught.value)


def test_several_zstd_frames_are_one_file(save: Save) -> None:
    compress = zstandard.ZstdCompressor().compress
    path = save(b"".join(compress(CONTENT[i : i + 999]) for i in range(0, len(CONTENT), 999)))
    with open_decompressed(path) as stream:
        assert stream.read() == CONTENT


@pytest.mark.parametrize("bite", [1, 3, 1000])
def test_zstd_read_in_bites(save: Save, monkeypatch: pytest.MonkeyPatch, bite: int) -> None:
    monkeypatch.setattr(module, "_BITE", bite)
    path = save(CONTENT * 3, packing=".zst")
    with open_decompressed(path) as stream:
        assert stream.read(10) == CONTENT[:10]
        assert stream.read() == (CONTENT * 3)[10:]
