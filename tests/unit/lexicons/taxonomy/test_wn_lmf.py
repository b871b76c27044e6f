from __future__ import annotations

import gzip
import importlib.util
import lzma
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.errors import FormatError, MissingExtraError, ResourceError
from lydite.lexicons.taxonomy import Taxonomy
from lydite.lexicons.taxonomy_files import read_wn_lmf

pytest.importorskip("wn", reason="WN-LMF is read with the package wn")

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
<Lexicon id="pets" label="Pets" language="en" email="nobody@example.org" license="CC0" version="1">
"""
ENTRIES = """
<LexicalEntry id="e-dog-v"><Lemma writtenForm="dog" partOfSpeech="v"/>
  <Sense id="s-dog-3" synset="chase"/></LexicalEntry>
<LexicalEntry id="e-dog-n"><Lemma writtenForm="dog" partOfSpeech="n"/>
  <Sense id="s-dog-2" synset="fellow"/><Sense id="s-dog-1" synset="dog"/></LexicalEntry>
<LexicalEntry id="e-dd-n"><Lemma writtenForm="domestic dog" partOfSpeech="n"/>
  <Sense id="s-dd-1" synset="dog"/></LexicalEntry>
<LexicalEntry id="e-rex-n"><Lemma writtenForm="Rex" partOfSpeech="n"/>
  <Sense id="s-rex-1" synset="rex"/></LexicalEntry>
<LexicalEntry id="e-nice-s"><Lemma writtenForm="nice" partOfSpeech="s"/>
  <Sense id="s-nice-1" synset="nice"/></LexicalEntry>
"""
SYNSETS = """
<Synset id="animal" ili="" partOfSpeech="n">
  <SynsetRelation relType="hyponym" target="dog"/></Synset>
<Synset id="dog" ili="" partOfSpeech="n" members="s-dd-1 s-dog-1">
  <SynsetRelation relType="hypernym" target="animal"/>
  <SynsetRelation relType="holo_member" target="pack"/>
  <SynsetRelation relType="mero_part" target="tail"/></Synset>
<Synset id="fellow" ili="" partOfSpeech="n"/>
<Synset id="pack" ili="" partOfSpeech="n">
  <SynsetRelation relType="mero_member" target="dog"/></Synset>
<Synset id="tail" ili="" partOfSpeech="n"/>
<Synset id="rex" ili="" partOfSpeech="n">
  <SynsetRelation relType="instance_hypernym" target="dog"/></Synset>
<Synset id="chase" ili="" partOfSpeech="v"/>
<Synset id="nice" ili="" partOfSpeech="s"/>
"""
TAIL = "</Lexicon></LexicalResource>\n"
WHOLE = HEAD + ENTRIES + SYNSETS + TAIL

Save = Callable[..., Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def save_text(text: str, name: str = "pets.xml") -> Path:
        content = text.encode()
        if name.endswith(".gz"):
            content = gzip.compress(content)
        elif name.endswith(".xz"):
            content = lzma.compress(content)
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return save_text


def read(path: Path) -> Taxonomy:
    return read_wn_lmf(path, name="pets", sha256="0")


def parents(taxonomy: Taxonomy, kind: str) -> dict[str, list[str]]:
    lists = taxonomy.parents[kind]
    return {
        taxonomy.concepts[child]: [taxonomy.concepts[parent] for parent in lists[child].tolist()]
        for child in range(len(taxonomy))
        if len(lists[child])
    }


def senses(taxonomy: Taxonomy, word: str) -> list[str]:
    place = taxonomy.words.find([word])[0]
    return [taxonomy.concepts[concept] for concept in taxonomy.senses[place].tolist()]


@pytest.mark.parametrize("name", ["pets.xml", "pets.xml.gz", "pets.xml.xz"])
def test_a_small_wordnet(save: Save, name: str) -> None:
    taxonomy = read(save(WHOLE, name))
    assert list(taxonomy.concepts) == [
        "animal",
        "dog",
        "fellow",
        "pack",
        "tail",
        "rex",
        "chase",
        "nice",
    ]
    assert senses(taxonomy, "dog") == ["fellow", "dog", "chase"]
    assert [taxonomy.words[w] for w in taxonomy.labels[1].tolist()] == ["domestic dog", "dog"]
    assert parents(taxonomy, "is-a") == {"dog": ["animal"]}
    assert parents(taxonomy, "instance") == {"rex": ["dog"]}
    assert parents(taxonomy, "member") == {"dog": ["pack"]}
    assert parents(taxonomy, "part") == {"tail": ["dog"]}
    assert taxonomy.parts_of_speech is not None
    assert "".join(taxonomy.parts_of_speech) == "nnnnnnva"
    assert (taxonomy.name, taxonomy.fingerprint) == ("pets", "0")
    # animal, pack and tail have no word; dog is a word of three synsets; animal is on top.
    assert taxonomy.problems == {
        "concept without a label": 3,
        "label of several concepts": 1,
        "root": 1,
    }


def test_members_may_be_entries_and_senses_numbered(save: Save) -> None:
    text = WHOLE.replace("s-dd-1 s-dog-1", "e-dd-n e-dog-n")
    text = text.replace('synset="fellow"', 'synset="fellow" n="2"')
    text = text.replace('id="s-dog-1" synset="dog"', 'id="s-dog-1" synset="dog" n="1"')
    taxonomy = read(save(text))
    assert [taxonomy.words[w] for w in taxonomy.labels[1].tolist()] == ["domestic dog", "dog"]
    assert senses(taxonomy, "dog") == ["dog", "fellow", "chase"]


def test_an_extension_adds_to_the_words_of_a_lexicon(save: Save) -> None:
    more = """</Lexicon><LexiconExtension id="more" label="More" language="en" license="CC0"
