from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save as serialise

from lydite.errors import FormatError
from lydite.spaces.formats.catalogue import read_chunks
from lydite.spaces.formats.rows import Chunk, Reading
from lydite.spaces.formats.safetensors import read_provenance

Save = Callable[..., Path]
Read = Callable[..., tuple[list[str], list[list[float]]]]

MATRIX = np.array([[1, 2, -3], [0.5, 5, 6]], dtype=np.float32)


def raw_tensors(kind: str, matrix: NDArray[np.generic]) -> bytes:
    entry = {"dtype": kind, "shape": list(matrix.shape), "data_offsets": [0, matrix.nbytes]}
    header = json.dumps({"vectors": entry}).encode()
    return len(header).to_bytes(8, "little") + header + matrix.tobytes()


def message_of(read: Read, path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize("packing", ["", ".gz", ".xz", ".zst"])
@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_with_the_words_inside(
    save: Save, read: Read, kind: type[np.floating], packing: str
) -> None:
    tensors = {
        "vectors": MATRIX.astype(kind),
        "words": np.frombuffer("catgröße".encode(), dtype=np.uint8),
        "offsets": np.array([0, 3, 10]),
    }
    path = save(serialise(tensors), "vectors.safetensors", packing)
    assert read(path) == (["cat", "größe"], MATRIX.tolist())


@pytest.mark.parametrize("packing", ["", ".gz"])
def test_bfloat16(save: Save, read: Read, packing: str) -> None:
    # bfloat16 is the upper half of a float32; these numbers need no more.
    upper = (MATRIX.view(np.uint32) >> 16).astype("<u2")
    save("cat\ndog\n", "vectors.vocab")
    path = save(raw_tensors("BF16", upper), "vectors.safetensors", packing)
    assert read(path) == (["cat", "dog"], MATRIX.tolist())


def test_the_embeddings_among_several_tensors(save: Save, read: Read) -> None:
    save(json.dumps({"model": {"vocab": {"dog": 1, "cat": 0}}}), "tokenizer.json")
    tensors: dict[str, NDArray[Any]] = {
        "embeddings": MATRIX,
        "weights": np.zeros((7, 7)),
        "mapping": np.arange(2),
    }
    assert read(save(serialise(tensors), "model.safetensors")) == (["cat", "dog"], MATRIX.tolist())


def test_several_matrices_without_a_name(save: Save, read: Read) -> None:
    tensors = {"a": np.zeros((2, 3)), "b": np.zeros((4, 5))}
    path = save(serialise(tensors), "model.safetensors")
    assert "or one called 'vectors' or 'embeddings', got a (2, 3), b (4, 5)" in message_of(
        read, path
    )


def test_a_type_that_is_no_matrix_of_numbers(save: Save, read: Read) -> None:
    path = save(raw_tensors("F8_E4M3", np.zeros((2, 2), dtype=np.uint8)), "model.safetensors")
    assert "expected one matrix of numbers, or one called 'vectors'" in message_of(read, path)


@pytest.mark.parametrize("cut", [1, 20, 40])
def test_a_cut_file(save: Save, read: Read, cut: int) -> None:
    path = save(serialise({"vectors": MATRIX})[:-cut], "vectors.safetensors")
    message = message_of(read, path)
    assert f"{path}: expected a safetensors file, got: " in message
    assert "hint: the file may be cut off; fetch or save it again" in message


WORDS = {
    "words": np.frombuffer(b"catdog", dtype=np.uint8),
    "offsets": np.array([0, 3, 6]),
}
CONTEXTS = np.array([[7, 8, 9], [1, 2, 3]], dtype=np.float32)


def chunk_of(path: Path, *, lenient: bool = False) -> Chunk:
    reading = Reading(path=path, lenient=lenient)
    (chunk,) = reading.settle(read_chunks(reading))
    return chunk


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("number", [np.int32, np.int64, np.uint64, np.float32, np.float64])
def test_counts_and_contexts(
    save: Save, kind: type[np.floating], number: type[np.number[Any]]
) -> None:
    tensors = {
        "vectors": MATRIX,
        "contexts": CONTEXTS.astype(kind),
        "counts": np.array([5, 2], dtype=number),
        **WORDS,
    }
    beside = chunk_of(save(serialise(tensors), "v.safetensors")).beside
    assert beside["counts"].tolist() == [5, 2]
    assert beside["contexts"].tolist() == CONTEXTS.tolist()
    assert beside["counts"].dtype == np.float64
    assert beside["contexts"].dtype == np.float32


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"contexts": CONTEXTS[:1]},
            "of the shape (2, 3) in 'contexts', beside 'vectors' of",
        ),
        ({"contexts": CONTEXTS[:, :2]}, "got F32 (2, 2)"),
        ({"contexts": CONTEXTS.astype(np.int32)}, "got I32 (2, 3)"),
        ({"counts": np.arange(3)}, "expected numbers of the shape (2,) in 'counts'"),
        ({"counts": np.ones((2, 1))}, "got F64 (2, 1)"),
        ({"counts": np.ones(2, dtype=np.bool_)}, "got BOOL (2,)"),
        ({"counts": np.array([1, -2])}, "expected counts from 0, got -2"),
    ],
)
def test_tensors_that_do_not_belong_to_the_words(
    save: Save, read: Read, wrong: dict[str, NDArray[Any]], message: str
) -> None:
    path = save(serialise({"vectors": MATRIX, **WORDS, **wrong}), "v.safetensors")
    assert message in message_of(read, path)


@pytest.mark.parametrize("name", ["counts", "contexts"])
def test_a_faulty_number_beside_a_vector_makes_its_row_faulty(
    save: Save, read: Read, name: str
) -> None:
    beside = {"counts": np.array([5.0, 2.0]), "contexts": CONTEXTS.copy()}
    beside[name][0] = np.nan
    path = save(serialise({"vectors": MATRIX, **WORDS, **beside}), "v.safetensors")
    assert "row 1: expected finite numbers for 'cat', got NaN" in message_of(read, path)
    chunk = chunk_of(path, lenient=True)
    assert chunk.words.to_list() == ["dog"]
    assert chunk.beside["counts"].tolist() == [2]
    assert chunk.beside["contexts"].tolist() == [[1, 2, 3]]


@pytest.mark.parametrize("packing", ["", ".gz"])
def test_provenance(save: Save, packing: str) -> None:
    about = {"recipe": {"dim": 3}, "corpus": ["größe.txt"]}
    text = json.dumps(about)
    path = save(serialise({"vectors": MATRIX}, {"provenance": text}), "v.safetensors", packing)
    assert read_provenance(path) == about


@pytest.mark.parametrize(
    "content",
    [
        serialise({"vectors": MATRIX}),
        serialise({"vectors": MATRIX}, {"provenance": "{"}),
        serialise({"vectors": MATRIX}, {"provenance": "[]"}),
        b"2 2\ncat 1 2\ndog 3 4\n",
        b"",
    ],
)
def test_files_that_do_not_say_what_they_were_made_from(save: Save, content: bytes) -> None:
    assert read_provenance(save(content, "v.dat")) is None
