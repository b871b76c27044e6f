from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.errors import FormatError, InputError, ResourceError
from lydite.spaces import cache
from lydite.spaces.cache import open_space
from lydite.spaces.formats.rows import Reading
from lydite.spaces.neighbours import cosine_ranks, nearest_words
from lydite.spaces.space import Space

Save = Callable[..., Path]

CLEAN = "3 2\ncat 1 2\nnew york 3 4\ndog 5 6\n"
DIRTY = "cat 1 2\nemu 1\ncat 7 8\ndog 5 6\n"

pytestmark = pytest.mark.usefixtures("fresh_cache")


def content(space: Space) -> tuple[list[str], list[list[float]]]:
    return list(space.vocabulary), space.vectors.tolist()


def open_file(path: Path, **options: Any) -> Space:  # noqa: ANN401
    return open_space(Reading(path=path, **options))


def folders(root: Path) -> list[Path]:
    return sorted((root / "spaces" / "v3").glob("[!.]*"))


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Note files of any age, as if they had lain there for a while."""
    monkeypatch.setattr(cache, "_RACY_NS", 0)


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Make a step of opening fail, to prove that it is not taken."""

    def refuse(name: str) -> None:
        def fail(*_: object, **__: object) -> None:
            pytest.fail(f"{name} was called")

        monkeypatch.setattr(cache, name, fail)

    return refuse


def test_the_first_open_reads_and_later_ones_map(save: Save, refuse: Callable[[str], None]) -> None:
    path = save(CLEAN)
    first = open_file(path)
    refuse("read_chunks")
    again = open_file(path)
    assert (
        content(again) == content(first) == (["cat", "new york", "dog"], [[1, 2], [3, 4], [5, 6]])
    )
    assert again.fingerprint == first.fingerprint
    assert again.spec == first.spec == str(path)
    assert not again.vectors.flags.writeable
    assert again.find(["dog", "emu"]).tolist() == [2, -1]


@pytest.mark.usefixtures("noted")
def test_a_noted_file_is_not_hashed_again(save: Save, refuse: Callable[[str], None]) -> None:
    path = save(CLEAN)
    open_file(path)
    refuse("sha256_file")
    assert len(open_file(path)) == 3


def test_a_file_changed_a_moment_ago_is_not_trusted_by_its_looks(
    save: Save, fresh_cache: Path
) -> None:
    path = save(CLEAN)
    before = path.stat()
    open_file(path)
    assert not list((fresh_cache / "spaces" / "notes").glob("*.json"))
    with path.open("r+") as file:
        file.write("3 2\ncow")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = path.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert open_file(path).vocabulary[0] == "cow"


@pytest.mark.usefixtures("noted")
def test_a_replaced_file_of_the_same_size_and_time_is_read_anew(save: Save) -> None:
    path = save(CLEAN)
    before = path.stat()
    open_file(path)
    other = save(CLEAN.replace("cat", "cow"), "other.txt")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)
    assert open_file(path).vocabulary[0] == "cow"


@pytest.mark.usefixtures("noted")
@pytest.mark.parametrize("note", ["", "[]", "{}", '{"stamps": 1, "content": 2}', "\x00\xff"])
def test_a_broken_note_is_passed_over(save: Save, fresh_cache: Path, note: str) -> None:
    path = save(CLEAN)
    open_file(path)
    (found,) = (fresh_cache / "spaces" / "notes").glob("*.json")
    found.write_text(note, encoding="latin-1")
    assert len(open_file(path)) == 3


@pytest.mark.usefixtures("noted")
def test_a_note_of_a_folder_that_is_gone(save: Save, fresh_cache: Path) -> None:
    path = save(CLEAN)
    open_file(path)
    (folder,) = folders(fresh_cache)
    folder.rename(fresh_cache / "elsewhere")
    assert len(open_file(path)) == 3


def test_copies_share_one_folder_but_not_their_name(save: Save, fresh_cache: Path) -> None:
    one, other = open_file(save(CLEAN, "a.txt")), open_file(save(CLEAN, "b.txt"))
    assert len(folders(fresh_cache)) == 1
    assert one.fingerprint == other.fingerprint
    assert (Path(one.spec).name, Path(other.spec).name) == ("a.txt", "b.txt")


