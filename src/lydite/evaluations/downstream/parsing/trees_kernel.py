"""Compiled work on whole gold trees: making them projective."""

from __future__ import annotations

from lydite.evaluations.downstream.parsing.transitions import Int32s, Int64s
from lydite.spaces.compiled import compiled, part


@part
def _crossing(heads: Int32s, root: int, n: int) -> int:
    """Return the dependent of the shortest arc over a word that is not below its head, or 0.

    The head of word i of the sentence is at ``root`` + i.
    """
    shortest, found = n + 1, 0
    for child in range(1, n + 1):
        head = heads[root + child]
        low, high = (head, child) if head < child else (child, head)
        if head == 0 or high - low >= shortest:
            continue
        for between in range(low + 1, high):
            above = between
            while above != head and above != 0:  # noqa: PLR1714 - Numba has no such test of a tuple
                above = heads[root + above]
            if above == 0:
                shortest, found = high - low, child
                break
    return found


@compiled(lambda t: t.void(t.i8[::1], t.i4[::1], t.i4[::1]))
def lift(starts: Int64s, heads: Int32s, lifted: Int32s) -> None:
    """Make trees projective in place, and fill in how many arcs were lifted, (m,).

    The shortest arc that crosses others is hung on its head's head, again and again (Nivre &
    Nilsson 2005); its relation stays.
    """
    for sentence in range(starts.shape[0] - 1):
        root, n = starts[sentence] - 1, starts[sentence + 1] - starts[sentence]
        lifted[sentence] = 0
        child = _crossing(heads, root, n)
        while child > 0:
            heads[root + child] = heads[root + heads[root + child]]
            lifted[sentence] += 1
            child = _crossing(heads, root, n)
