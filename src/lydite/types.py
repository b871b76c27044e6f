"""Types that every layer shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Vectors: TypeAlias = NDArray[np.float32]
Indices: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]

#: Numbers in data are at most this large: the sum of squares of billions of them is still a number.
LARGEST = 1e140

#: Plain data, as JSON knows it.
Plain: TypeAlias = Any
PlainMapping: TypeAlias = Mapping[str, Plain]

#: What to do with a word that a model does not have.
#: ``skip`` leaves the item out, ``zero`` and ``mean`` put a vector in its place, ``error`` stops.
OovPolicy: TypeAlias = Literal["skip", "zero", "mean", "error"]


@dataclass(frozen=True, kw_only=True)
class Context:
    """One use of a term: the sentence's tokens and where the term stands among them."""

    tokens: tuple[str, ...]
    start: int
    stop: int


@dataclass(frozen=True, kw_only=True)
class Lookup:
    """Vectors for a list of words; absence is data.

    Attributes
    ----------
    vectors
        Shape (n, d). The row of an absent word holds what the policy put there (zeros for
        ``skip``) and is not to be used without ``found``.
    found
        Shape (n,). True where the word is in the vocabulary.
    """

    vectors: Vectors
    found: Mask
