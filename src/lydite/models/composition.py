"""A text's vector composed from those of its words: sum, mean, product.

SOWE and MOWE of White et al. (2015), addition and multiplication of Mitchell & Lapata (2008).
Words without a vector are left out; a text without any gets the zero vector, which evaluations
count as not covered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from lydite.corpora.tokens import tokenizer as find_tokenizer
from lydite.errors import UnsuitableModelError
from lydite.models.catalogue import as_argument, load, model_fingerprint, model_spec
from lydite.models.protocols import WordModel
from lydite.models.words import find_words
from lydite.spec import Spec, Value
from lydite.types import Vectors

Operation: TypeAlias = Literal["sum", "mean", "multiply"]

_TEXTS = 4096


@dataclass(frozen=True, kw_only=True)
class Composition:
    """A text model on top of a word model."""

    operation: Operation
    words: WordModel
    tokenizer: str = "words"
    case: Literal["exact", "fold"] = "fold"

    @property
    def spec(self) -> str:
        """The text that names this model."""
        options: list[tuple[str, Value]] = []
        if self.tokenizer != "words":
            options.append(("tokenizer", self.tokenizer))
        if self.case != "fold":
            options.append(("case", self.case))
        return str(Spec(self.operation, (as_argument(self.words),), tuple(options)))

    @property
    def fingerprint(self) -> str | None:
        """The bytes of the words' model."""
        return model_fingerprint(self.words)

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector a text, (n, d); zero where no word is known."""
        blocks = [self._encode(texts[i : i + _TEXTS]) for i in range(0, len(texts), _TEXTS)]
        return np.concatenate(blocks) if blocks else self._encode([])

    def _encode(self, texts: Sequence[str]) -> Vectors:
        cut = find_tokenizer(self.tokenizer)
        tokens = [cut(text) for text in texts]
        known = {token: i for i, token in enumerate(dict.fromkeys(_flat(tokens)))}
        lookup = find_words(self.words, list(known) or [""], case=self.case)
        rows = np.fromiter((known[token] for token in _flat(tokens)), dtype=np.int64)
        owner = np.repeat(np.arange(len(texts)), [len(line) for line in tokens])
        kept = lookup.found[rows] if len(rows) else np.zeros(0, dtype=np.bool_)
        return self._reduce(lookup.vectors[rows[kept]], owner[kept], len(texts))

    def _reduce(self, vectors: Vectors, owner: Any, texts: int) -> Vectors:  # noqa: ANN401
        """Combine the rows that belong to one text; ``owner`` ascends."""
        composed = np.zeros((texts, vectors.shape[1]), dtype=np.float64)
        if len(owner):
            present, first, counts = np.unique(owner, return_index=True, return_counts=True)
            ufunc = np.multiply if self.operation == "multiply" else np.add
            with np.errstate(over="ignore"):
                composed[present] = ufunc.reduceat(vectors.astype(np.float64), first, axis=0)
            if self.operation == "mean":
                composed[present] /= counts[:, None]
        # What is too large for a float becomes an infinity, which evaluations take for no answer.
        with np.errstate(over="ignore"):
            return composed.astype(np.float32)


def _flat(lines: list[list[str]]) -> Iterator[str]:
    return (token for line in lines for token in line)


def sum_of_words(
    words: object, *, tokenizer: str = "words", case: Literal["exact", "fold"] = "fold"
) -> Composition:
    """Sum of the vectors of a text's words (SOWE; addition of Mitchell & Lapata)."""
    return _compose("sum", words, tokenizer, case)


def mean_of_words(
    words: object, *, tokenizer: str = "words", case: Literal["exact", "fold"] = "fold"
) -> Composition:
    """Mean of the vectors of a text's words (MOWE)."""
    return _compose("mean", words, tokenizer, case)


def product_of_words(
    words: object, *, tokenizer: str = "words", case: Literal["exact", "fold"] = "fold"
) -> Composition:
    """Component-wise product of the vectors of a text's words (Mitchell & Lapata)."""
    return _compose("multiply", words, tokenizer, case)


def _compose(
    operation: Operation, words: object, tokenizer: str, case: Literal["exact", "fold"]
) -> Composition:
    find_tokenizer(tokenizer)
    model = load(words)
    if not isinstance(model, WordModel):
        raise UnsuitableModelError(
            f"{operation} composes word vectors, but {model_spec(model)} has none",
            hint=f"give it a vector file or a word model: {operation}(glove-6b-50d)",
        )
    return Composition(operation=operation, words=model, tokenizer=tokenizer, case=case)
