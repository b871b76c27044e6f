from __future__ import annotations

from pathlib import Path

import pytest

from lydite.lexicons.wordnet.database import LEXICOGRAPHER_FILES, SUPERSENSES, supersense


def test_there_are_26_of_nouns_and_15_of_verbs() -> None:
    assert len(LEXICOGRAPHER_FILES) == 45
    assert sum(name.startswith("noun.") for name in SUPERSENSES) == 26
    assert sum(name.startswith("verb.") for name in SUPERSENSES) == 15


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("1:03:00::", "noun.Tops"),
        ("1:28:00::", "noun.time"),
        ("2:29:00::", "verb.body"),
        ("2:43:00::", "verb.weather"),
        ("5:00:00:past:00", None),
        ("3:44:00::", None),
        ("1:99:00::", None),
    ],
)
def test_the_second_number_of_a_key_is_the_supersense(key: str, expected: str | None) -> None:
    assert supersense(key) == expected


def test_the_names_are_those_of_wordnet(shared_data: Path) -> None:
    lines = (shared_data / "wordnet-3.0" / "lexnames").read_text().splitlines()
    assert tuple(line.split()[1] for line in lines) == LEXICOGRAPHER_FILES
