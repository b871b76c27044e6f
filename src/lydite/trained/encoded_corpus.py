"""A corpus as numbers of words, in a file that is mapped: it may be larger than memory."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import compiled, part
from lydite.errors import FormatError, InputError, ResourceError
from lydite.files.compression import DECOMPRESSION_ERRORS, damaged, open_decompressed
from lydite.progress import current_progress
from lydite.spaces.vocabulary import PackedWords
from lydite.types import Indices

#: What a byte can be.
LETTER: Final = 0
BLANK: Final = 1
END: Final = 2
#: The first byte of a character that may be white space.
LEAD: Final = 3

#: What stands after the words of a sentence.
SENTENCE_END: Final = -1

_FNV_BASIS = np.uint64(0xCBF29CE484222325)
_FNV_PRIME = np.uint64(0x100000001B3)

Bytes: TypeAlias = NDArray[np.uint8]
Ids: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Hashes: TypeAlias = NDArray[np.uint64]


@part
def _blank_width(text: Bytes, at: int) -> int:
    """Return how many bytes the white space beyond ASCII takes that starts here, or 0."""
    first, second = text[at], text[at + 1]
    if first == 0xC2:
        return 2 if second in (0x85, 0xA0) else 0
    third = text[at + 2]
    if first == 0xE2 and second == 0x80:
        return 3 if third <= 0x8A or third in (0xA8, 0xA9, 0xAF) else 0
    blank = (
        (first == 0xE1 and second == 0x9A and third == 0x80)
        or (first == 0xE2 and second == 0x81 and third == 0x9F)
        or (first == 0xE3 and second == 0x80 and third == 0x80)
    )
    return 3 if blank else 0


@part
def _same(text: Bytes, start: int, stop: int, letters: Bytes, at: int) -> bool:
    for offset in range(stop - start):  # noqa: SIM110 - compiled code knows no generators
        if text[start + offset] != letters[at + offset]:
            return False
    return True


@part
def _word_end(text: Bytes, start: int, kinds: Bytes) -> tuple[int, np.uint64]:
    """Return where the word that starts here stops, and its hash (FNV-1a)."""
    at, hashed = start, _FNV_BASIS
    while True:
        kind = kinds[text[at]]
        if kind != LETTER and (kind != LEAD or _blank_width(text, at) > 0):
            return at, hashed ^ (hashed >> np.uint64(29))
        hashed = (hashed ^ np.uint64(text[at])) * _FNV_PRIME
        at += 1


@part
def _find(
    text: Bytes,
    start: int,
    stop: int,
    hashed: np.uint64,
    slots: Ids,
    hashes: Hashes,
    offsets: Int64s,
    letters: Bytes,
) -> tuple[int, int]:
    """Return the slot where the word is or belongs, and its number or -1."""
    mask = slots.shape[0] - 1
    slot = np.int64(hashed) & mask
    while slots[slot] >= 0:
        word = int(slots[slot])
        if (
            hashes[word] == hashed
            and offsets[word + 1] - offsets[word] == stop - start
            and _same(text, start, stop, letters, offsets[word])
        ):
            return slot, word
        slot = (slot + 1) & mask
    return slot, -1


@compiled(
    lambda t: t.i8(
        t.u1[::1],
        t.i8,
        t.u1[::1],
        t.i4[::1],
        t.u8[::1],
        t.i8[::1],
        t.u1[::1],
        t.i8[::1],
        t.i4[::1],
        t.i8[::1],
    ),
)
def encode(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    text: Bytes,
    at: int,
    kinds: Bytes,
    slots: Ids,
    hashes: Hashes,
    offsets: Int64s,
    letters: Bytes,
    counts: Int64s,
    ids: Ids,
    state: Int64s,
) -> int:
    """Write the numbers of the words of a text, new words numbered as they are met.

    - ``text``: bytes; the last three end sentences, so that no word and no character is cut.
    - ``slots``: a table of open addressing, its size a power of two: number of a word, or -1.
    - ``hashes``, ``offsets``, ``letters``, ``counts``: the words met so far, as in ``PackedWords``,
      their hashes and how often each stands.
    - ``ids``: filled with numbers of words, `SENTENCE_END` after each sentence that is not empty.
    - ``state``: the number of words and of ids; both are updated.

    Returns where the text was left: at its end, or earlier because an array is full.
    """
    words, filled = state[0], state[1]
    while at < text.shape[0]:
        kind = kinds[text[at]]
        if kind == END:
            if filled > 0 and ids[filled - 1] != SENTENCE_END:
                if filled == ids.shape[0]:
                    break
                ids[filled] = SENTENCE_END
                filled += 1
            at += 1
            continue
        width = 1 if kind == BLANK else _blank_width(text, at) if kind == LEAD else 0
        if width > 0:
            at += width
            continue
        stop, hashed = _word_end(text, at, kinds)
        if (
            filled == ids.shape[0]
            or 2 * words >= slots.shape[0]
            or offsets[words] + stop - at > letters.shape[0]
        ):
            break
        slot, word = _find(text, at, stop, hashed, slots, hashes, offsets, letters)
        if word < 0:
            word = words
            words += 1
            slots[slot] = word
            hashes[word] = hashed
            offsets[word + 1] = offsets[word] + stop - at
            letters[offsets[word] : offsets[word + 1]] = text[at:stop]
        counts[word] += 1
        ids[filled] = word
        filled += 1
        at = stop
    state[0], state[1] = words, filled
    return at


@compiled(lambda t: t.void(t.u8[::1], t.i8, t.i4[::1]))
def fill_slots(hashes: Hashes, words: int, slots: Ids) -> None:
    """Enter words, all different, into an empty table."""
    mask = slots.shape[0] - 1
    for word in range(words):
        slot = np.int64(hashes[word]) & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = word


_BLOCK_BYTES = 1 << 22
_BLOCK_SENTENCES = 1 << 12
_FIRST_SLOTS = 1 << 16
# Bytes that no text in UTF-8 holds.
_BETWEEN_WORDS, _BETWEEN_SENTENCES = b"\xff", b"\xfe"
#: What str.split takes for white space: in ASCII, and the first bytes of what is beyond it.
_BLANKS = b"\t\x0b\x0c\r\x1c\x1d\x1e\x1f "
_LEADS = b"\xc2\xe1\xe2\xe3"


@dataclass(frozen=True, kw_only=True, eq=False)
class EncodedCorpus:
    """A corpus as numbers."""

    words: PackedWords  # The n different words, in the order in which they are first met
    counts: Indices  # (n,): how often each stands in the corpus
    #: The number of each token's word; -1 after each sentence. Usually mapped.
    ids: NDArray[np.int32]

    @property
    def tokens(self) -> int:
        """The number of tokens."""
        return int(self.counts.sum())


@dataclass(frozen=True, kw_only=True, eq=False)
class WordRows:
    """The words that get a row, the most frequent first."""

    words: PackedWords
    counts: Indices  # (n,): how often each stands in the corpus
    rows: NDArray[np.int32]  # The row of each word of the corpus, -1 if it has none


def encode_files(paths: Sequence[Path], folder: Path, *, lower: bool = False) -> EncodedCorpus:
    """Give numbers to the words of files in UTF-8, compressed or not.

    Each line is a sentence or paragraph, and is cut where ``str.split`` would, by a compiled loop:
    for texts that are tokenized already.
    """
    blocks = (block for path in paths for block in _blocks_of_lines(path, lower=lower))
    with (folder / "ids").open("wb") as stream:
        encoder = _Encoder(stream, words=_BLANKS, sentences=b"\n", leads=_LEADS)
        # Reading and decompressing go on in a thread of their own while words are numbered.
        with ThreadPoolExecutor(1) as reader:
            ahead = reader.submit(next, blocks, None)
            while (block := ahead.result()) is not None:
                ahead = reader.submit(next, blocks, None)
                encoder.add(block)
                current_progress()("reading the corpus", encoder.tokens, None)
    return encoder.finish(folder / "ids")


def encode_sentences(sentences: Iterable[Sequence[str]], folder: Path) -> EncodedCorpus:
    """Give numbers to the words of sentences that are cut into tokens already.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     corpus = encode_sentences([("a", "b"), ("b", "c d")], Path(folder))
    ...     corpus.ids.tolist(), corpus.words.to_list()
    ([0, 1, -1, 1, 2, -1], ['a', 'b', 'c d'])
    """
    with (folder / "ids").open("wb") as stream:
        encoder = _Encoder(stream, words=_BETWEEN_WORDS, sentences=_BETWEEN_SENTENCES)
        every = iter(sentences)
        while block := list(itertools.islice(every, _BLOCK_SENTENCES)):
            lines = (_BETWEEN_WORDS.join(map(_encoded, tokens)) for tokens in block)
            encoder.add(_BETWEEN_SENTENCES.join(lines) + _BETWEEN_SENTENCES)
            current_progress()("reading the corpus", encoder.tokens, None)
    return encoder.finish(folder / "ids")


def frequent_words(
    corpus: EncodedCorpus, *, min_count: int = 1, limit: int | None = None
) -> WordRows:
    """Choose the words that stand often enough; of equally frequent ones the first met leads."""
    order = np.argsort(-corpus.counts, kind="stable")[:limit]
    order = order[corpus.counts[order] >= min_count]
    if not len(order):
        raise InputError(
            f"expected words that occur {min_count} times or more in the corpus, got none among "
            f"{len(corpus.words)} words and {corpus.tokens} tokens",
            hint="use a larger corpus or a smaller min_count",
        )
    rows = np.full(len(corpus.words), -1, dtype=np.int32)
    rows[order] = np.arange(len(order), dtype=np.int32)
    return WordRows(words=corpus.words.take(order), counts=corpus.counts[order], rows=rows)


def _encoded(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")


def _blocks_of_lines(path: Path, *, lower: bool) -> Iterator[bytes]:
    """Yield a text in pieces of whole lines."""
    rest, lines = b"", 1
    try:
        with open_decompressed(path) as stream:
            read = stream.read(_BLOCK_BYTES).removeprefix(b"\xef\xbb\xbf")
            while read:
                end = read.rfind(b"\n") + 1
                if end:
                    block = rest + read[:end]
                    yield _checked(block, path, lines, lower=lower)
                    lines += block.count(b"\n")
                    rest = b""
                rest += read[end:]
                read = stream.read(_BLOCK_BYTES)
        yield _checked(rest + b"\n", path, lines, lower=lower)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
    except OSError as error:
        raise ResourceError(
            f"{path} cannot be read: {error.strerror}", hint="check the path"
        ) from error


def _checked(block: bytes, path: Path, lines: int, *, lower: bool) -> bytes:
    try:
        text = block.decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            "expected a text in UTF-8, got other bytes",
            path=path,
            line=lines + block.count(b"\n", 0, error.start),
            hint="save the file as UTF-8",
        ) from error
    return text.lower().encode() if lower else block


class _Encoder:
    """Words met so far in a table that grows, and a file of their numbers."""

    def __init__(
        self, stream: IO[bytes], *, words: bytes, sentences: bytes, leads: bytes = b""
    ) -> None:
        self._stream = stream
        self._ending = sentences * 3
        self._kinds = np.zeros(256, dtype=np.uint8)
        self._kinds[list(words)] = BLANK
        self._kinds[list(sentences)] = END
        self._kinds[list(leads)] = LEAD
        self._state = np.zeros(2, dtype=np.int64)
        self._hashes = np.zeros(0, dtype=np.uint64)
        self._counts = np.zeros(0, dtype=np.int64)
        self._offsets = np.zeros(1, dtype=np.int64)
        self._letters = np.zeros(0, dtype=np.uint8)
        self._slots = np.zeros(0, dtype=np.int32)
        self.tokens = 0
        self._grow(0)

    def add(self, text: bytes) -> None:
        """Give numbers to the words of a text that ends with a sentence."""
        letters = np.frombuffer(bytearray(text + self._ending), dtype=np.uint8)
        ids = np.empty(len(letters), dtype=np.int32)
        self._state[1] = 0
        at = 0
        while at < len(letters):
            at = encode(
                letters,
                at,
                self._kinds,
                self._slots,
                self._hashes,
                self._offsets,
                self._letters,
                self._counts,
                ids,
                self._state,
            )
            if at < len(letters):
                self._grow(len(letters))
        filled = ids[: self._state[1]]
        self.tokens += int(np.count_nonzero(filled >= 0))
        self._stream.write(filled.data)

    def finish(self, path: Path) -> EncodedCorpus:
        """Map the numbers, which are in this file by now."""
        words = int(self._state[0])
        offsets = self._offsets[: words + 1].copy()
        return EncodedCorpus(
            words=PackedWords(letters=self._letters[: offsets[-1]].copy(), offsets=offsets),
            counts=self._counts[:words].copy(),
            # Compiled code takes no read-only arrays; of this kind nothing is ever written back.
            ids=np.memmap(path, dtype=np.int32, mode="c").view(np.ndarray)
            if path.stat().st_size
            else np.empty(0, dtype=np.int32),
        )

    def _grow(self, letters: int) -> None:
        """Make room for twice as many words and for so many more letters."""
        words = int(self._state[0])
        if 2 * words >= len(self._slots):
            self._slots = np.full(max(2 * len(self._slots), _FIRST_SLOTS), -1, dtype=np.int32)
            room = len(self._slots) // 2
            self._hashes = _longer(self._hashes, room)
            self._counts = _longer(self._counts, room)
            self._offsets = _longer(self._offsets, room + 1)
            fill_slots(self._hashes, words, self._slots)
        needed = int(self._offsets[words]) + letters
        if needed > len(self._letters):
            self._letters = _longer(self._letters, max(needed, 2 * len(self._letters)))


def _longer(array: NDArray[Any], length: int) -> NDArray[Any]:
    longer = np.zeros(length, dtype=array.dtype)
    longer[: len(array)] = array
    return longer
