from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError, ResourceError
from lydite.lexicons import taxonomy as problems
from lydite.lexicons.taxonomy import Taxonomy
from lydite.lexicons.taxonomy_files import read_edge_list


def _read(folder: Path, content: str | bytes) -> Taxonomy:
    path = folder / "edges.tsv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_edge_list(path, name="edges", sha256="abc")


def _edges(taxonomy: Taxonomy, kind: str = "is-a") -> list[tuple[str, str]]:
    lists = taxonomy.parents[kind]
    return [
        (taxonomy.concepts[child], taxonomy.concepts[parent])
        for child, parent in zip(lists.owners(), lists.items, strict=True)
    ]


def _senses(taxonomy: Taxonomy, word: str) -> list[str]:
    place = int(taxonomy.words.find([word])[0])
    return [taxonomy.concepts[concept] for concept in taxonomy.senses[place]]


@pytest.mark.parametrize(
    "text",
    [
        "dog\tanimal\nanimal\tliving thing\n",
        "dog,animal\nanimal,living thing\n",
        "dog\tanimal\r\nanimal\tliving thing\r\n",
        "\ufeffdog\tanimal\nanimal\tliving thing",
        "# a comment\n\ndog\tanimal\n\nanimal\tliving thing\n",
        "child\tparent\ndog\tanimal\nanimal\tliving thing\n",
        "Child,Parent,Relation\ndog,animal,is_a\nanimal,living thing,hypernymy\n",
        "parent\tchild\nanimal\tdog\nliving thing\tanimal\n",
        "source,relation,child,parent\nx,broader,dog,animal\nx,,animal,living thing\n",
        "child\tkind\tparent\ndog\tis-a\tanimal\nanimal\tis-a\tliving thing\n",
        " dog \t animal\nanimal\tliving   thing\n",
        '"dog", "animal"\n"animal","living thing"\n',
        "dog\tanimal\t\nanimal\tliving thing\tsubclass of\n",
        "dog\tanimal\tis-a\t0.9\tnote\nanimal\tliving thing\tis-a\t0.8\tnote\n",
    ],
    ids=[
        "tabs", "commas", "crlf", "bom", "comments", "header", "csv-header", "turned-header",
        "far-header", "other-name", "padding", "quotes", "empty-relation", "more-columns",
    ],
)  # fmt: skip
def test_every_layout_gives_the_same_taxonomy(text: str, tmp_path: Path) -> None:
    taxonomy = _read(tmp_path, text)
    assert set(taxonomy.parents) == {"is-a"}
    assert sorted(_edges(taxonomy)) == [("animal", "living thing"), ("dog", "animal")]
    assert sorted(taxonomy.words) == ["animal", "dog", "living thing"]
    assert taxonomy.problems == {problems.ROOT: 1}
    assert (taxonomy.name, taxonomy.fingerprint) == ("edges", "abc")


def test_relations_are_told_apart(tmp_path: Path) -> None:
    taxonomy = _read(
        tmp_path,
        "dog\tanimal\tHypernymy\nRex\tdog\tinstance_of\ntail\tdog\tpart of\n"
        "dog\tpack\tmember\nice\tglacier\tsubstance_of\ndog\tcat\tChases away\n",
    )
    assert {kind: _edges(taxonomy, kind) for kind in taxonomy.parents} == {
        "is-a": [("dog", "animal")],
        "instance": [("Rex", "dog")],
        "part": [("tail", "dog")],
        "member": [("dog", "pack")],
        "substance": [("ice", "glacier")],
        "chases-away": [("dog", "cat")],
    }
    assert len(taxonomy.upward("meronymy").items) == 3