@pytest.mark.usefixtures("noted")
def test_strict_reading_still_raises_after_lenient_reading_was_cached(save: Save) -> None:
    path = save(DIRTY)
    lenient = open_file(path, lenient=True)
    assert content(lenient) == (["cat", "dog"], [[1, 2], [5, 6]])
    with pytest.raises(FormatError, match=r"vectors\.txt:2: expected 2 numbers after the word, go"):
        open_file(path)
    assert open_file(path, lenient=True).problems == {"ragged": 1, "repeated word": 1}


def test_what_was_left_out_is_told_once_at_every_open(
    save: Save, caplog: pytest.LogCaptureFixture
) -> None:
    path = save("54 2\n" + DIRTY + "emu 1\n" * 50)
    for _ in range(2):
        caplog.clear()
        space = open_file(path, lenient=True)
        assert space.problems == {"ragged": 51, "repeated word": 1}
        (record,) = caplog.records
        assert record.levelno == logging.WARNING
        assert record.getMessage() == f"{path}: left out: 51 ragged, 1 repeated word"


def test_of_repeated_words_the_first_wins_also_in_strict_reading(save: Save) -> None:
    space = open_file(save("cat 1 2\ndog 3 4\ncat 5 6\nemu 7 8\ndog 9 9\n"))
    assert content(space) == (["cat", "dog", "emu"], [[1, 2], [3, 4], [7, 8]])
    assert space.problems == {"repeated word": 2}


def test_many_repeated_words(save: Save) -> None:
    lines = "".join(f"w{i % 1000} {i} 0\n" for i in range(300_000))
    space = open_file(save(lines))
    assert list(space.vocabulary) == [f"w{i}" for i in range(1000)]
    assert space.vectors[:, 0].tolist() == list(range(1000))
    assert space.problems == {"repeated word": 299_000}


def test_a_million_lines_of_one_word(save: Save) -> None:
    space = open_file(save("the 0.5 1\n" * 1_000_000))
    assert content(space) == (["the"], [[0.5, 1]])
    assert space.problems == {"repeated word": 999_999}


@pytest.mark.parametrize("text", ["3 2\n", "0 2\n"])
def test_a_file_without_words(save: Save, text: str) -> None:
    path = save(text)
    with pytest.raises(FormatError) as caught:
        open_file(path, lenient=True)
    assert str(caught.value).startswith(f"{path}: expected word vectors, got none")


def test_a_file_without_a_good_row_says_what_was_left_out(save: Save) -> None:
    path = save("2 2\ncat 1\ndog nan 2\n")
    with pytest.raises(FormatError) as caught:
        open_file(path, lenient=True)
    assert str(caught.value) == (
        f"{path}: expected word vectors, got none (left out: 1 not finite, 1 ragged)\n"
        "hint: check that this is the file you mean"
    )


@pytest.mark.usefixtures("noted")
def test_another_word_list_is_another_space(tmp_path: Path, save: Save) -> None:
    np.save(tmp_path / "vectors.npy", np.eye(2, dtype=np.float32))
    path = tmp_path / "vectors.npy"
    save("cat\ndog\n", "vectors.vocab")
    assert list(open_file(path).vocabulary) == ["cat", "dog"]
    save("cow\nemu\n", "vectors.vocab")
    assert list(open_file(path).vocabulary) == ["cow", "emu"]
    named = save("one\ntwo\n", "named.txt")
    assert list(open_space(Reading(path=path), named).vocabulary) == ["one", "two"]
    assert list(open_file(path).vocabulary) == ["cow", "emu"]
    (tmp_path / "vectors.vocab").unlink()
    with pytest.raises(FormatError, match="expected a word list inside the file or beside it"):
        open_file(path)


def test_a_missing_word_list(tmp_path: Path) -> None:
    np.save(tmp_path / "vectors.npy", np.eye(2))
    with pytest.raises(ResourceError, match=r"nowhere\.txt: there is no such file"):
        open_space(Reading(path=tmp_path / "vectors.npy"), tmp_path / "nowhere.txt")


@pytest.mark.usefixtures("noted")
@pytest.mark.parametrize("lenient", [False, True])
def test_a_limit_gives_the_same_from_the_file_and_from_the_cache(
    save: Save, refuse: Callable[[str], None], lenient: bool
) -> None:
    path = save("".join(f"w{i} {i} 1\n" for i in range(100)))
    fresh = open_file(path, limit=7, lenient=lenient)
    whole = open_file(path, lenient=lenient)
    refuse("read_beginning")
    cached = open_file(path, limit=7, lenient=lenient)
    assert content(cached) == content(fresh) == content(whole.head(7))
    assert cached.fingerprint == fresh.fingerprint != whole.fingerprint
    assert len(open_file(path, limit=1000, lenient=lenient)) == 100


