from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.paraphrases.groups import Row
from lydite.corpora.paraphrases.layouts import read_authors
from lydite.errors import FormatError

HEADER = "phrase_index,paraphrase_group_index\n"


@pytest.fixture
def phrases(tmp_path: Path) -> Path:
    path = tmp_path / "phrases.txt"
    path.write_text("One.\nTwo.\nThree.\n\n")
    return path


def index(folder: Path, rows: str) -> Path:
    path = folder / "phrase_groups.csv"
    path.write_text(HEADER + rows)
    return path


def test_phrases_are_numbered_from_zero_whatever_the_order(tmp_path: Path, phrases: Path) -> None:
    assert read_authors(phrases, index(tmp_path, "2,0\n0,7\n1,0\n")) == [
        Row("7", "One.", phrases, 1),
        Row("0", "Two.", phrases, 2),
        Row("0", "Three.", phrases, 3),
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("0,0\n1,0\n3,1\n", r"phrase_groups.csv:4: .*0 to 2, got 3"),
        ("0,0\n-1,0\n", r"phrase_groups.csv:3: expected two whole numbers, got '-1,0'"),
        ("0,0\n1\n", r"phrase_groups.csv:3: expected two whole numbers, got '1'"),
        ("0,0\n1,0\n0,1\n", r"phrase_groups.csv:4: .*phrase 0 again, in group 1 after 0: 'One.'"),
        ("0,0\n2,0\n", r"phrases.txt:2: .*none for phrase 1: 'Two.'"),
    ],
)
def test_faulty_numbers_are_errors(tmp_path: Path, phrases: Path, rows: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_authors(phrases, index(tmp_path, rows))


def test_a_blank_phrase_is_an_error(tmp_path: Path) -> None:
    phrases = tmp_path / "phrases.txt"
    phrases.write_text("One.\n \nThree.\n")
    with pytest.raises(FormatError, match=r"phrases.txt:2: .*group '5', got an empty text"):
        read_authors(phrases, index(tmp_path, "0,0\n1,5\n2,0\n"))
