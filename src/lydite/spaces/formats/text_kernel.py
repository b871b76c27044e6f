"""Compiled reading of lines ``word number number …``: the one hot loop of text formats."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled, part

OK: Final = 0
#: Not an error: a number that the fast path cannot round with certainty; Python reads that line.
SLOW: Final = 1
TOO_FEW: Final = 2
TOO_MANY: Final = 3
NO_WORD: Final = 4
NOT_A_NUMBER: Final = 5

_POWERS = 10.0 ** np.arange(0, 291)
#: Well inside the normal numbers of float32, so that each has one above and one below.
_LARGEST = 1e38
_SMALLEST = 1e-37
_EXACT_MANTISSA = np.uint64(1 << 53)
#: The most decimal digits that fit into 64 bits.
_DIGITS = 19
#: Far beyond every float; larger exponents need not be told apart.
_HUGE = 100_000

Text: TypeAlias = NDArray[np.uint8]
Int64s: TypeAlias = NDArray[np.int64]


@part
def _blank(letter: int) -> bool:
    return letter in (32, 9, 13)


@part
def _digit(letter: int) -> bool:
    return 48 <= letter <= 57


@part
def _parse_exponent(text: Text, at: int, stop: int) -> tuple[int, int]:
    """Read what follows the ``e`` of a number."""
    sign = 1
    if at < stop and text[at] in (43, 45):
        sign = 44 - int(text[at])
        at += 1
    if at == stop:
        return 0, NOT_A_NUMBER
    power = 0
    while at < stop:
        if not _digit(text[at]):
            return 0, NOT_A_NUMBER
        power = min(power * 10 + int(text[at]) - 48, _HUGE)
        at += 1
    return sign * power, OK


@part
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


@part
def parse_number(text: Text, start: int, stop: int) -> tuple[float, int]:
    """Read one decimal number; returns its value and a status.

    Every value is, once rounded to float32, bit for bit what ``numpy.float32(text)`` gives.
    Digits beyond the 19th change the value by less than the margin of ``_scale``.
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
                exponent += int(not point)
            else:
                mantissa = mantissa * np.uint64(10) + np.uint64(letter - 48)
                significant += int(mantissa > 0)
                exponent -= int(point)
        elif letter == 46 and not point:
            point = True
        else:
            break
        at += 1
    if seen == 0:
        return 0.0, NOT_A_NUMBER
    if at < stop:
        if text[at] | 32 != 101:
            return 0.0, NOT_A_NUMBER
        power, status = _parse_exponent(text, at + 1, stop)
        if status != OK:
            return 0.0, status
        exponent += power
    value, status = _scale(mantissa, exponent)
    return sign * value, status


@part
def _parse_vector(text: Text, start: int, stop: int, out: NDArray[np.float32]) -> tuple[int, int]:
    """Read as many numbers as ``out`` holds from the end of a line; returns the end of the word."""
    at = stop
    status = OK
    for field in range(out.shape[0] - 1, -1, -1):
        end = at
        while at > start and not _blank(text[at - 1]):
            at -= 1
        if at == start:
            return at, TOO_FEW
        value, code = parse_number(text, at, end)
        if code > SLOW:
            return at, code
        status = max(status, code)
        out[field] = np.float32(value)
        while at > start and _blank(text[at - 1]):
            at -= 1
    return at, NO_WORD if at == start else status


@part
def _ends_in_decimal(text: Text, start: int, stop: int) -> bool:
    """Tell whether a word holds a space and ends in a number with a point: one number too many."""
    at = stop
    point = False
    while at > start and not _blank(text[at - 1]):
        at -= 1
        point = point or text[at] == 46
    return point and at > start and parse_number(text, at, stop)[1] <= SLOW


@compiled(lambda t: t.i8(t.u1[::1], t.i8[:, ::1], t.f4[:, ::1], t.i8[:, ::1], t.u1[::1]))
def parse_lines(
    text: Text,
    lines: Int64s,
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
    vectors
        Shape (r, d), filled row by row; r is one more than the rows that the text can hold.
    rows
        Shape (r, 3), filled row by row: start and stop of the word, number of the line.
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
        if code <= SLOW and _ends_in_decimal(text, start, at):
            code = TOO_MANY
        status[line] = code
        if code <= SLOW:
            rows[row, 0] = start
            rows[row, 1] = at
            rows[row, 2] = line
            row += 1
    return row
