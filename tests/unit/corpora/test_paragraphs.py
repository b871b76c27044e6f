from __future__ import annotations

import textwrap

from lydite.corpora.books import gathered, is_wrapped

PROSE = (
    "A balance asks only one question, and that is the source of its authority. It does not say"
    " how heavy a thing is; it says whether this thing is heavier than that one. Put a bag of nails"
    " in the left pan and an iron weight in the right, and the beam will tip."
)


def test_prose_broken_at_a_width_is_wrapped() -> None:
    lines = [*textwrap.wrap(PROSE, 60), "", *textwrap.wrap(PROSE, 60)]
    assert is_wrapped(lines)


def test_a_sentence_a_line_is_not() -> None:
    assert not is_wrapped(["The cat sat.", "It purred for quite a long while, all alone.", "No."])


def test_a_paragraph_a_line_is_not() -> None:
    assert not is_wrapped([PROSE, PROSE[:210], PROSE])


def test_single_lines_between_blank_ones_are_not() -> None:
    assert not is_wrapped(["One.", "", "Two."])
    assert not is_wrapped([])


def test_wrapped_lines_are_gathered_up_to_a_blank_one() -> None:
    lines = ["a", "b", "", " ", "c"]
    assert list(gathered(lines, wrapped=True)) == ["a\nb", "c"]
    assert list(gathered(lines, wrapped=False)) == ["a", "b", "c"]
