"""What models share that compose texts of the vectors of their words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Protocol, TypeAlias

import numpy as np

from lydite.corpora.lemmas import FUNCTION_WORDS
from lydite.errors import InputError
from lydite.trained.parsed.blocks import ParsedBlock
from lydite.types import Floats, Mask

Compose: TypeAlias = Literal["add", "multiply"]

#: Less than 95 of 100 values of a corpus of 20 million words.
SMOOTHING = 0.1


class OfLemmas(Protocol):
    """A model whose words are lemmas, from a folder."""

    @property
    def folder(self) -> str:
        """Where it came from, as the user gave it."""

    @property
    def lemmas(self) -> str:
        """What makes lemmas of texts."""


def check_same_lemmas(general: OfLemmas, domain: OfLemmas) -> None:
    """Refuse two models that make different lemmas of one word."""
    if domain.lemmas != general.lemmas:
        raise InputError(
            f"expected lemmas of one kind, got {general.lemmas} in {general.folder} and "
            f"{domain.lemmas} in {domain.folder}",
            hint="train both with the same --lemmas",
        )


def summands(values: Floats, compose: Compose, smoothing: float) -> Floats:
    """Return what is to be summed over the words of a text, from components from 0.

    For ``multiply``, up to a factor that all components share, the logarithm of what is
    multiplied: ``log(1 + v / smoothing)``, which is 0 where v is.
    """
    return values if compose == "add" else np.log1p(values / smoothing)


def composed(sums: Floats, compose: Compose) -> Floats:
    """Return the vectors of texts, (n, d), from the sums over their words.

    Products are divided by their largest component, which no cosine sees: of twenty words the
    others would be too small for the type. Texts without any component above 0 are 0.

    >>> values = summands(np.array([[3.0, 1.0], [1.0, 0.0]]), "multiply", 1.0)
    >>> composed(values.sum(axis=0, keepdims=True), "multiply").round(6).tolist()
    [[1.0, 0.25]]
    """
    if compose == "add":
        return sums
    largest = sums.max(axis=1, keepdims=True, initial=0)
    return np.where(largest > 0, np.exp(sums - largest), 0.0)


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
    """Cut a block into runs of about so many tokens, each with the number of its first sentence."""
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
