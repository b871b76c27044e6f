from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.trained.cheung_penn.texts import check_same_lemmas, composed, summands

WORDS = np.array([[3.0, 1.0, 0.0], [1.0, 0.0, 0.0]])


@dataclass(frozen=True)
class Model:
    folder: str
    lemmas: str


def test_sums_are_left_as_they_are() -> None:
    sums = summands(WORDS, "add", 0.5).sum(axis=0, keepdims=True)
    assert composed(sums, "add").tolist() == [[4.0, 1.0, 0.0]]


def test_products_are_those_of_smoothed_components() -> None:
    sums = summands(WORDS, "multiply", 0.5).sum(axis=0, keepdims=True)
    # (3.5 · 1.5, 1.5 · 0.5, 0.5 · 0.5) / (3.5 · 1.5)
    np.testing.assert_allclose(composed(sums, "multiply"), [[1, 0.75 / 5.25, 0.25 / 5.25]])


def test_products_without_a_component_are_zero() -> None:
    assert composed(np.zeros((1, 3)), "multiply").tolist() == [[0.0, 0.0, 0.0]]
    assert composed(np.zeros((0, 3)), "multiply").shape == (0, 3)


def test_what_cannot_be_composed() -> None:
    check_same_lemmas(Model("a", "none"), Model("b", "none"))
    with pytest.raises(InputError, match="got none in a and simplemma in b"):
        check_same_lemmas(Model("a", "none"), Model("b", "simplemma"))
