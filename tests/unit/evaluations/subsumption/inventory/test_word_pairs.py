from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError, ResourceError
from lydite.evaluations.subsumption.inventory import WordPairs, read_word_pairs

BLESS = (
    "alligator-n\tamphibian_reptile\tattri\tgreen-j\n"
    "alligator-n\tamphibian_reptile\thyper\tanimal-n\n"
    "alligator-n\tamphibian_reptile\tmero\ttail-n\n"
    "t-shirt-n\tclothing\thyper\tgarment-n\n"
)


def read(folder: Path, text: str, relation: str = "hypernymy") -> WordPairs:
    path = folder / "pairs.tsv"
    path.write_bytes(text.encode())
    return read_word_pairs(path, relation)


def rows(pairs: WordPairs) -> list[tuple[str, str, str]]:
    return list(zip(pairs.specific, pairs.general, pairs.classes, strict=True))


def test_hypernyms_of_bless_are_concept_and_relatum(tmp_path: Path) -> None:
    pairs = read(tmp_path, BLESS)
    assert rows(pairs) == [
        ("alligator", "animal", "amphibian_reptile"),
        ("t-shirt", "garment", "clothing"),
    ]
    assert len(pairs) == 2


def test_parts_of_bless_are_the_specific_words(tmp_path: Path) -> None:
    assert rows(read(tmp_path, BLESS, "meronymy")) == [("tail", "alligator", "amphibian_reptile")]


def test_bless_without_a_pair_of_the_relation_gives_none(tmp_path: Path) -> None:
    assert len(read(tmp_path, BLESS.splitlines()[0] + "\n")) == 0


def test_a_relation_that_bless_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="BLESS has pairs of hypernymy and meronymy, got 'causes'"):
        read(tmp_path, BLESS, "causes")


def test_a_short_line_of_bless_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"pairs.tsv:5: expected the four columns.*got 2"):
        read(tmp_path, BLESS + "crow-n\tbird\n")


@pytest.mark.parametrize(
    "text",
    [
        "dog\tanimal\tpets\noak\tplant\n",
        "dog,animal,pets\noak,plant\n",
        "dog , animal, pets\r\noak, plant\r\n",
        "\ufeff# mine\n\nspecific\tgeneral\tclass\ndog\tanimal\tpets\noak\tplant\t\n",
        "Hyponym,Hypernym,Class\ndog,animal,pets\noak,plant\n",
    ],
)
def test_pairs_of_ones_own(tmp_path: Path, text: str) -> None:
    assert rows(read(tmp_path, text)) == [("dog", "animal", "pets"), ("oak", "plant", "")]


def test_phrases_may_hold_blanks_and_with_tabs_commas(tmp_path: Path) -> None:
    text = "ice cream\tcold, sweet dish\n"
    assert rows(read(tmp_path, text)) == [("ice cream", "cold, sweet dish", "")]


@pytest.mark.parametrize("first", ["child\tperson", "word\tlanguage", "part\tthing", "a\tletter"])
def test_a_pair_whose_first_word_could_name_a_column_is_a_pair(tmp_path: Path, first: str) -> None:
    specific, general = first.split("\t")
    pairs = read(tmp_path, f"{first}\ndog\tanimal\n")
    assert (pairs.specific, pairs.general) == ((specific, "dog"), (general, "animal"))


@pytest.mark.parametrize("line", ["dog", "dog\t", "\tanimal", "dog\tanimal\tpets\t1"])
def test_a_line_that_is_no_pair_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(FormatError, match=r"pairs.tsv:2: expected two words"):
        read(tmp_path, f"cat\tanimal\n{line}\n")


def test_an_empty_file_and_an_absent_one_are_errors(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="expected pairs of words, got none"):
        read(tmp_path, "# nothing\n")
    with pytest.raises(ResourceError):
        read_word_pairs(tmp_path / "absent.tsv", "hypernymy")
