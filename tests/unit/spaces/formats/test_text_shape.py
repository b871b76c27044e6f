from __future__ import annotations

import pytest

from lydite.spaces.formats.text import (
    is_binary,
    is_decimal,
    is_number,
    read_header,
    sniff_shape,
    split_fields,
)


@pytest.mark.parametrize(
    ("head", "dim", "promised"),
    [
        (b"2 3\ncat 1 2 3\ndog 4 5 6\n", 3, 2),
        (b"2 3\r\ncat 1 2 3\r\ndog 4 5 6\r\n", 3, 2),
        (b"  2   3  \ncat 1 2 3\n", 3, 2),
        (b"\xef\xbb\xbf2 3\ncat 1 2 3\n", 3, 2),
        (b"\n\r\n2 3\ncat 1 2 3\n", 3, 2),
        (b"5 50\n", 50, 5),
        (b"cat 1 2 3\ndog 4 5 6\n", 3, None),
        (b"cat\t1\t2\ndog\t4\t5\n", 2, None),
        (b"cat 1 2 3", 3, None),
        (b"2000 0.1 0.2\n1999 0.3 0.4\n", 2, None),
        (b"2000 1 2\n", 2, None),
        (b"new york 0.1 0.2\ncat 1 2\n", 2, None),
        (b"new york 0.1 0.2\n", 2, None),
        (b"new york 1 2\nlos angeles 1 2\nsan jose 1 2\n", 2, None),
        (b"route 66 1 2\ncat 1 2\ndog 1 2\n", 2, None),
        # d = 1: a first line of two integers is a header only if the rest agrees.
        (b"3 1\na 1\nb 2\nc 3\n", 1, 3),
        (b"5 7\n6 8\n7 9\n", 1, None),
        (b"2 7\n6 8\n7 9\n", 7, 2),
        # A header that no row agrees with stays one, so that the first row is named as wrong.
        (b"2 300\ncat 1 2 3\ndog 1 2 3\n", 300, 2),
        # A number that is none does not make a line narrower.
        (b"cat 1 2 3\ndog 1 x 3\n", 3, None),
    ],
)
def test_header_and_dimension(head: bytes, dim: int, promised: int | None) -> None:
    shape = sniff_shape(head)
    assert shape is not None
    assert (shape.dim, shape.promised) == (dim, promised)


@pytest.mark.parametrize(
    "head",
    [
        b"the cat sat\non the mat\n",
        b"cat,1,2\ndog,3,4\n",
        b"word\n",
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"3 2\ncat \x00\x00\x80\x3f\x00\x00\x00\x40\n",
    ],
)
def test_other_files_have_no_shape(head: bytes) -> None:
    assert sniff_shape(head) is None


def test_the_first_line_is_counted_behind_blank_lines_and_header() -> None:
    header = read_header(b"\n\n2 3\ncat 1 2 3\n")
    assert header is not None
    assert (header.skip, header.first_line) == (6, 4)
    shape = sniff_shape(b"\n\ncat 1 2 3\n")
    assert shape is not None
    assert (shape.skip, shape.first_line) == (2, 3)


def test_a_header_of_endless_digits_is_no_header() -> None:
    assert read_header(b"1" * 5000 + b" 3\n") is None


@pytest.mark.parametrize("field", [b"1", b"+.5", b"-1.", b"1e5", b"1E-45", b"00012.50e+007"])
def test_decimals(field: bytes) -> None:
    assert is_decimal(field)


@pytest.mark.parametrize(
    "field", [b"1_0", b"0x10", b".", b"-", b"e5", b"1e", b"--1", b"1,5", b"\xef\xbc\x91", b""]
)
def test_what_only_some_languages_call_a_number_is_none(field: bytes) -> None:
    assert not is_decimal(field)
    assert not is_number(field)


@pytest.mark.parametrize("field", [b"nan", b"NaN", b"-inf", b"Infinity"])
def test_numbers_that_are_not_finite(field: bytes) -> None:
    assert is_number(field)
    assert not is_decimal(field)


def test_fields_are_split_at_blanks_and_tabs_alone() -> None:
    assert split_fields(b"a\xc2\xa0b\x0bc 1\t2  3 \r") == [b"a\xc2\xa0b\x0bc", b"1", b"2", b"3"]


def test_a_character_cut_at_the_end_of_the_head_is_not_binary() -> None:
    assert not is_binary("größe".encode()[:4])
    assert is_binary(b"gr\xf6\xdfe and more text")
    assert is_binary(b"a\x00b")
