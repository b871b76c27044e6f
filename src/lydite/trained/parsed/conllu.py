"""Parsed text in CoNLL-U, with labels of Universal Dependencies or of spaCy."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import compiled, part
from lydite.corpora.lemmas import GIVEN, lemmatizer
from lydite.errors import FormatError, LyditeError, ResourceError
from lydite.files.compression import DECOMPRESSION_ERRORS, damaged, open_decompressed
from lydite.spaces.vocabulary import PackedWords
from lydite.threads import thread_count
from lydite.trained.encoded_corpus import BLANK, END, encode
from lydite.trained.parsed.blocks import ParsedBlock, collapsed
from lydite.types import Indices

# Bytes that no text in UTF-8 holds.
_END = b"\xfe"


def numbered(lines: bytes) -> tuple[list[str], NDArray[np.int32]]:
    r"""Return the different words, one per line in UTF-8 and none empty, and the number of each.

    >>> words, numbers = numbered(b"to\nbe\nto\n")
    >>> words, numbers.tolist()
    (['to', 'be'], [0, 1, 0])
    """
    count = lines.count(b"\n")
    kinds = np.zeros(256, dtype=np.uint8)
    kinds[ord("\n")] = BLANK
    kinds[_END[0]] = END
    text = np.frombuffer(bytearray(lines + _END * 3), dtype=np.uint8)
    offsets = np.zeros(count + 2, dtype=np.int64)
    letters = np.empty(len(text), dtype=np.uint8)
    ids = np.empty(count + 1, dtype=np.int32)
    state = np.zeros(2, dtype=np.int64)
    encode(
        text,
        0,
        kinds,
        np.full(1 << (2 * count + 2).bit_length(), -1, dtype=np.int32),
        np.empty(count + 1, dtype=np.uint64),
        offsets,
        letters,
        np.zeros(count + 1, dtype=np.int64),
        ids,
        state,
    )
    words = int(state[0])
    packed = PackedWords(letters=letters[: offsets[words]], offsets=offsets[: words + 1])
    return packed.to_list(), ids[:count]


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

    - ``text``: lines, the last of which ends a sentence.
    - ``forms``: whether to take words rather than their lemmas. A lemma that is not given, ``_``,
      is always the word.
    - ``heads``: filled with the place of each token's head, -1 for a root.
    - ``places``: filled with where each token's line starts.
    - ``starts``: filled with the first token of each sentence, and in the end how many there are.
    - ``state`` (5,): filled with the number of tokens and of sentences, the bytes of words
      and of labels, and where the line at fault starts.

    Returns 0, or what is wrong.
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


_BLOCK_BYTES = 1 << 23
#: Bytes of the longest sentence; what is longer is no CoNLL-U.
_LONGEST = 1 << 26
#: No line of a token is shorter: ten columns, a line break.
_SHORTEST_LINE = 16

_FAULTS = (
    "",
    "10 columns divided by tabs",
    "the next number of a word, 2-3 or 8.1 in the first column",
    "the number of a head in the seventh column",
    "the number of a head in this sentence",
    "a word, a lemma and a relation",
)


def conllu_blocks(path: Path, *, lemmas: str = GIVEN) -> Iterator[ParsedBlock]:
    """Yield the parsed sentences of a file, some thousand at a time.

    Multiword tokens (2-3) and empty nodes (8.1) are passed over, and so is what the column DEPS
    says. A lemma is put into lower case; where none is given the word stands for it.

    - ``lemmas``: ``given`` for the column LEMMA, or the name of a lemmatizer for the column FORM.
    """
    pieces = _pieces(path)
    workers = thread_count()
    waiting: deque[Future[ParsedBlock]] = deque()
    # Compiled code runs outside the interpreter lock, so that pieces can be read side by side.
    with ThreadPoolExecutor(workers) as pool:
        for line, text in pieces:
            waiting.append(pool.submit(_block, text, path, line, lemmas))
            if len(waiting) > workers:
                yield from _filled(waiting.popleft().result())
        while waiting:
            yield from _filled(waiting.popleft().result())


def _filled(block: ParsedBlock) -> Iterator[ParsedBlock]:
    if len(block.tokens):
        yield block


def _pieces(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield whole sentences with the number of their first line."""
    line = 1
    try:
        with open_decompressed(path) as stream:
            rest = stream.read(_BLOCK_BYTES).removeprefix(b"\xef\xbb\xbf")
            while rest:
                read = stream.read(_BLOCK_BYTES)
                rest = rest.replace(b"\r\n", b"\n") if b"\r" in rest else rest
                end = rest.rfind(b"\n\n") + 2 if read else len(rest)
                if not read or b"\n\n" in rest:
                    yield line, rest[:end]
                    line += rest.count(b"\n", 0, end)
                    rest = rest[end:]
                elif len(rest) > _LONGEST:
                    raise FormatError(
                        f"expected a blank line after each sentence, got none in {len(rest)} bytes",
                        path=path,
                        line=line,
                        hint="sentences are divided by blank lines",
                    )
                rest += read
    except LyditeError:
        raise
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
    except OSError as error:
        raise ResourceError(
            f"{path} cannot be read: {error.strerror}", hint="check the path"
        ) from error


def _block(text: bytes, path: Path, line: int, lemmas: str) -> ParsedBlock:
    lines = text.count(b"\n") + 1
    room = min(lines, len(text) // _SHORTEST_LINE + 1)
    heads, places = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int64)
    starts = np.empty(room + 1, dtype=np.int64)
    words, labels = (np.empty(len(text) + room, dtype=np.uint8) for _ in range(2))
    state = np.zeros(5, dtype=np.int64)
    # Compiled code takes no read-only arrays.
    letters = np.frombuffer(bytearray(text + b"\n\n"), dtype=np.uint8)
    fault = scan(letters, lemmas != GIVEN, heads, places, starts, words, labels, state)
    if fault:
        raise _wrong(text, int(state[4]), path, line, _FAULTS[fault])
    tokens, sentences, lettered, labelled = state[:4].tolist()
    known, ids = _words(words[:lettered].tobytes(), lemmas, text, places, path, line)
    names, kinds = numbered(labels[:labelled].tobytes())
    return collapsed(known, names, ids, kinds, heads[:tokens], starts[: sentences + 1].copy())


def _words(
    lines: bytes, lemmas: str, text: bytes, places: Indices, path: Path, line: int
) -> tuple[list[str], NDArray[np.int32]]:
    """Return the different lemmas and which of them each token has."""
    try:
        plain = lines.decode()
    except UnicodeDecodeError as error:
        at = int(places[lines.count(b"\n", 0, error.start)])
        raise _wrong(text, at, path, line, "text in UTF-8") from error
    if lemmas == GIVEN:
        return numbered(plain.lower().encode())
    forms, numbers = numbered(lines)
    known: dict[str, int] = {}
    same = [known.setdefault(lemma, len(known)) for lemma in lemmatizer(lemmas)(forms)]
    return list(known), np.array(same or [0], dtype=np.int32)[numbers]


def _wrong(text: bytes, start: int, path: Path, line: int, expected: str) -> FormatError:
    end = text.find(b"\n", start)
    got = text[start : end if end >= 0 else None].decode("utf-8", "replace")
    return FormatError(
        f"expected {expected}, got {got[:80]!r}",
        path=path,
        line=line + text.count(b"\n", 0, start),
        hint="CoNLL-U has ten columns divided by tabs and a blank line after each sentence",
    )
