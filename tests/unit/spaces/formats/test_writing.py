from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from lydite.errors import InputError
from lydite.spaces.formats import catalogue
from lydite.spaces.formats.catalogue import detect
from lydite.spaces.formats.writing import write_space
from lydite.spaces.space import Space

Read = Callable[..., tuple[list[str], list[list[float]]]]

#: The endings that files are known by, whatever formats are added.
FORMATS = {
    ".txt": "text",
    ".vec": "text",
    ".bin": "word2vec-binary",
    ".npz": "npz",
    ".safetensors": "safetensors",
}
#: A format that is added reads back, too.
WRITTEN = [suffix for form in catalogue.FORMATS if form.write for suffix in form.suffixes]
EXTREMES = [0.0, -0.0, 1e-45, 3.4028235e38, 1 / 3, -1.1754944e-38, 16777216.0, 0.1]


def space_of(*words: str) -> Space:
    vectors = np.random.default_rng(1).standard_normal((len(words), 8)).astype(np.float32)
    vectors[0] = np.array(EXTREMES, dtype=np.float32)
    return Space.of(dict(zip(words, vectors.tolist(), strict=True)))


@pytest.mark.parametrize("packing", ["", ".gz", ".xz", ".zst"])
@pytest.mark.parametrize("ending", WRITTEN)
def test_every_format_reads_back_bit_for_bit(
    tmp_path: Path, read: Read, ending: str, packing: str
) -> None:
    space = space_of("cat", "größe", "2000", "<script>", "\ufeffx", "a\u2028b")
    path = tmp_path / f"vectors{ending}{packing}"
    write_space(space, path)
    assert detect(path).name == FORMATS.get(ending, detect(path).name)
    words, vectors = read(path)
    assert words == list(space.vocabulary)
    assert np.array(vectors, dtype=np.float32).tobytes() == space.vectors.tobytes()


@pytest.mark.parametrize("name", ["vectors.TXT", "v.1.bin.GZ"])
def test_endings_in_capitals(tmp_path: Path, read: Read, name: str) -> None:
    write_space(space_of("cat"), tmp_path / name)
    assert read(tmp_path / name)[0] == ["cat"]


def test_words_with_spaces_go_into_text_but_not_into_binary(tmp_path: Path, read: Read) -> None:
    space = space_of("new york", "route 66", " leading", "a\tb")
    write_space(space, tmp_path / "vectors.txt")
    assert read(tmp_path / "vectors.txt")[0] == list(space.vocabulary)
    with pytest.raises(InputError) as caught:
        write_space(space, tmp_path / "vectors.bin")
    assert str(caught.value) == (
        "this format of word2vec cannot store a word with a space or a line break, got 'new york'\n"
        "hint: write npz or safetensors, or join the parts of words with '_'"
    )


@pytest.mark.parametrize("word", ["a\nb", "a\r", "trailing ", "tab\t", "version 2.0", "x -.5e3"])
def test_words_that_text_would_not_give_back(tmp_path: Path, read: Read, word: str) -> None:
    path = tmp_path / "vectors.txt"
    with pytest.raises(InputError) as caught:
        write_space(space_of("cat", word), path)
    assert "cannot store a word with a line break, a blank at its end" in str(caught.value)
    assert str(caught.value.message).endswith(f"got {word!r}")
    assert list(tmp_path.iterdir()) == []
    write_space(space_of("cat", word), tmp_path / "vectors.npz")
    assert read(tmp_path / "vectors.npz")[0] == ["cat", word]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("", "'' cannot be written: expected a word of 1 to 65536 bytes, got 0"),
        ("a\0b", r"'a\x00b' cannot be written: expected a word in UTF-8 without NUL, got b'a"),
        ("\ud800", r"'\ud800' cannot be written: expected a word in UTF-8 without NUL, got b'"),
    ],
)
@pytest.mark.parametrize("ending", FORMATS)
def test_words_that_no_reader_takes(tmp_path: Path, word: str, message: str, ending: str) -> None:
    with pytest.raises(InputError) as caught:
        write_space(space_of("cat", word), tmp_path / f"vectors{ending}")
    assert message in str(caught.value)


def test_an_unknown_ending(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        write_space(space_of("cat"), tmp_path / "vectors.kv")
    assert str(caught.value) == (
        f"{tmp_path}/vectors.kv: expected a name that ends in one of {', '.join(WRITTEN)} "
        "(then .gz, .xz or .zst to compress)\n"
        "hint: the ending of the output file chooses the format"
    )


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(InputError, match=r"a\.txt: expected the name of a file to write, got a f"):
        write_space(space_of("cat"), tmp_path / "a.txt")


@pytest.mark.parametrize("ending", [".txt.gz", ".bin.zst", ".npz", ".npz.gz", ".safetensors.xz"])
def test_the_same_space_gives_the_same_bytes_at_any_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    space = space_of("cat", "dog")
    write_space(space, tmp_path / f"a{ending}")
    monkeypatch.setattr(time, "time", lambda: 1e9)
    write_space(space, tmp_path / f"b{ending}")
    assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()


def test_text_begins_with_its_header(tmp_path: Path) -> None:
    write_space(Space.of({"cat": [1, 0.5], "new york": [2, 3]}), tmp_path / "v.txt.gz")
    text = gzip.decompress((tmp_path / "v.txt.gz").read_bytes())
    assert text == b"2 2\ncat 1.0 0.5\nnew york 2.0 3.0\n"


def test_the_library_of_safetensors_reads_what_is_written(tmp_path: Path) -> None:
    space = space_of("cat", "größe")
    write_space(space, tmp_path / "v.safetensors")
    tensors = load_file(tmp_path / "v.safetensors")
    assert tensors["vectors"].tobytes() == space.vectors.tobytes()
    assert tensors["words"].tobytes() == "catgröße".encode()
    assert tensors["offsets"].tolist() == [0, 3, 10]


def test_progress_ends_at_the_number_of_words(tmp_path: Path) -> None:
    for ending in FORMATS:
        told: list[tuple[str, int, int | None]] = []
        write_space(
            space_of("cat", "dog"),
            tmp_path / f"v{ending}",
            progress=lambda what, done, total, told=told: told.append((what, done, total)),
        )
        assert told[-1] == ("writing", 2, 2)


def test_the_endings_that_files_are_known_by() -> None:
    assert WRITTEN[: len(FORMATS)] == [".txt", ".vec", ".bin", ".npz", ".safetensors"]
