from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from lydite.errors import FormatError, InputError, ResourceError
from lydite.models.catalogue import load
from lydite.spaces.formats.safetensors import read_provenance
from lydite.trained.urae import read_autoencoder, write_autoencoder


def test_the_file_says_what_it_was_made_from(
    network: str, write: Callable[[int], str], tmp_path: Path
) -> None:
    about = read_provenance(Path(network))
    assert about is not None
    assert about["trees"] == "by hand"
    assert about["recipe"]["dim"] == 5
    assert about["words"] == {
        "spec": str(tmp_path / "vectors.txt"),
        "fingerprint": load(str(tmp_path / "vectors.txt")).fingerprint,
        "dim": 4,
    }
    first = Path(network).read_bytes()
    write(5)
    assert Path(network).read_bytes() == first


def test_files_that_are_no_network(network: str, tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="found none"):
        read_autoencoder(tmp_path / "absent.safetensors")
    with pytest.raises(FormatError, match="expected a safetensors file"):
        read_autoencoder(tmp_path / "vectors.txt")
    tensors = load_file(network)
    other = tmp_path / "other.safetensors"
    save_file(tensors, other)
    with pytest.raises(FormatError, match="without a training recipe"):
        read_autoencoder(other)
    about = {"provenance": json.dumps(read_provenance(Path(network)))}
    save_file({**tensors, "decoder": tensors["decoder"][:, 1:].copy()}, other, about)
    with pytest.raises(FormatError, match=r"shape \(10, 5\) in 'decoder', got \(10, 4\)"):
        read_autoencoder(other)
    save_file({**tensors, "mean": tensors["mean"] * np.float32(np.nan)}, other, about)
    with pytest.raises(FormatError, match="finite numbers in 'mean'"):
        read_autoencoder(other)


def test_a_name_that_does_not_say_the_format(network: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ends in \.safetensors"):
        write_autoencoder(read_autoencoder(Path(network)), tmp_path / "urae.bin")
