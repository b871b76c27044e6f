"""What a stranger has to supply to be evaluated; nothing else.

An object needs one of these methods. Lydite's own models also say which spec makes them
(``spec``) and which bytes they are (``fingerprint``), for cache keys and provenance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from lydite.types import Context, Floats, Lookup, Mask, Vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@runtime_checkable
class WordModel(Protocol):
    """Words to vectors; absence is data."""

    def lookup(self, words: Sequence[str]) -> Lookup:
        """Return vectors (n, d) and a found mask (n,)."""


@runtime_checkable
class Counted(Protocol):
    """A model that knows how often words stand in the corpus it was learned from."""

    def count(self, words: Sequence[str]) -> Floats:
        """Return one count a word, (n,); 0 where it is absent."""


@runtime_checkable
class TextModel(Protocol):
    """Texts to vectors; sentence-transformers and model2vec fit as they are."""

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, (n, d)."""


@runtime_checkable
class FittedToTexts(Protocol):
    """A text model that is made for the texts it is used on, such as a bag of words.

    An evaluation with training texts fits it to these alone, never to those it is tested on.
    """

    def fitted_to(self, texts: Sequence[str], /) -> TextModel:
        """Return the model as these texts make it."""


@runtime_checkable
class Remembering(Protocol):
    """A model that can tell which texts it was trained on."""

    def saw(self, texts: Sequence[str], /) -> Mask:
        """Return which of the texts were in the training text, (n,)."""


@runtime_checkable
class Joint(Protocol):
    """Text models that answer together: an evaluation that classifies joins what they say."""

    @property
    def members(self) -> Sequence[TextModel]:
        """The models."""

    @property
    def by(self) -> str:
        """``vote``, ``scores``, ``stacked``, or ``concatenation`` of their vectors."""


@runtime_checkable
class OnTexts(Protocol):
    """A text model on top of another one, whose vectors it changes."""

    @property
    def texts(self) -> TextModel:
        """The other one."""


@runtime_checkable
class PairModel(Protocol):
    """M(x, x') of Cheung & Penn: any two linguistic units to a score."""

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return one score per pair, (n,); NaN where the model has nothing to say."""


@runtime_checkable
class CrossModel(Protocol):
    """A pair model that scores all pairs of two lists at once."""

    def cross(self, left: Sequence[str], right: Sequence[str], /) -> Floats:
        """Return the score of every left text with every right one, (n, m)."""


@runtime_checkable
class SparseTexts(Protocol):
    """A model whose scores are cosines of vectors that are too long to be written out.

    Texts that stand in many lists are then parsed and composed once.
    """

    def sparse_vectors(self, texts: Sequence[str], /) -> csr_array[np.float64]:
        """Return one vector per text, (n, d), of length 1, or empty if no word is known."""


@runtime_checkable
class Combined(Protocol):
    """A model of pairs that is made of others."""

    @property
    def parts(self) -> Sequence[object]:
        """The others."""

    def combine(self, scores: Sequence[Floats], /) -> Floats:
        """Return joint scores from those of the parts, all of one shape."""


@runtime_checkable
class TermLearner(Protocol):
    """The contexts of one term to its vector in a background space."""

    def learn(self, contexts: Sequence[Context]) -> Vectors:
        """Return the term's vector, (d,)."""
