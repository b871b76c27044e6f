from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from lydite.errors import FormatError, ResourceError
from lydite.files.archives import members


def contents(path: Path) -> dict[str, bytes]:
    return {member.place.removeprefix(str(path)): member.content for member in members([path])}


def make_tar(path: Path, mode: str = "w") -> None:
    with tarfile.open(path, mode) as packed:  # type: ignore[call-overload]
        info = tarfile.TarInfo("a/one.txt")
        info.size = 3
        packed.addfile(info, io.BytesIO(b"one"))
        link = tarfile.TarInfo("a/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
        outside = tarfile.TarInfo("../../outside")
        outside.size = 3
        packed.addfile(outside, io.BytesIO(b"two"))


def test_a_plain_and_a_compressed_file_are_one_member_each(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.txt", tmp_path / "b.txt.gz"
    plain.write_bytes(b"cat")
    packed.write_bytes(gzip.compress(b"dog"))
    assert [member.content for member in members([plain, packed])] == [b"cat", b"dog"]
    assert next(members([plain])).stem == "a"


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
def test_a_tar_is_read_in_memory_and_links_are_passed_over(tmp_path: Path, mode: str) -> None:
    folder = tmp_path / "deep" / "folder"
    folder.mkdir(parents=True)
    make_tar(folder / "c.tar", mode)
    assert contents(folder / "c.tar") == {"/a/one.txt": b"one", "/../../outside": b"two"}
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["c.tar", "deep", "folder"]


def test_a_zip_is_read_in_memory_and_links_are_passed_over(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as packed:
        packed.writestr("a/", b"")
        packed.writestr("a/one.txt", b"one")
        link = zipfile.ZipInfo("a/link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "/etc/passwd")
    assert contents(tmp_path / "c.zip") == {"/a/one.txt": b"one"}


def test_damaged_archives_are_told(tmp_path: Path) -> None:
    make_tar(tmp_path / "c.tar.gz", "w:gz")
    content = (tmp_path / "c.tar.gz").read_bytes()
    (tmp_path / "c.tar.gz").write_bytes(content[:-20])
    (tmp_path / "c.zip").write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(FormatError, match="expected a whole compressed file"):
        list(members([tmp_path / "c.tar.gz"]))
    with pytest.raises(FormatError, match=r"c\.zip: the archive cannot be read"):
        list(members([tmp_path / "c.zip"]))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read: No such file"):
        list(members([tmp_path / "none"]))


def test_a_member_too_large_for_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_bytes(b"12345")
    monkeypatch.setenv("LYDITE_MAX_BYTES", "4")
    with pytest.raises(FormatError, match="at most 4 bytes"):
        list(members([tmp_path / "a.txt"]))
