from __future__ import annotations

import pickle

import pytest

from lydite.corpora.preparation import Preparation
from lydite.errors import SpecError

TEXT = "In 1905 (see p. 3) A proved p ⊃ q -- or x. He erred!"


def test_what_the_paper_does_is_done_without_asking() -> None:
    assert list(Preparation().cut(TEXT)) == [
        ("in", "1905", "see", "proved", "<formula>", "or"),
        ("he", "erred"),
    ]


@pytest.mark.parametrize(
    ("preparation", "expected"),
    [
        (Preparation(lower=False), ("In", "1905", "see", "proved", "<formula>", "or")),
        (
            Preparation(drop_single=False),
            ("in", "1905", "see", "p", "3", "a", "proved", "<formula>", "or", "x"),
        ),
        (Preparation(formulas="keep"), ("in", "1905", "see", "proved", "or")),
        (Preparation(numbers="drop"), ("in", "see", "proved", "<formula>", "or")),
        (
            Preparation(numbers="placeholder"),
            ("in", "<number>", "see", "proved", "<formula>", "or"),
        ),
        (
            Preparation(punctuation=True, drop_single=False, formulas="keep"),
            (
                *("in", "1905", "(", "see", "p", ".", "3", ")", "a"),
                *("proved", "p", "⊃", "q", "-", "-", "or", "x", "."),
            ),
        ),
        (
            Preparation(tokenizer="whitespace"),
            ("in", "1905", "(see", "p.", "3)", "proved", "<formula>", "or", "x."),
        ),
    ],
)
def test_every_choice_can_be_made_otherwise(
    preparation: Preparation, expected: tuple[str, ...]
) -> None:
    assert next(preparation.cut(TEXT)) == expected


def test_whitespace_keeps_long_punctuation_on_request() -> None:
    assert Preparation(tokenizer="whitespace", punctuation=True).tokens("so -- no") == (
        *("so", "--", "no"),
    )


def test_wrapped_lines_are_joined_and_lines_that_are_sentences_are_not() -> None:
    paragraph = "The first\nline. The second."
    assert list(Preparation().cut(paragraph)) == [("the", "first", "line"), ("the", "second")]
    assert list(Preparation(sentences="lines").cut(paragraph)) == [
        ("the", "first"),
        ("line", "the", "second"),
    ]


def test_a_sentence_without_tokens_is_none() -> None:
    assert list(Preparation().cut("? ! * A.")) == []


def test_an_unknown_tokenizer_is_refused() -> None:
    with pytest.raises(SpecError, match="wrods"):
        Preparation(tokenizer="wrods").tokens("a")


def test_it_survives_pickling_after_use() -> None:
    preparation = Preparation(lower=False)
    assert preparation.tokens("So it is") == ("So", "it", "is")
    assert pickle.loads(pickle.dumps(preparation)) == preparation
