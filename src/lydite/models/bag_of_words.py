"""Texts as counts of their tokens: the baseline of White et al. (2015).

It knows nothing of the world but the texts it is given, so an evaluation that trains on some of
them fits it to these alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING

import numpy as np

from lydite.corpora.tokens import tokenizer as find_tokenizer
from lydite.errors import InputError
from lydite.spaces.vocabulary import bounds
from lydite.spec import Spec, Value
from lydite.storage import sha256_text
from lydite.types import Vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, kw_only=True)
class BagOfWords:
    """A text model with one dimension a token, in the order of the sorted tokens.

    Attributes
    ----------
    lower
        Whether texts are put in lower case first.
    punctuation
        Whether tokens without a letter or digit count.
    tokenizer
        What cuts texts into tokens.
    tokens
        The tokens that have a dimension, once the model is fitted; until then None, and the
        dimensions are the tokens of the very texts to be encoded.
    """

    lower: bool = True
    punctuation: bool = True
    tokenizer: str = "words"
    tokens: tuple[str, ...] | None = None

    @property
    def spec(self) -> str:
        """The text that names this model; fitting does not change it."""
        options: list[tuple[str, Value]] = [
            (key, False) for key in ("lower", "punctuation") if not getattr(self, key)
        ]
        if self.tokenizer != "words":
            options.append(("tokenizer", self.tokenizer))
        return str(Spec("bow", (), tuple(options)))

    @cached_property
    def fingerprint(self) -> str:
        """The spec says it all, with the tokens once it is fitted."""
        if self.tokens is None:
            return self.spec
        return sha256_text("\n".join((self.spec, *self.tokens)))

    def fitted_to(self, texts: Sequence[str], /) -> BagOfWords:
        """Return the model with the tokens of these texts as its dimensions.

        Examples
        --------
        >>> fitted = BagOfWords().fitted_to(["The cat sat.", "A cat!"])
        >>> fitted.tokens
        ('!', '.', 'a', 'cat', 'sat', 'the')
        >>> fitted.encode(["The cat, the cat."]).tolist()
        [[0.0, 1.0, 0.0, 2.0, 0.0, 2.0]]
        """
        return replace(self, tokens=self._sorted(self._cut(texts)))

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return how often each token stands in each text, (n, d).

        Tokens that are no dimension are left out; a text of such tokens alone is the zero vector.
        Of a model that is not fitted, cosines and distances of the rows of one call are what they
        are among all tokens, but rows of different calls do not belong together.
        """
        counts: Vectors = self.counts(texts).toarray()
        return counts

    def counts(self, texts: Sequence[str]) -> csr_array[np.float32]:
        """Return what `encode` returns as a sparse matrix.

        Examples
        --------
        >>> counts = BagOfWords().counts(["a b", "b b c"])
        >>> counts.shape, counts.nnz
        ((2, 3), 4)
        """
        from scipy.sparse import csr_array

        lines = self._cut(texts)
        if self.tokens is None:
            tokens = self._sorted(lines)
            place = {token: i for i, token in enumerate(tokens)}
        else:
            tokens, place = self.tokens, self._places
        lengths = np.fromiter(map(len, lines), np.int64, len(lines))
        found = map(place.get, chain.from_iterable(lines), repeat(-1))
        columns = np.fromiter(found, np.int64, int(lengths.sum()))
        starts = bounds((columns >= 0).astype(np.int64))[bounds(lengths)]
        columns = columns[columns >= 0]
        ones = np.ones(len(columns), dtype=np.float32)
        counts = csr_array((ones, columns, starts), shape=(len(texts), len(tokens)))
        counts.sum_duplicates()
        return counts

    @cached_property
    def _places(self) -> dict[str, int]:
        return {token: i for i, token in enumerate(self.tokens or ())}

    def _cut(self, texts: Sequence[str]) -> list[list[str]]:
        if isinstance(texts, str):
            raise InputError(
                f"expected a sequence of texts, got one text: {texts[:60]!r}",
                hint="put it in a list",
            )
        cut = find_tokenizer(self.tokenizer)
        return [cut(text.lower() if self.lower else text) for text in texts]

    def _sorted(self, lines: list[list[str]]) -> tuple[str, ...]:
        tokens = set(chain.from_iterable(lines))
        if self.punctuation:
            return tuple(sorted(tokens))
        return tuple(sorted(t for t in tokens if any(letter.isalnum() for letter in t)))


def bow(*, lower: bool = True, punctuation: bool = True, tokenizer: str = "words") -> BagOfWords:
    """Bag of words: how often each token stands in a text (BOW).

    Parameters
    ----------
    lower
        Whether texts are put in lower case first.
    punctuation
        Whether tokens without a letter or digit count, as they do in the paper.
    tokenizer
        What cuts texts into tokens: ``words``, or ``whitespace`` for texts that are cut already.

    Examples
    --------
    >>> bow(punctuation=False).encode(["No, no!", "Yes?"]).tolist()
    [[2.0, 0.0], [0.0, 1.0]]
    """
    find_tokenizer(tokenizer)
    return BagOfWords(lower=lower, punctuation=punctuation, tokenizer=tokenizer)
