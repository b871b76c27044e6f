"""Compiled reading of CoNLL-U: the hot loop of counting parsed text."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled, part

_TAB: Final = 9
_NEWLINE: Final = 10
_RETURN: Final = 13
_HASH: Final = 35
_MINUS: Final = 45
_POINT: Final = 46
_ZERO: Final = 48
_NINE: Final = 57
_UNDERSCORE: Final = 95

_COLUMNS: Final = 10
_MOST_DIGITS: Final = 9

#: What can be wrong with a line.
WIDTH: Final = 1
NUMBER: Final = 2
HEAD: Final = 3
RANGE: Final = 4
EMPTY: Final = 5

Bytes: TypeAlias = NDArray[np.uint8]
Ids: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]


@part
def _columns(text: Bytes, at: int, ends: Int64s) -> tuple[int, int]:
    """Fill in where each column of a line ends; return how many there are, and the line's end."""
    filled = 0
    while at < text.shape[0] and text[at] != _NEWLINE:
        if text[at] == _TAB:
            if filled < _COLUMNS:
                ends[filled] = at
            filled += 1
        at += 1
    if filled < _COLUMNS:
        ends[filled] = at
    return filled + 1, at


@part
def _number(text: Bytes, start: int, stop: int) -> int:
    """Return a whole number, -1 if there is none."""
    if stop <= start or stop - start > _MOST_DIGITS:
        return -1
    value = 0
    for at in range(start, stop):
        if text[at] < _ZERO or text[at] > _NINE:
            return -1
        value = 10 * value + int(text[at]) - _ZERO
    return value


@part
def _is_no_word(text: Bytes, start: int, stop: int) -> bool:
    """Tell the number of a multiword token, 2-3, or of an empty node, 8.1."""
    for middle in range(start + 1, stop):
        if text[middle] in (_MINUS, _POINT):
            return _number(text, start, middle) >= 0 and _number(text, middle + 1, stop) >= 0
    return False


@part
def _copy(text: Bytes, start: int, stop: int, out: Bytes, filled: int) -> int:
    """Copy a column, with a line break after it."""
    for at in range(start, stop):
        out[filled] = text[at]
        filled += 1
    out[filled] = _NEWLINE
    return filled + 1


@compiled(
    lambda t: t.i8(
        t.u1[::1], t.b1, t.i4[::1], t.i8[::1], t.i8[::1], t.u1[::1], t.u1[::1], t.i8[::1]
    )
)
def scan(  # noqa: C901 - one loop over the lines
    text: Bytes,
    forms: bool,
    heads: Ids,
    places: Int64s,
    starts: Int64s,
    words: Bytes,
    labels: Bytes,
    state: Int64s,
) -> int:
    """Take the trees out of CoNLL-U.

    Parameters
    ----------
    text
        Lines, the last of which ends a sentence.
    forms
        Whether to take words rather than their lemmas. A lemma that is not given, ``_``, is always
        the word.
    heads
        Filled with the place of each token's head, -1 for a root.
    places
        Filled with where each token's line starts.
    starts
        Filled with the first token of each sentence, and in the end how many there are.
    words, labels
        Filled with a word and a label a line.
    state
        Shape (5,): filled with the number of tokens and of sentences, the bytes of words and of
        labels, and where the line at fault starts.

    Returns
    -------
    0, or what is wrong.
    """
    ends = np.empty(_COLUMNS, np.int64)
    tokens = sentences = lettered = labelled = 0
    first, at = 0, 0
    starts[0] = 0
    while at < text.shape[0]:
        start = at
        width, at = _columns(text, at, ends)
        blank = at == start or (at == start + 1 and text[start] == _RETURN)
        at += 1
        if blank:
            for t in range(first, tokens):
                if heads[t] >= tokens:
                    state[4] = places[t]
                    return RANGE
            if tokens > first:
                sentences += 1
                starts[sentences] = tokens
            first = tokens
            continue
        if text[start] == _HASH:
            continue
        state[4] = start
        if width != _COLUMNS:
            return WIDTH
        number = _number(text, start, ends[0])
        if number != tokens - first + 1:
            if number < 0 and _is_no_word(text, start, ends[0]):
                continue
            return NUMBER
        head = _number(text, ends[5] + 1, ends[6])
        if head < 0:
            return HEAD
        places[tokens] = start
        heads[tokens] = first + head - 1 if head > 0 else -1
        word_start, word_stop = ends[1] + 1, ends[2]
        if forms or (word_stop == word_start + 1 and text[word_start] == _UNDERSCORE):
            word_start, word_stop = ends[0] + 1, ends[1]
        if word_stop == word_start or ends[7] == ends[6] + 1:
            return EMPTY
        lettered = _copy(text, word_start, word_stop, words, lettered)
        labelled = _copy(text, ends[6] + 1, ends[7], labels, labelled)
        tokens += 1
    state[0], state[1], state[2], state[3] = tokens, sentences, lettered, labelled
    return 0
