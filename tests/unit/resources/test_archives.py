from __future__ import annotations

import hashlib
import stat
import zipfile
from pathlib import Path

import pytest

from lydite.errors import ChecksumError, FormatError
from lydite.resources.archives import unpack
from lydite.resources.card import Archive, Card, CardFile

BODY = b"one sentence\nanother\n"


def card(member: str = "in/phrases.txt", *, body: bytes = BODY, path: str = "g/p.txt") -> Card:
    sha256 = hashlib.sha256(body).hexdigest()
    return Card(
        name="toy",
        title="Toy",
        kind="groups",
        format="text",
        licence="CC0 1.0",
        redistributable=True,
        citation="lydite",
        source="nowhere",
        files=(CardFile(path=path, sha256=sha256, bytes=len(body), member=member),),
        archive=Archive(path="g.zip", sha256="0" * 64, bytes=1),
    )


def packed(folder: Path, member: str | zipfile.ZipInfo, body: bytes = BODY) -> Path:
    path = folder / "g.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("in/README.txt", "not asked for")
        archive.writestr(member, body)
    return path


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_only_the_named_member_comes_out_at_the_path_of_the_card(tmp_path: Path) -> None:
    target = tmp_path / "data"
    unpack(packed(tmp_path, "in/phrases.txt"), card(), target)
    assert files_below(target) == ["g/p.txt"]
    assert (target / "g/p.txt").read_bytes() == BODY


@pytest.mark.parametrize("member", ["../evil.txt", "/tmp/evil.txt", "in/../../evil.txt"])
def test_a_member_that_points_outside_is_refused(tmp_path: Path, member: str) -> None:
    target = tmp_path / "data"
    with pytest.raises(FormatError, match="points outside its folder"):
        unpack(packed(tmp_path, member), card(member), target)
    assert files_below(tmp_path) == ["g.zip"]


def test_a_card_made_by_a_plugin_cannot_write_outside_either(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="points outside its folder"):
        unpack(packed(tmp_path, "in/phrases.txt"), card(path="../p.txt"), tmp_path / "data")
    assert files_below(tmp_path) == ["g.zip"]


def test_a_link_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("in/phrases.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(FormatError, match="is a link"):
        unpack(packed(tmp_path, link, b"/etc/passwd"), card(), tmp_path / "data")


def test_a_bomb_is_cut_off_at_the_pinned_size(tmp_path: Path) -> None:
    bomb = packed(tmp_path, "in/phrases.txt", BODY + b"\0" * 50_000_000)
    assert bomb.stat().st_size < 100_000
    with pytest.raises(ChecksumError, match="expected 21 bytes, the archive holds more"):
        unpack(bomb, card(), tmp_path / "data")
    assert files_below(tmp_path / "data") == []


def test_other_bytes_of_the_same_size_leave_nothing_behind(tmp_path: Path) -> None:
    other = packed(tmp_path, "in/phrases.txt", BODY.upper())
    with pytest.raises(ChecksumError, match=hashlib.sha256(BODY.upper()).hexdigest()):
        unpack(other, card(), tmp_path / "data")
    assert files_below(tmp_path / "data") == []


def test_an_absent_member_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"has no member 'in/phrases\.txt'"):
        unpack(packed(tmp_path, "in/other.txt"), card(), tmp_path / "data")


def test_what_is_no_zip_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "g.zip"
    path.write_bytes(b"<html>not found</html>")
    with pytest.raises(FormatError, match="expected a zip file"):
        unpack(path, card(), tmp_path / "data")
