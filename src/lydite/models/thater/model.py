"""Second-order vectors as a model of pairs of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from lydite.corpora.parsed.texts import parse_texts
from lydite.errors import InputError
from lydite.models.composing import Compose, check_compose, check_same_lemmas
from lydite.models.content_tokens import content_tokens, sentence_runs
from lydite.models.embedding_cache import as_texts
from lydite.models.related_folder import open_related
from lydite.models.related_words import RelatedWords
from lydite.models.thater.composing import composed, unit_rows
from lydite.models.thater.second_order import Entries, words_in_context
from lydite.spec import Spec, Value, differing
from lydite.storage import user_path
from lydite.types import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

KIND: Final = "thater"
#: Of cosines: texts with the same words have to tie, in whatever order these were added up.
_DECIMALS = 12


@dataclass(frozen=True, kw_only=True, eq=False)
class Thater:
    """Cosines of texts whose words have second-order vectors in their context.

    Attributes
    ----------
    folder
        Where the first-order vectors came from, as the user gave it.
    first
        First-order vectors.
    lemmas
        What makes the lemmas of texts.
    fingerprint
        Which bytes the vectors are.
    compose
        ``add`` or ``multiply``, component by component.
    function_words
        Whether function words take part.
    """

    folder: str
    first: RelatedWords
    lemmas: str
    fingerprint: str
    compose: Compose = "add"
    function_words: bool = False

    def __post_init__(self) -> None:
        check_compose(self.compose)

    @property
    def spec(self) -> str:
        """The text that names this model."""
        options: dict[str, tuple[Value, Value]] = {
            "compose": (self.compose, "add"),
            "function_words": (self.function_words, False),
        }
        return str(Spec(KIND, (self.folder,), differing(options)))

    def cross(self, left: Sequence[str], right: Sequence[str], /) -> Floats:
        """Return the cosine of every left text with every right one, (n, m).

        A text without a known word has 0 with all others.
        """
        rows = self.sparse_vectors([*left, *right])
        scores: Floats = (rows[: len(left)] @ rows[len(left) :].T).toarray()
        return scores.round(_DECIMALS)

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return the cosine of each pair, (n,)."""
        if len(left) != len(right):
            raise InputError(f"expected pairs, got {len(left)} and {len(right)} texts")
        rows = self.sparse_vectors([*left, *right])
        shared = rows[: len(left)] * rows[len(left) :]
        return np.asarray(shared.sum(axis=1), dtype=np.float64).round(_DECIMALS)

    def sparse_vectors(self, texts: Sequence[str], /) -> csr_array[np.float64]:
        """Return one vector a text, (n, d), of length 1, over the dimensions that any has."""
        block = parse_texts(as_texts(texts), lemmas=self.lemmas)
        found = []
        for place, run in sentence_runs(block):
            taking_part = content_tokens(run, function_words=self.function_words)
            words = words_in_context(self.first, run, taking_part)
            owners = np.repeat(np.arange(len(run.starts) - 1), np.diff(run.starts)) + place
            found.append(composed(words, owners, self.compose))
        return unit_rows(Entries.join(found), len(texts))

    def with_words_of(self, domain: Thater, /) -> Thater:
        """Return this model with the lemmas of another that it lacks, and their dimensions."""
        check_same_lemmas(self, domain)
        return replace(self, first=self.first.joined(domain.first))


def thater(folder: str, *, compose: Compose = "add", function_words: bool = False) -> Thater:
    """Second-order vectors in context, from a folder of ``lydite train thater`` (TFP).

    Texts are parsed by spaCy (extra ``parse``). Their words have vectors over two relations and a
    word, sharpened by the words that they are related to in the text.

    Parameters
    ----------
    folder
        The folder.
    compose
        ``add``: Σ v over the words of a text, each of length 1. ``multiply``: Π (1 + v) - 1, each
        with components of mean 1.
    function_words
        Let function words take part.

    References
    ----------
    Thater, Fürstenau & Pinkal, "Contextualizing semantic representations using syntactically
    enriched vector models", ACL 2010; Cheung & Penn, "Evaluating distributional models of semantics
    for syntactically invariant inference", EACL 2012.
    """
    opened = open_related(user_path(folder), kind=KIND)
    return Thater(
        folder=folder,
        first=opened.related,
        lemmas=opened.lemmas,
        fingerprint=opened.fingerprint,
        compose=compose,
        function_words=function_words,
    )
