"""Parsed texts, some at a time, and which of their words carry meaning."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lydite.corpora.function_words import FUNCTION_WORDS
from lydite.corpora.parsed.block import ParsedBlock
from lydite.types import Mask

#: Tokens that are composed at a time: with 3,000 dimensions about 30 MB.
_TOKENS = 1200


def content_tokens(block: ParsedBlock, *, function_words: bool = False) -> Mask:
    """Return which tokens have a letter or digit and are no function words, (t,)."""
    taken = [
        any(map(str.isalnum, lemma)) and (function_words or lemma not in FUNCTION_WORDS)
        for lemma in block.lemmas
    ]
    return np.array(taken, dtype=np.bool_)[block.tokens]


def sentence_runs(
    block: ParsedBlock, *, tokens: int = _TOKENS
) -> Iterator[tuple[int, ParsedBlock]]:
    """Cut a block into runs of sentences of about so many tokens.

    Yields
    ------
    The number of the first sentence of each run, and the run.
    """
    first, count = 0, len(block.starts) - 1
    while first < count:
        enough = block.starts[first] + tokens
        last = max(first + 1, int(np.searchsorted(block.starts, enough, side="right")) - 1)
        yield first, _run(block, first, last)
        first = last


def _run(block: ParsedBlock, first: int, last: int) -> ParsedBlock:
    begin, end = int(block.starts[first]), int(block.starts[last])
    inside = block.edges[(block.edges[:, 0] >= begin) & (block.edges[:, 0] < end)]
    used, tokens = np.unique(block.tokens[begin:end], return_inverse=True)
    return ParsedBlock(
        lemmas=tuple(block.lemmas[number] for number in used.tolist()),
        relations=block.relations,
        tokens=tokens,
        starts=block.starts[first : last + 1] - begin,
        edges=inside - np.array([begin, 0, begin]),
    )
