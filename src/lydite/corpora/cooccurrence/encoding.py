"""A corpus as numbers of words, in a file that is mapped: it may be larger than memory."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.cooccurrence.encoding_kernel import BLANK, END, LEAD, encode, fill_slots
from lydite.errors import FormatError, InputError, ResourceError
from lydite.spaces.formats.compression import DECOMPRESSION_ERRORS, damaged, open_decompressed
from lydite.spaces.vocabulary import PackedWords
from lydite.types import Indices, current_progress

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
    """A corpus as numbers.

    Attributes
    ----------
    words
        The n different words, in the order in which they are first met.
    counts
        Shape (n,): how often each stands in the corpus.
    ids
        The number of each token's word; -1 after each sentence. Usually mapped.
    """

    words: PackedWords
    counts: Indices
    ids: NDArray[np.int32]

    @property
    def tokens(self) -> int:
        """The number of tokens."""
        return int(self.counts.sum())


@dataclass(frozen=True, kw_only=True, eq=False)
class WordRows:
    """The words that get a row, the most frequent first.

    Attributes
    ----------
    words
        n words.
    counts
        Shape (n,): how often each stands in the corpus.
    rows
        The row of each word of the corpus, -1 if it has none.
    """

    words: PackedWords
    counts: Indices
    rows: NDArray[np.int32]


def encode_files(paths: Sequence[Path], folder: Path, *, lower: bool = False) -> EncodedCorpus:
    """Give numbers to the words of files in UTF-8, compressed or not.

    Each line is a sentence or paragraph, and is cut where ``str.split`` would, by a compiled loop:
    for texts that are tokenised already.

    Parameters
    ----------
    paths
        The files.
    folder
        Where the numbers go; they are there as long as it is.
    lower
        Whether to put everything into lower case.
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

    Parameters
    ----------
    sentences
        The tokens of each; any text is a token, but for the empty one, which is passed over.
    folder
        Where the numbers go.

    Examples
    --------
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
    """Choose the words that stand often enough; of equally frequent ones the first met leads.

    Parameters
    ----------
    corpus
        Of n words.
    min_count
        How often a word has to stand there.
    limit
        How many words to keep at most.

    Raises
    ------
    InputError
        If no word is left.
    """
    order = np.argsort(-corpus.counts, kind="stable")[:limit]
    order = order[corpus.counts[order] >= min_count]
    if not len(order):
        raise InputError(
            f"expected words that stand {min_count} times or more in the corpus, got none among "
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
