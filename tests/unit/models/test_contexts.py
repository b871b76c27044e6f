from __future__ import annotations

import pytest

from lydite.errors import InputError
from lydite.models.contexts import TERM, UNKNOWN, encode_contexts
from lydite.spaces.space import Space
from lydite.types import Context

SPACE = Space.of({"the": [1.0], "sat": [2.0], "cat": [3.0], "___": [9.0]})


def context(text: str, start: int, stop: int) -> Context:
    return Context(tokens=tuple(text.split()), start=start, stop=stop)


def test_all_uses_of_the_term_are_marked_and_masked_ones_too() -> None:
    encoded = encode_contexts(SPACE, [[context("the cat sat ___ Cat emu", 1, 2)]])
    assert encoded.rows.tolist() == [0, TERM, 1, TERM, TERM, UNKNOWN]


def test_a_term_of_several_words_takes_one_place() -> None:
    encoded = encode_contexts(SPACE, [[context("the tom cat sat tom cat cat", 1, 3)]])
    assert encoded.rows.tolist() == [0, TERM, 1, TERM, 2]


def test_case_exact_does_not_ask_again() -> None:
    encoded = encode_contexts(SPACE, [[context("The emu sat", 1, 2)]], case="exact")
    assert encoded.rows.tolist() == [UNKNOWN, TERM, 1]


def test_sentences_and_samples_are_divided() -> None:
    one, two = context("the emu sat", 1, 2), context("emu sat", 0, 1)
    encoded = encode_contexts(SPACE, [[one, two], [], [two]])
    assert encoded.sentences.tolist() == [0, 3, 5, 7]
    assert encoded.samples.tolist() == [0, 2, 2, 3]
    assert encoded.keys[1] == encoded.keys[2] != encoded.keys[0]


@pytest.mark.parametrize(("start", "stop"), [(-1, 1), (1, 1), (2, 4)])
def test_a_term_outside_its_sentence_is_refused(start: int, stop: int) -> None:
    with pytest.raises(InputError, match="within its sentence"):
        encode_contexts(SPACE, [[context("the emu sat", start, stop)]])


def test_a_background_that_covers_almost_nothing_is_refused_with_the_counts() -> None:
    tokens = ("emu", "the", *(f"unknown{i}" for i in range(199)))
    with pytest.raises(InputError, match="has 1 of the 200 context words"):
        encode_contexts(SPACE, [[Context(tokens=tokens, start=0, stop=1)]])