email="nobody@example.org" version="1"><Extends id="pets" version="1"/>
<ExternalLexicalEntry id="e-rex-n"><Sense id="s-rex-2" synset="king"/></ExternalLexicalEntry>
<Synset id="king" ili="" partOfSpeech="n"/>
<ExternalSynset id="fellow"><SynsetRelation relType="hypernym" target="animal"/></ExternalSynset>
</LexiconExtension></LexicalResource>"""
    taxonomy = read(save(HEAD + ENTRIES + SYNSETS + more))
    assert senses(taxonomy, "Rex") == ["rex", "king"]
    assert parents(taxonomy, "is-a") == {"dog": ["animal"], "fellow": ["animal"]}
    assert senses(taxonomy, "dog") == ["fellow", "dog", "chase"]


def test_what_is_odd_is_counted(save: Save) -> None:
    synsets = SYNSETS.replace('<Synset id="tail" ili="" partOfSpeech="n"/>', "")
    synsets = synsets.replace('relType="hyponym"', 'relType="hypernym"')
    entries = ENTRIES.replace('synset="rex"', 'synset="king"')
    problems = read(save(HEAD + entries + synsets + TAIL)).problems
    # dog and animal are each other's hypernym; tail, a part of dog, is nowhere.
    assert problems["concept on a cycle"] == 2
    assert problems["edge to a concept that is not described"] == 1
    assert problems["sense of a concept that is not described"] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"pets\.xml: expected WN-LMF, but: invalid or missing XML declaration"),
        (HEAD + TAIL, r"pets\.xml: expected synsets, got none"),
        (HEAD + "<Synset>", r"pets\.xml:5: expected WN-LMF, but: no element found: line 5"),
        (WHOLE.replace(' ili=""', ""), r"expected WN-LMF, got an element without an attribute"),
        (
            WHOLE.replace("</Lexicon>", "<Pet/></Lexicon>"),
            r"but: unexpected element at line \d+: P",
        ),
        (WHOLE.replace("WN-LMF-1.1", "WN-LMF-9"), r"invalid or missing DOCTYPE declaration"),
    ],
)
def test_faulty_files(save: Save, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read(save(text))
    assert caught.value.hint


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"pets\.xml cannot be read"):
        read(tmp_path / "pets.xml")


def test_without_the_extra(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'lydite\[ontology\]'"):
        read(save(WHOLE))


def test_nothing_is_written_into_the_home_folder(save: Save, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    code = (
        "import sys; from pathlib import Path; "
        "from lydite.lexicons.taxonomy_files import read_wn_lmf; "
        "print(len(read_wn_lmf(Path(sys.argv[1]), name='pets', sha256='0')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(save(WHOLE))],
        env=os.environ | {"HOME": str(home), "XDG_DATA_HOME": str(home / "data")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "8"
    assert list(home.iterdir()) == []
