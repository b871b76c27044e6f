from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lydite.models.catalogue import load
from lydite.trained.trees import branched
from lydite.trained.urae import UraeRecipe, autoencoder, train_urae, write_autoencoder

SENTENCES = ["the cat sat here", "a dog ran", "the dog sat", "a cat ran there", "it can't be"]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[int], str]:
    """Write word vectors of 4 dimensions and a network over them; return the network's path."""

    def written(dim: int) -> str:
        vocabulary = sorted({word for line in SENTENCES for word in line.split()})
        random = np.random.default_rng(0)
        rows = [f"{word} {' '.join(map(str, random.normal(size=4)))}\n" for word in vocabulary]
        path = tmp_path / "vectors.txt"
        path.write_text("".join(rows))
        space = load(str(path))
        forest = branched([line.split() for line in SENTENCES], "balanced")
        recipe = UraeRecipe(dim=dim, epochs=2, batch=2)
        trained = train_urae(forest, space, recipe)
        out = tmp_path / "urae.safetensors"
        network = autoencoder(trained, forest, space, recipe)
        write_autoencoder(network, out, provenance={"trees": "by hand"})
        return str(out)

    return written


@pytest.fixture
def network(write: Callable[[int], str]) -> str:
    return write(5)
