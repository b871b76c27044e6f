"""Which sentences a model was trained on, remembered by their hashes."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import blake2b

import numpy as np

from lydite.spaces.vocabulary import Hashes
from lydite.types import Mask


def sentence_hash(tokens: Sequence[str]) -> int:
    """Hash the tokens of a sentence to 64 bits (BLAKE2b).

    Of a million sentences and a thousand texts, two that differ have the same hash with a
    probability below 1e-10.
    """
    return int.from_bytes(blake2b(_text(tokens), digest_size=8).digest(), "little")


def _text(tokens: Sequence[str]) -> bytes:
    return "\n".join(tokens).encode("utf-8", "surrogatepass")


def find_hashes(sentences: Iterable[Sequence[str]], seen: Hashes) -> Mask:
    """Return which sentences are among those with these sorted hashes, (n,).

    >>> seen = np.array([sentence_hash(("a", "cat"))], dtype=np.uint64)
    >>> find_hashes([("a", "cat"), ("a cat",)], seen).tolist()
    [True, False]
    """
    wanted = np.array([sentence_hash(tokens) for tokens in sentences], dtype=np.uint64)
    if not len(seen):
        return np.zeros(len(wanted), dtype=np.bool_)
    at = np.minimum(np.searchsorted(seen, wanted), len(seen) - 1)
    return np.asarray(seen[at] == wanted, dtype=np.bool_)


class Remembered:
    """Sentences as they go by, without those that are to be left out."""

    def __init__(
        self, sentences: Iterable[Sequence[str]], without: Collection[Sequence[str]] = ()
    ) -> None:
        self._sentences = sentences
        self._without = frozenset(map(sentence_hash, without))
        self._hashes = array("Q")
        self.left_out = 0

    def __iter__(self) -> Iterator[Sequence[str]]:
        for tokens in self._sentences:
            key = sentence_hash(tokens)
            if key in self._without:
                self.left_out += 1
            else:
                self._hashes.append(key)
                yield tokens

    def hashes(self) -> Hashes:
        """Return the hashes of the sentences that went by, sorted, each once."""
        return np.unique(np.frombuffer(self._hashes, dtype=np.uint64))
