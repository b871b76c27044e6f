from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lydite.errors import FormatError
from lydite.spaces.formats import arrays
from lydite.spaces.formats.rows import Reading

Save = Callable[..., Path]
Read = Callable[..., tuple[list[str], list[list[float]]]]

MATRIX = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32)
WORDS = np.array(["cat", "größe"])


def npy(array: NDArray[np.generic]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def npz(**contents: NDArray[np.generic]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **contents)  # type: ignore[arg-type]
    return buffer.getvalue()


def message_of(read: Read, path: Path, vocabulary: Path | None = None) -> str:
    with pytest.raises(FormatError) as caught:
        read(path, None, vocabulary)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["<f2", "<f4", ">f4", "<f8", "<i4", "<i8", "u1"])
@pytest.mark.parametrize("packing", ["", ".gz", ".xz", ".zst"])
def test_npy_of_every_kind_of_number(save: Save, read: Read, kind: str, packing: str) -> None:
    save("cat\ngröße\n", "vectors.vocab")
    path = save(npy(MATRIX.astype(kind)), "vectors.npy", packing)
    assert read(path) == (["cat", "größe"], MATRIX.tolist())


def test_npy_in_columns_first_order_and_in_several_chunks(
    save: Save, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "_ROWS", 3)
    matrix = np.arange(40, dtype=np.float64).reshape(10, 4)
    save("".join(f"w{row}\n" for row in range(10)), "vectors.vocab")
    path = save(npy(np.asfortranarray(matrix)), "vectors.npy")
    assert read(path) == ([f"w{row}" for row in range(10)], matrix.tolist())


@pytest.mark.parametrize(
    ("array", "shown"),
    [
        (np.arange(2.0), r"shape (2,) of float64"),
        (np.zeros((2, 2, 2)), r"shape (2, 2, 2) of float64"),
        (np.zeros((2, 0)), r"shape (2, 0) of float64"),
        (np.zeros((2, 2), dtype=np.complex64), r"shape (2, 2) of complex64"),
        (np.zeros((2, 2), dtype=np.bool_), r"shape (2, 2) of bool"),
        (np.array([["a", "b"]]), r"shape (1, 2) of <U1"),
    ],
)
def test_npy_of_something_else(
    save: Save, read: Read, array: NDArray[np.generic], shown: str
) -> None:
    save("cat\ndog\n", "vectors.vocab")
    path = save(npy(array), "vectors.npy")
    assert message_of(read, path) == (
        f"{path}: expected a matrix of numbers, one row per word, got {shown}\n"
        "hint: save it as float32 with the shape (words, dimensions)"
    )


def test_objects_are_never_loaded(save: Save, read: Read) -> None:
    save("cat\n", "vectors.vocab")
    path = save(npy(np.array([[{}]], dtype=object)), "vectors.npy")
    assert f"{path}: expected a matrix of numbers, got: " in message_of(read, path)
    assert "hint: Lydite never loads pickled arrays; save it again as float32" in message_of(
        read, path
    )
    path = save(npz(vectors=MATRIX, words=WORDS.astype(object)), "vectors.npz")
    assert f"{path}: expected arrays of numbers and of plain strings, got: " in message_of(
        read, path
    )
    assert "save the words as np.array(words, dtype=str)" in message_of(read, path)


def test_a_cut_npy(save: Save, read: Read) -> None:
    save("cat\ngröße\n", "vectors.vocab")
    path = save(npy(MATRIX)[:-4], "vectors.npy")
    assert f"{path}: expected a matrix of numbers, got: " in message_of(read, path)


def test_a_cut_npz(save: Save, read: Read) -> None:
    path = save(npz(vectors=MATRIX, words=WORDS)[:-30], "vectors.npz")
    assert f"{path}: expected arrays of numbers and of plain strings, got: " in message_of(
        read, path
    )


def test_values_that_float32_cannot_hold(save: Save, read: Read) -> None:
    save("cat\nemu\ndog\n", "vectors.vocab")
    path = save(npy(np.array([[1.0], [1e300], [2.0]])), "vectors.npy")
    assert message_of(read, path).startswith(
        f"{path}: row 2: expected finite numbers for 'emu', got NaN, infinity or an overflow\n"
    )
    reading = Reading(path=path, lenient=True)
    assert read(path, reading) == (["cat", "dog"], [[1], [2]])
    assert reading.problems == {"not finite": 1}


