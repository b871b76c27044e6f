from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.errors import InputError, ResourceError
from lydite.models.catalogue import model_fingerprint, model_spec
from lydite.models.combination import BackedOff
from lydite.models.protocols import TextModel, WordModel
from lydite.spaces.factorization import SparseMatrix
from lydite.spaces.vocabulary import Vocabulary
from lydite.trained.cheung_penn.contexts import PREPARATION
from lydite.trained.cheung_penn.mitchell_lapata import (
    MitchellLapata,
    MitchellLapataRecipe,
    write_vectors,
)
from lydite.trained.cheung_penn.named_rows import NamedRows

# The first three words are the dimensions; "the" is a function word.
WORDS = ["cat", "dog", "cow", "the", "void"]
VALUES: list[list[float]] = [[1, 0, 2], [3, 0, 0], [0, 4, 0], [0, 5, 0], [0, 0, 0]]


def written(
    folder: Path, words: list[str] = WORDS, values: list[list[float]] = VALUES, lemmas: str = "none"
) -> str:
    dense = np.array(values, dtype=np.float32)
    places, columns = np.nonzero(dense)
    matrix = SparseMatrix(
        starts=np.searchsorted(places, np.arange(len(dense) + 1)),
        columns=columns.astype(np.int32),
        values=dense[places, columns],
        width=dense.shape[1],
    )
    rows = NamedRows(
        words=Vocabulary.of(words),
        dimensions=Vocabulary.of(words[: dense.shape[1]]),
        matrix=matrix,
    )
    recipe = MitchellLapataRecipe()
    write_vectors(rows, folder, recipe=recipe, preparation=PREPARATION, lemmas=lemmas)
    return str(folder)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return written(tmp_path / "model")


def test_addition_by_hand(folder: str) -> None:
    model = MitchellLapata.open(folder)
    assert isinstance(model, TextModel)
    # cat + dog + dog = (1 + 3 + 3, 0, 2).
    assert model.encode(["The cat: dog, DOG.", "Cow"]).tolist() == [[7, 0, 2], [0, 4, 0]]


def test_multiplication_by_hand(folder: str) -> None:
    model = MitchellLapata.open(folder, compose="multiply", smoothing=1)
    # With 1 added: (2, 1, 3) * (4, 1, 1) = (8, 1, 3), then divided by 8.
    np.testing.assert_allclose(model.encode(["the cat, a dog"]), [[1, 1 / 8, 3 / 8]], rtol=1e-6)
    half = MitchellLapata.open(folder, compose="multiply", smoothing=0.5)
    # (1.5, 0.5, 2.5) * (3.5, 0.5, 0.5) = (5.25, 0.25, 1.25).
    expected = np.array([[5.25, 0.25, 1.25]]) / 5.25
    np.testing.assert_allclose(half.encode(["the cat, a dog"]), expected, rtol=1e-6)


def test_function_words_take_part_only_if_asked_for(folder: str) -> None:
    model = MitchellLapata.open(folder, function_words=True)
    assert model.encode(["the cat", "the"]).tolist() == [[1, 5, 2], [0, 5, 0]]


@pytest.mark.parametrize("compose", ["add", "multiply"])
def test_texts_without_a_known_word(folder: str, compose: str) -> None:
    model = MitchellLapata.open(folder, compose=compose)
    assert not model.encode(["", "the", "emu!", "void"]).any()
    assert model.encode([]).shape == (0, 3)


def test_a_product_of_many_words_is_no_zero(tmp_path: Path) -> None:
    # 500 factors of 1e-4 or 2e-4 are far below the smallest float.
    model = MitchellLapata.open(
        written(tmp_path / "model", ["cat", "dog"], [[1e-4, 2e-4], [2e-4, 1e-4]]),
        compose="multiply",
        smoothing=1e-12,
    )
    vectors = model.encode(["cat " * 500, "cat " * 249 + "dog " * 250])
    assert np.isfinite(vectors).all()
    # The first has 2^500 as much in its second component, the second twice as much in its first.
    np.testing.assert_allclose(vectors, [[0.0, 1.0], [1.0, 0.5]], rtol=1e-3, atol=1e-12)


def test_more_texts_than_are_composed_at_a_time(folder: str) -> None:
    model = MitchellLapata.open(folder)
    texts = ["cat", "dog cow"] * 1500
    assert model.encode(texts).tolist() == [[1, 0, 2], [3, 4, 0]] * 1500


def test_words_by_themselves(folder: str) -> None:
    model = MitchellLapata.open(folder, compose="multiply")
    assert isinstance(model, WordModel)
    found = model.lookup(["DOG", "emu", "void"])
    assert found.vectors.tolist() == [[3, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert found.found.tolist() == [True, False, False]


def test_the_spec_says_what_is_not_usual(folder: str) -> None:
    assert MitchellLapata.open(folder).spec == f"mitchell-lapata({folder})"
    model = MitchellLapata.open(folder, compose="multiply", smoothing=0.5, function_words=True)
    options = "compose=multiply, smoothing=0.5, function_words=true"
    assert model.spec == f"mitchell-lapata({folder}, {options})"


def test_words_of_the_domain(folder: str, tmp_path: Path) -> None:
    general = MitchellLapata.open(folder, compose="multiply", smoothing=1)
    # In the domain's dimensions, gene and dog, only dog is one of the general model.
    domain = written(tmp_path / "domain", ["gene", "dog"], [[1, 6], [9, 9]])
    both = BackedOff.open(general, MitchellLapata.open(domain))
    assert isinstance(both, TextModel)
    # gene = (0, 6, 0): (2, 1, 3) * (1, 7, 1) = (2, 7, 3). The general dog stays.
    np.testing.assert_allclose(
        both.encode(["cat gene", "dog", "emu"]),
        [[2 / 7, 1.0, 3 / 7], [1.0, 0.25, 0.25], [0.0, 0.0, 0.0]],
    )
    first, second = general.spec, f"mitchell-lapata({domain})"
    assert model_spec(both) == f"backoff({first}, {second})"
    assert model_fingerprint(both) not in {None, general.fingerprint}


def test_a_domain_with_other_lemmas(folder: str, tmp_path: Path) -> None:
    other = written(tmp_path / "other", lemmas="simplemma")
    with pytest.raises(InputError, match=r"lemmas of one kind, got none in .* and simplemma"):
        BackedOff.open(MitchellLapata.open(folder), MitchellLapata.open(other))


@pytest.mark.parametrize("smoothing", [0, -1, float("nan"), float("inf")])
def test_what_cannot_smooth(folder: str, smoothing: float) -> None:
    with pytest.raises(InputError, match="smoothing"):
        MitchellLapata.open(folder, compose="multiply", smoothing=smoothing)


def test_another_operation(folder: str) -> None:
    with pytest.raises(InputError, match="one of add, multiply, got 'mean'"):
        MitchellLapata.open(folder, compose="mean")


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="lydite train mitchell-lapata"):
        MitchellLapata.open(str(tmp_path / "none"))


def test_lemmas_of_a_dictionary(tmp_path: Path) -> None:
    pytest.importorskip("simplemma", reason="simplemma is absent")
    model = MitchellLapata.open(written(tmp_path / "model", lemmas="simplemma"))
    assert isinstance(model, MitchellLapata)
    assert model.encode(["Cats and dogs"]).tolist() == [[4, 0, 2]]
