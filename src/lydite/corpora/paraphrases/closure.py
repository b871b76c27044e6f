"""Groups from pairs: the symmetric and transitive closure of the paraphrase relation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from lydite.corpora.paraphrases.pairs import Pair
from lydite.corpora.paraphrases.rows import Row

_LEFT_OUT = "pairs that are no paraphrases left out"
_JOINED = "of these, joined through other pairs"


class Closed(NamedTuple):
    """Rows of groups, and what there is to say of the pairs."""

    rows: list[Row]
    notes: dict[str, int]


def closed(pairs: Iterable[Pair]) -> Closed:
    """Group sentences that are paraphrases of each other, directly or through others.

    A sentence is known by its id and its text together: in the Microsoft Research Paraphrase Corpus
    four sentences occur with two ids, which White et al. (2015) took for two sentences, and a copy
    of the corpus has pairs whose ids all are -1. Groups are named by number, from 0, in the order
    of their first sentences. Pairs that are no paraphrases join nothing.

    Parameters
    ----------
    pairs
        In any order; either sentence may come first.

    Returns
    -------
    The sentences of all groups, each node once, with how many pairs were left out and how many of
    those stand in one group all the same.

    References
    ----------
    White et al. 2015, section 4.1.

    Examples
    --------
    >>> from pathlib import Path
    >>> chain = [Pair(*each, True, Path("p.tsv"), 1) for each in ("AB", "DA", "BC", "XY")]
    >>> [(row.group, row.text) for row in closed(chain).rows]
    [('0', 'A'), ('0', 'B'), ('0', 'D'), ('0', 'C'), ('1', 'X'), ('1', 'Y')]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    nodes: dict[tuple[str, str], int] = {}
    found: list[Pair] = []
    same: list[tuple[int, int]] = []
    different: list[Pair] = []
    for pair in pairs:
        if not pair.same:
            different.append(pair)
            continue
        first, second = _keys(pair)
        for key in (first, second):
            if key not in nodes:
                nodes[key] = len(nodes)
                found.append(pair)
        same.append((nodes[first], nodes[second]))
    left, right = np.array(same, dtype=np.int64).reshape(-1, 2).T
    links = coo_array((np.ones(len(left), dtype=np.int8), (left, right)), shape=(len(nodes),) * 2)
    labels = connected_components(links, directed=False)[1] if nodes else np.array([], np.int64)
    numbers: dict[int, int] = {}
    rows = [
        Row(str(numbers.setdefault(label, len(numbers))), text, pair.path, pair.line)
        for (_, text), label, pair in zip(nodes, labels.tolist(), found, strict=True)
    ]
    ends = ([nodes.get(key, -1) for key in _keys(pair)] for pair in different)
    joined = sum(a >= 0 and b >= 0 and labels[a] == labels[b] for a, b in ends)
    return Closed(rows, {_LEFT_OUT: len(different), _JOINED: int(joined)})


def _keys(pair: Pair) -> tuple[tuple[str, str], tuple[str, str]]:
    return (pair.first_id, pair.first), (pair.second_id, pair.second)
