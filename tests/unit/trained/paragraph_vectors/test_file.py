from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lydite.errors import FormatError, InputError, ResourceError
from lydite.spaces.formats.safetensors import read_provenance
from lydite.trained.paragraph_vectors import (
    Network,
    ParagraphRecipe,
    read_network,
    train_paragraphs,
    write_network,
)


@pytest.fixture
def network(text: list[tuple[str, ...]], recipe: ParagraphRecipe) -> Network:
    return train_paragraphs(text, recipe, keep=True).network


def test_a_file_gives_back_what_was_written(network: Network, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    write_network(network, path, provenance={"corpus": [{"name": "x"}]})
    again = read_network(path)
    assert again.recipe == network.recipe
    assert again.preparation == network.preparation
    assert again.words.to_list() == network.words.to_list()
    for name in ("counts", "outputs", "vectors", "seen", "paragraphs"):
        one, other = getattr(network, name), getattr(again, name)
        assert (one is None) == (other is None)
        assert one is None or np.array_equal(one, other)
    about = read_provenance(path)
    assert about is not None
    assert about["corpus"] == [{"name": "x"}]
    assert about["recipe"]["architecture"] == network.recipe.architecture


def test_the_same_bytes_each_time(network: Network, tmp_path: Path) -> None:
    paths = [tmp_path / f"{i}.safetensors" for i in range(5)]
    for path in paths:
        write_network(network, path, provenance={"b": 1, "a": 2})
    assert len({path.read_bytes() for path in paths}) == 1


def test_another_ending(network: Network, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected a name that ends in \.safetensors"):
        write_network(network, tmp_path / "model.safetensors.gz")
    assert not list(tmp_path.iterdir())


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="expected a file of paragraph vectors, found none"):
        read_network(tmp_path / "absent.safetensors")


@pytest.mark.parametrize("content", [b"", b"abc", b"\xff" * 40, b"the 0.1 0.2\ncat 0.3 0.4\n"])
def test_other_bytes(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"x\.safetensors: expected a safetensors file"):
        read_network(path)


def test_a_file_cut_off(network: Network, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    write_network(network, path)
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(FormatError, match="expected a safetensors file"):
        read_network(path)


def test_safetensors_of_another_kind(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    path = tmp_path / "x.safetensors"
    for metadata in (None, {"provenance": "[1]"}, {"provenance": '{"recipe": {"dim": 2}}'}):
        save_file({"vectors": np.zeros((2, 2), dtype=np.float32)}, path, metadata)
        with pytest.raises(FormatError, match="without a training recipe"):
            read_network(path)


def damage(path: Path, name: str, array: NDArray[Any] | None) -> None:
    from safetensors.numpy import load_file, save_file

    metadata = {"provenance": json.dumps(read_provenance(path))}
    tensors = {**load_file(path), name: array}
    save_file({key: t for key, t in tensors.items() if t is not None}, path, metadata)


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("outputs", np.zeros((13, 5), dtype=np.float32), "in 'outputs', got float32"),
        ("outputs", np.zeros((13, 6), dtype=np.float64), "in 'outputs', got nothing"),
        ("seen", None, "in 'seen', got nothing"),
        ("counts", np.ones(12, dtype=np.int64), "in 'offsets', got int64"),
        ("counts", np.zeros(13, dtype=np.int64), "expected numbers from 1"),
        ("offsets", np.arange(14, dtype=np.int64), "expected offsets that rise"),
    ],
)
def test_tensors_that_do_not_fit(
    network: Network, tmp_path: Path, name: str, array: NDArray[Any] | None, message: str
) -> None:
    path = tmp_path / "x.safetensors"
    write_network(network, path)
    damage(path, name, array)
    with pytest.raises(FormatError, match=message):
        read_network(path)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_are_refused(network: Network, tmp_path: Path, bad: float) -> None:
    """One NaN among the outputs once ended the process: compiled code reads them unseen."""
    path = tmp_path / "x.safetensors"
    write_network(network, path)
    outputs = np.array(network.outputs)
    outputs[3, 2] = bad
    damage(path, "outputs", outputs)
    with pytest.raises(FormatError, match="expected finite numbers in 'outputs'"):
        read_network(path)
