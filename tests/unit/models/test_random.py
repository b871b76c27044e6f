import json
import subprocess
import sys

import numpy as np
import pytest

from lydite.errors import InputError, SpecError
from lydite.models.baselines import RandomModel
from lydite.models.catalogue import load

WORDS = [f"word{i}" for i in range(5000)]


def test_the_same_text_has_the_same_vector_in_any_order_and_company() -> None:
    model = RandomModel(16)
    whole = model.encode(WORDS[:200])
    np.testing.assert_array_equal(model.encode(WORDS[199::-1]), whole[::-1])
    np.testing.assert_array_equal(model.encode([WORDS[7]]), whole[7:8])
    np.testing.assert_array_equal(model.encode([WORDS[7], WORDS[7]]), whole[[7, 7]])


def test_the_same_text_has_the_same_vector_in_another_process() -> None:
    texts = ["cat", "", "日本 語", "a" * 1000]
    code = (
        "import json, sys; from lydite.models.baselines import RandomModel; "
        "print(RandomModel(4, seed=9).encode(json.loads(sys.argv[1])).tolist())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(texts)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == RandomModel(4, seed=9).encode(texts).tolist()


def test_numbers_are_standard_normal() -> None:
    # 250,000 numbers: the standard error of the mean is 0.002, of the variance 0.0028, and of the
    # share within one deviation, 0.6827 for a Gaussian, 0.0009. The tolerances are five of these.
    numbers = RandomModel(50).encode(WORDS).astype(np.float64)
    assert abs(numbers.mean()) < 0.01
    assert abs(numbers.var() - 1) < 0.014
    assert abs((np.abs(numbers) < 1).mean() - 0.6827) < 0.005
    assert np.isfinite(numbers).all()


def test_components_are_independent() -> None:
    # Correlations of 5,000 pairs have a standard error of 0.014; the largest of 1,225 pairs of
    # components stays below five of them.
    correlations = np.corrcoef(RandomModel(50).encode(WORDS).T)
    assert np.abs(correlations - np.eye(50)).max() < 0.07


def test_texts_are_independent() -> None:
    # Cosines of texts in 1,000 dimensions have a standard error of 0.032.
    vectors = RandomModel(1000).encode(["cat", "cats", "ca", "Cat", "cat ", "tac", ""])
    cosines = np.corrcoef(vectors)
    assert np.abs(cosines - np.eye(7)).max() < 0.16


@pytest.mark.parametrize("other", [1, 2, 2**63, 2**64 - 1])
def test_seeds_are_independent(other: int) -> None:
    # 20,000 pairs of numbers: a standard error of 0.007.
    first, second = (RandomModel(4, seed=seed).encode(WORDS).ravel() for seed in (0, other))
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.036


def test_more_dimensions_do_not_repeat() -> None:
    assert len(np.unique(RandomModel(500).encode(["cat"]))) == 500


def test_every_word_is_found() -> None:
    lookup = RandomModel(3).lookup(["cat", ""])
    assert lookup.found.tolist() == [True, True]
    assert lookup.vectors.dtype == np.float32
    assert lookup.vectors.shape == (2, 3)


def test_one_dimension_is_enough() -> None:
    assert load("random(1)").encode(["cat"]).shape == (1, 1)


def test_no_texts() -> None:
    assert RandomModel(3).encode([]).shape == (0, 3)


@pytest.mark.parametrize("spec", ["random(3)", "random(3, seed=18446744073709551615)"])
def test_spec_round_trips(spec: str) -> None:
    model = load(spec)
    assert isinstance(model, RandomModel)
    assert model.spec == model.fingerprint == spec
    assert load(model.spec) == model


def test_a_seed_of_zero_goes_without_saying() -> None:
    assert load("random(3, seed=0)").spec == "random(3)"


@pytest.mark.parametrize("dim", [0, -1, True, 2.0, "3"])
def test_a_dimension_is_a_whole_number_from_one(dim: int) -> None:
    with pytest.raises(InputError, match=f"expected dim to be a whole number from 1, got {dim!r}"):
        RandomModel(dim)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True])
def test_a_seed_is_a_whole_number_of_64_bits(seed: int) -> None:
    with pytest.raises(InputError, match=f"a whole number from 0 to {2**64 - 1}, got {seed!r}"):
        RandomModel(3, seed=seed)


def test_a_spec_without_dimension_says_what_is_missing() -> None:
    with pytest.raises(SpecError) as caught:
        load("random")
    assert str(caught.value) == (
        "random: missing a required argument: 'dim'\nhint: expected random(dim, seed=0)"
    )
