"""Numbers for the words of a block, in the order in which they are first met."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.cooccurrence.encoding_kernel import BLANK, END, encode
from lydite.spaces.vocabulary import PackedWords

# Bytes that no text in UTF-8 holds.
_END = b"\xfe"


def numbered(lines: bytes) -> tuple[list[str], NDArray[np.int32]]:
    r"""Return the different words and the number of each.

    Parameters
    ----------
    lines
        A word a line, in UTF-8; none is empty.

    Examples
    --------
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
