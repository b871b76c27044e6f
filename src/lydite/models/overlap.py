"""How many lemmas two texts share: the baseline of Cheung & Penn (2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from lydite.corpora.function_words import FUNCTION_WORDS
from lydite.corpora.lemmas import lemmatizer
from lydite.corpora.tokens import words
from lydite.errors import InputError
from lydite.models.embedding_cache import as_texts
from lydite.models.lemma_counts import lemma_counts
from lydite.spec import Spec
from lydite.types import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def content_lemmas(text: str, lemmas: str = "simplemma") -> list[str]:
    """Return the lemmas of a text in order, without function words and punctuation.

    Parameters
    ----------
    text
        Any text; it is put in lower case and cut into words, numbers and marks.
    lemmas
        The name of a lemmatizer.

    Examples
    --------
    >>> content_lemmas("The cat and the CAT-flap.", "none")
    ['cat', 'cat-flap']
    """
    tokens = [token for token in words(text.lower()) if any(map(str.isalnum, token))]
    return [lemma for lemma in lemmatizer(lemmas)(tokens) if lemma not in FUNCTION_WORDS]


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """Shared lemmas as the score of a pair.

    ``M(x, x') = #In(x, x') + #In(x', x)`` (equation 15), where ``#In(x, x')`` is how many of the
    tokens of x have a lemma that stands in x' (equation 16), so that a lemma counts as often as it
    stands in either. A text without a content word shares nothing: its scores are 0.

    Attributes
    ----------
    lemmas
        The name of a lemmatizer.
    """

    lemmas: str = "simplemma"

    @property
    def spec(self) -> str:
        """The text that names this model."""
        if self.lemmas == "simplemma":
            return "overlap"
        # Unquoted, it reads back as no value at all.
        return str(
            Spec("overlap", (), (("lemmas", None if self.lemmas == "none" else self.lemmas),))
        )

    @property
    def fingerprint(self) -> str:
        """The spec says it all."""
        return self.spec

    def cross(self, left: Sequence[str], right: Sequence[str], /) -> Floats:
        """Return the score of every left text with every right one, (n, m)."""
        counts, others = self._counts(left, right)
        shared = counts @ _indicators(others).T + _indicators(counts) @ others.T
        scores: Floats = shared.toarray()
        return scores

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return one score a pair, (n,)."""
        if len(left) != len(right):
            raise InputError(
                f"expected as many left texts as right ones, got {len(left)} and {len(right)}",
                hint="cross scores all pairs of two lists",
            )
        counts, others = self._counts(left, right)
        shared = counts.multiply(_indicators(others)) + _indicators(counts).multiply(others)
        return np.asarray(shared.sum(axis=1), dtype=np.float64)

    def _counts(
        self, left: Sequence[str], right: Sequence[str]
    ) -> tuple[csr_array[np.float64], csr_array[np.float64]]:
        """Return how often each lemma stands in each text, (n, d) and (m, d)."""
        lines = [content_lemmas(text, self.lemmas) for text in (*as_texts(left), *as_texts(right))]
        place: dict[str, int] = {}
        for lemma in chain.from_iterable(lines):
            place.setdefault(lemma, len(place))
        first, second = lines[: len(left)], lines[len(left) :]
        return lemma_counts(first, place), lemma_counts(second, place)


def _indicators(counts: csr_array[np.float64]) -> csr_array[np.float64]:
    ones: csr_array[np.float64] = counts.sign()
    return ones


def overlap(*, lemmas: str | None = "simplemma") -> Overlap:
    """Shared lemmas without function words, those of both texts counted (Cheung & Penn).

    Parameters
    ----------
    lemmas
        ``simplemma`` (extra ``lemmas``), or ``none`` for words as they are written.

    Examples
    --------
    >>> overlap(lemmas="none").score(["Spam, spam and eggs"], ["Eggs with spam"]).tolist()
    [5.0]
    """
    name = lemmas or "none"
    lemmatizer(name)
    return Overlap(lemmas=name)
