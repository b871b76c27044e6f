from __future__ import annotations

import gzip
import importlib.util
import json
import logging
import socket
from pathlib import Path

import pytest

from lydite.errors import FormatError, MissingExtraError, ResourceError
from lydite.lexicons import taxonomy as problems
from lydite.lexicons.taxonomy import Taxonomy
from lydite.lexicons.taxonomy_files import Synonyms, read_skos

TOOLS = Path(__file__).parents[3] / "data" / "tools.ttl"
PREFIXES = """@prefix : <http://example.org/x/> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix iso: <http://purl.org/iso25964/skos-thes#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
"""
LINES = PREFIXES.count("\n")

Edge = tuple[str, str]


def _read(folder: Path, text: str, file: str = "x.ttl", language: str = "en") -> Taxonomy:
    path = folder / file
    path.write_text(text, encoding="utf-8")
    return read_skos(path, name="x", sha256="abc", language=language)


def _turtle(folder: Path, text: str, language: str = "en") -> Taxonomy:
    return _read(folder, PREFIXES + text, language=language)


def _edges(taxonomy: Taxonomy, kind: str = "is-a") -> list[Edge]:
    lists = taxonomy.parents[kind]
    return [
        (taxonomy.concepts[child], taxonomy.concepts[parent])
        for child, parent in zip(lists.owners(), lists.items, strict=True)
    ]


def _words(taxonomy: Taxonomy, concept: str) -> list[str]:
    place = int(taxonomy.concepts.find([concept])[0])
    return [taxonomy.words[word] for word in taxonomy.labels[place]]


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_the_things_in_a_kitchen() -> None:
    taxonomy = read_skos(TOOLS, name="tools", sha256="abc")
    assert (taxonomy.name, taxonomy.fingerprint, len(taxonomy)) == ("tools", "abc", 27)
    assert {kind: len(lists.items) for kind, lists in taxonomy.parents.items()} == {
        "is-a": 25,
        "part": 7,
    }
    assert taxonomy.problems == {
        problems.OBSOLETE: 1,
        problems.ROOT: 3,
        problems.SEVERAL_PARENTS: 1,
    }
    assert ("mug", "cup") in _edges(taxonomy)  # stated from above only
    assert ("cutlery", "utensil") in _edges(taxonomy)  # from both ends
    assert ("blade", "knife") in _edges(taxonomy, "part")
    assert _words(taxonomy, "skillet") == ["skillet", "frying pan"]
    assert {"cauldron", "kitchen"} & set(taxonomy.words) == set()


@pytest.mark.parametrize(
    ("file", "form"),
    [
        ("t.ttl", "turtle"), ("t.rdf", "xml"), ("t.nt", "nt"), ("t.jsonld", "json-ld"),
        ("t.xml", "xml"), ("t.owl", "turtle"), ("t.owl", "xml"), ("t.rdf", "pretty-xml"),
        ("t", "nt"), ("t", "turtle"), ("t.txt", "xml"),
    ],
)  # fmt: skip
def test_every_serialisation_gives_the_same_taxonomy(file: str, form: str, tmp_path: Path) -> None:
    from rdflib import Graph

    text = Graph().parse(TOOLS).serialize(format=form)
    one, other = read_skos(TOOLS, name="x", sha256=""), _read(tmp_path, text, file)
    assert list(one.concepts) == list(other.concepts)
    assert list(one.words) == list(other.words)
    assert one.labels.items.tolist() == other.labels.items.tolist()
    assert {kind: _edges(one, kind) for kind in one.parents} == {
        kind: _edges(other, kind) for kind in other.parents
    }
    assert one.problems == other.problems


def test_json_ld_with_a_context_of_its_own(tmp_path: Path, no_network: None) -> None:
    document = {
        "@context": {"skos": "http://www.w3.org/2004/02/skos/core#", "@language": "en"},
        "@graph": [
            {
                "@id": "http://a/dog",
                "skos:prefLabel": "dog",
                "skos:broader": {"@id": "http://a/pet"},
            },
            {"@id": "http://a/pet", "skos:prefLabel": "pet"},
        ],
    }
    assert _edges(_read(tmp_path, json.dumps(document), "x.json")) == [("dog", "pet")]


