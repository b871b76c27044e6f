from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError
from lydite.spaces.formats import word2vec_binary
from lydite.spaces.formats.catalogue import detect
from lydite.spaces.formats.rows import Reading

Save = Callable[..., Path]
Read = Callable[..., tuple[list[str], list[list[float]]]]


def record(word: bytes, *numbers: float, end: bytes = b"\n") -> bytes:
    return word + b" " + struct.pack(f"<{len(numbers)}f", *numbers) + end


def message_of(read: Read, path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize("packing", ["", ".gz", ".xz", ".zst"])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_with_and_without_newlines(save: Save, read: Read, end: bytes, packing: str) -> None:
    content = b"2 3\n" + record(b"cat", 1, 2, 3, end=end) + record(b"dog", 4, 5, 6, end=end)
    path = save(content, "vectors.txt", packing)
    assert detect(path).name == "word2vec-binary"
    assert read(path) == (["cat", "dog"], [[1, 2, 3], [4, 5, 6]])


@pytest.mark.parametrize("block", [5, 11, 64])
def test_blocks_of_every_size_give_the_same(
    save: Save, read: Read, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(word2vec_binary, "_BLOCK", block)
    # Vectors that hold the bytes of blanks and line breaks, which are not to be taken for them.
    blanks = np.frombuffer(b" \n \n\n \x20\x3f" * 30, dtype="<f4").reshape(-1, 3)
    numbers = np.concatenate([blanks, np.zeros((1, 3), dtype="<f4")])
    rows = [record(f"größe{i}".encode(), *row) for i, row in enumerate(numbers)]
    path = save(f"{len(rows)} 3\n".encode() + b"".join(rows))
    words, vectors = read(path)
    assert words == [f"größe{i}" for i in range(len(rows))]
    assert np.array(vectors, dtype="<f4").tobytes() == numbers.tobytes()


@pytest.mark.parametrize("kept", [12, 20, 25, 31])
def test_a_file_cut_in_the_middle(save: Save, read: Read, kept: int) -> None:
    path = save((b"2 3\n" + record(b"cat", 1, 2, 3) + record(b"dog", 4, 5, 6))[:kept])
    whole = int(kept >= 20)
    assert message_of(read, path) == (
        f"{path}: expected 2 words of 3 numbers, as the header says, got {whole} before the file "
        "ends\nhint: the file may be damaged; fetch it again, or read it with --lenient"
    )
    reading = Reading(path=path, lenient=True)
    assert read(path, reading)[0] == ["cat"][:whole]
    assert reading.problems == {"header count": 1}


def test_more_words_than_the_header_promises(save: Save, read: Read) -> None:
    path = save(b"1 2\n" + record(b"cat", 1, 2) + record(b"dog", 3, 4))
    assert message_of(read, path).startswith(
        f"{path}: expected 1 words of 2 numbers, as the header says, got more bytes after them\n"
    )
    reading = Reading(path=path, lenient=True)
    assert read(path, reading)[0] == ["cat"]
    assert reading.problems == {"header count": 1}


@pytest.mark.parametrize(
    ("row", "kind", "message"),
    [
        (record(b"caf\xe9", 1, 2), "invalid UTF-8", r"in UTF-8 without NUL, got b'caf\xe9'"),
        (record(b"", 1, 2), "no word", "expected a word of 1 to 65536 bytes, got 0"),
        (record(b"emu", 1, np.nan), "not finite", "finite numbers for 'emu', got NaN, infinity"),
        (record(b"emu", -np.inf, 1), "not finite", "finite numbers for 'emu', got NaN, infinity"),
    ],
)
def test_a_faulty_row_is_named_or_left_out(
    save: Save, read: Read, row: bytes, kind: str, message: str
) -> None:
    path = save(b"3 2\n" + record(b"cat", 1, 2) + row + record(b"dog", 3, 4))
    assert f"{path}: row 2: expected " in message_of(read, path)
    assert message in message_of(read, path)
    reading = Reading(path=path, lenient=True)
    assert read(path, reading) == (["cat", "dog"], [[1, 2], [3, 4]])
    assert reading.problems == {kind: 1}


def test_a_word_without_end_is_refused(
    save: Save, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word2vec_binary, "_BLOCK", 1 << 10)
    path = save(b"9 2\n" + record(b"cat", 1, 2) + b"\x01" * 100_000)
    assert message_of(read, path) == (
        f"{path}: row 2: expected a blank after a word of at most 65536 bytes, got none\n"
        "hint: this is probably not word2vec's binary format"
    )


def test_an_absurd_dimension_is_refused_before_memory_is_asked_for(save: Save, read: Read) -> None:
    path = save(b"9 999999999999\n" + record(b"cat", 1, 2))
    assert message_of(read, path).startswith(
        f"{path}:1: expected a header with a dimension from 1 to 1048576, got 999999999999\n"
    )