@pytest.mark.usefixtures("noted")
def test_a_limit_does_not_inherit_the_problems_of_the_whole_file(save: Save) -> None:
    path = save("cat 1 2\ndog 3 4\nemu 1\ncat 5 6\n")
    assert open_file(path, lenient=True).problems == {"ragged": 1, "repeated word": 1}
    assert open_file(path, lenient=True, limit=2).problems == {}


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one(save: Save, limit: int) -> None:
    with pytest.raises(InputError, match=f"expected a limit of at least 1, got {limit}"):
        open_file(save(CLEAN), limit=limit)


def test_the_reading_is_left_as_it_was(save: Save) -> None:
    reading = Reading(path=save(CLEAN), limit=2)
    before = replace(reading)
    open_space(reading)
    assert reading == before


@pytest.mark.parametrize("lenient", [False, True])
def test_a_cache_that_cannot_be_written(
    save: Save,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    lenient: bool,
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "file" / "cache"))
    path = save(CLEAN)
    for _ in range(2):
        caplog.clear()
        space = open_file(path, lenient=lenient)
        assert content(space)[0] == ["cat", "new york", "dog"]
        (record,) = caplog.records
        assert record.getMessage().startswith("the cache cannot be written (")
        assert record.getMessage().endswith(f"): {path} is read without it")
    assert content(open_file(path, limit=1))[0] == ["cat"]


def test_a_full_disk(save: Save, monkeypatch: pytest.MonkeyPatch, fresh_cache: Path) -> None:
    def write(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "write_folder", write)
    path = save(CLEAN)
    with pytest.raises(ResourceError) as caught:
        open_file(path)
    assert str(caught.value) == (
        f"{path}: reading it into the cache failed: [Errno 28] No space left on device\n"
        "hint: free some space, or name another folder for the cache with LYDITE_CACHE"
    )
    assert list((fresh_cache / "spaces" / "v3").iterdir()) == []


def test_a_failed_reading_leaves_nothing_behind(save: Save, fresh_cache: Path) -> None:
    with pytest.raises(FormatError):
        open_file(save(DIRTY))
    assert list((fresh_cache / "spaces" / "v3").iterdir()) == []


def test_a_file_that_changes_while_it_is_read_is_not_cached(
    save: Save, fresh_cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = save(CLEAN)

    def append(_: str, __: int, ___: int | None) -> None:
        path.write_text(CLEAN + "\n\n\n")

    space = open_file(path, progress=append)
    assert len(space) == 3
    assert folders(fresh_cache) == []
    assert f"{path} changed while it was read; it is not cached" in caplog.text
    assert open_file(path).fingerprint != space.fingerprint


def test_working_folders_of_killed_processes_are_removed(save: Save, fresh_cache: Path) -> None:
    parent = fresh_cache / "spaces" / "v3"
    old, young = parent / ".old", parent / ".young"
    for folder in (old, young):
        folder.mkdir(parents=True)
        (folder / "vectors").write_text("x")
    yesterday = time.time() - 25 * 3600
    os.utime(old, (yesterday, yesterday))
    open_file(save(CLEAN))
    assert not old.exists()
    assert young.exists()


def test_mapped_vectors_are_searched_as_they_are(save: Save) -> None:
    vectors = open_file(save(CLEAN)).vectors
    assert not vectors.flags.writeable
    # cos(dog, new york) = 39 / sqrt(61 * 25) > cos(dog, cat) = 17 / sqrt(61 * 5)
    assert nearest_words(vectors, vectors[2:], 3).indices.tolist() == [[2, 1, 0]]
    assert cosine_ranks(vectors, vectors[2:], np.array([0])).tolist() == [3]


def test_the_space_survives_the_removal_of_its_folder(save: Save, fresh_cache: Path) -> None:
    space = open_file(save(CLEAN))
    for file in folders(fresh_cache)[0].iterdir():
        file.unlink()
    assert content(space)[1] == [[1, 2], [3, 4], [5, 6]]
