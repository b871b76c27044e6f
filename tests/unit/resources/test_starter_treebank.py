"""The starter treebank keeps the promises its card makes."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from lydite.models.catalogue import load
from lydite.resources.catalogue import locate, verify

PARTS = {"train": (160, 1454), "dev": (30, 273), "test": (60, 595)}

# The relations of the English treebanks; the rest of the universal inventory is not used here.
RELATIONS = """
    acl acl:relcl advcl advmod amod appos aux aux:pass case cc cc:preconj ccomp compound
    compound:prt conj cop csubj det det:predet discourse expl fixed iobj mark nmod nmod:poss nsubj
    nsubj:pass nummod obj obl obl:agent obl:unmarked parataxis punct root xcomp
"""
DEPREL = set(RELATIONS.split())
XPOS_OF = {
    "ADJ": {"JJ", "JJR", "JJS"},
    "ADP": {"IN", "RP"},
    "ADV": {"RB", "RBR", "RBS", "WRB"},
    "AUX": {"MD", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ"},
    "CCONJ": {"CC"},
    "DET": {"DT", "PDT", "WDT"},
    "INTJ": {"UH"},
    "NOUN": {"NN", "NNS"},
    "NUM": {"CD"},
    "PART": {"POS", "RB", "TO"},
    "PRON": {"DT", "EX", "NN", "PRP", "PRP$", "WDT", "WP"},
    "PROPN": {"NNP", "NNPS"},
    "PUNCT": {",", ".", "``", "''"},
    "SCONJ": {"IN"},
    "VERB": {"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"},
}
# What these relations say of the word that has them.
UPOS_OF = {
    "aux": {"AUX"},
    "aux:pass": {"AUX"},
    "case": {"ADP", "PART"},
    "cc": {"CCONJ"},
    "cop": {"AUX"},
    "det": {"DET"},
    "mark": {"PART", "SCONJ"},
    "nummod": {"NUM"},
    "punct": {"PUNCT"},
}
UPOS = {*XPOS_OF, "SYM", "X"}
# Function words and marks, which have nothing below them but what belongs to a fixed expression.
LEAVES = {"aux", "aux:pass", "case", "cc", "cop", "det", "mark", "punct"}


class Word(NamedTuple):
    form: str
    lemma: str
    upos: str
    xpos: str
    head: int
    deprel: str
    misc: str


class Sentence(NamedTuple):
    name: str
    text: str
    words: list[Word]
    joined: list[tuple[int, int, str, str]]


def path_of(part: str) -> Path:
    (path,) = (path for path in locate("starter-treebank").paths if part in path.stem)
    return path


def sentences(part: str) -> list[Sentence]:
    text = path_of(part).read_text("ascii")
    assert text.endswith("\n\n")
    return [_sentence(block) for block in text.removesuffix("\n\n").split("\n\n")]


def _sentence(block: str) -> Sentence:
    name, text, *lines = block.split("\n")
    words: list[Word] = []
    joined: list[tuple[int, int, str, str]] = []
    for line in lines:
        number, form, lemma, upos, xpos, feats, head, deprel, deps, misc = line.split("\t")
        assert (feats, deps) == ("_", "_")
        if "-" in number:
            first, last = map(int, number.split("-"))
            joined.append((first, last, form, misc))
        else:
            assert int(number) == len(words) + 1, line
            words.append(Word(form, lemma, upos, xpos, int(head), deprel, misc))
    return Sentence(
        name.removeprefix("# sent_id = "), text.removeprefix("# text = "), words, joined
    )


def every_sentence() -> list[Sentence]:
    return [each for part in PARTS for each in sentences(part)]


def every_word() -> list[Word]:
    return [word for each in every_sentence() for word in each.words]


def spaced(sentence: Sentence) -> str:
    """Put the text together again from its words."""
    out, start = "", 0
    joined = {first: (last, form, misc) for first, last, form, misc in sentence.joined}
    while start < len(sentence.words):
        word = sentence.words[start]
        last, form, misc = joined.get(start + 1, (start + 1, word.form, word.misc))
        out += form if misc == "SpaceAfter=No" else f"{form} "
        start = last
    return out.strip()


def test_its_files_are_those_of_the_card() -> None:
    assert [each.status for each in verify("starter-treebank")] == ["ok"] * len(PARTS)


@pytest.mark.parametrize("part", PARTS)
def test_parts_have_as_many_sentences_and_words_as_the_card_says(part: str) -> None:
    found = sentences(part)
    counts = len(found), sum(len(each.words) for each in found)
    assert counts == PARTS[part]
    card = locate("starter-treebank").card
    assert card is not None
    assert re.search(rf"{part} {counts[0]}( sentences)? and {counts[1]:,}", card.notes.lower())


@pytest.mark.parametrize("part", PARTS)
def test_names_of_sentences_count_them(part: str) -> None:
    names = [each.name for each in sentences(part)]
    assert names == [f"starter-{part}-{i:03d}" for i in range(1, len(names) + 1)]


def test_no_sentence_stands_twice_in_any_part() -> None:
    texts = Counter(re.sub(r"\W+", " ", each.text.lower()).strip() for each in every_sentence())
    assert [text for text, times in texts.items() if times > 1] == []


def test_words_make_up_the_text() -> None:
    assert [each.name for each in every_sentence() if spaced(each) != each.text] == []


def test_joined_words_are_those_written_as_one() -> None:
    for each in every_sentence():
        for first, last, form, _ in each.joined:
            assert "".join(word.form for word in each.words[first - 1 : last]) == form


def test_sentences_have_4_to_16_words() -> None:
    assert {len(each.words) for each in every_sentence()} <= set(range(4, 17))


def test_every_sentence_is_a_tree_with_one_root() -> None:
    for each in every_sentence():
        heads = [word.head for word in each.words]
        assert heads.count(0) == 1, each.name
        assert [word.deprel == "root" for word in each.words] == [head == 0 for head in heads]
        assert all(0 <= head <= len(heads) for head in heads), each.name
        for number in range(1, len(heads) + 1):
            above, steps = number, 0
            while above and steps <= len(heads):
                above, steps = heads[above - 1], steps + 1
            assert above == 0, each.name


def test_trees_are_projective() -> None:
    for each in every_sentence():
        arcs = [sorted((i, word.head)) for i, word in enumerate(each.words, start=1)]
        crossing = [(a, b, c, d) for a, b in arcs for c, d in arcs if a < c < b < d]
        assert not crossing, each.name


def test_labels_are_those_of_universal_dependencies() -> None:
    words = every_word()
    assert {word.upos for word in words} <= UPOS
    assert {word.deprel for word in words} == DEPREL


def test_the_two_tags_of_a_word_agree() -> None:
    assert [word for word in every_word() if word.xpos not in XPOS_OF[word.upos]] == []


def test_relations_fit_the_tags() -> None:
    for word in every_word():
        assert word.upos in UPOS_OF.get(word.deprel, UPOS), word
        assert (word.upos == "PUNCT") == (word.deprel == "punct"), word


def test_function_words_have_nothing_below_them() -> None:
    for each in every_sentence():
        for word in each.words:
            above = each.words[word.head - 1].deprel if word.head else ""
            assert above not in LEAVES or word.deprel == "fixed", (each.name, word)


def test_no_word_has_two_subjects_or_two_objects() -> None:
    for each in every_sentence():
        said = Counter(
            (word.head, word.deprel.removesuffix(":pass"))
            for word in each.words
            if word.deprel.removesuffix(":pass") in {"nsubj", "obj", "iobj", "cop", "expl"}
        )
        assert max(said.values(), default=1) == 1, each.name


def test_lemmas_are_words_and_the_same_for_the_same_word() -> None:
    lemmas: dict[tuple[str, str], set[str]] = {}
    for word in every_word():
        lemmas.setdefault((word.form.lower(), word.xpos), set()).add(word.lemma)
    assert {key: found for key, found in lemmas.items() if len(found) > 1} == {}
    space = load("glove-6b-50d")
    known = sorted({lemma.lower() for found in lemmas.values() for lemma in found})
    assert [w for w, found in zip(known, space.lookup(known).found, strict=True) if not found] == []


def test_the_starter_space_knows_all_words() -> None:
    forms = sorted({word.form.lower() for word in every_word()})
    assert len(forms) > 600
    space = load("glove-6b-50d")
    assert [w for w, found in zip(forms, space.lookup(forms).found, strict=True) if not found] == []


def test_the_test_part_has_known_and_unknown_words() -> None:
    known = {word.form.lower() for each in sentences("train") for word in each.words}
    tested = [word.form.lower() for each in sentences("test") for word in each.words]
    assert 0.1 < sum(form not in known for form in tested) / len(tested) < 0.4
