"""A model that counts letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lydite.types import Vectors


@dataclass(frozen=True, kw_only=True)
class Letters:
    """A text's vector is how often each letter of an alphabet stands in it."""

    alphabet: str

    @property
    def spec(self) -> str:
        """The text that names this model."""
        return f"letters({self.alphabet})"

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector a text, (n, letters)."""
        return np.array(
            [[text.count(letter) for letter in self.alphabet] for text in texts], dtype=np.float32
        )


def letters(alphabet: str = "abc") -> Letters:
    """Count the letters of an alphabet."""
    return Letters(alphabet=alphabet)
