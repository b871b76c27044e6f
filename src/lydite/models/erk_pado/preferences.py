"""Selectional preferences, and words in the context of others.

What a word b prefers in a relation r is the sum of the words that it was met with there:

``R_b(r) = Σ f(c, r, b) v_c`` over the c with ``f(c, r, b) > θ`` (equation 18)

and a word a that stands in that relation to b becomes, component by component,

``a' = v_a ⊙ R_b(r⁻¹)`` (equation 17),

where r is read from a: *catch* with the object *ball* is multiplied with what has *ball* as its
object, and *ball* with what is the object of *catch*.

Reference: Cheung & Penn (2012), section 4.1, after Erk & Padó, "A structured vector space model for
word meaning in context", EMNLP 2008.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from lydite.models.named_rows import Rows
from lydite.models.related_words import RelatedWords
from lydite.spaces.ppmi import SparseMatrix
from lydite.types import Floats, Indices, Vectors

#: Preferences that are remembered: with 3,000 dimensions about 100 MB.
_REMEMBERED = 8192


class Preferences:
    """What words prefer in relations, made when it is asked for.

    Parameters
    ----------
    words
        Words to their vectors of d dimensions.
    related
        How often which words stood in which relation, those above the threshold.
    """

    def __init__(self, words: Rows, related: RelatedWords) -> None:
        self._words = words
        self._related = related
        self._made: OrderedDict[tuple[int, int], Vectors] = OrderedDict()

    def take(self, words: Indices, kinds: Indices) -> Vectors:
        """Return ``R_b(r)`` of each word and relation, (p, d), up to a factor.

        Parameters
        ----------
        words, kinds
            Shape (p,): numbers of words and relations among those of ``related``.

        Returns
        -------
        Vectors with 1 as their largest component; of zeros where there is no preference.
        """
        pairs = list(zip(words.tolist(), kinds.tolist(), strict=True))
        asked = dict.fromkeys(pairs)
        lacking = [pair for pair in asked if pair not in self._made]
        known = {pair: self._made[pair] for pair in asked if pair in self._made}
        known.update(zip(lacking, self._make(lacking), strict=True))
        self._made.update((pair, known[pair].copy()) for pair in lacking)
        while len(self._made) > _REMEMBERED:
            self._made.popitem(last=False)
        none = np.zeros((0, len(self._words.dimensions)), dtype=np.float32)
        return np.stack([known[pair] for pair in pairs]) if pairs else none

    def _make(self, pairs: Sequence[tuple[int, int]]) -> Vectors:
        from scipy.sparse import csr_array

        words, kinds = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        counts = self._related.by(words, kinds)
        fillers, columns = np.unique(counts.indices, return_inverse=True)
        rows = self._words.take([self._related.lemmas[i] for i in fillers.tolist()])
        vectors = csr_array((rows.values, rows.columns, rows.starts), shape=rows.shape)
        shape = len(pairs), len(fillers)
        weights = csr_array((counts.data.astype(np.float64), columns, counts.indptr), shape=shape)
        sums: Floats = (weights @ vectors).toarray()
        largest = sums.max(axis=1, keepdims=True, initial=0)
        scaled = np.divide(sums, largest, out=np.zeros_like(sums), where=largest > 0)
        return np.asarray(scaled, dtype=np.float32)


def contextualised(vectors: Vectors, tokens: Indices, preferences: Vectors) -> Floats:
    """Multiply words with the preferences of all that they are related to, one after the other.

    Parameters
    ----------
    vectors
        Shape (t, d): the words.
    tokens
        Shape (e,): which word each preference is for.
    preferences
        Shape (e, d).

    Returns
    -------
    Shape (t, d), each word as long as it was: its direction comes of its context, its weight among
    the words of a text does not. One that has nothing in common with a preference, such as an empty
    one, stays as it is.

    Examples
    --------
    >>> catch, verbs_of_ball = np.float32([[3, 1]]), np.float32([[1, 0]])
    >>> contextualised(catch, np.array([0]), verbs_of_ball).round(3)
    array([[3.162, 0.   ]])
    """
    found = vectors.astype(np.float64)
    order = np.argsort(tokens, kind="stable")
    asked = tokens[order]
    turns = np.arange(len(asked)) - np.searchsorted(asked, asked)
    for turn in range(int(turns.max(initial=-1)) + 1):
        now = order[turns == turn]
        product = found[tokens[now]] * preferences[now]
        largest = product.max(axis=1, keepdims=True, initial=0)
        common = largest[:, 0] > 0
        found[tokens[now[common]]] = product[common] / largest[common]
    lengths, were = (np.linalg.norm(each, axis=1, keepdims=True) for each in (found, vectors))
    factors = np.divide(were, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return np.asarray(found * factors, dtype=np.float64)


def dense(rows: SparseMatrix) -> Vectors:
    """Return sparse rows with their zeros."""
    vectors = np.zeros(rows.shape, dtype=np.float32)
    places = np.repeat(np.arange(len(rows.starts) - 1), np.diff(rows.starts))
    vectors[places, rows.columns] = rows.values
    return vectors