def test_a_relation_that_is_not_there_is_explained(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        _read(tmp_path, "tail\tdog\tpart\n").upward("hypernymy")
    assert caught.value.message == "edges has no edge of the relation 'hypernymy'"
    assert caught.value.hint is not None
    assert caught.value.hint.endswith("there are meronymy, part")


def test_underscores_are_blanks_in_words_only(tmp_path: Path) -> None:
    taxonomy = _read(tmp_path, "hot_dog\tfast food\n")
    assert list(taxonomy.concepts) == ["hot_dog", "fast food"]
    assert list(taxonomy.words) == ["hot dog", "fast food"]


def test_parentheses_tell_homographs_apart(tmp_path: Path) -> None:
    taxonomy = _read(
        tmp_path, "bank (river)\tland\nbank_(money)\tcompany\n(sic)\tland\nf(x) value\tland\n"
    )
    assert _senses(taxonomy, "bank") == ["bank (river)", "bank_(money)"]
    assert _senses(taxonomy, "(sic)") == ["(sic)"]
    assert _senses(taxonomy, "f(x) value") == ["f(x) value"]
    assert taxonomy.problems[problems.SHARED_LABEL] == 1


def test_synonyms_are_further_words(tmp_path: Path) -> None:
    taxonomy = _read(
        tmp_path,
        "dog\tdomestic_dog\tsynonym\ndog\tanimal\ndog\thound (pet)\tLabel\ncur\tdog\tsynonym\n",
    )
    place = int(taxonomy.concepts.find(["dog"])[0])
    assert [taxonomy.words[w] for w in taxonomy.labels[place]] == ["dog", "domestic dog", "hound"]
    assert _senses(taxonomy, "dog") == ["dog", "cur"]
    assert "domestic_dog" not in taxonomy.concepts


def test_what_is_odd_is_counted(tmp_path: Path) -> None:
    # a and b are above each other, c has two parents, d stands twice, e is its own parent.
    taxonomy = _read(tmp_path, "a\tb\nb\ta\nc\ta\nc\tr\nd\tr\nd\tr\ne\te\ne\tr\n")
    assert taxonomy.problems == {
        problems.DUPLICATE_EDGE: 1,
        problems.SELF_LOOP: 1,
        problems.ON_CYCLE: 2,
        problems.SEVERAL_PARENTS: 1,
        problems.ROOT: 1,
    }


def test_words_stay_as_they_are_written(tmp_path: Path) -> None:
    taxonomy = _read(tmp_path, 'FBI\tnull\n2000\tnaïve\n"quoted"\t#\n')
    assert list(taxonomy.words) == ["FBI", "null", "2000", "naïve", '"quoted"', "#"]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (1, "dog\n"),
        (1, "dog animal\n"),
        (2, "dog\tanimal\n\tanimal\n"),
        (2, "dog\tanimal\ndog\t\n"),
        (2, "dog\tanimal\ndog\t \tis-a\n"),
        (3, "# comment\ndog,animal\n,animal\n"),
        (2, "child\tparent\nchild\n"),
        (2, "parent\tchild\tx\nanimal\n"),
        (2, "dog\tanimal\ndog\t\tsynonym\n"),
    ],
)
def test_a_bad_line_is_named(line: int, text: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        _read(tmp_path, text)
    got = text.split("\n")[line - 1]
    assert caught.value.message == (
        f"{tmp_path / 'edges.tsv'}:{line}: expected a child and a parent, got {got!r}"
    )
    assert caught.value.hint is not None
    assert "child <tab> parent" in caught.value.hint


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "child\tparent\n", "a\tb\tsynonym\n"])
def test_a_file_without_edges(text: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"edges\.tsv: expected edges of a taxonomy, got none"):
        _read(tmp_path, text)


def test_mixed_encodings_are_refused_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        _read(tmp_path, "café\tplace\n".encode() + "café\tplace\n".encode("latin-1"))
    assert caught.value.message.endswith("edges.tsv:2: expected UTF-8, got other bytes")
    assert caught.value.hint == "save the file as UTF-8"


def test_a_very_long_line_is_cut_in_the_message(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        _read(tmp_path, "a" * 200_000 + ",b")
    assert len(caught.value.message) < len(str(tmp_path)) + 140


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read: No such file"):
        read_edge_list(tmp_path / "absent.tsv", name="x", sha256="")


def test_the_starter_taxonomy(tmp_path: Path) -> None:
    with as_file(files("lydite.resources") / "starter" / "taxonomy.tsv") as path:
        taxonomy = read_edge_list(path, name="starter", sha256="")
        rows = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert sum(len(lists.items) for lists in taxonomy.parents.values()) == len(rows)
    assert set(taxonomy.parents) == {"is-a", "part"}
    assert ("airliner", "airplane") in _edges(taxonomy)
    assert ("finger", "hand") in _edges(taxonomy, "part")
    assert set(taxonomy.problems) == {problems.ROOT, problems.SEVERAL_PARENTS}
    assert list(taxonomy.words) == list(taxonomy.concepts)
