import hashlib
import os
import stat
from pathlib import Path

import pytest

from lydite.errors import InputError, ResourceError
from lydite.storage import (
    atomic_write_text,
    atomic_writer,
    cache_dir,
    check_output,
    locked,
    sha256_file,
    sha256_text,
    write_output,
)


def test_the_cache_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    folder = cache_dir("spaces", "v1")
    assert folder == tmp_path / "cache" / "spaces" / "v1"
    assert folder.is_dir()
    assert cache_dir("spaces", "v1") == folder


def test_the_cache_may_be_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LYDITE_CACHE", "~/mine")
    assert cache_dir() == tmp_path / "mine"


@pytest.mark.parametrize("value", [None, ""])
def test_unset_or_empty_means_the_platforms_own(
    value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path / "platform"))
    if value is None:
        monkeypatch.delenv("LYDITE_CACHE", raising=False)
    else:
        monkeypatch.setenv("LYDITE_CACHE", value)
    assert cache_dir("x") == tmp_path / "platform" / "x"


def test_a_cache_that_cannot_be_made_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "file"))
    with pytest.raises(ResourceError) as caught:
        cache_dir("spaces")
    assert caught.value.message == (
        f"{tmp_path / 'file' / 'spaces'}: the cache folder cannot be made: Not a directory"
    )
    assert caught.value.hint == "set LYDITE_CACHE to a writable folder"


def test_a_file_is_written_whole_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "x.txt"
    atomic_write_text(path, "größer\n")
    assert path.read_bytes() == b"gr\xc3\xb6\xc3\x9fer\n"
    assert [file.name for file in path.parent.iterdir()] == ["x.txt"]


def test_nothing_is_seen_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    with atomic_writer(path) as stream:
        stream.write(b"new")
        stream.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_keeps_the_old_file_and_leaves_no_other(
    error: type[BaseException], tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_text("old")

    def write() -> None:
        with atomic_writer(path) as stream:
            stream.write(b"half of the ne")
            raise error

    with pytest.raises(error):
        write()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_text_that_cannot_be_encoded_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        atomic_write_text(path, "\ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_longest_name_that_a_file_may_have_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("é" * 127)
    atomic_write_text(path, "x")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_permissions_follow_the_umask(mask: int, mode: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        atomic_write_text(tmp_path / "x", "x")
        after = os.umask(mask)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == mode
    assert after == mask


def test_sha256_of_a_file_longer_than_a_block(tmp_path: Path) -> None:
    content = b"lydite" * 500_000
    (tmp_path / "x").write_bytes(content)
    assert sha256_file(tmp_path / "x") == hashlib.sha256(content).hexdigest()


def test_sha256_of_a_text() -> None:
    # The test vector of FIPS 180-2 for "abc".
    assert sha256_text("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256_text("\udce9") != sha256_text("\udcea")


def test_a_file_that_lydite_did_not_write_is_not_replaced(tmp_path: Path) -> None:
    """A suite's ``[zoo] folder`` once replaced a user's file of the name of a space."""
    path = tmp_path / "thesis.csv"
    path.write_text("mine")
    with pytest.raises(InputError, match="that Lydite did not write") as caught:
        write_output(path, "ours")
    assert path.read_text() == "mine"
    assert "name another file" in str(caught.value)


def test_what_lydite_wrote_is_replaced_until_somebody_changes_it(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_output(path, "one")
    write_output(path, "two")
    assert path.read_text() == "two"
    path.write_text("two, and a remark of mine")
    with pytest.raises(InputError, match="or that was changed since"):
        write_output(path, "three")


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("report.html", b'<!doctype html><meta name="generator" content="Lydite">'),
        ("a.safetensors", b'\x40\0\0\0\0\0\0\0{"__metadata__": {"format": "lydite-space"}}'),
        ("b.safetensors", b'\x40\0\0\0\0\0\0\0{"__metadata__":{"provenance":"{}"}}'),
        ("empty.txt", b""),
    ],
)
def test_files_that_say_who_wrote_them_need_no_note(tmp_path: Path, name: str, head: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(head)
    check_output(path)
    if head:
        path.write_bytes(head.replace(b"ydite", b"").replace(b"provenance", b"x"))
        with pytest.raises(InputError, match="did not write"):
            check_output(path)


def test_a_lock_does_not_remove_a_file_with_something_in_it(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    path.write_text("mine")
    with locked(path):
        pass
    assert path.read_text() == "mine"
