"""Compiled reading of lines ``word number number …``: the one hot loop of text formats.

Imported only when a text file is really parsed, because importing Numba takes longer than opening
a cached space.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

OK: Final = 0
#: Not an error: a number that the fast path cannot round correctly; Python reads that line again.
SLOW: Final = 1
RAGGED: Final = 2
NO_WORD: Final = 3
NOT_A_NUMBER: Final = 4
NOT_FINITE: Final = 5
TOO_MANY: Final = 6

_POWERS = 10.0 ** np.arange(0, 291)
_LARGEST = float(np.finfo(np.float32).max)
_SMALLEST = float(np.finfo(np.float32).tiny)
_EXACT_MANTISSA = np.uint64(1 << 53)
_DIGITS = 19

Text: TypeAlias = NDArray[np.uint8]
Int64s: TypeAlias = NDArray[np.int64]


@njit("b1(u1)", nogil=True, cache=True, inline="always")
def _blank(letter: int) -> bool:
    return letter in (32, 9, 13)


@njit("b1(u1)", nogil=True, cache=True, inline="always")
def _digit(letter: int) -> bool:
    return 48 <= letter <= 57


@njit("Tuple((i8, u1))(u1[::1], i8, i8)", nogil=True, cache=True)
def _parse_exponent(text: Text, at: int, stop: int) -> tuple[int, int]:
    """Read what follows the ``e`` of a number."""
    sign = 1
    if at < stop and text[at] in (43, 45):
        sign = 44 - int(text[at])
        at += 1
    if at == stop or stop - at > 5:
        return 0, NOT_A_NUMBER
    power = 0
    while at < stop:
        if not _digit(text[at]):
            return 0, NOT_A_NUMBER
        power = power * 10 + int(text[at]) - 48
        at += 1
    return sign * power, OK


@njit("Tuple((f8, u1))(u8, i8)", nogil=True, cache=True)
def _scale(mantissa: np.uint64, exponent: int) -> tuple[float, int]:
    """Return mantissa · 10^exponent where it can be rounded to float32 with certainty.

    A mantissa below 2^53 and a power up to 10^22 are exact in float64, so their product is
    correctly rounded. Otherwise it is off by a few units in the last place, which matters only
    next to the middle between two float32 numbers.
    """
    if mantissa == 0:
        return 0.0, OK
    if not -290 <= exponent <= 290:
        return 0.0, SLOW
    value = float(mantissa)
    value = value * _POWERS[exponent] if exponent >= 0 else value / _POWERS[-exponent]
    if not _SMALLEST < value < _LARGEST:
        return 0.0, SLOW
    if mantissa < _EXACT_MANTISSA and -22 <= exponent <= 22:
        return value, OK
    nearest = np.float32(value)
    half_step = 0.5 * float(np.nextafter(nearest, np.float32(np.inf)) - nearest)
    offset = abs(value - float(nearest))
    # Below a power of two the step is half as wide; both middles are kept clear of.
    margin = value * 2e-15
    if abs(offset - half_step) <= margin or abs(offset - 0.5 * half_step) <= margin:
        return 0.0, SLOW
    return value, OK


@njit("Tuple((f8, u1))(u1[::1], i8, i8)", nogil=True, cache=True)
def parse_number(text: Text, start: int, stop: int) -> tuple[float, int]:
    """Read one decimal number; returns its value and a status.

    Every value is, once rounded to float32, bit for bit what ``numpy.float32(text)`` gives.
    """
    at = start
    sign = 1.0
    if text[at] in (43, 45):
        sign = 44.0 - float(text[at])
        at += 1
    mantissa = np.uint64(0)
    seen = 0
    significant = 0
    exponent = 0
    point = False
    while at < stop:
        letter = text[at]
        if _digit(letter):
            seen += 1
            if significant == _DIGITS:
                return 0.0, SLOW
            mantissa = mantissa * np.uint64(10) + np.uint64(letter - 48)
            significant += int(mantissa > 0)
            exponent -= int(point)
        elif letter == 46 and not point:
            point = True
        else:
            break
        at += 1
    if seen == 0:
        # nan, inf and infinity, in any case, or no number at all
        word = at < stop and text[at] | 32 in (105, 110) and stop - at in (3, 8)
        return 0.0, NOT_FINITE if word else NOT_A_NUMBER
    if at < stop:
        if text[at] | 32 != 101:
            return 0.0, NOT_A_NUMBER
        power, status = _parse_exponent(text, at + 1, stop)
        if status != OK:
            return 0.0, status
        exponent += power
    value, status = _scale(mantissa, exponent)
    return sign * value, status


@njit("Tuple((i8, u1))(u1[::1], i8, i8, f4[::1])", nogil=True, cache=True)
def _parse_vector(text: Text, start: int, stop: int, out: NDArray[np.float32]) -> tuple[int, int]:
    """Read as many numbers as ``out`` holds from the end of a line; returns the end of the word."""
    at = stop
    status = OK
    for field in range(out.shape[0] - 1, -1, -1):
        end = at
        while at > start and not _blank(text[at - 1]):
            at -= 1
        if at == start:
            return at, RAGGED
        value, code = parse_number(text, at, end)
        if code > SLOW:
            return at, code
        status = max(status, code)
        out[field] = np.float32(value)
        while at > start and _blank(text[at - 1]):
            at -= 1
    return at, status


@njit("b1(u1[::1], i8, i8)", nogil=True, cache=True)
def _ends_in_decimal(text: Text, start: int, stop: int) -> bool:
    """Tell whether a word holds a space and ends in a number with a point: one number too many."""
    at = stop
    point = False
    while at > start and not _blank(text[at - 1]):
        at -= 1
        point = point or text[at] == 46
    return point and at > start and parse_number(text, at, stop)[1] <= SLOW


@njit("i8(u1[::1], i8[:, ::1], b1, f4[:, ::1], i8[:, ::1], u1[::1])", nogil=True, cache=True)
def parse_lines(
    text: Text,
    lines: Int64s,
    strict: bool,
    vectors: NDArray[np.float32],
    rows: Int64s,
    status: Text,
) -> int:
    """Read lines from their end: the last d fields are the vector, the rest is the word.

    Parameters
    ----------
    text
        Bytes.
    lines
        Shape (m, 2): where each line starts and stops.
    strict
        Stop at the first line at fault.
    vectors
        Shape (m, d), filled row by row.
    rows
        Shape (m, 3), filled row by row: start and stop of the word, number of the line.
    status
        Shape (m,), one code a line.

    Returns
    -------
    The number of rows filled.
    """
    row = 0
    for line in range(lines.shape[0]):
        start, stop = lines[line]
        while stop > start and _blank(text[stop - 1]):
            stop -= 1
        if stop == start:
            continue
        at, code = _parse_vector(text, start, stop, vectors[row])
        if code <= SLOW:
            if at == start:
                code = NO_WORD
            elif _ends_in_decimal(text, start, at):
                code = TOO_MANY
        status[line] = code
        if code <= SLOW:
            rows[row, 0] = start
            rows[row, 1] = at
            rows[row, 2] = line
            row += 1
        elif strict:
            break
    return row
