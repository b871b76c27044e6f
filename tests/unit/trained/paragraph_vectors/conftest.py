from __future__ import annotations

import pytest

from lydite.trained.paragraph_vectors import Architecture, ParagraphRecipe

TEXT = [
    ("the", "cat", "drinks", "milk", "in", "the", "house", "."),
    ("the", "dog", "drinks", "water", "in", "the", "yard", "."),
    ("a", "bird", "sings", "."),
] * 15 + [("once",)]


@pytest.fixture
def text() -> list[tuple[str, ...]]:
    pytest.importorskip("gensim", reason="gensim is absent")
    return TEXT


@pytest.fixture(params=["pv-dm", "pv-dbow"])
def architecture(request: pytest.FixtureRequest) -> Architecture:
    name: Architecture = request.param
    return name


@pytest.fixture
def recipe(architecture: Architecture) -> ParagraphRecipe:
    return ParagraphRecipe(
        architecture=architecture, dim=6, window=2, min_count=2, epochs=3, sample=0.05, alpha=0.2
    )
