from __future__ import annotations

import numpy as np
import pytest

from lydite.spaces.formats import text as kernel


def parse(text: str) -> tuple[float, int]:
    letters = np.frombuffer(bytearray(text.encode()), dtype=np.uint8)
    return kernel.parse_number(letters, 0, len(letters))


@pytest.mark.parametrize(
    "text",
    [
        *("0", "1", "-1.5", ".5", "5.", "+.5", "1e5", "1E-5", "1e0000000000005"),
        *("123456789.125e-3", "9.9e37", "1.1e-37", "0." + "0" * 30 + "1"),
        *("0.1234567890123456789012345678901234567890", "12345678901234567890123e-10"),
    ],
)
def test_numbers_are_read_as_numpy_reads_them(text: str) -> None:
    value, status = parse(text)
    assert status == kernel.OK
    assert np.float32(value) == np.float32(text)


def test_the_sign_of_zero_stays() -> None:
    assert np.signbit(parse("-0")[0])
    assert not np.signbit(parse("0.00")[0])


@pytest.mark.parametrize("text", ["1e39", "1e-45", "1e-400", "1e99999999999", "3.4028235e38"])
def test_numbers_outside_the_range_of_float32_are_left_to_python(text: str) -> None:
    assert parse(text)[1] == kernel.SLOW


def test_a_number_next_to_the_middle_of_two_floats_is_left_to_python() -> None:
    # 1 + 2^-24 lies halfway between 1 and the next float32; the last digit decides.
    middle = "1.000000059604644775390625"
    assert parse(middle)[1] == kernel.SLOW
    assert parse(middle[:-9])[1] == kernel.OK


@pytest.mark.parametrize(
    "text",
    [
        *("", "-", ".", "e5", "1e", "1e+", "--1", "1-", "1.2.3", "1_0", "0x10", "nan", "inf"),
        *("abc", "12345678901234567890x", "1e5x", "1,5"),
    ],
)
def test_what_is_no_number(text: str) -> None:
    letters = np.frombuffer(bytearray(text.encode() + b" "), dtype=np.uint8)
    assert kernel.parse_number(letters, 0, len(text))[1] == kernel.NOT_A_NUMBER


def test_lines_report_their_faults() -> None:
    text = b"cat 1 2\nnew york 1 2\n 1 2\ndog 1\nemu 1 x\ngnu 0.5 1 2\n\nroute 66 1 2\n"
    letters = np.frombuffer(bytearray(text), dtype=np.uint8)
    stops = np.flatnonzero(letters == 10)
    lines = np.stack([np.append(0, stops[:-1] + 1), stops], axis=1)
    vectors = np.empty((9, 2), dtype=np.float32)
    rows = np.empty((9, 3), dtype=np.int64)
    status = np.zeros(len(lines), dtype=np.uint8)
    filled = kernel.parse_lines(letters, lines, vectors, rows, status)
    words = [text[start:stop].decode() for start, stop, _ in rows[:filled]]
    assert words == ["cat", "new york", "route 66"]
    assert rows[:filled, 2].tolist() == [0, 1, 7]
    assert vectors[:filled].tolist() == [[1, 2]] * 3
    bad = [kernel.NO_WORD, kernel.TOO_FEW, kernel.NOT_A_NUMBER, kernel.TOO_MANY]
    assert status.tolist() == [0, 0, *bad, 0, 0]
