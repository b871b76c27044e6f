"""Words that a general model lacks, from one that was trained on the domain.

Cheung & Penn (2012, section 4.4) score biomedical sentences with models of newspaper text, "backing
off to word vectors from the GENIA corpus when a word vector could not be found in the
Gigaword-trained model".

Models that can be backed off have one method, `BacksOff.with_words_of`: it returns a model of the
same kind and with the same parameters, which has what the other knows of those words that this one
lacks, in its own dimensions, found by their names. :mod:`lydite.models.named_rows` does the work
for vectors kept as sparse rows with names, of which a model may have several::

    def with_words_of(self, domain: ErkPado, /) -> ErkPado:
        return replace(self, words=BackedOffRows(general=self.words, domain=domain.words))

`backoff` then names the model that comes of it, and says which bytes it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from lydite.errors import InputError, UnsuitableModelError
from lydite.models.catalogue import as_argument, load, model_fingerprint, model_spec
from lydite.models.protocols import TextModel
from lydite.spec import Spec
from lydite.storage import sha256_text
from lydite.types import Floats, Vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@runtime_checkable
class BacksOff(Protocol):
    """A model that takes the words it lacks from another of its kind."""

    def with_words_of(self, domain: Any, /) -> Any:  # noqa: ANN401 - of its own kind
        """Return this model with the words of the other that it lacks, in its dimensions."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class _BackedOff:
    """What it is called.

    Attributes
    ----------
    general, domain
        The models.
    joined
        What ``general.with_words_of(domain)`` returned.
    """

    general: object
    domain: object
    joined: Any

    @property
    def spec(self) -> str:
        """The text that names this model."""
        return str(Spec("backoff", (as_argument(self.general), as_argument(self.domain))))

    @property
    def fingerprint(self) -> str | None:
        """The bytes of both models, if they say which they are."""
        both = model_fingerprint(self.general), model_fingerprint(self.domain)
        return sha256_text("\n".join(map(str, both))) if all(both) else None


class BackedOffTexts(_BackedOff):
    """A model of texts whose words are those of two corpora."""

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector a text, (n, d), in the dimensions of the general model."""
        vectors: Vectors = self.joined.encode(texts)
        return vectors


class BackedOffPairs(_BackedOff):
    """A model of pairs whose words are those of two corpora."""

    def cross(self, left: Sequence[str], right: Sequence[str], /) -> Floats:
        """Return the score of every left text with every right one, (n, m)."""
        scores: Floats = self.joined.cross(left, right)
        return scores

    def sparse_vectors(self, texts: Sequence[str], /) -> csr_array[np.float64]:
        """Return one vector a text, (n, d)."""
        vectors: csr_array[np.float64] = self.joined.sparse_vectors(texts)
        return vectors

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return one score a pair, (n,)."""
        scores: Floats = self.joined.score(left, right)
        return scores


def backoff(general: object, domain: object) -> BackedOffTexts | BackedOffPairs:
    """Words that a general model lacks, from one trained on the domain (Cheung & Penn).

    Parameters
    ----------
    general
        A ``mitchell-lapata``, ``erk-pado`` or ``thater`` model; its parameters hold for all words.
    domain
        A model of the same kind, of whose parameters none matters.
    """
    first, second = load(general), load(domain)
    if not isinstance(first, BacksOff):
        raise UnsuitableModelError(
            f"expected a model that can take words of another, got {model_spec(first)}",
            hint="mitchell-lapata, erk-pado and thater can",
        )
    if type(first) is not type(second):
        raise InputError(
            f"expected two models of one kind, got {model_spec(first)} and {model_spec(second)}",
            hint="train the same kind on both corpora",
        )
    joined = first.with_words_of(second)
    kind = BackedOffTexts if isinstance(joined, TextModel) else BackedOffPairs
    return kind(general=first, domain=second, joined=joined)
