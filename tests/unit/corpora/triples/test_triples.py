from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.corpora.triples.triples import Triples, open_triples
from lydite.errors import FormatError, InputError, ResourceError
from lydite.spaces.vocabulary import Vocabulary


def some() -> Triples:
    return Triples(
        lemmas=Vocabulary.of(["dog", "bark", "naïve"]),
        lemma_counts=np.array([4, 3, 1]),
        relations=("nsubj", "prep_of"),
        heads=np.array([1, 2], dtype=np.int32),
        kinds=np.array([0, 1], dtype=np.int32),
        dependents=np.array([0, 0], dtype=np.int32),
        counts=np.array([2, 1]),
        tokens=12,
        fingerprint="abc",
    )


def test_a_folder_holds_all(tmp_path: Path) -> None:
    some().save(tmp_path / "deep" / "triples")
    again = open_triples(tmp_path / "deep" / "triples")
    for name in ("lemma_counts", "heads", "kinds", "dependents", "counts"):
        np.testing.assert_array_equal(getattr(again, name), getattr(some(), name))
        assert getattr(again, name).dtype == getattr(some(), name).dtype
    assert list(again.lemmas) == ["dog", "bark", "naïve"]
    assert again.lemmas.find(["naïve", "cat"]).tolist() == [2, -1]
    assert again.relations == ("nsubj", "prep_of")
    assert (again.tokens, again.fingerprint, len(again)) == (12, "abc", 2)
    # Nothing else is left behind.
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["triples"]


def test_a_folder_is_not_overwritten(tmp_path: Path) -> None:
    some().save(tmp_path / "triples")
    with pytest.raises(InputError, match="expected a new folder"):
        some().save(tmp_path / "triples")


def test_absent_and_damaged_folders_are_told(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="found none"):
        open_triples(tmp_path / "absent")
    some().save(tmp_path / "triples")
    (tmp_path / "triples" / "counts").write_bytes(b"cut")
    with pytest.raises(FormatError, match="counts has 3 bytes, not 16"):
        open_triples(tmp_path / "triples")
