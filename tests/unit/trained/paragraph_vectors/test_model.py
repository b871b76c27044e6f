from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.models.protocols import Remembering, TextModel
from lydite.progress import watched_by
from lydite.storage import sha256_file
from lydite.trained.paragraph_vectors import (
    Architecture,
    DistributedBagOfWords,
    DistributedMemory,
    ParagraphRecipe,
    ParagraphVectors,
    train_paragraphs,
    write_network,
)

FACTORIES = {"pv-dm": DistributedMemory.open, "pv-dbow": DistributedBagOfWords.open}
TEXTS = ["The cat drinks milk.", "A bird sings in the yard.", "An emu?", "", "The cat drinks milk."]
KEEP_ALL = Preparation(drop_single=False, punctuation=True)


@pytest.fixture
def path(
    text: list[tuple[str, ...]],
    recipe: ParagraphRecipe,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    monkeypatch.chdir(tmp_path)
    trained = train_paragraphs(text, recipe, preparation=KEEP_ALL)
    write_network(trained.network, Path("model.safetensors"))
    return "model.safetensors"


def opened(architecture: Architecture, path: str, **options: Any) -> ParagraphVectors:  # noqa: ANN401
    return FACTORIES[architecture](path, **{"epochs": 5, **options})


def test_one_vector_a_text(architecture: Architecture, path: str) -> None:
    model = opened(architecture, path)
    assert isinstance(model, TextModel)
    vectors = model.encode(TEXTS)
    assert vectors.shape == (5, 6)
    assert vectors.dtype == np.float32
    # Neither "emu" nor "an" nor "?" was learnt.
    assert vectors.any(axis=1).tolist() == [True, True, False, False, True]
    assert np.array_equal(vectors[0], vectors[4])
    assert not np.array_equal(vectors[0], vectors[1])
    assert model.encode([]).shape == (0, 6)


def test_neither_order_nor_company_nor_threads_matter(
    architecture: Architecture, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [f"{a} {b} {c}" for a in ("the", "a") for b in ("cat", "dog") for c in "abcdefghijklmno"]
    many += TEXTS * 5
    monkeypatch.setenv("LYDITE_THREADS", "1")
    model = opened(architecture, path)
    vectors = model.encode(many)
    monkeypatch.setenv("LYDITE_THREADS", "3")
    assert np.array_equal(model.encode(many[::-1])[::-1], vectors)
    alone = np.concatenate([opened(architecture, path).encode([text]) for text in many[::17]])
    assert np.array_equal(alone, vectors[::17])


def test_what_changes_vectors(architecture: Architecture, path: str) -> None:
    plain = opened(architecture, path).encode(TEXTS[:2])
    for options in ({"epochs": 6}, {"alpha": 0.3}, {"seed": 1}):
        other = opened(architecture, path, **options).encode(TEXTS[:2])
        assert not np.isclose(other, plain).all(axis=1).any()
    unit = opened(architecture, path, normalise=True).encode(TEXTS)
    lengths = np.linalg.norm(unit, axis=1)
    assert lengths == pytest.approx([1, 1, 0, 0, 1], abs=1e-6)
    assert unit[:2] == pytest.approx(plain / np.linalg.norm(plain, axis=1, keepdims=True))


def test_the_spec_always_tells_the_epochs(architecture: Architecture, path: str) -> None:
    model = FACTORIES[architecture](path)
    assert model.spec == f"{architecture}(model.safetensors, epochs={model.epochs})"
    other = opened(architecture, path, alpha=0.1, seed=3, normalise=True)
    assert other.spec == (
        f"{architecture}(model.safetensors, epochs=5, alpha=0.1, seed=3, normalise=true)"
    )
    assert model.fingerprint == sha256_file(Path(path))


def test_texts_that_were_trained_on(architecture: Architecture, path: str) -> None:
    model = opened(architecture, path)
    assert isinstance(model, Remembering)
    asked = ["A bird  SINGS.", "A bird sings", "A bird sings. A bird sings.", "once", ""]
    assert model.saw(asked).tolist() == [True, False, False, True, False]
    assert model.saw([]).shape == (0,)


def test_progress(architecture: Architecture, path: str) -> None:
    told: list[tuple[str, int, int | None]] = []
    with watched_by(lambda what, done, total: told.append((what, done, total))):
        opened(architecture, path).encode(["the cat"] * 40)
    assert told == [("inferring vectors", done, 40) for done in (32, 40)]


def test_a_file_of_the_other_kind(architecture: Architecture, path: str) -> None:
    other: Architecture = "pv-dbow" if architecture == "pv-dm" else "pv-dm"
    with pytest.raises(InputError) as caught:
        opened(other, path)
    assert str(caught.value) == (
        f"model.safetensors: expected a file of {other}, got one of {architecture}\n"
        f"hint: {architecture}(model.safetensors) opens it"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epochs": 0}, "expected epochs to be a whole number from 1, got 0"),
        ({"alpha": 0.0}, "expected alpha to be a number from 0.0001, got 0.0"),
        ({"seed": -1}, "expected seed to be a whole number from 0"),
    ],
)
def test_options_that_are_none(
    architecture: Architecture, path: str, options: dict[str, float], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        opened(architecture, path, **options)


def test_one_text_instead_of_a_list(architecture: Architecture, path: str) -> None:
    with pytest.raises(InputError, match="expected a list of texts, got one text"):
        opened(architecture, path).encode("The cat")


def test_meanings_come_together(text: list[tuple[str, ...]]) -> None:
    recipe = ParagraphRecipe(architecture="pv-dbow", dim=12, epochs=40, sample=0, alpha=0.2)
    network = train_paragraphs(text, recipe).network
    model = DistributedBagOfWords("x", network=network, epochs=60, normalise=True)
    cat, milk, bird = model.encode(["cat milk house", "milk house cat", "bird sings"])
    assert cat @ milk > cat @ bird + 0.3
