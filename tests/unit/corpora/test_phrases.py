from __future__ import annotations

import numpy as np

from lydite.corpora.occurrences import Phrases


def found(phrases: list[str], text: str) -> list[tuple[int, int, int]]:
    made = Phrases.of([phrase.split() for phrase in phrases])
    numbers = np.array([made.parts.get(token, 0) for token in text.split()], dtype=np.int64)
    starts, lengths, which = made.find(numbers)
    return list(zip(starts.tolist(), lengths.tolist(), which.tolist(), strict=True))


def by_hand(phrases: list[str], text: str) -> list[tuple[int, int, int]]:
    """Look for every phrase at every place, one after the other."""
    tokens = text.split()
    cut = [phrase.split() for phrase in phrases]
    place, kept = 0, []
    while place < len(tokens):
        here = [each for each in cut if tokens[place : place + len(each)] == each]
        if here:
            longest = max(here, key=len)
            kept.append((place, len(longest), cut.index(longest)))
        place += len(longest) if here else 1
    return kept


def test_it_is_what_a_search_one_by_one_finds() -> None:
    generator = np.random.default_rng(0)
    for _ in range(30):
        phrases = [
            " ".join(generator.choice(list("abc"), generator.integers(2, 5))) for _ in "12345"
        ]
        text = " ".join(generator.choice(list("abcd"), 60))
        assert found(phrases, text) == by_hand(phrases, text)


def test_a_longer_phrase_that_is_not_completed_leaves_the_shorter() -> None:
    assert found(["a b", "a b c d"], "a b c x a b") == [(0, 2, 0), (4, 2, 0)]


def test_of_equal_phrases_the_first_counts() -> None:
    assert found(["x y", "a b", "a b"], "a b") == [(0, 2, 1)]


def test_no_phrases_and_no_text() -> None:
    assert found([], "a b") == []
    assert found(["a b"], "") == []
    assert found(["a b"], "a") == []
