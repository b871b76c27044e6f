"""Sentences in which a term is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lydite.types import Context

#: What stands for a use of the term that is not the one in question, and in files for all uses.
MASK: Final = "___"


def context_of(tokens: Sequence[str], uses: Sequence[tuple[int, int]]) -> Context:
    """Make the context of the first use of a term in a sentence.

    Its further uses become `MASK`: a learner would otherwise learn the term from itself.

    Parameters
    ----------
    tokens
        The sentence.
    uses
        Where the term starts and stops, in order, at least once.

    Examples
    --------
    >>> context_of(["free", "will", "is", "free", "will"], [(0, 2), (3, 5)])
    Context(tokens=('free', 'will', 'is', '___'), start=0, stop=2)
    """
    (start, stop), *others = uses
    if not others:
        return Context(tokens=tuple(tokens), start=start, stop=stop)
    kept = list(tokens[:stop])
    end = stop
    for begins, ends in others:
        kept += [*tokens[end:begins], MASK]
        end = ends
    return Context(tokens=(*kept, *tokens[end:]), start=start, stop=stop)


def masked_context(tokens: Sequence[str], term: Sequence[str] = (MASK,)) -> Context | None:
    """Make the context of a term that stands as `MASK` in a sentence; None where it does not.

    >>> masked_context("the ___ swims like ___".split(), ["nile", "perch"])
    Context(tokens=('the', 'nile', 'perch', 'swims', 'like', '___'), start=1, stop=3)
    """
    if MASK not in tokens:
        return None
    start = list(tokens).index(MASK)
    return Context(
        tokens=(*tokens[:start], *term, *tokens[start + 1 :]), start=start, stop=start + len(term)
    )
