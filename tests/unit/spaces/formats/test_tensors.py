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
