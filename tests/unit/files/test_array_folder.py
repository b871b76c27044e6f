from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, InputError, ResourceError
from lydite.files.arrays import check_new, new_folder, opened_arrays, seal, write_arrays

KINDS = {"numbers": np.int32}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with new_folder(tmp_path / "deep" / "mine") as work:
        write_arrays(work, {"numbers": np.array([1.0, 2.0]), "unasked": np.zeros(1)}, KINDS)
        seal(work, KINDS, kind="sums", note="n")
    return tmp_path / "deep" / "mine"


def test_a_folder_is_written_and_opened(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["meta.json", "numbers"]
    with opened_arrays(folder, KINDS, what="sums", hint="h", kind="sums") as (arrays, facts):
        assert arrays["numbers"].tolist() == [1, 2]
        assert arrays["numbers"].dtype == np.int32
        assert facts["note"] == "n"
        assert "kind" not in facts


def test_a_folder_that_is_there_is_refused(folder: Path) -> None:
    check_new(folder.parent / "other")
    with pytest.raises(InputError, match="mine: expected a new folder"):
        check_new(folder)
    with pytest.raises(InputError, match="expected a new folder"), new_folder(folder):
        pass


def test_nothing_is_left_of_a_folder_that_did_not_become_whole(tmp_path: Path) -> None:
    kinds = {**KINDS, "lacking": np.int32}
    with pytest.raises(KeyError, match="lacking"), new_folder(tmp_path / "mine") as work:
        write_arrays(work, {"numbers": np.zeros(1)}, kinds)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_opened(folder: Path) -> None:
    absent = opened_arrays(folder / "nowhere", KINDS, what="sums", hint="h")
    with pytest.raises(ResourceError, match="expected a folder of sums, found none"), absent:
        pass
    other = opened_arrays(folder, KINDS, what="sums", hint="h", kind="means")
    with pytest.raises(FormatError, match="expected sums, but: of another kind"), other:
        pass
    unfit = opened_arrays(folder, KINDS, what="sums", hint="h")
    with pytest.raises(FormatError, match="expected sums, but: too few"), unfit:
        raise ValueError("too few")
    (folder / "numbers").write_bytes(b"")
    damaged = opened_arrays(folder, KINDS, what="sums", hint="h")
    with pytest.raises(FormatError, match="expected sums, but: numbers has 0 bytes"), damaged:
        pass
