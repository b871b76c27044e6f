from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lydite.models.catalogue import load
from lydite.trained import paragraph_vectors as inference_module
from lydite.trained.paragraph_vectors import (
    Inference,
    Network,
    ParagraphRecipe,
    first_vector,
    rates,
    train_paragraphs,
    write_network,
)


@pytest.fixture
def network(text: list[tuple[str, ...]], recipe: ParagraphRecipe) -> Network:
    return train_paragraphs(text, recipe).network


def test_vectors_are_those_of_gensim(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    # gensim begins with a vector from Python's hash; here both get the same one, and the same
    # state of what is drawn after it.
    from gensim.models import doc2vec  # type: ignore[import-untyped]

    words, key = ["the", "cat", "drinks", "water"], [1, 2, 3]
    monkeypatch.setattr(inference_module, "_key", lambda seed, tokens: key)
    ours = Inference(network.doc2vec(), epochs=7, alpha=0.3, seed=0).vector(words)
    model = network.doc2vec()
    model.random = np.random.RandomState(key)
    first = first_vector(model.random, 6)
    monkeypatch.setattr(doc2vec, "pseudorandom_weak_vector", lambda size, seed_string: first.copy())
    theirs = model.infer_vector(words, alpha=0.3, min_alpha=0.0001, epochs=7)
    assert np.array_equal(ours, theirs)
    assert not np.array_equal(ours, first)


def test_the_first_vector_is_small() -> None:
    first = first_vector(np.random.RandomState(0), 1000)
    assert first.dtype == np.float32
    assert 0.0004 < np.abs(first).max() <= 0.0005
    assert abs(first.mean()) < 0.0001


def test_one_epoch_is_at_the_full_rate() -> None:
    assert list(rates(0.1, 1)) == [0.1]


def test_words_that_are_not_known_change_nothing(network: Network) -> None:
    inference = Inference(network.doc2vec(), epochs=3, alpha=0.1, seed=0)
    plain = inference.vector(["the", "cat"])
    assert np.array_equal(inference.vector(["emu", "the", "\0", "cat", "once"]), plain)
    assert not inference.vector(["emu", "\0"]).any()
    assert not inference.vector([]).any()


def test_weights_are_locked(network: Network) -> None:
    model = network.doc2vec()
    before = network.outputs.copy(), model.wv.vectors.copy()
    Inference(model, epochs=20, alpha=0.5, seed=0).vector(["the", "cat", "drinks"])
    assert np.array_equal(network.outputs, before[0])
    assert np.array_equal(model.wv.vectors, before[1])


def test_neither_process_nor_hash_matters(
    network: Network, tmp_path: Path, elsewhere: Callable[[str], str]
) -> None:
    path = tmp_path / "model.safetensors"
    write_network(network, path)
    spec = f"{network.recipe.architecture}({path}, epochs=3)"
    child = (
        "from lydite.models.catalogue import load\n"
        f"print(load({spec!r}).encode(['The cat in the house']).tobytes().hex())"
    )
    here = load(spec).encode(["The cat in the house"])
    assert elsewhere(child) == here.tobytes().hex()
