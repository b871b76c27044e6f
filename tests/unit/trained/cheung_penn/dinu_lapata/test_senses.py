from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, InputError, ResourceError
from lydite.trained.cheung_penn.dinu_lapata import Senses, open_senses


def test_distributions(senses: Senses) -> None:
    rows, known = senses.distributions(["bank", "emu", "water", "odd"])
    assert known.tolist() == [True, False, True, False]
    np.testing.assert_allclose(rows, [[2 / 3, 1 / 3], [0.0, 0.0], [1 / 8, 7 / 8], [0.0, 0.0]])


def test_likelihoods(senses: Senses) -> None:
    likelihoods = senses.likelihoods(np.array([1, 0]))
    np.testing.assert_allclose(likelihoods, [[1 / 3, 3 / 4], [2 / 3, 1 / 4]])
    np.testing.assert_allclose(likelihoods.sum(axis=0), 1)


def test_no_words(senses: Senses) -> None:
    rows, known = senses.distributions([])
    assert rows.shape == (0, 2)
    assert not len(known)


def test_there_and_back(senses: Senses, tmp_path: Path) -> None:
    senses.save(tmp_path / "below" / "model")
    found = open_senses(tmp_path / "below" / "model")
    assert list(found.lemmas) == list(senses.lemmas)
    assert list(found.contexts) == ["loan", "water"]
    assert (found.alpha, found.eta, found.lemmatizer) == (1.0, 1.0, "none")
    assert found.preparation == senses.preparation
    assert found.provenance["corpus"] == "by hand"
    np.testing.assert_array_equal(found.context_counts, senses.context_counts)
    for words in (["bank", "emu"], ["loan"]):
        np.testing.assert_array_equal(found.distributions(words)[0], senses.distributions(words)[0])
    assert [path.name for path in (tmp_path / "below").iterdir()] == ["model"]


def test_the_fingerprint_is_of_the_arrays(senses: Senses, tmp_path: Path) -> None:
    senses.save(tmp_path / "one")
    senses.save(tmp_path / "two")
    one, two = open_senses(tmp_path / "one"), open_senses(tmp_path / "two")
    assert one.fingerprint == two.fingerprint
    assert len(one.fingerprint) == 64


def test_a_folder_that_is_there(senses: Senses, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a new folder"):
        senses.save(tmp_path)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="expected a folder of latent senses, found none"):
        open_senses(tmp_path / "none")


def test_a_damaged_folder(senses: Senses, tmp_path: Path) -> None:
    senses.save(tmp_path / "model")
    with (tmp_path / "model" / "values").open("ab") as file:
        file.write(b"1")
    with pytest.raises(FormatError, match="expected latent senses, but: values has 17 bytes"):
        open_senses(tmp_path / "model")


def test_a_folder_of_another_kind(senses: Senses, tmp_path: Path) -> None:
    senses.save(tmp_path / "model")
    meta = tmp_path / "model" / "meta.json"
    meta.write_text(json.dumps(json.loads(meta.read_text()) | {"kind": "other"}))
    with pytest.raises(FormatError, match="of another kind"):
        open_senses(tmp_path / "model")


def test_arrays_that_do_not_fit(senses: Senses, tmp_path: Path) -> None:
    replace(senses, lemmas=senses.contexts).save(tmp_path / "model")
    with pytest.raises(FormatError, match=r"expected numbers .* in .starts., got"):
        open_senses(tmp_path / "model")
