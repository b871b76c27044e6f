"""Collapse dependency trees into the edges of a block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.parsed.block import ParsedBlock
from lydite.corpora.parsed.collapse_kernel import (
    BE,
    BEFORE_CLAUSE,
    BY,
    NOT,
    SUCH,
    WORD_BITS,
    collapse,
)
from lydite.corpora.parsed.relations import CODES, PLAIN, chains, code_of, conjunction
from lydite.types import Indices

#: Prepositions before a clause without a subject, in which Stanford sees no subordination.
_BEFORE_CLAUSE: Final = (
    "about",
    "after",
    "against",
    "at",
    "before",
    "beside",
    "besides",
    "between",
    "beyond",
    "by",
    "despite",
    "during",
    "for",
    "from",
    "in",
    "into",
    "like",
    "of",
    "on",
    "over",
    "since",
    "through",
    "throughout",
    "toward",
    "towards",
    "under",
    "until",
    "upon",
    "via",
    "with",
    "within",
    "without",
)

#: Prepositions that once were participles, by their lemmas; Stanford keeps the form.
_PARTICIPLES: Final = {
    "accord": "according",
    "base": "based",
    "compare": "compared",
    "comprise": "comprising",
    "concern": "concerning",
    "consider": "considering",
    "contain": "containing",
    "depend": "depending",
    "exclude": "excluding",
    "follow": "following",
    "give": "given",
    "include": "including",
    "involve": "involving",
    "owe": "owing",
    "regard": "regarding",
}


def collapsed(
    lemmas: Sequence[str],
    labels: Sequence[str],
    tokens: NDArray[np.int32],
    names: NDArray[np.int32],
    heads: NDArray[np.int32],
    starts: Indices,
) -> ParsedBlock:
    """Return the block of some dependency trees.

    Parameters
    ----------
    lemmas
        The different lemmas.
    labels
        The different labels, of CLEAR or Universal Dependencies.
    tokens
        Shape (t,): the number of each token's lemma.
    names
        Shape (t,): the number of its label.
    heads
        Shape (t,): the place of its head, -1 for a root.
    starts
        Shape (s + 1,): the first token of each sentence.
    """
    flags = _flags(lemmas)
    codes = np.array([code_of(label) for label in labels] or [0], dtype=np.uint8)[names]
    edges = np.empty((len(tokens), 3), dtype=np.int64)
    filled = collapse(tokens, flags, starts, chains(set(labels)), heads.copy(), codes, edges)
    keys, numbers = np.unique(edges[:filled, 1], return_inverse=True)
    relations, same = _named(keys, lemmas, WORD_BITS)
    edges[:filled, 1] = same[numbers]
    edges = edges[:filled][edges[:filled, 1] >= 0]
    return ParsedBlock(
        lemmas=tuple(lemmas),
        relations=relations,
        tokens=tokens.astype(np.int64),
        starts=starts,
        edges=edges,
    )


def _flags(lemmas: Sequence[str]) -> NDArray[np.uint8]:
    known = {
        **dict.fromkeys(_BEFORE_CLAUSE, BEFORE_CLAUSE),
        "by": BEFORE_CLAUSE | BY,
        "be": BE,
        "not": NOT,
        "n't": NOT,
        "never": NOT,
        "such": SUCH,
    }
    return np.array([known.get(lemma, 0) for lemma in lemmas], dtype=np.uint8)


def _named(keys: Indices, lemmas: Sequence[str], bits: int) -> tuple[tuple[str, ...], Indices]:
    """Return the different names of relations, and which of them each key has; -1 for none."""
    names: dict[str, int] = {}
    numbers = np.empty(len(keys), dtype=np.int64)
    mask = (1 << bits) - 1
    for place, key in enumerate(keys.tolist()):
        code, word, second = key >> 2 * bits, key >> bits & mask, key & mask
        name = _name(code, [lemmas[number - 1] for number in (word, second) if number])
        numbers[place] = -1 if name is None else names.setdefault(name, len(names))
    return tuple(names), numbers


def _name(code: int, words: list[str]) -> str | None:
    if code < len(PLAIN):
        return PLAIN[code]
    if code == CODES["conj"]:
        return conjunction("_".join(words))
    if not all(any(map(str.isalpha, word)) for word in words):
        # A dash between two numbers is a preposition to Universal Dependencies alone.
        return None
    kind = "prep" if code == CODES["prep"] else "prepc"
    return "_".join((kind, _PARTICIPLES.get(words[0], words[0]), *words[1:]))
