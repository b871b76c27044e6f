"""From trees in postfix order to children, heights and widths."""

from __future__ import annotations

import numpy as np

from lydite.spaces.compiled import Type, Types, compiled
from lydite.types import Indices


def _signature(t: Types) -> Type:
    given, made = t.Array(t.i8, 1, "C", readonly=True), t.i8[::1]
    return t.b1(given, given, made, made, made, made)


@compiled(_signature)
def link(
    tokens: Indices,
    roots: Indices,
    left: Indices,
    right: Indices,
    heights: Indices,
    widths: Indices,
) -> bool:
    """Fill in the children, heights and widths of inner nodes.

    Parameters
    ----------
    tokens
        Shape (n,): the word of a leaf; -1 for a node that joins the two subtrees before it.
    roots
        Shape (t,): the last node of each tree.
    left, right, heights, widths
        Shape (n,), changed: what they are for a leaf (-1, -1, 0 and 1) to what they are.

    Returns
    -------
    Whether these are binary trees.
    """
    open_nodes = np.empty(len(tokens), dtype=np.int64)
    node = 0
    for tree in range(len(roots)):
        count = 0
        while node <= roots[tree]:
            if tokens[node] < 0:
                if count < 2:
                    return False
                count -= 1
                first, second = open_nodes[count - 1], open_nodes[count]
                left[node], right[node] = first, second
                heights[node] = 1 + max(heights[first], heights[second])
                widths[node] = widths[first] + widths[second]
                count -= 1
            open_nodes[count] = node
            count += 1
            node += 1
        if count != 1:
            return False
    return node == len(tokens)
