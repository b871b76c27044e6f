"""How many of a task's words a model has, which no accuracy shows."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lydite.corpora.tokens import tokenizer as find_tokenizer
from lydite.models.catalogue import model_spec
from lydite.models.composition import Composition
from lydite.models.protocols import WordModel
from lydite.models.words import find_words
from lydite.types import Indices, Mask, Plain

logger = logging.getLogger(__name__)

#: Below this share of the words a result says little of the vectors.
LEAST = 0.2

_SHOWN = 10


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """How many words, which are tokens with a letter, a model has.

    Attributes
    ----------
    running, running_found
        Words of the texts, each as often as it occurs, and those that the model has.
    distinct, distinct_found
        Different words, and those that the model has.
    missing
        The most frequent words that it does not have.
    """

    running: int
    running_found: int
    distinct: int
    distinct_found: int
    missing: tuple[str, ...]

    @property
    def share(self) -> float:
        """Of running words; 0 if there is none."""
        return self.running_found / self.running if self.running else 0.0

    @property
    def plain(self) -> dict[str, Plain]:
        """The counts, for a result."""
        return {
            "running": self.running,
            "running_found": self.running_found,
            "distinct": self.distinct,
            "distinct_found": self.distinct_found,
        }


def word_coverage(model: object, texts: Sequence[str], *, tokenizer: str) -> Coverage | None:
    """Count the words of texts that a model has; None for a model that is not one of words.

    Parameters
    ----------
    model
        A model of words, in which one that is absent as written is looked for in lower case; or a
        composition of them, which brings a tokenizer and a way to look up of its own.
    texts
        Training and test texts alike.
    tokenizer
        How texts are cut for a model of words.

    Examples
    --------
    >>> from lydite.models.random import random
    >>> word_coverage(random(3), ["A cat, a dog."], tokenizer="words").plain["distinct"]
    4
    """
    words, case = model, "fold"
    if isinstance(model, Composition):
        words, tokenizer, case = model.words, model.tokenizer, model.case
    if not isinstance(words, WordModel):
        return None
    cut = find_tokenizer(tokenizer)
    counts = Counter(word for text in texts for word in cut(text) if _has_letter(word))
    if not counts:
        return Coverage(running=0, running_found=0, distinct=0, distinct_found=0, missing=())
    forms, times = list(counts), np.array(list(counts.values()))
    found = find_words(words, forms, case="fold" if case == "fold" else "exact").found
    return coverage_of(forms, times, found)


def coverage_of(words: Sequence[str], times: Indices, found: Mask) -> Coverage:
    """Count words that were looked up already.

    Parameters
    ----------
    words
        Different ones; those without a letter do not count.
    times
        Shape (v,): how often each occurs.
    found
        Shape (v,): whether the model has it.

    Examples
    --------
    >>> found = np.array([True, False, True])
    >>> coverage_of(["a", "cat", "."], np.array([2, 1, 9]), found).plain
    {'running': 3, 'running_found': 2, 'distinct': 2, 'distinct_found': 1}
    """
    counted = times * np.array([_has_letter(word) for word in words], dtype=np.bool_)
    there = counted > 0
    absent = np.flatnonzero(there & ~found)
    often = absent[np.argsort(-counted[absent], kind="stable")][:_SHOWN]
    return Coverage(
        running=int(counted.sum()),
        running_found=int(counted[found].sum()),
        distinct=int(there.sum()),
        distinct_found=int((there & found).sum()),
        missing=tuple(words[i] for i in often),
    )


def _has_letter(token: str) -> bool:
    return any(map(str.isalpha, token))


def coverage_notes(model: object, coverage: Coverage | None, what: str) -> list[str]:
    """Warn, and return what to say in a result, if a model has few of a task's words."""
    if coverage is None or coverage.share >= LEAST:
        return []
    name = model_spec(model)
    if coverage.running:
        said = (
            f"{name} has only {coverage.share:.1%} of the {coverage.running:,} words of {what} "
            f"({coverage.distinct_found:,} of {coverage.distinct:,} different ones; missing are "
            f"{', '.join(coverage.missing)}): the score says little of its vectors"
        )
    else:
        said = f"no text of {what} has a word with a letter: the score says little of {name}"
    logger.warning("%s", said)
    return [said]
