from __future__ import annotations

import io
import os
import pickle
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
import pytest

from lydite.errors import FormatError, InputError, LyditeError, ResourceError
from lydite.models.catalogue import load
from lydite.spaces.formats import catalogue
from lydite.spaces.formats.catalogue import (
    describe_written_suffixes,
    detect,
    file_suffixes,
    read_chunks,
    takes_word_list,
)
from lydite.spaces.formats.format import Format
from lydite.spaces.formats.rows import Chunk, Reading, numbered_chunk
from lydite.spaces.formats.writing import write_space
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import pack_bytes

Save = Callable[..., Path]
Read = Callable[..., tuple[list[str], list[list[float]]]]


def zipped(names: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in names.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def npy(array: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def error_of(path: Path) -> LyditeError:
    with pytest.raises(LyditeError) as caught:
        list(read_chunks(Reading(path=path)))
    return caught.value


@pytest.mark.parametrize(
    ("content", "what", "hint"),
    [
        (pickle.dumps({"cat": [1.0]}), "a Python pickle", "never loads pickles"),
        (b"\xba\x16\x4f\x2f\x0c\x00\x00\x00", "a fastText model with subwords", "use the .vec"),
        ("cat 1 2\n".encode("utf-16"), "text in UTF-16", "save it in UTF-8"),
        (
            zipped({"archive/data.pkl": b"x", "archive/data/0": b"y"}),
            "a PyTorch file, which contains a pickle",
            "safetensors.torch.save_file",
        ),
        (
            zipped({"glove.6B.50d.txt": b"cat 1 2"}),
            "a zip archive of 'glove.6B.50d.txt' and others",
            "unpack it",
        ),
        (b"", "an empty file", None),
        (b" \n\r\n\t", "an empty file", None),
    ],
)
@pytest.mark.parametrize("packing", ["", ".gz"])
def test_what_is_often_taken_for_vectors(
    save: Save, content: bytes, what: str, hint: str | None, packing: str
) -> None:
    path = save(content, "vectors.bin", packing)
    error = error_of(path)
    assert isinstance(error, FormatError)
    assert f"{path}: expected word vectors, got {what}" in str(error)
    assert (hint or "") in (error.hint or "")


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\n 1 1\n2 2\x00\x00\xff\xdb",
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00",
        b"the quick brown fox\njumps over\n",
        b"word,x,y\ncat,1,2\n",
        b"\x00" * 5000,
        bytes(range(256)) * 50,
    ],
)
def test_other_files_are_refused_with_their_beginning(save: Save, content: bytes) -> None:
    path = save(content)
    error = error_of(path)
    assert f"{path}:1: expected word vectors (a word and numbers per line, or a known" in str(error)
    assert f"got a file that starts with {content[:40].decode('utf-8', 'replace')!r}" in str(error)
    assert "Lydite reads word2vec text, GloVe, fastText .vec, word2vec binary, " in str(error.hint)


def test_a_huge_line_without_vectors_is_read_only_at_its_beginning(save: Save) -> None:
    path = save(b"x" * 10_000_000)
    assert "got a file that starts with 'xxxx" in str(error_of(path))


def test_a_huge_line_of_numbers_is_refused(save: Save, read: Read) -> None:
    path = save(b"cat " + b"0.25 " * 2_000_000)
    with pytest.raises(FormatError, match=r":1: expected a line of at most 4194304 bytes, got a l"):
        read(path)


def test_formats_are_told_by_content(save: Save) -> None:
    matrix = np.eye(2, dtype=np.float32)
    assert detect(save(npy(matrix), "a.txt")).name == "npy"
    assert detect(save(zipped({"vectors.npy": npy(matrix)}), "b.txt")).name == "npz"
    assert detect(save(b"\x08\x00\x00\x00\x00\x00\x00\x00{}      ", "c.txt")).name == "safetensors"
    assert detect(save("cat 1 2\n", "d.npy")).name == "text"


@pytest.mark.parametrize("packing", [".gz", ".xz", ".zst"])
def test_what_is_compressed_is_told_by_its_content(save: Save, packing: str) -> None:
    assert detect(save("cat 1 2\ndog 3 4\n", packing=packing)).name == "text"


