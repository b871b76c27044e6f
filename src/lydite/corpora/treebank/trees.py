"""Dependency trees of many sentences, in flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.flat import places_of, starts_of
from lydite.types import Indices, Mask

Int32s: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True, eq=False)
class Trees:
    """n words of m sentences.

    Attributes
    ----------
    words
        n words as they are written.
    heads
        Shape (n,): the place of each word's head in its sentence, counted from 1; 0 for the root,
        of which every sentence has one.
    relations
        n names, those of roots among them.
    punctuation
        Shape (n,): whether the universal part of speech is PUNCT.
    starts
        Shape (m + 1,): the first word of each sentence, and in the end n.
    """

    words: tuple[str, ...]
    heads: Int32s
    relations: tuple[str, ...]
    punctuation: Mask
    starts: Indices

    def __len__(self) -> int:
        """Return how many sentences there are."""
        return len(self.starts) - 1

    @property
    def lengths(self) -> Indices:
        """Words of each sentence, (m,)."""
        return np.diff(self.starts)

    def text(self, sentence: int) -> str:
        """Return the words of a sentence with blanks between them."""
        return " ".join(self.words[self.starts[sentence] : self.starts[sentence + 1]])

    def chosen(self, sentences: Indices) -> Trees:
        """Return some sentences, in the order given."""
        places = places_of(self.starts, sentences)
        return Trees(
            words=tuple(self.words[i] for i in places),
            heads=self.heads[places],
            relations=tuple(self.relations[i] for i in places),
            punctuation=self.punctuation[places],
            starts=starts_of(self.lengths[sentences]),
        )

    def universal(self) -> Trees:
        """Return the trees with relations cut before their subtype: ``nsubj:pass`` is ``nsubj``.

        >>> joined([]).universal().relations
        ()
        """
        return Trees(
            words=self.words,
            heads=self.heads,
            relations=tuple(name.partition(":")[0] for name in self.relations),
            punctuation=self.punctuation,
            starts=self.starts,
        )


def joined(parts: Sequence[Trees]) -> Trees:
    """Put the sentences of several parts one after the other."""
    return Trees(
        words=tuple(word for part in parts for word in part.words),
        heads=np.concatenate([np.empty(0, dtype=np.int32), *(part.heads for part in parts)]),
        relations=tuple(name for part in parts for name in part.relations),
        punctuation=np.concatenate(
            [np.empty(0, dtype=np.bool_), *(part.punctuation for part in parts)]
        ),
        starts=starts_of(np.array([n for part in parts for n in part.lengths], dtype=np.int64)),
    )