@pytest.mark.parametrize(
    "context",
    [
        "http://127.0.0.1:9/context",
        [{"a": "http://a/"}, "http://127.0.0.1:9/context"],
        {"@import": "http://127.0.0.1:9/context"},
        {"b": {"@id": "http://a/b", "@context": "http://127.0.0.1:9/context"}},
    ],
    ids=["named", "listed", "imported", "scoped"],
)
def test_a_context_elsewhere_is_refused(context: object, tmp_path: Path, no_network: None) -> None:
    with pytest.raises(FormatError) as caught:
        _read(tmp_path, json.dumps({"@context": context, "b": {"a": 1}}), "x.jsonld")
    assert caught.value.message == (
        f"{tmp_path / 'x.jsonld'}: expected a JSON-LD context in the file, "
        "got a reference to 'http://127.0.0.1:9/context'"
    )


def test_nothing_that_xml_names_is_fetched(tmp_path: Path, no_network: None) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    text = f"""<?xml version="1.0"?>
<!DOCTYPE rdf:RDF SYSTEM "http://127.0.0.1:9/x.dtd" [
  <!ENTITY skos "http://www.w3.org/2004/02/skos/core#">
  <!ENTITY stolen SYSTEM "{secret.as_uri()}">
]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="&skos;">
  <skos:Concept rdf:about="http://a/b"><skos:prefLabel>x&stolen;y</skos:prefLabel></skos:Concept>
</rdf:RDF>"""
    assert list(_read(tmp_path, text, "x.rdf").words) == ["xy"]


def test_imports_are_not_followed(tmp_path: Path, no_network: None) -> None:
    text = "<http://a> owl:imports <http://127.0.0.1:9/o> .\n:dog a owl:Class ."
    assert list(_turtle(tmp_path, text).concepts) == ["dog"]


def test_xml_may_be_in_another_encoding(tmp_path: Path) -> None:
    text = """<?xml version="1.0" encoding="ISO-8859-1"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:skos="http://www.w3.org/2004/02/skos/core#">
  <skos:Concept rdf:about="http://a/b"><skos:prefLabel>café</skos:prefLabel></skos:Concept>
</rdf:RDF>"""
    path = tmp_path / "x.rdf"
    path.write_bytes(text.encode("latin-1"))
    assert list(read_skos(path, name="", sha256="").words) == ["café"]


def test_transitive_relations_serve_only_who_has_no_other(tmp_path: Path) -> None:
    taxonomy = _turtle(
        tmp_path,
        """:dog skos:broader :pet ; skos:broaderTransitive :pet, :animal .
        :pet skos:broaderTransitive :animal .
        :cat skos:related :dog .
        :animal a skos:Concept ; skos:narrowerTransitive :dog, :cat .""",
    )
    assert _edges(taxonomy) == [("cat", "animal"), ("dog", "pet"), ("pet", "animal")]


def test_classes_of_an_ontology(tmp_path: Path) -> None:
    taxonomy = _turtle(
        tmp_path,
        """:dog a owl:Class ; rdfs:label "dog" ; rdfs:subClassOf :animal, owl:Thing,
            [ a owl:Restriction ; owl:onProperty obo:BFO_0000050 ; owl:someValuesFrom :pack ],
            [ a owl:Restriction ; owl:onProperty :chases ; owl:someValuesFrom :cat ],
            [ a owl:Restriction ; owl:onProperty :r7 ; owl:someValuesFrom :cat ],
            [ a owl:Restriction ; owl:onProperty :chases ; owl:allValuesFrom :animal ] .
        :r7 rdfs:label "barks at" .
        :animal a owl:Class . :cat a owl:Class . :pack a rdfs:Class . owl:Thing a owl:Class .""",
    )
    assert {kind: _edges(taxonomy, kind) for kind in taxonomy.parents} == {
        "is-a": [("dog", "animal")],
        "part": [("dog", "pack")],
        "chases": [("dog", "cat")],
        "barks-at": [("dog", "cat")],
    }
    assert list(taxonomy.concepts) == ["animal", "cat", "dog", "pack"]


