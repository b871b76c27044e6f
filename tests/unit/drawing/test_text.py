from __future__ import annotations

import pytest

from lydite.drawing.text import shorten, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\r\nlines\t", r"two\r\nlines\t"),
        ("\x00\x1b[31m\x7f\x9b", r"\x00\x1b[31m\x7f\x9b"),
        ("\u202egnp\u2066", r"\u202egnp\u2066"),
        ("\ud800x\ufffe", r"\ud800x\ufffe"),
        ("\u05e9\u05dc", "\u05e9\u05dc"),
        # The joiner inside a family emoji is no control character to be shown.
        ("\U0001f469\u200d\U0001f467", "\U0001f469\u200d\U0001f467"),
    ],
)
def test_what_acts_is_written_out_and_the_rest_stays(text: str, shown: str) -> None:
    assert visible(text) == shown
    visible(text).encode("utf-8")


def test_lines_can_be_kept() -> None:
    assert visible("a\n\tb\x00", keep="\n\t") == "a\n\tb\\x00"


def test_shortened_text_has_the_length_asked_for_and_both_ends() -> None:
    assert shorten("abcdefghij", 10) == "abcdefghij"
    assert shorten("abcdefghijk", 6) == "abc…jk"
    assert all(len(shorten("x" * 50, most)) == most for most in range(3, 40))
