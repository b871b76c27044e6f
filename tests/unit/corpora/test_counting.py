from __future__ import annotations

import numpy as np
import pytest

from lydite.corpora.occurrences import WordCounter
from lydite.corpora.tokens import BREAK

PHRASES = ["new york", "New York Times", "york city hall", "men's room", "a.m."]


def counted(*pieces: list[str]) -> dict[str, float]:
    counter = WordCounter(PHRASES)
    for piece in pieces:
        counter.add(piece)
    return counter.counts()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The longest wins, and what it has taken cannot start another.
        ("new york times", {"New York Times": 1}),
        ("New York city hall", {"new york": 1, "city": 1, "hall": 1}),
        ("york city", {"york": 1, "city": 1}),
        ("new new york", {"new": 1, "new york": 1}),
        ("new york new york", {"new york": 2}),
        (
            "dog's men's men's room New York's",
            {"dog": 1, "men's": 1, "men's room": 1, "new york": 1},
        ),
        ("A . M .", {"a.m.": 1}),
        ("the The", {"the": 1, "The": 1}),
    ],
)
def test_words_and_phrases(text: str, expected: dict[str, float]) -> None:
    assert counted(text.split()) == expected


def test_no_phrase_reaches_over_a_break() -> None:
    assert counted(["new", BREAK, "york"]) == {"new": 1, "york": 1}


def test_nothing_depends_on_how_the_text_is_cut() -> None:
    generator = np.random.default_rng(0)
    tokens = generator.choice(["new", "york", "times", "city", "hall", "x"], 300).tolist()
    whole = counted(tokens)
    assert {"new york", "New York Times", "york city hall"} <= whole.keys()
    for size in (1, 2, 3, 7):
        pieces = [tokens[start : start + size] for start in range(0, len(tokens), size)]
        assert counted(*pieces) == whole


def test_without_phrases_words_are_counted() -> None:
    counter = WordCounter([])
    counter.add(["b", "a", "b"])
    counter.add([])
    assert counter.counts() == {"b": 2, "a": 1}