def test_parts_and_instances_are_no_kinds(tmp_path: Path) -> None:
    taxonomy = _turtle(
        tmp_path,
        """:paw skos:broader :dog ; iso:broaderPartitive :dog .
        :tail skos:broaderPartitive :dog . :ear obo:BFO_0000050 :dog .
        :dog dcterms:hasPart :nose ; skos:broader :animal . :animal a skos:Concept .
        :nose a skos:Concept . :Rex skos:broader :dog ; iso:broaderInstantial :dog .""",
    )
    assert _edges(taxonomy) == [("dog", "animal")]
    assert _edges(taxonomy, "instance") == [("Rex", "dog")]
    assert _edges(taxonomy, "part") == [
        ("ear", "dog"), ("nose", "dog"), ("paw", "dog"), ("tail", "dog"),
    ]  # fmt: skip


LABELLED = """:1 a skos:Concept ; skos:prefLabel "Hund"@de, "dog"@en, "chien"@fr ;
    skos:altLabel "hound"@en-GB, "Köter"@de, "cur"@EN, "D1" ; rdfs:label "label"@en .
:2 a skos:Concept ; skos:prefLabel "Katze"@de, "cat" ; skos:altLabel "Mieze"@de, "kitty" .
:3 a skos:Concept ; skos:prefLabel "souris"@fr, "Maus"@de ; skos:altLabel "Mäuschen"@de, "rat"@fr .
:4 a skos:Concept ; rdfs:label "cow"@en .
:big_bad%20wolf a skos:Concept .
"""


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", [["dog", "cur", "hound"], ["cat", "kitty"], ["Maus", "Mäuschen"], ["cow"]]),
        ("de", [["Hund", "Köter"], ["Katze", "Mieze"], ["Maus", "Mäuschen"], ["cow"]]),
        ("FR", [["chien"], ["cat", "kitty"], ["souris", "rat"], ["cow"]]),
    ],
)
def test_labels_in_a_language(language: str, words: list[list[str]], tmp_path: Path) -> None:
    taxonomy = _turtle(tmp_path, LABELLED, language)
    assert [_words(taxonomy, concept) for concept in "1234"] == words


def test_a_concept_without_labels_has_its_last_part(tmp_path: Path) -> None:
    taxonomy = _turtle(tmp_path, LABELLED)
    assert _words(taxonomy, "big_bad%20wolf") == ["big bad wolf"]
    assert taxonomy.problems == {problems.NO_LABEL: 1, problems.OTHER_LANGUAGE: 1}
    assert taxonomy.examples[problems.NO_LABEL] == ("big_bad%20wolf",)


