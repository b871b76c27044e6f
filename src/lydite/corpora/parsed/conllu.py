"""Parsed text in CoNLL-U, with labels of Universal Dependencies or of spaCy."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.lemmas import GIVEN, lemmatizer
from lydite.corpora.parsed.block import ParsedBlock
from lydite.corpora.parsed.collapsing import collapsed
from lydite.corpora.parsed.conllu_kernel import scan
from lydite.corpora.parsed.numbering import numbered
from lydite.errors import FormatError, ResourceError
from lydite.spaces.formats.compression import DECOMPRESSION_ERRORS, damaged, open_decompressed
from lydite.threads import thread_count
from lydite.types import Indices

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

    Parameters
    ----------
    path
        In UTF-8, compressed or not.
    lemmas
        ``given`` for the column LEMMA, or the name of a lemmatizer for the column FORM.

    Raises
    ------
    FormatError
        If a line is malformed, with its number.
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
                if end > 1:
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