@pytest.mark.parametrize("packing", [".gz", ".xz", ".zst"])
def test_flipped_bits_are_an_error(save: Save, read: Read, packing: str) -> None:
    path = save("".join(f"w{i} {i * 7919} 0.5\n" for i in range(2000)), packing=packing)
    whole = bytearray(path.read_bytes())
    for at in range(len(whole) // 2, len(whole) // 2 + 40):
        whole[at] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(FormatError, match=r": expected "):
        read(path)


def test_a_format_is_one_declaration(
    tmp_path: Path, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A format that nothing but the list knows is detected, read, written and named in help."""

    def read_lines(reading: Reading, head: bytes, _vocabulary: Path | None) -> Iterator[Chunk]:
        words = head.split()[1:]
        vectors = np.ones((len(words), 1), dtype=np.float32)
        yield numbered_chunk(pack_bytes(words), vectors, first_row=0)

    def write_lines(space: Space, stream: IO[bytes], *_: object) -> None:
        stream.write(b"ONES " + " ".join(space.vocabulary).encode())

    ones = Format(
        name="ones",
        title="words alone",
        suffixes=(".ones",),
        recognizes=lambda head: head.startswith(b"ONES"),
        read=read_lines,
        write=write_lines,
    )
    monkeypatch.setattr(catalogue, "FORMATS", (*catalogue.FORMATS, ones))
    path = tmp_path / "vectors.ones.gz"
    write_space(Space.of({"cat": [2.0], "dog": [3.0]}), path)
    assert detect(path) is ones
    assert [chunk.vectors.tolist() for chunk in read_chunks(Reading(path=path))] == [[[1.0], [1.0]]]
    assert ".ones" in file_suffixes()
    with pytest.raises(ResourceError, match="no such file"):
        load("absent.ones")
    assert ", .ones (words alone); then" in describe_written_suffixes()
    assert ", .npz, .safetensors, " in describe_written_suffixes()
    said = str(error_of(save("no vectors")))
    assert said.endswith(", words alone")
    assert "safetensors" in said


def test_only_matrices_take_a_word_list(save: Save) -> None:
    assert takes_word_list(save(npy(np.eye(2, dtype=np.float32)), "a", ".gz"))
    assert not takes_word_list(save("cat 1 2\n"))
    path = save("cat 1 2\ndog 1 2\n")
    words = save("cat\ndog\n", "words.txt")
    with pytest.raises(InputError) as caught:
        list(read_chunks(Reading(path=path), words))
    assert str(caught.value) == (
        f"{path}: expected a matrix to go with the word list {words}, got a file that has words of "
        "its own\nhint: leave the word list out"
    )


def test_a_missing_file_suggests_its_neighbours(tmp_path: Path, save: Save) -> None:
    save("cat 1 2\n", "vectors.txt")
    error = error_of(tmp_path / "vectros.txt")
    assert isinstance(error, ResourceError)
    assert isinstance(error, OSError)
    assert str(error) == (
        f"{tmp_path}/vectros.txt: there is no such file\nhint: did you mean vectors.txt?"
    )
    assert f"check the path: {tmp_path}/zzz" in str(error_of(tmp_path / "zzz"))
    far = tmp_path / "no" / "where.txt"
    assert str(error_of(far)).endswith(f"hint: there is no folder {tmp_path}/no either")


def test_a_folder_names_what_is_inside(tmp_path: Path, save: Save) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    assert str(error_of(folder)) == (
        f"{folder}: expected a file, got a folder\nhint: name a file inside it: there is none"
    )
    save("cat 1 2\n", "vectors.txt")
    assert "name a file inside it: empty, vectors.txt" in str(error_of(tmp_path))


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "expected a file, got a pipe, a socket or a device" in str(error_of(tmp_path / "pipe"))


@pytest.mark.parametrize("name", ["x" * 5000, "nul\0byte", "vectors.txt/inside"])
def test_impossible_paths(tmp_path: Path, save: Save, name: str) -> None:
    save("cat 1 2\n", "vectors.txt")
    error = error_of(tmp_path / name)
    assert isinstance(error, ResourceError)
    assert ": the file cannot be read: " in str(error)


def test_a_file_without_read_permission() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / "vectors.txt"
        path.write_text("cat 1 2\n")
        path.chmod(0)
        user = os.geteuid()
        # The superuser may read everything.
        if user == 0:
            os.seteuid(65534)
        try:
            error = error_of(path)
        finally:
            os.seteuid(user)
    assert str(error) == (
        f"{path}: the file cannot be read: Permission denied\n"
        "hint: check the path and its permissions"
    )