def test_concepts_named_in_another_language_are_counted_and_named(tmp_path: Path) -> None:
    found = {
        language: _turtle(tmp_path, LABELLED, language).examples.get(problems.OTHER_LANGUAGE)
        for language in ("en", "de", "fr", "it")
    }
    # A label without a tag is in any language.
    assert found == {
        "en": ("Maus",), "de": ("cow",), "fr": ("cow",), "it": ("Hund", "Maus", "cow"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("synonyms", "words"),
    [
        ("none", ["heart"]),
        ("exact", ["heart", "cor", "ticker"]),
        ("narrow", ["heart", "cor", "ticker", "left heart"]),
        ("all", ["heart", "cor", "ticker", "left heart", "organ", "core"]),
    ],
)
def test_synonyms_of_an_ontology_by_scope(
    synonyms: Synonyms, words: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "x.ttl"
    text = """@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
:1 a owl:Class ; rdfs:label "heart" ; skos:altLabel "ticker" ; oio:hasExactSynonym "cor" ;
    oio:hasNarrowSynonym "left heart" ; oio:hasBroadSynonym "organ" ; oio:hasRelatedSynonym "core" .
"""
    path.write_text(PREFIXES + text, encoding="utf-8")
    taxonomy = read_skos(path, name="x", sha256="abc", synonyms=synonyms)
    assert sorted(_words(taxonomy, "1")) == sorted(words)
    assert _words(taxonomy, "1")[0] == "heart"


def test_concepts_are_named_by_the_last_part_where_that_is_enough(tmp_path: Path) -> None:
    uris = ["http://a/x#dog", "http://b/dog", "http://b/cat/", "urn:pet:cow", "http://c/"]
    taxonomy = _turtle(tmp_path, "".join(f"<{uri}> a skos:Concept .\n" for uri in uris))
    assert sorted(taxonomy.concepts) == ["c", "cat", "cow", "http://a/x#dog", "http://b/dog"]


@pytest.mark.parametrize("value", ["true", '"true"', '"1"'])
def test_deprecated_concepts_are_left_out(value: str, tmp_path: Path) -> None:
    taxonomy = _turtle(
        tmp_path,
        f""":dog skos:broader :pet, :animal . :animal owl:deprecated false .
        :pet owl:deprecated {value} ; skos:broader :animal ; skos:prefLabel "pet" .""",
    )
    assert _edges(taxonomy) == [("dog", "animal")]
    assert "pet" not in taxonomy.words
    assert taxonomy.problems[problems.OBSOLETE] == 1
    assert taxonomy.problems[problems.OBSOLETE_EDGE] == 1


def test_parents_that_are_not_described_are_counted_and_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = ":dog skos:broader :pet, :nowhere . :pet skos:narrower :ghost ; skos:prefLabel 'pet' ."
    with caplog.at_level(logging.WARNING):
        taxonomy = _turtle(tmp_path, text)
    assert _edges(taxonomy) == [("dog", "pet")]
    assert taxonomy.problems[problems.DANGLING_EDGE] == 2
    assert "nowhere" in caplog.text
    assert "ghost" in caplog.text


def test_cycles_and_loops(tmp_path: Path) -> None:
    text = ":a skos:broader :b . :b skos:broader :a . :c skos:broader :c, :a ."
    found = _turtle(tmp_path, text).problems
    assert found == {problems.ON_CYCLE: 2, problems.SELF_LOOP: 1, problems.NO_LABEL: 3}


def test_compressed(tmp_path: Path) -> None:
    path = tmp_path / "tools.nt.gz"
    triple = "<http://a/b> <http://www.w3.org/2004/02/skos/core#broader> <http://a/b> .\n"
    path.write_bytes(gzip.compress(triple.encode()))
    assert list(read_skos(path, name="", sha256="").concepts) == ["b"]


@pytest.mark.parametrize(
    ("file", "text", "where"),
    [
        ("x.ttl", PREFIXES + ":dog a skos:Concept .\n:cat skos:broader .\n", f":{LINES + 2}: "),
        ("x.ttl", PREFIXES + ":dog a nothing:Concept .\n", f":{LINES + 1}: "),
        ("x.ttl", "hello world\n", ":1: "),
        ("x.nt", "<http://a> <http://b> <http://c> .\n<http://a> oops\n", ": "),
        ("x.rdf", "<?xml version='1.0'?>\n<rdf:RDF>\n</rdf", ":2: "),
        ("x.rdf", "<?xml version='1.0'?>\n<a>\n</b>", ":3: "),
        ("x.jsonld", '{"@id":\n "a"', ":2: "),
    ],
    ids=["turtle", "prefix", "prose", "n-triples", "cut-xml", "xml", "json"],
)
def test_bad_input(file: str, text: str, where: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        _read(tmp_path, text, file)
    assert caught.value.message.startswith(f"{tmp_path / file}{where}expected RDF (")
    assert caught.value.hint is not None
    assert "Turtle" in caught.value.hint


def test_a_file_that_ends_within_a_statement(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"expected RDF \(turtle\), but: it ends within"):
        _turtle(tmp_path, ":dog skos:broader")


@pytest.mark.parametrize("text", ["", PREFIXES, "<http://a> <http://b> <http://c> ."])
def test_a_file_without_concepts(text: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"x\.ttl: expected skos:Concept or owl:Class, got none"):
        _read(tmp_path, text)


def test_other_encodings_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_bytes((PREFIXES + ':a skos:prefLabel "café" .').encode("latin-1"))
    with pytest.raises(FormatError) as caught:
        read_skos(path, name="", sha256="")
    assert caught.value.message == f"{path}:{LINES + 1}: expected UTF-8, got other bytes"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read: No such file"):
        read_skos(tmp_path / "absent.ttl", name="x", sha256="")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError) as caught:
        read_skos(TOOLS, name="", sha256="")
    assert caught.value.message == "a taxonomy in RDF needs packages that are not installed"
    assert caught.value.hint == "pip install 'lydite[ontology]'"
