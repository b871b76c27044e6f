from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError, ResourceError
from lydite.evaluations.classification.data import FILES, are_metaphors, read_metaphors
from lydite.resources.catalogue import locate


def written(folder: Path, **lines: str) -> list[Path]:
    paths = []
    for name in FILES:
        path = folder / name
        path.write_text(lines.get(path.stem, f"bare {path.stem}\n\n"))
        paths.append(path)
    return paths


def test_the_file_says_class_and_split(tmp_path: Path) -> None:
    extra = tmp_path / "svo_mets.txt"
    extra.write_text("economy move direction\n")
    paths = [*written(tmp_path), extra]
    assert are_metaphors(paths)
    task = read_metaphors(paths)
    assert task.classes == ("literal", "metaphor")
    assert task.train.labels.tolist() == [1, 0]
    assert task.test is not None
    assert task.test.texts == ("bare an_mets", "bare an_nonmets")
    assert task.test.labels.tolist() == [1, 0]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"but an_nonmets.txt are missing"):
        read_metaphors(written(tmp_path)[:-1])


def test_a_phrase_of_three_words_is_refused_with_its_line(tmp_path: Path) -> None:
    paths = written(tmp_path, an_mets="bare outline\na very bare one\n")
    with pytest.raises(FormatError, match=r"an_mets.txt:2: expected an adjective and a noun"):
        read_metaphors(paths)


def test_the_real_files(shared_data: Path) -> None:
    task = read_metaphors(locate("metaphor-tsvetkov-2014").paths)
    assert [int((task.train.labels == label).sum()) for label in (0, 1)] == [879, 884]
    assert task.test is not None
    assert [int((task.test.labels == label).sum()) for label in (0, 1)] == [100, 100]
