from __future__ import annotations

import gzip
import importlib.util
import logging
import socket
from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError, MissingExtraError, ResourceError
from lydite.lexicons import taxonomy as problems
from lydite.lexicons.taxonomy import Taxonomy
from lydite.lexicons.taxonomy_files import Synonyms, read_obo

PLANT = Path(__file__).parents[3] / "data" / "plant-anatomy.obo"
HEADER = "format-version: 1.4\nontology: x\n\n"


def _read(folder: Path, content: str | bytes, synonyms: Synonyms = "exact") -> Taxonomy:
    path = folder / "x.obo"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_obo(path, name="x", sha256="abc", synonyms=synonyms)


def _term(number: int, *lines: str) -> str:
    return "\n".join(["[Term]", f"id: A:{number}", f"name: n{number}", *lines, "", ""])


def _edges(taxonomy: Taxonomy, kind: str) -> list[tuple[str, str]]:
    lists = taxonomy.parents[kind]
    return [
        (taxonomy.concepts[child], taxonomy.concepts[parent])
        for child, parent in zip(lists.owners(), lists.items, strict=True)
    ]


def _words(taxonomy: Taxonomy, concept: str) -> list[str]:
    place = int(taxonomy.concepts.find([concept])[0])
    return [taxonomy.words[word] for word in taxonomy.labels[place]]


def test_the_parts_of_plants() -> None:
    taxonomy = read_obo(PLANT, name="plants", sha256="abc")
    assert (taxonomy.name, taxonomy.fingerprint, len(taxonomy)) == ("plants", "abc", 26)
    assert {kind: len(lists.items) for kind, lists in taxonomy.parents.items()} == {
        "is-a": 24,
        "part": 18,
        "develops-from": 2,
    }
    assert taxonomy.problems == {
        problems.OBSOLETE: 1,
        problems.ROOT: 3,
        problems.SEVERAL_PARENTS: 1,
    }
    # twig is_a branch; bark is part_of trunk and branch; flower develops_from bud.
    assert ("PA:0012", "PA:0011") in _edges(taxonomy, "is-a")
    assert [p for c, p in _edges(taxonomy, "part") if c == "PA:0024"] == ["PA:0010", "PA:0011"]
    assert ("PA:0016", "PA:0018") in _edges(taxonomy, "develops-from")
    assert _words(taxonomy, "PA:0016") == ["flower", "blossom", "bloom"]
    assert "PA:0027" not in taxonomy.concepts
    assert "PA:0100" not in taxonomy.concepts
    assert "herb" not in taxonomy.words


@pytest.mark.parametrize(
    ("synonyms", "words"),
    [
        ("exact", ["branch", "limb"]),
        ("all", ["branch", "limb", "bough"]),
        ("none", ["branch"]),
    ],
)
def test_synonyms(synonyms: Synonyms, words: list[str]) -> None:
    assert _words(read_obo(PLANT, name="", sha256="", synonyms=synonyms), "PA:0011") == words


def test_synonyms_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one of exact, narrow, all, none, got 'b"):
        _read(tmp_path, HEADER + _term(1), "broad")  # type: ignore[arg-type]


def test_compressed(tmp_path: Path) -> None:
    assert len(_read(tmp_path, gzip.compress(PLANT.read_bytes()))) == 26


def test_a_byte_order_mark_crlf_and_no_header(tmp_path: Path) -> None:
    text = (_term(1, "is_a: A:2") + _term(2)).replace("\n", "\r\n")
    assert _edges(_read(tmp_path, "\ufeff" + text), "is-a") == [("A:1", "A:2")]


def test_escapes_and_comments_are_no_part_of_names(tmp_path: Path) -> None:
    text = HEADER + "[Term]\nid: A:1\nname: salt\\, fine \\{pure\\} ! white\n"
    text += 'synonym: "a \\"good\\" salt" EXACT []\nis_obsolete: false\n'
    assert _words(_read(tmp_path, text), "A:1") == ["salt, fine {pure}", 'a "good" salt']


def test_relationships_are_named_by_their_types(tmp_path: Path) -> None:
    text = HEADER + _term(
        1, "relationship: BFO:0000050 A:2", "relationship: RO:1 A:2", "relationship: has_part A:2"
    )
    text += _term(2) + "[Typedef]\nid: BFO:0000050\nname: part of\n\n"
    text += "[Typedef]\nid: RO:1\nname: positively regulates\n\n[Typedef]\nid: has_part\n"
    taxonomy = _read(tmp_path, text)
    assert set(taxonomy.parents) == {"part", "positively-regulates", "has-part"}


