from __future__ import annotations

import gzip
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError, ResourceError
from lydite.lexicons.taxonomy import Taxonomy
from lydite.lexicons.taxonomy_files import Labels, open_taxonomy
from lydite.storage import sha256_file

DATA = Path(__file__).parents[3] / "data"
OBO = "format-version: 1.2\n\n[Term]\nid: A:1\nname: dog\nis_a: A:2\n\n[Term]\nid: A:2\nname: pet\n"
TURTLE = """# about pets
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
<http://x/A:1> skos:prefLabel "dog" ; skos:broader <http://x/A:2> .
<http://x/A:2> skos:prefLabel "pet" .
"""
TRIPLES = """<http://x/A:1> <http://www.w3.org/2004/02/skos/core#broader> <http://x/A:2> .
<http://x/A:1> <http://www.w3.org/2004/02/skos/core#prefLabel> "dog" .
<http://x/A:2> <http://www.w3.org/2004/02/skos/core#prefLabel> "pet" .
"""
XML = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:skos="http://www.w3.org/2004/02/skos/core#">
  <skos:Concept rdf:about="http://x/A:1"><skos:prefLabel>dog</skos:prefLabel>
    <skos:broader rdf:resource="http://x/A:2"/></skos:Concept>
  <skos:Concept rdf:about="http://x/A:2"><skos:prefLabel>pet</skos:prefLabel></skos:Concept>