@pytest.mark.parametrize("packing", ["", ".gz", ".xz", ".zst"])
@pytest.mark.parametrize(
    "contents",
    [
        {"vectors": MATRIX, "words": WORDS},
        {"embeddings": MATRIX, "vocab": WORDS, "other": np.zeros((5, 5))},
        {"anything": MATRIX.astype(np.float16), "labels": WORDS, "counts": np.arange(2)},
        {"vectors": MATRIX, "words": np.array([b"cat", "größe".encode()])},
        {
            "vectors": MATRIX,
            "words": np.frombuffer("catgröße".encode(), dtype=np.uint8),
            "offsets": np.array([0, 3, 10]),
        },
    ],
)
def test_npz_with_words_inside(
    save: Save, read: Read, contents: dict[str, NDArray[np.generic]], packing: str
) -> None:
    path = save(npz(**contents), "vectors.npz", packing)
    assert read(path) == (["cat", "größe"], MATRIX.tolist())


@pytest.mark.parametrize(
    ("contents", "shown"),
    [
        ({}, "got nothing"),
        ({"a": np.zeros(3), "b": np.zeros((2, 2), dtype=int)}, "got a (3,), b (2, 2)"),
        ({"a": np.zeros((2, 2)), "b": np.zeros((2, 3))}, "got a (2, 2), b (2, 3)"),
    ],
)
def test_npz_without_one_matrix(
    save: Save, read: Read, contents: dict[str, NDArray[np.generic]], shown: str
) -> None:
    path = save(npz(**contents), "vectors.npz")
    assert message_of(read, path) == (
        f"{path}: expected one matrix of numbers, or one called 'vectors' or 'embeddings', {shown}"
        "\nhint: save the matrix under the name 'vectors'"
    )


@pytest.mark.parametrize(
    "offsets", [[1, 3, 10], [0, 3, 9], [0, 11, 10], [], [[0, 3, 10]], [0.0, 3.0, 10.0]]
)
def test_offsets_that_do_not_fit(save: Save, read: Read, offsets: list[float]) -> None:
    letters = np.frombuffer("catgröße".encode(), dtype=np.uint8)
    path = save(npz(vectors=MATRIX, words=letters, offsets=np.array(offsets)), "vectors.npz")
    assert f"{path}: expected bytes in 'words' and 'offsets' that rise from 0" in message_of(
        read, path
    )


def test_the_list_that_the_user_names_comes_first(save: Save, read: Read) -> None:
    named = save("one\ntwo\n", "named.txt")
    save("three\nfour\n", "vectors.vocab")
    path = save(npz(vectors=MATRIX, words=WORDS), "vectors.npz")
    assert read(path, None, named)[0] == ["one", "two"]
    assert read(path)[0] == ["cat", "größe"]
    assert read(save(npz(vectors=MATRIX), "vectors.npz"))[0] == ["three", "four"]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_word_list_of_another_length(save: Save, read: Read, count: int) -> None:
    save("w\n" * count, "vectors.vocab")
    path = save(npy(MATRIX), "vectors.npy")
    assert message_of(read, path) == (
        f"{path}: expected a word per row, got {count} words for 2 rows\n"
        "hint: the word list belongs to another matrix, or has a header line"
    )


def test_no_word_list(save: Save, read: Read) -> None:
    path = save(npy(MATRIX), "vectors.npy")
    assert message_of(read, path) == (
        f"{path}: expected a word list inside the file or beside it, got none\n"
        "hint: put one word per line into vectors.vocab beside it, or name the list: "
        "vectors(vectors.npy, vocabulary=words.txt)"
    )


@pytest.mark.parametrize(
    ("word", "kind", "message"),
    [
        (b"", "no word", "row 2: expected a word of 1 to 65536 bytes, got 0"),
        (
            b"caf\xe9",
            "invalid UTF-8",
            r"row 2: expected a word in UTF-8 without NUL, got b'caf\xe9",
        ),
    ],
)
def test_a_faulty_word_is_named_or_left_out(
    save: Save, read: Read, word: bytes, kind: str, message: str
) -> None:
    save(b"cat\n" + word + b"\n", "vectors.vocab")
    path = save(npy(MATRIX), "vectors.npy")
    assert message in message_of(read, path)
    reading = Reading(path=path, lenient=True)
    assert read(path, reading) == (["cat"], [[1, 2, 3]])
    assert reading.problems == {kind: 1}
