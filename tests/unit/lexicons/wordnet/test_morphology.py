from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.errors import InputError
from lydite.lexicons.wordnet.database import WordNet, read_wordnet

Write = Callable[..., list[Path]]


@pytest.fixture
def small(write: Write) -> WordNet:
    return read_wordnet(write(), name="small", sha256="0")


@pytest.mark.parametrize(
    ("word", "part", "expected"),
    [
        ("dogs", "n", ("dog",)),
        ("Dogs", "n", ("dog",)),
        ("dogs", "v", ("dog",)),
        ("dogs", "a", ()),
        ("dog", "n", ("dog",)),
        # doges is no form by any rule of nouns that leads to a lemma; the rule es of verbs does.
        ("doges", "n", ()),
        ("doges", "v", ("dog",)),
        ("chasing", "v", ("chase",)),
        ("finest", "s", ("fine",)),
        ("doggen", "n", ("dog",)),
        ("kings of dogs", "n", ("king of dogs",)),
        # In the list of exceptions, so that no rule is tried, though furs is fur and an s.
        ("furs", "n", ()),
        # good is no adverb and well no adjective.
        ("better", "a", ("good",)),
        ("best", "r", ("well",)),
        ("REX", "n", ("rex",)),
        ("", "n", ()),
    ],
)
def test_base_forms(small: WordNet, word: str, part: str, expected: tuple[str, ...]) -> None:
    assert small.base_forms([word, "pack"], part)[0] == expected


def test_no_words(small: WordNet) -> None:
    assert small.base_forms([], "n") == []
    assert small.find([]).tolist() == []


def test_an_unknown_part_of_speech(small: WordNet) -> None:
    with pytest.raises(InputError, match="one of n, v, a, r, got 'nouns'") as caught:
        small.base_forms(["dogs"], "nouns")
    assert caught.value.hint == "did you mean n?"