</rdf:RDF>
"""
JSON = """{"@context": {"s": "http://www.w3.org/2004/02/skos/core#"}, "@graph": [
  {"@id": "http://x/A:1", "s:prefLabel": "dog", "s:broader": {"@id": "http://x/A:2"}},
  {"@id": "http://x/A:2", "s:prefLabel": "pet"}]}"""
TSV = "dog\tpet\n"


def _open(path: Path) -> Taxonomy:
    return open_taxonomy([path], name="pets", sha256=sha256_file(path))


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.obo", OBO), ("a.txt", OBO), ("a", "\ufeff" + OBO), ("a.txt", OBO.split("\n\n", 1)[1]),
        ("a.ttl", TURTLE), ("a.txt", TURTLE), ("a.owl", TURTLE),
        ("a.nt", TRIPLES), ("a", TRIPLES),
        ("a.rdf", XML), ("a.xml", XML), ("a", '<?xml version="1.0"?>\n' + XML),
        ("a.jsonld", JSON), ("a.json", JSON), ("a", JSON),
        ("a.tsv", TSV), ("a.csv", "dog,pet\n"), ("a", "# to be told apart\n\n" + TSV),
        ("a.txt", "\ufeff" + TSV), ("a.txt", "child,parent\ndog,pet\n"),
    ],
)  # fmt: skip
def test_the_content_decides(file: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / file
    path.write_text(text, encoding="utf-8")
    taxonomy = _open(path)
    assert sorted(taxonomy.words) == ["dog", "pet"]
    assert len(taxonomy.upward("hypernymy").items) == 1
    assert taxonomy.name == "pets"
    assert taxonomy.fingerprint == sha256_file(path)


@pytest.mark.parametrize(("file", "text"), [("a.obo.gz", OBO), ("a.ttl.gz", TURTLE)])
def test_compressed(file: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / file
    path.write_bytes(gzip.compress(text.encode()))
    assert sorted(_open(path).words) == ["dog", "pet"]


@pytest.mark.parametrize(("file", "count"), [("plant-anatomy.obo", 26), ("tools.ttl", 27)])
def test_the_examples(file: str, count: int) -> None:
    assert len(_open(DATA / file)) == count


def test_the_starter_taxonomy() -> None:
    with as_file(files("lydite.resources") / "starter" / "taxonomy.tsv") as path:
        assert set(_open(path).parents) == {"is-a", "part"}


def test_labels_reach_the_files_that_have_several(tmp_path: Path) -> None:
    tree = tmp_path / "a.ttl"
    tree.write_text(TURTLE.replace('"pet"', '"pet"@en, "Haustier"@de'), encoding="utf-8")
    german = open_taxonomy([tree], name="a", sha256="1", labels=Labels(language="de"))
    assert "Haustier" in german.words
    assert "pet" in open_taxonomy([tree], name="a", sha256="1").words
    terms = tmp_path / "a.obo"
    terms.write_text(OBO + 'synonym: "companion" NARROW []\n', encoding="utf-8")
    for synonyms, found in (("exact", False), ("narrow", True), ("all", True), ("none", False)):
        labels = Labels(synonyms=synonyms)  # type: ignore[arg-type]
        taxonomy = open_taxonomy([terms], name="a", sha256="1", labels=labels)
        assert ("companion" in taxonomy.words) == found


@pytest.mark.parametrize(
    ("file", "text", "labels", "said"),
    [
        ("a.obo", OBO, Labels(language="de"), "is OBO, where language=de would"),
        ("a.tsv", TSV, Labels(synonyms="all"), "is an edge list, where synonyms=all would"),
        ("a.tsv", TSV, Labels(language="de", synonyms="all"), "language=de and synonyms=all"),
    ],
)
def test_labels_without_effect_are_refused(
    file: str, text: str, labels: Labels, said: str, tmp_path: Path
) -> None:
    path = tmp_path / file
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        open_taxonomy([path], name="a", sha256="1", labels=labels)


def test_a_folder_of_one_file(tmp_path: Path) -> None:
    (tmp_path / "pets.tsv").write_text(TSV)
    (tmp_path / ".hidden").write_text("")
    assert len(open_taxonomy([tmp_path], name="pets", sha256="folder")) == 2


def test_what_was_read_is_remembered_by_content_and_name(tmp_path: Path) -> None:
    path = tmp_path / "pets.tsv"
    path.write_text(TSV)
    first = open_taxonomy([path], name="pets", sha256="one")
    assert open_taxonomy((path,), name="pets", sha256="one") is first
    assert open_taxonomy([path], name="other", sha256="one").name == "other"
    path.write_text("cat\tpet\n")
    assert list(open_taxonomy([path], name="pets", sha256="two").words) == ["cat", "pet"]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("a.txt", b"Once upon a time there was a dog.\nIt barked.\n"),
        ("a.txt", b"dog\ncat\n"),
        ("a.html", b"<!DOCTYPE html>\n<html><body>dog, cat</body></html>"),
        ("a.html", b"<html>\n<body>dog, cat</body></html>"),
        ("a.xml", b'<?xml version="1.0"?>\n<feed><a/></feed>'),
        ("a.bin", b"\x00\x01\x02,\t\x03"),
        ("a.tsv", "dog\tpet\n".encode("utf-16")),
    ],
    ids=["prose", "words", "html", "bare-html", "xml", "binary", "utf-16"],
)
def test_other_content_is_refused_with_what_is_read(
    file: str, content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        _open(path)
    assert caught.value.message.startswith(f"{path}: expected a taxonomy, got ")
    assert caught.value.hint is not None
    for form in ("WordNet", "WN-LMF", "OBO", "SKOS", "Turtle", "JSON-LD", "child <tab> parent"):
        assert form in caught.value.hint


@pytest.mark.parametrize("content", [b"", b"\n", b"# nothing\n"])
def test_an_empty_file(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="expected edges of a taxonomy, got none"):
        _open(path)


def test_readers_errors_come_through(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes("dog\tpet\ncafé\tplace\n".encode("latin-1"))
    with pytest.raises(FormatError, match=r"a\.tsv:2: expected UTF-8"):
        _open(path)


def test_an_error_is_not_remembered(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("dog\n")
    with pytest.raises(FormatError):
        open_taxonomy([path], name="x", sha256="same")
    path.write_text(TSV)
    assert len(open_taxonomy([path], name="x", sha256="same")) == 2


def test_several_files_that_are_not_wordnet(tmp_path: Path) -> None:
    for name in ("a.tsv", "b.tsv"):
        (tmp_path / name).write_text(TSV)
    with pytest.raises(InputError) as caught:
        open_taxonomy([tmp_path], name="x", sha256="several")
    assert caught.value.message == (f"expected one file, or those of WordNet, got 2 ({tmp_path})")
    with pytest.raises(InputError, match="got 0"):
        open_taxonomy([], name="x", sha256="none")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read: No such file"):
        open_taxonomy([tmp_path / "absent"], name="x", sha256="absent")


def test_wordnet_is_a_folder_or_its_files(shared_data: Path) -> None:
    folder = shared_data / "wordnet-3.0"
    parts = sorted(folder.iterdir())
    for paths in ([folder], parts):
        taxonomy = open_taxonomy(paths, name="wordnet-3.0", sha256="0" * 64)
        assert "dog.n.01" in taxonomy.concepts


def test_wn_lmf(tmp_path: Path) -> None:
    path = tmp_path / "pets.xml"
    path.write_text(
        """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
  <Lexicon id="pets" label="Pets" language="en" email="a@b" license="CC0" version="1">
    <LexicalEntry id="pets-dog"><Lemma writtenForm="dog" partOfSpeech="n"/>
      <Sense id="pets-dog-1" synset="pets-1"/></LexicalEntry>
    <LexicalEntry id="pets-pet"><Lemma writtenForm="pet" partOfSpeech="n"/>
      <Sense id="pets-pet-1" synset="pets-2"/></LexicalEntry>
    <Synset id="pets-1" ili="" partOfSpeech="n">
      <SynsetRelation relType="hypernym" target="pets-2"/></Synset>
    <Synset id="pets-2" ili="" partOfSpeech="n"/>
  </Lexicon>
</LexicalResource>
"""
    )
    taxonomy = _open(path)
    assert sorted(taxonomy.words) == ["dog", "pet"]
    assert len(taxonomy.upward("hypernymy").items) == 1
