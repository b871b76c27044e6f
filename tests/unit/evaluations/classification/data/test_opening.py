from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError
from lydite.evaluations.classification.data import FILES, open_tasks


def test_metaphors_are_phrases(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in FILES]
    for path in paths:
        path.write_text("bare outline\n")
    opened = open_tasks(paths)
    assert (opened.phrases, opened.tokenised) == (True, True)


@pytest.mark.parametrize(
    ("text", "tokenised"), [("1 fine\n0 poor\n", True), ("label,text\n1,fine\n0,poor\n", False)]
)
def test_lines_with_labels_are_tokenised_and_tables_are_not(
    tmp_path: Path, text: str, tokenised: bool
) -> None:
    path = tmp_path / "x"
    path.write_text(text)
    opened = open_tasks([path])
    assert (opened.phrases, opened.tokenised) == (False, tokenised)


def test_a_task_of_newsgroups_is_asked_of_newsgroups_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("label,text\n1,fine\n0,poor\n")
    with pytest.raises(InputError, match=r"task=sports is of 20 Newsgroups, got x.csv"):
        open_tasks([path], task="sports")


def test_an_archive_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.tar.gz"
    path.write_text("label,text\n1,fine\n0,poor\n")
    with pytest.raises(FormatError, match=r"x.tar.gz"):
        open_tasks([path])
