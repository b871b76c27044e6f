"""Second-order vectors of words in their context, sparse throughout.

For a word w let ``[w](r, w') = pmi(w, r, w')`` be its first-order vector over relations, in either
direction, and words, with small values left out. Its second-order vector is

``[[w]](r, r', w'') = Σ_x [w](r, x) [x](r', w'')``

so that *catch* has a value at (dobj, dobj^-1, throw) if there are things that are caught and
thrown. In the context of a word w' that is related to it by r it is

``[[w in r:w']] = [[w]] × L_r([w'])``

where × multiplies component by component and ``L_r`` lifts the first-order vector of the context
word to second order: its value at (r, r', w'') is ``[w'](r', w'')``, and 0 where the first relation
is not r. Of *catch* with the object *ball* remain the verbs whose objects are like those of *catch*
and that *ball* is an object of, each with what *ball* has to say to it. Several related words
contribute the sum of their contexts.

Reference: Thater, Fürstenau & Pinkal, "Contextualizing semantic representations using syntactically
enriched vector models", ACL 2010.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from lydite.corpora.parsed.block import ParsedBlock
from lydite.models.related_words import RelatedWords, neighbours
from lydite.types import Floats, Indices, Mask

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Products of two entries that are made at a time, about 200 MB.
_PRODUCTS = 1 << 23


@dataclass(frozen=True, kw_only=True, eq=False)
class Entries:
    """Entries of sparse vectors; those with the same owner and dimension are to be added up.

    Attributes
    ----------
    owners
        Shape (m,): whose vector it is.
    dimensions
        Shape (m,): ``r · u + column``, that of (r', w'') among the u columns that are used.
    values
        Shape (m,).
    """

    owners: Indices
    dimensions: Indices
    values: Floats

    @classmethod
    def join(cls, parts: list[Entries]) -> Entries:
        """Return all entries of several lists."""
        none = np.zeros(0, dtype=np.int64)
        return cls(
            owners=np.concatenate([none, *(part.owners for part in parts)]),
            dimensions=np.concatenate([none, *(part.dimensions for part in parts)]),
            values=np.concatenate([np.zeros(0), *(part.values for part in parts)]),
        )

    def summed(self) -> Entries:
        """Add up what has the same owner and dimension; sorted by both."""
        if not len(self.owners):
            return self
        # One number for both: far faster to sort than two.
        stride = int(self.dimensions.max()) + 1
        keys = self.owners * stride + self.dimensions
        order = np.argsort(keys)
        keys = keys[order]
        new = np.flatnonzero(np.diff(keys, prepend=-1))
        owners, dimensions = np.divmod(keys[new], stride)
        values = np.add.reduceat(self.values[order], new)
        return Entries(owners=owners, dimensions=dimensions, values=values)


def words_in_context(first: RelatedWords, block: ParsedBlock, taking_part: Mask) -> Entries:
    """Return the second-order vectors of the words of some texts in their context.

    Parameters
    ----------
    first
        First-order vectors.
    block
        Parsed texts of t tokens.
    taking_part
        Shape (t,): which tokens have a vector and are context of others.

    Returns
    -------
    Entries whose owners are tokens. A word has its vector without context where nothing that is
    related to it leaves any of it.
    """
    rows = first.lemmas.find(list(block.lemmas))[block.tokens]
    rows = np.where(taking_part & first.has(rows), rows, -1)
    near = neighbours(block, first.relations)
    kept = (rows[near.tokens] >= 0) & (rows[near.others] >= 0)
    tokens, kinds, others = near.tokens[kept], near.kinds[kept], near.others[kept]
    found = list(_in_context(first, tokens, rows[tokens], kinds, rows[others]))
    in_context = Entries.join(found)
    alone = np.setdiff1d(np.flatnonzero(rows >= 0), in_context.owners)
    return Entries.join([in_context, *without_context(first, alone, rows[alone])]).summed()


def _in_context(
    first: RelatedWords, owners: Indices, words: Indices, kinds: Indices, contexts: Indices
) -> Iterator[Entries]:
    """Yield ``[[w]] × L_r([w'])`` of several words, relations and related words."""
    for part in _portions(first, words, kinds):
        found = _slices(first, words[part], kinds[part]).multiply(first.matrix[contexts[part]])
        yield _entries(first, found.tocsr(), owners[part], kinds[part])


def without_context(first: RelatedWords, owners: Indices, words: Indices) -> Iterator[Entries]:
    """Yield ``[[w]]`` of several words."""
    places, kinds = first.relations_of(words)
    for part in _portions(first, words[places], kinds):
        slices = _slices(first, words[places[part]], kinds[part])
        yield _entries(first, slices, owners[places[part]], kinds[part])


def _slices(first: RelatedWords, words: Indices, kinds: Indices) -> csr_array[np.float64]:
    """Return ``[[w]](r, ·, ·)`` of several words and relations, (p, u)."""
    return (first.by(words, kinds).astype(np.float64) @ first.matrix).tocsr()


def _entries(
    first: RelatedWords, found: csr_array[np.float64], owners: Indices, kinds: Indices
) -> Entries:
    entries = found.tocoo()
    rows, columns = entries.coords
    return Entries(
        owners=owners[rows],
        dimensions=kinds[rows] * first.matrix.shape[1] + columns,
        values=entries.data,
    )


def _portions(first: RelatedWords, words: Indices, kinds: Indices) -> Iterator[slice]:
    """Divide pairs of word and relation into runs whose products fit into memory."""
    if not len(words):
        return
    by = first.by(words, kinds)
    by.data = np.ones_like(by.data)
    products = np.cumsum(by @ np.diff(first.starts).astype(np.float64))
    edges = np.searchsorted(products, np.arange(_PRODUCTS, products[-1], _PRODUCTS))
    marks = np.unique([0, *edges.tolist(), len(words)]).tolist()
    yield from (slice(a, b) for a, b in pairwise(marks))
