"""The starter definitions keep the promises their card makes."""

from __future__ import annotations

import re
from importlib.resources import files

from lydite.corpora.occurrences import MASK
from lydite.evaluations.nonces.data import read_definitions
from lydite.models.catalogue import load
from lydite.resources.catalogue import locate

SENTENCE = re.compile(r"(?:[a-z]+|___)(?: (?:[a-z]+|___))*")


def rows() -> list[tuple[str, str]]:
    text = (files("lydite.resources") / "starter" / "definitions.txt").read_text("ascii")
    assert text.endswith("\n")
    out = []
    for line in text.removesuffix("\n").split("\n"):
        word, sentence = line.split("\t")
        out.append((word, sentence))
    return out


def test_there_are_80_words_each_once_and_in_order() -> None:
    words = [word for word, _ in rows()]
    assert len(words) == 80
    assert words == sorted(set(words))
    assert all(re.fullmatch(r"[a-z]+", word) for word in words)


def test_sentences_are_lower_case_words_of_which_one_or_more_are_blanked() -> None:
    for word, sentence in rows():
        assert SENTENCE.fullmatch(sentence), word
        assert MASK in sentence.split(), word
        assert 15 <= len(sentence.split()) <= 26, word


def test_no_sentence_gives_its_word_away() -> None:
    # Plurals and other forms included: "candles" would give "candle" away.
    given = [word for word, said in rows() if any(t.startswith(word) for t in said.split())]
    assert given == []


def test_sentences_begin_in_many_ways_and_are_all_different() -> None:
    sentences = [sentence for _, sentence in rows()]
    assert len(set(sentences)) == len(sentences)
    assert len({" ".join(sentence.split()[:3]) for sentence in sentences}) >= 25


def test_all_words_of_sentences_are_known_to_the_starter_space() -> None:
    words = sorted({token for row in rows() for token in (row[0], *row[1].split())} - {MASK})
    space = load("glove-6b-50d")
    assert [w for w, found in zip(words, space.lookup(words).found, strict=True) if not found] == []


def test_they_are_read_as_the_published_ones_are() -> None:
    trials = read_definitions(locate("starter-definitions").single())
    assert len(trials.trials) == 80
    assert trials.problems == {}
