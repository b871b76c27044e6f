"""A text's vector composed from those of its words: sum, mean, product.

SOWE and MOWE of White et al. (2015), addition and multiplication of Mitchell & Lapata (2008).
Contractions are cut as the vectors have them. Words without a vector are left out, and counted; a
text without any gets the zero vector, which evaluations count as not covered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from typing import Annotated, Any, ClassVar, Self

import numpy as np

from lydite.corpora.tokens import tokenizer as find_tokenizer
from lydite.declare import Param
from lydite.errors import UnsuitableModelError
from lydite.models.catalogue import Model, load, model_fingerprint, model_spec
from lydite.models.contractions import split_contractions
from lydite.models.protocols import WordModel
from lydite.models.word_coverage import tally_words
from lydite.models.words import find_words
from lydite.spaces.space import CaseRule
from lydite.types import Vectors

_TEXTS = 4096


@dataclass(frozen=True)
class Composition(Model):
    """A text model on top of a word model."""

    combine: ClassVar[np.ufunc] = np.add
    averaged: ClassVar[bool] = False

    words: Annotated[WordModel, Param("The word vectors.")]
    _: KW_ONLY
    tokenizer: Annotated[
        str,
        Param(
            "What cuts texts into words: ``words``, or ``whitespace`` for texts that are cut "
            "already."
        ),
    ] = "words"
    case: Annotated[
        CaseRule,
        Param("``fold`` asks again in lower case for words that are absent as written."),
    ] = "fold"

    def __post_init__(self) -> None:
        super().__post_init__()
        find_tokenizer(self.tokenizer)

    @classmethod
    def open(cls, words: object, **parameters: Any) -> Self:  # noqa: ANN401
        """Open the word model."""
        model = load(words)
        if not isinstance(model, WordModel):
            raise UnsuitableModelError(
                f"{cls.name} composes word vectors, but {model_spec(model)} has none",
                hint=f"give it a vector file or a word model: {cls.name}(glove-6b-50d)",
            )
        return cls(model, **parameters)

    @property
    def fingerprint(self) -> str | None:
        """The bytes of the words' model."""
        return model_fingerprint(self.words)

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, (n, d); zero where no word is known."""
        blocks = [self._encode(texts[i : i + _TEXTS]) for i in range(0, len(texts), _TEXTS)]
        return np.concatenate(blocks) if blocks else self._encode([])

    def _encode(self, texts: Sequence[str]) -> Vectors:
        tokens = self._cut(texts)
        known = {token: i for i, token in enumerate(dict.fromkeys(chain.from_iterable(tokens)))}
        lookup = find_words(self.words, list(known) or [""], case=self.case)
        rows = np.fromiter(map(known.__getitem__, chain.from_iterable(tokens)), dtype=np.int64)
        owner = np.repeat(np.arange(len(texts)), [len(line) for line in tokens])
        kept = lookup.found[rows] if len(rows) else np.zeros(0, dtype=np.bool_)
        there = {token for token, i in known.items() if lookup.found[i]}
        tally_words(self.words, texts, tokens, there)
        return self._reduce(lookup.vectors[rows[kept]], owner[kept], len(texts))

    def _cut(self, texts: Sequence[str]) -> list[Sequence[str]]:
        cut = find_tokenizer(self.tokenizer)
        tokens = [cut(text) for text in texts]
        # Who gives texts that are cut already has settled what is a word.
        if self.tokenizer == "whitespace":
            return list(tokens)
        return split_contractions(self.words, tokens, case=self.case)

    def _reduce(self, vectors: Vectors, owner: Any, texts: int) -> Vectors:  # noqa: ANN401
        """Combine the rows that belong to one text; ``owner`` ascends."""
        composed = np.zeros((texts, vectors.shape[1]), dtype=np.float64)
        if len(owner):
            present, first, counts = np.unique(owner, return_index=True, return_counts=True)
            with np.errstate(over="ignore"):
                composed[present] = self.combine.reduceat(vectors.astype(np.float64), first, axis=0)
            if self.averaged:
                composed[present] /= counts[:, None]
        # What is too large for a float becomes an infinity, which evaluations take for no answer.
        with np.errstate(over="ignore"):
            return composed.astype(np.float32)


class SumOfWords(Composition):
    """Sum of the vectors of a text's words (SOWE; addition of Mitchell & Lapata)."""

    name: ClassVar[str] = "sum"


class MeanOfWords(Composition):
    """Mean of the vectors of a text's words (MOWE)."""

    name: ClassVar[str] = "mean"
    averaged: ClassVar[bool] = True


class ProductOfWords(Composition):
    """Component-wise product of the vectors of a text's words (Mitchell & Lapata)."""

    name: ClassVar[str] = "multiply"
    combine: ClassVar[np.ufunc] = np.multiply
