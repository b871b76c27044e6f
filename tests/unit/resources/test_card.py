from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.resources.card import Card, is_inside, read_card, read_citations

SHA = "0" * 64
HEAD = """
name = "toy-pairs"
title = "Toy pairs"
kind = "similarity"
format = "word1 TAB word2 TAB score"
licence = "CC0 1.0"
redistributable = true
citation = "toy-2020"
source = "nowhere"
"""
FILE = f"""
[[files]]
path = "toy/pairs.txt"
sha256 = "{SHA}"
bytes = 12
url = "https://example.org/pairs.txt"
"""


def card_from(folder: Path, text: str, *, name: str = "toy-pairs") -> Card:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return read_card(path)


def test_a_small_card_has_the_defaults(tmp_path: Path) -> None:
    card = card_from(tmp_path, HEAD + FILE)
    assert card.name == "toy-pairs"
    assert card.encoding == "utf-8"
    assert card.defects == ()
    assert not card.starter
    assert card.bytes == 12
    assert card.fetchable
    assert card.files[0].role == "data"


def test_a_licence_file_is_not_data(tmp_path: Path) -> None:
    licence = FILE.replace("pairs.txt", "LICENSE") + 'role = "licence"\n'
    card = card_from(tmp_path, HEAD + FILE + licence)
    assert [file.path for file in card.data_files] == ["toy/pairs.txt"]
    assert len(card.files) == 2


def test_one_file_without_an_address_has_to_be_brought(tmp_path: Path) -> None:
    other = FILE.replace("pairs.txt", "more.txt").replace("url", "# url")
    assert not card_from(tmp_path, HEAD + FILE + other).fetchable


def test_a_member_has_the_address_of_its_archive(tmp_path: Path) -> None:
    archive = FILE.replace("[[files]]", "[archive]").replace("pairs.txt", "all.zip")
    member = FILE.replace("url = ", 'member = "in/pairs.txt" #')
    card = card_from(tmp_path, HEAD + archive + 'unpack = "zip"\n' + member)
    assert card.address(card.files[0]) == "https://example.org/all.zip"
    assert card.fetchable


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('citation = "toy-2020"', "", r"citation: expected a value"),
        ("redistributable = true", 'redistributable = "yes"', r"redistributable: expected true or"),
        ('kind = "similarity"', 'kind = "similarities"', r"kind: expected one of .*'similarities'"),
        ('title = "Toy pairs"', "title = 3", r"title: expected a text, got 3"),
        ('title = "Toy pairs"', 'title = ""', r"title: expected a text that is not empty"),
        ('name = "toy-pairs"', 'name = "Toy Pairs"', r"name: expected lower-case words"),
        ('name = "toy-pairs"', 'name = "toy"', r"name: expected 'toy-pairs'"),
        ("bytes = 12", "bytes = 0", r"files\[0\]\.bytes: expected a whole number above zero"),
        ("bytes = 12", "bytes = true", r"files\[0\]\.bytes: expected a whole number"),
        (SHA, SHA[1:], r"files\[0\]\.sha256: expected 64"),
        (SHA, "A" * 64, r"files\[0\]\.sha256: expected 64 lower-case"),
        ("https://example", "http://example", r"files\[0\]\.url: expected an https address"),
        ("https://example", "https://me:pw@example", r"files\[0\]\.url: expected an https"),
        ("org/pairs", "org/the pairs", r"files\[0\]\.url: expected an https address"),
        ("toy/pairs.txt", "../pairs.txt", r"files\[0\]\.path: expected a path that stays below"),
        ("bytes = 12", 'bytes = 12\nmember = "pairs.txt"', r"archive: expected one"),
        ("bytes = 12", 'bytes = 12\nrole = "licence"', r"files: expected at least one data file"),
        ("[[files]]", "[files]", r"files: expected a list of tables"),
        ('source = "nowhere"', "source = ", r"expected TOML"),
        ('source = "nowhere"', 'source = "n"\nstarter = true', r"starter: expected files without"),
        ('source = "nowhere"', 'source = "n"\ndefects = "CRLF"', r"defects: expected a list"),
    ],
)
def test_a_wrong_value_is_named_with_its_file_and_key(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    text = HEAD + FILE
    assert old in text
    with pytest.raises(FormatError, match=complaint) as caught:
        card_from(tmp_path, text.replace(old, new))
    assert "toy-pairs.toml" in str(caught.value)


def test_an_unknown_key_is_refused_with_the_nearest_known_one(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="license: unknown key\nhint: did you mean licence"):
        card_from(tmp_path, 'license = "MIT"' + HEAD + FILE)
    with pytest.raises(FormatError, match=r"files\[0\]\.size: unknown key"):
        card_from(tmp_path, HEAD + FILE + "size = 12")


def test_a_path_is_given_once(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="files: expected each path once"):
        card_from(tmp_path, HEAD + FILE + FILE)


@pytest.mark.parametrize(
    "name", ["", ".", "..", "/a", "a/../../b", "a\\b", "c:/a", "a\nb", "../a", "a/.."]
)
def test_paths_that_could_leave_their_folder_are_outside(name: str) -> None:
    assert not is_inside(name)


def test_a_reference_is_read_whole_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "citations.toml"
    entry = '[a-2000]\nauthor = "A"\ntitle = "T"\nvenue = "V"\nyear = 2000\n'
    path.write_text(entry + 'text = "A (2000). T. V."\n', encoding="utf-8")
    assert read_citations(path)["a-2000"].year == 2000
    path.write_text(entry, encoding="utf-8")
    with pytest.raises(FormatError, match=r"a-2000\.text: expected a value"):
        read_citations(path)
