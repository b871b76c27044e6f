import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.corpora.tokens import TOKENIZERS, tokenizer, whitespace, words
from lydite.errors import SpecError


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        (" \n\t", []),
        ("Don't panic!", ["Don't", "panic", "!"]),
        ("don’t", ["don’t"]),
        ("north-west -- or 'so'", ["north-west", "-", "-", "or", "'", "so", "'"]),
        ("3.5 km, 1,000,000.", ["3.5", "km", ",", "1,000,000", "."]),
        ("the 1st of the 1990s, 4x4", ["the", "1st", "of", "the", "1990s", ",", "4x4"]),
        ("3.5km", ["3.5", "km"]),
        ("covid-19 new_york", ["covid-19", "new_york"]),
        ("U.S.", ["U", ".", "S", "."]),
        ("über 日本", ["über", "日本"]),
        ("cafe\u0301s", ["cafe\u0301s"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("I \u2764\ufe0f it", ["I", "\u2764\ufe0f", "it"]),
    ],
)
def test_words(text: str, tokens: list[str]) -> None:
    assert words(text) == tokens


@given(st.text() | st.text("ab1.,'-\u0301\u200d é\n"))
def test_words_drop_nothing_but_white_space(text: str) -> None:
    assert "".join(words(text)) == "".join(text.split())
    assert all(token and not any(map(str.isspace, token)) for token in words(text))


@given(st.lists(st.from_regex(r"[a-z]+(?:'[a-z]+)?", fullmatch=True)))
def test_words_of_plain_text_are_those_between_blanks(tokens: list[str]) -> None:
    assert words(" ".join(tokens)) == whitespace(" ".join(tokens)) == tokens


def test_whitespace_keeps_tokens_as_they_are() -> None:
    assert whitespace(" the cat 's\twhiskers . ") == ["the", "cat", "'s", "whiskers", "."]


@pytest.mark.parametrize("name", sorted(TOKENIZERS))
def test_every_tokenizer_is_found_by_its_name(name: str) -> None:
    assert tokenizer(name) is TOKENIZERS[name]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("white-space", "did you mean whitespace?"), (5, "there are words, whitespace")],
)
def test_an_unknown_tokenizer(name: str, hint: str) -> None:
    with pytest.raises(SpecError) as caught:
        tokenizer(name)
    assert caught.value.message == f"there is no tokenizer called {name!r}"
    assert caught.value.hint == hint
