from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import InputError
from lydite.lexicons.information_content import CorpusKind, count_labels
from lydite.lexicons.taxonomy import Taxonomy, TaxonomyBuilder


def tree() -> Taxonomy:
    builder = TaxonomyBuilder(name="tree", sha256="")
    for word in ("animal", "turkey", "Turkey", "cold turkey"):
        builder.add_concept(word, [word])
    builder.add_edge("is-a", "turkey", "animal")
    return builder.build()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("turkey\t3\n", "list"),
        ("# from a book\nword,count\nturkey,3\n", "list"),
        ("3 turkey\n1 emu\n", "list"),
        ("turkey 2\n" * 5000, "list"),
        ("A turkey and 3.\nAn animal, 5\n", "text"),
        ("turkey", "text"),
        ("the/at turkey/nn\n", "tagged"),
        ("turkey\tNN\nis\tVB\n", "tagged"),
    ],
)
def test_the_content_decides_the_kind(content: str, kind: CorpusKind, tmp_path: Path) -> None:
    path = tmp_path / "corpus"
    path.write_text(content)
    assert count_labels([path], tree()).kind == kind


def test_a_label_as_written_comes_before_any_case(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("Turkey, TURKEY, turkey! Animal. COLD\nTurkey; cold\n\nturkey")
    found = count_labels([path], tree())
    # animal; turkey in small letters, in capitals, and after a blank line; the country; the phrase.
    assert found.own.tolist() == [1, 3, 1, 1]
    assert (found.tokens, found.known_tokens, found.words, found.known) == (7, 6, 5, 4)


def test_files_of_a_corpus_are_added_up_and_no_phrase_joins_them(tmp_path: Path) -> None:
    for name, text in (("a", "a cold"), ("b", "turkey")):
        (tmp_path / name).write_text(text)
    found = count_labels([tmp_path / "a", tmp_path / "b"], tree())
    assert found.own.tolist() == [0, 1, 0, 0]


def test_lists_and_texts_do_not_mix(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("turkey\t3\n")
    (tmp_path / "b").write_text("A turkey.\n")
    with pytest.raises(InputError, match="expected files of one kind, got list and text"):
        count_labels([tmp_path / "a", tmp_path / "b"], tree())
