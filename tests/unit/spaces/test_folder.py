from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lydite.files.arrays import DamagedFolderError
from lydite.spaces import cache
from lydite.spaces.cache import map_folder, open_space, write_folder
from lydite.spaces.formats.rows import Chunk, Reading
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import pack

Save = Callable[..., Path]

CLEAN = "3 2\ncat 1 2\nnew york 3 4\ndog 5 6\n"

pytestmark = pytest.mark.usefixtures("fresh_cache")


def content(space: Space) -> tuple[list[str], list[list[float]]]:
    return list(space.vocabulary), space.vectors.tolist()


def open_file(path: Path) -> Space:
    return open_space(Reading(path=path))


def folders(root: Path) -> list[Path]:
    return sorted((root / "spaces" / "v3").glob("[!.]*"))


def test_chunks_are_written_and_mapped(tmp_path: Path) -> None:
    reading = Reading(path=tmp_path / "vectors.txt")
    rows = np.arange(12, dtype=np.float32).reshape(6, 2)
    chunks = [
        Chunk(words=pack(["a", "b", "a"]), vectors=rows[:3]),
        Chunk(words=pack([]), vectors=rows[:0]),
        Chunk(words=pack(["größe", "b", "c"]), vectors=rows[3:]),
    ]
    write_folder(tmp_path, chunks, reading)
    space = map_folder(tmp_path)
    assert content(space) == (["a", "b", "größe", "c"], rows[[0, 1, 3, 5]].tolist())
    assert space.problems == reading.problems == {"repeated word": 2}
    assert space.find(["c", "größe", "emu"]).tolist() == [3, 2, -1]


def test_what_stands_beside_the_vectors_is_mapped_with_them(tmp_path: Path) -> None:
    rows = np.arange(6, dtype=np.float32).reshape(3, 2)
    beside = {"counts": np.array([9.0, 8.0, 7.0]), "contexts": rows + 10}
    chunk = Chunk(words=pack(["a", "a", "b"]), vectors=rows, beside=beside)
    write_folder(tmp_path, [chunk], Reading(path=tmp_path / "vectors.safetensors"))
    space = map_folder(tmp_path)
    assert space.counts is not None
    assert space.contexts is not None
    assert space.counts.tolist() == [9, 7]
    assert space.contexts.tolist() == [[10, 11], [14, 15]]
    assert not space.contexts.flags.writeable
    (tmp_path / "contexts").unlink()
    with pytest.raises(DamagedFolderError, match="contexts is missing"):
        map_folder(tmp_path)


def test_a_folder_that_is_not_there_is_not_damaged(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        map_folder(tmp_path / "nowhere")
    with pytest.raises(DamagedFolderError, match=r"meta\.json is missing"):
        map_folder(tmp_path)


def damage(folder: Path, how: str) -> None:
    if how == "truncated":
        os.truncate(folder / "vectors", 8)
    elif how == "truncated in secret":
        # One number a word is left, which would pass for a space of one dimension.
        before = (folder / "vectors").stat().st_mtime_ns
        os.truncate(folder / "vectors", 12)
        os.utime(folder / "vectors", ns=(before, before))
    elif how == "flipped":
        letters = bytearray((folder / "letters").read_bytes())
        letters[0] ^= 1
        (folder / "letters").write_bytes(letters)
        os.utime(folder / "letters", ns=(0, 12345))
    elif how == "missing":
        (folder / "order").unlink()
    elif how == "emptied":
        for file in folder.iterdir():
            file.unlink()
    else:
        (folder / "meta.json").write_text(how)


@pytest.mark.parametrize(
    "how",
    [
        "truncated",
        "truncated in secret",
        "flipped",
        "missing",
        "emptied",
        "",
        "{",
        "[]",
        "{}",
        '{"arrays": 3}',
        "null",
    ],
)
def test_a_damaged_folder_is_built_again(
    save: Save, fresh_cache: Path, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    path = save(CLEAN)
    expected = content(open_file(path))
    (folder,) = folders(fresh_cache)
    damage(folder, how)
    assert content(open_file(path)) == expected
    assert "a cached space is damaged (" in caplog.text
    assert ") and will be built again" in caplog.text
    caplog.clear()
    assert content(open_file(path)) == expected
    assert not caplog.text
    assert folders(fresh_cache) == [folder]


def test_a_folder_that_was_only_touched_stays(
    save: Save,
    fresh_cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    path = save(CLEAN)
    open_file(path)
    vectors = folders(fresh_cache)[0] / "vectors"
    before = vectors.stat().st_mtime_ns
    os.utime(vectors)
    monkeypatch.setattr(cache, "read_chunks", None)
    assert len(open_file(path)) == 3
    assert vectors.stat().st_mtime_ns == before
    assert not caplog.text


BUILD = """
import sys, time
from pathlib import Path
from lydite.files.arrays import DamagedFolderError
from lydite.spaces.cache import open_space
from lydite.spaces.formats.rows import Reading

path, signal = Path(sys.argv[1]), Path(sys.argv[2])
while not signal.exists():
    time.sleep(0.001)
for _ in range(5):
    space = open_space(Reading(path=path))
    assert len(space) == 5000, len(space)
    assert space.vectors[4999].tolist() == [4999, 0.5]
    assert space.find(["w4999"])[0] == 4999
print(space.fingerprint)
"""


@pytest.mark.parametrize("damaged", [False, True])
def test_processes_that_build_the_same_folder_at_once(
    save: Save, tmp_path: Path, fresh_cache: Path, damaged: bool
) -> None:
    path = save("".join(f"w{i} {i} 0.5\n" for i in range(5000)))
    if damaged:
        open_file(path)
        damage(folders(fresh_cache)[0], "truncated")
    signal = tmp_path / "go"
    command = [sys.executable, "-c", BUILD, str(path), str(signal)]
    children = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    time.sleep(0.5)
    signal.touch()
    answers = [child.communicate(timeout=120) for child in children]
    assert [child.returncode for child in children] == [0, 0, 0], answers
    assert len({out for out, _ in answers}) == 1
    assert len(folders(fresh_cache)) == 1
    assert not list((fresh_cache / "spaces" / "v3").glob(".*"))
    assert len(open_file(path)) == 5000


def test_a_folder_can_be_shared_and_names_no_source(save: Save, fresh_cache: Path) -> None:
    path = save(CLEAN)
    open_file(path)
    (folder,) = folders(fresh_cache)
    meta = json.loads((folder / "meta.json").read_text())
    assert meta.keys() == {"problems", "arrays"}
    assert folder.stat().st_mode & 0o777 == 0o755