def test_logical_definitions_and_instances_make_no_edges(tmp_path: Path) -> None:
    text = HEADER + _term(1, "intersection_of: A:2", "intersection_of: part_of A:2") + _term(2)
    taxonomy = _read(tmp_path, text + "[Instance]\nid: I:1\nname: i\ninstance_of: A:1\n")
    assert taxonomy.parents == {}
    assert list(taxonomy.concepts) == ["A:1", "A:2"]


def test_parents_that_are_not_there_are_counted_and_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = HEADER + _term(1, "is_a: B:7", "is_a: A:2", "relationship: part_of B:8") + _term(2)
    with caplog.at_level(logging.WARNING):
        taxonomy = _read(tmp_path, text)
    assert _edges(taxonomy, "is-a") == [("A:1", "A:2")]
    assert taxonomy.problems[problems.DANGLING_EDGE] == 2
    assert "B:7" in caplog.text
    assert "B:8" in caplog.text


def test_what_is_odd_is_counted(tmp_path: Path) -> None:
    text = (
        HEADER
        + _term(1, "is_a: A:2", "is_a: A:2", "is_a: A:1", "is_a: A:3")
        + _term(2, "is_a: A:1")
    )
    text += "[Term]\nid: A:3\nname: gone\nis_obsolete: true\n\n[Term]\nid: A:4\n\n"
    text += "[Term]\nid: A:5\nname: n1\n"
    assert _read(tmp_path, text).problems == {
        problems.DUPLICATE_EDGE: 1,
        problems.SELF_LOOP: 1,
        problems.ON_CYCLE: 2,
        problems.OBSOLETE: 1,
        problems.OBSOLETE_EDGE: 1,
        problems.NO_LABEL: 1,
        problems.SHARED_LABEL: 1,
    }


def test_imports_are_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    other = (tmp_path / "other.obo").as_uri()
    (tmp_path / "other.obo").write_text(HEADER + _term(2))
    text = f"format-version: 1.4\nimport: {other}\nimport: http://127.0.0.1:9/y.obo\n\n" + _term(1)
    assert list(_read(tmp_path, text).concepts) == ["A:1"]


@pytest.mark.parametrize(
    ("line", "content"),
    [
        (1, "hello world\nthis is prose\n"),
        (1, "child\tparent\n"),
        (6, HEADER + "[Term]\nid: A:1\nis_a: A:"),
        (6, HEADER + "[Term]\nid: A:1\nnam"),
        (5, HEADER + "[Term]\nid: A 1\nname: x\n"),
        (6, HEADER + "[Term]\nid: A:1\nfoo: bar\n"),
    ],
    ids=["prose", "edges", "cut-id", "cut-tag", "blank-in-id", "unknown-tag"],
)
def test_a_bad_line_is_named(line: int, content: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        _read(tmp_path, content)
    got = content.split("\n")[line - 1]
    assert caught.value.message.startswith(
        f"{tmp_path / 'x.obo'}:{line}: expected OBO, got {got!r} ("
    )
    assert caught.value.hint is not None


@pytest.mark.parametrize("line", ["relationship: part_of A:1[Term]", "is_a: A:1[Term]"])
def test_a_line_that_the_library_panics_at(line: str, tmp_path: Path) -> None:
    text = HEADER + _term(1) + f"[Term]\nid: A:2\n{line}\n ! x\n\n" + _term(3)
    with pytest.raises(FormatError, match=r"x\.obo(:\d+)?: expected OBO"):
        _read(tmp_path, text)


@pytest.mark.parametrize("content", ["", "\n", HEADER, HEADER + "[Typedef]\nid: part_of\n"])
def test_a_file_without_terms(content: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"x\.obo: expected terms of an ontology, got none"):
        _read(tmp_path, content)


def test_other_encodings_are_refused_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        _read(tmp_path, (HEADER + "[Term]\nid: A:1\nname: café\n").encode("latin-1"))
    assert caught.value.message == f"{tmp_path / 'x.obo'}:6: expected UTF-8, got other bytes"


def test_a_damaged_compressed_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="decompressing failed"):
        _read(tmp_path, gzip.compress(PLANT.read_bytes())[:-20])


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read: No such file"):
        read_obo(tmp_path / "absent.obo", name="x", sha256="")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError) as caught:
        read_obo(PLANT, name="", sha256="")
    assert caught.value.message == "an OBO ontology needs packages that are not installed"
    assert caught.value.hint == "pip install 'lydite[ontology]'"
