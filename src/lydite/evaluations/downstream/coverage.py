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
from lydite.types import Plain

logger = logging.getLogger(__name__)

#: Below this share of the words a result says little of the vectors.
LEAST = 0.2

_SHOWN = 10


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """Words are tokens with a letter; one that is absent as written is looked for in lower case.

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
        A model of words or a composition of them, which brings a tokenizer of its own.
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
    forms = list(counts)
    times = np.array(list(counts.values()))
    found = find_words(words, forms, case="fold" if case == "fold" else "exact").found
    absent = np.flatnonzero(~found)
    often = absent[np.argsort(-times[absent], kind="stable")][:_SHOWN]
    return Coverage(
        running=int(times.sum()),
        running_found=int(times[found].sum()),
        distinct=len(forms),
        distinct_found=int(found.sum()),
        missing=tuple(forms[i] for i in often),
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
