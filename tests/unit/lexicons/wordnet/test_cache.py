from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import ResourceError
from lydite.lexicons.wordnet.database import WordNet, open_wordnet

Write = Callable[..., list[Path]]


@pytest.fixture(autouse=True)
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("LYDITE_CACHE", str(folder))
    return folder


def folders(root: Path) -> list[Path]:
    return sorted((root / "taxonomies").glob("*/*"))


def content(wordnet: WordNet) -> list[object]:
    assert wordnet.sense_keys is not None
    return [
        list(wordnet.concepts),
        list(wordnet.words),
        list(wordnet.sense_keys),
        [wordnet.senses[word].tolist() for word in range(len(wordnet.words))],
        [wordnet.labels[concept].tolist() for concept in range(len(wordnet))],
        {kind: [lists[c].tolist() for c in range(13)] for kind, lists in wordnet.parents.items()},
        np.asarray(wordnet.parts_of_speech).tolist(),
        wordnet.offsets.tolist(),
        wordnet.lexicographer_files.tolist(),
        wordnet.lexicographer_names,
        wordnet.sense_counts.tolist(),
        wordnet.base_forms(["doggen", "packs", "cat"], "n"),
        wordnet.find(["REX", "Dog"]).tolist(),
        wordnet.problems,
        wordnet.fingerprint,
    ]


def test_what_is_mapped_is_what_was_read(write: Write, fresh_cache: Path) -> None:
    files = write(without=["index.sense"])
    first = open_wordnet(files, sha256="abc", name="one")
    assert [folder.name for folder in folders(fresh_cache)] == ["abc"]
    for file in files:
        file.unlink()
    second = open_wordnet(files, sha256="abc", name="two")
    assert content(second) == content(first)
    assert (first.name, second.name) == ("one", "two")
    assert second.problems == {"missing file index.sense": 1}
    with pytest.raises(ResourceError):
        open_wordnet(files, sha256="other", name="three")


def test_relations_without_an_edge_can_be_mapped(write: Write, fresh_cache: Path) -> None:
    files = write(without=["noun.exc", "verb.exc", "adj.exc", "adv.exc"])
    open_wordnet(files, sha256="abc", name="small")
    (folder,) = folders(fresh_cache)
    assert (folder / "inflected.letters").stat().st_size == 0
    assert open_wordnet([], sha256="abc", name="small").base_forms(["dogs"], "n") == [("dog",)]


@pytest.mark.parametrize("how", ["truncated", "flipped", "missing", "{}", "no facts"])
def test_a_damaged_folder_is_built_again(
    write: Write, fresh_cache: Path, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    files = write()
    expected = content(open_wordnet(files, sha256="abc", name="small"))
    (folder,) = folders(fresh_cache)
    if how == "truncated":
        os.truncate(folder / "senses.items", 8)
    elif how == "flipped":
        letters = bytearray((folder / "words.letters").read_bytes())
        letters[0] ^= 1
        (folder / "words.letters").write_bytes(letters)
        os.utime(folder / "words.letters", ns=(0, 12345))
    elif how == "missing":
        (folder / "is-a.items").unlink()
    elif how == "no facts":
        meta = (folder / "meta.json").read_text().replace("lexicographer_names", "names")
        (folder / "meta.json").write_text(meta)
    else:
        (folder / "meta.json").write_text(how)
    assert content(open_wordnet(files, sha256="abc", name="small")) == expected
    assert "a cached taxonomy is damaged (" in caplog.text
    caplog.clear()
    assert content(open_wordnet([], sha256="abc", name="small")) == expected
    assert not caplog.text
    assert folders(fresh_cache) == [folder]


def test_without_a_cache_that_can_be_written(
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "file" / "cache"))
    assert len(open_wordnet(write(), sha256="abc", name="small")) == 13
    assert "small is parsed each time" in caplog.text
