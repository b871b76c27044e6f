from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError
from lydite.lexicons.neighbours import neighbours_in, read_neighbours
from lydite.lexicons.taxonomy_files import open_taxonomy


def written(content: str, folder: Path) -> Path:
    path = folder / "lexicon.txt"
    path.write_bytes(content.encode())
    return path


def test_neighbours_have_a_direction_and_stand_once(tmp_path: Path) -> None:
    lexicon = read_neighbours(written("glad happy Happy glad\ntable\nhappy joyful\n", tmp_path))
    assert lexicon.of("glad") == ["happy"]
    assert lexicon.of("happy") == ["joyful"]
    assert lexicon.of("joyful") == lexicon.of("table") == lexicon.of("emu") == []
    assert list(lexicon.words) == ["glad", "happy", "joyful"]


def test_words_end_at_blanks_alone(tmp_path: Path) -> None:
    lexicon = read_neighbours(written("a b\u00a0c \x1c\x0b d\u2028e\r\n", tmp_path))
    assert lexicon.of("a") == ["b\u00a0c", "\x1c\x0b", "d\u2028e"]


def test_lines_of_one_word_are_joined_or_the_last_one_is_kept(tmp_path: Path) -> None:
    path = written("light lamp\nheavy big\nlight pale lamp\n", tmp_path)
    assert read_neighbours(path).of("light") == ["lamp", "pale"]
    assert read_neighbours(path, repeats="last").of("light") == ["pale", "lamp"]


def test_case_and_numbers_stay_where_asked(tmp_path: Path) -> None:
    path = written("Two 2 deux ...\n", tmp_path)
    assert read_neighbours(path, lower=False).of("Two") == ["2", "deux", "..."]
    assert read_neighbours(path, plain=True).of("two") == ["deux"]


def test_other_content_has_another_fingerprint(tmp_path: Path) -> None:
    one = read_neighbours(written("a b\n", tmp_path)).fingerprint
    assert one == read_neighbours(written("a b\nc\n", tmp_path)).fingerprint
    assert one != read_neighbours(written("b a\n", tmp_path)).fingerprint


@pytest.mark.parametrize("content", ["", "alone\nwithout\n", "self self\n"])
def test_a_file_without_neighbours_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(FormatError, match="got none"):
        read_neighbours(written(content, tmp_path))


def test_other_encodings_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.txt"
    path.write_bytes(b"a b\nc \xe9\n")
    with pytest.raises(FormatError, match=r"lexicon\.txt:2"):
        read_neighbours(path)


def test_a_taxonomy_gives_parents_and_children(tmp_path: Path) -> None:
    path = tmp_path / "edges.tsv"
    path.write_text("dog\tanimal\tis-a\ncat\tanimal\tis-a\npuppy\tdog\tis-a\n")
    taxonomy = open_taxonomy([path], name="edges", sha256="0" * 64)
    assert neighbours_in(taxonomy, ["hypernyms"]).of("dog") == ["animal"]
    assert sorted(neighbours_in(taxonomy).of("dog")) == ["animal", "puppy"]
    assert sorted(neighbours_in(taxonomy, ["hyponyms"]).of("animal")) == ["cat", "dog"]
    assert neighbours_in(taxonomy, ["synonyms"]).of("dog") == []


def test_unknown_relations_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "edges.tsv"
    path.write_text("dog\tanimal\tis-a\n")
    taxonomy = open_taxonomy([path], name="edges", sha256="1" * 64)
    with pytest.raises(InputError, match="got antonyms"):
        neighbours_in(taxonomy, ["antonyms"])  # type: ignore[list-item]


def test_wordnet_gives_synonyms_of_all_senses(shared_data: Path) -> None:
    taxonomy = open_taxonomy([shared_data / "wordnet-3.0"], name="wordnet-3.0", sha256="2" * 64)
    lexicon = neighbours_in(taxonomy, ["synonyms"])
    assert {"auto", "automobile", "railcar", "cable car"} <= set(lexicon.of("car"))
    assert "car" not in lexicon.of("car")
    assert "motor vehicle" in neighbours_in(taxonomy).of("car")


@pytest.mark.parametrize(
    ("file", "words", "neighbours"), [("ppdb-xl", 102_902, 374_555), ("framenet", 7_838, 416_782)]
)
def test_the_lists_for_retrofitting_are_read_whole(
    shared_data: Path, file: str, words: int, neighbours: int
) -> None:
    lexicon = read_neighbours(shared_data / "lexicons" / f"{file}.txt")
    assert (len(lexicon), len(lexicon.lists.items)) == (words, neighbours)
