from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from lydite.files.arrays import DamagedFolderError, discard, map_arrays, seal, working_folder

KINDS = {"numbers": np.int32, "nothing": np.float64}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    np.arange(5, dtype=np.int32).tofile(tmp_path / "numbers")
    (tmp_path / "nothing").touch()
    seal(tmp_path, KINDS, note={"a": 1})
    return tmp_path


def test_arrays_are_mapped_with_their_facts(folder: Path) -> None:
    arrays, facts = map_arrays(folder, KINDS)
    assert arrays["numbers"].tolist() == [0, 1, 2, 3, 4]
    assert arrays["nothing"].shape == (0,)
    assert arrays["nothing"].dtype == np.float64
    assert facts["note"] == {"a": 1}
    with pytest.raises(ValueError, match="read-only"):
        arrays["numbers"][0] = 1


def test_what_is_not_there_or_not_what_was_written(folder: Path) -> None:
    with pytest.raises(FileNotFoundError):
        map_arrays(folder / "nowhere", KINDS)
    with pytest.raises(DamagedFolderError, match="other"):
        map_arrays(folder, {**KINDS, "other": np.int32})
    content = (folder / "numbers").read_bytes()
    (folder / "numbers").write_bytes(content[:-4] + b"\1\1\1\1")
    os.utime(folder / "numbers", ns=(0, 12345))
    with pytest.raises(DamagedFolderError, match="numbers has another checksum"):
        map_arrays(folder, KINDS)
    (folder / "numbers").write_bytes(content[:-4])
    with pytest.raises(DamagedFolderError, match="numbers has 16 bytes, not 20"):
        map_arrays(folder, KINDS)
    (folder / "numbers").unlink()
    with pytest.raises(DamagedFolderError, match="numbers is missing"):
        map_arrays(folder, KINDS)


def test_working_folders_are_open_to_others_and_old_ones_removed(tmp_path: Path) -> None:
    old = working_folder(tmp_path)
    os.utime(old, (0, 0))
    young = working_folder(tmp_path)
    assert young.parent == tmp_path
    assert young.stat().st_mode & 0o777 == 0o755
    assert not old.exists()
    elsewhere = working_folder(None)
    assert elsewhere.parent != tmp_path
    discard(elsewhere)
    assert not elsewhere.exists()


def test_discarding_what_is_gone_already(tmp_path: Path) -> None:
    discard(tmp_path / "gone")
    assert list(tmp_path.iterdir()) == []
