"""A structured vector space as a model of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from lydite.corpora.parsed.block import ParsedBlock
from lydite.corpora.parsed.texts import parse_texts
from lydite.models.background import check_number
from lydite.models.composing import (
    SMOOTHING,
    Compose,
    check_compose,
    check_same_lemmas,
    composed,
    summands,
)
from lydite.models.content_tokens import content_tokens, sentence_runs
from lydite.models.embedding_cache import as_texts
from lydite.models.erk_pado.preferences import Preferences, contextualised, dense
from lydite.models.mitchell_lapata.file import open_vectors
from lydite.models.named_rows import BackedOffRows, Rows
from lydite.models.related_folder import open_related
from lydite.models.related_words import RelatedWords, inverted, neighbours
from lydite.spec import Spec, Value, differing
from lydite.storage import sha256_text, user_path
from lydite.types import Floats, Vectors

KIND: Final = "erk-pado"
#: The folder of the vectors of words within that of the model.
WORDS: Final = "words"


@dataclass(frozen=True, kw_only=True, eq=False)
class ErkPado:
    """Texts as the sum or product of the vectors of their words in context.

    Attributes
    ----------
    folder
        Where it came from, as the user gave it.
    words
        The vectors of lemmas.
    related
        How often which lemmas stood in which relation.
    lemmas
        What makes the lemmas of texts.
    fingerprint
        Which bytes vectors and counts are.
    compose
        ``add`` or ``multiply``, component by component.
    smoothing
        What is added to every component before it is multiplied.
    function_words
        Whether function words take part.
    """

    folder: str
    words: Rows
    related: RelatedWords
    lemmas: str
    fingerprint: str
    compose: Compose = "add"
    smoothing: float = SMOOTHING
    function_words: bool = False

    def __post_init__(self) -> None:
        check_compose(self.compose)
        check_number("smoothing", self.smoothing, least=0, above=True)

    @property
    def spec(self) -> str:
        """The text that names this model."""
        options: dict[str, tuple[Value, Value]] = {
            "compose": (self.compose, "add"),
            "smoothing": (self.smoothing, SMOOTHING),
            "function_words": (self.function_words, False),
        }
        return str(Spec(KIND, (self.folder,), differing(options)))

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector a text, (n, d); zero where no word is known.

        Products are divided by their largest component, which no cosine sees.
        """
        block = parse_texts(as_texts(texts), lemmas=self.lemmas)
        vectors = np.zeros((len(texts), len(self.words.dimensions)), dtype=np.float32)
        for place, run in sentence_runs(block):
            vectors[place : place + len(run.starts) - 1] = self._composed(run)
        return vectors

    def words_in_context(self, block: ParsedBlock) -> Floats:
        """Return the vector of each token in its context, (t, d).

        A word is multiplied with the preferences of its dependents, in the order of the text, and
        then with that of its head. Those that do not take part are 0, and no context of others.
        """
        taking_part = content_tokens(block, function_words=self.function_words)
        vectors = dense(self.words.take(block.lemmas))[block.tokens]
        vectors[~taking_part] = 0
        rows = self.related.lemmas.find(list(block.lemmas))[block.tokens]
        near = neighbours(block, self.related.relations)
        kept = taking_part[near.tokens] & taking_part[near.others] & (rows[near.others] >= 0)
        kinds = inverted(near.kinds[kept], self.related.relations)
        preferences = self._preferences.take(rows[near.others[kept]], kinds)
        return contextualised(vectors, near.tokens[kept], preferences)

    def with_words_of(self, domain: ErkPado, /) -> ErkPado:
        """Return this model with the lemmas of another that it lacks, in its dimensions."""
        check_same_lemmas(self, domain)
        return replace(
            self,
            words=BackedOffRows(general=self.words, domain=domain.words),
            related=self.related.joined(domain.related),
        )

    @cached_property
    def _preferences(self) -> Preferences:
        return Preferences(self.words, self.related)

    def _composed(self, run: ParsedBlock) -> Floats:
        from scipy.sparse import csr_array

        words = summands(self.words_in_context(run), self.compose, self.smoothing)
        count = len(words)
        membership = csr_array(
            (np.ones(count), np.arange(count), run.starts), shape=(len(run.starts) - 1, count)
        )
        sums: Floats = np.asarray(membership @ words, dtype=np.float64)
        return composed(sums, self.compose)


def erk_pado(
    folder: str,
    *,
    compose: Compose = "add",
    smoothing: float = SMOOTHING,
    function_words: bool = False,
) -> ErkPado:
    """Words shaped by what they depend on, from a folder of ``lydite train erk-pado`` (E&P).

    Texts are parsed by spaCy (extra ``parse``). Each word is multiplied, component by component,
    with what its head and its dependents prefer in these relations.

    Parameters
    ----------
    folder
        The folder.
    compose
        ``add``: Σ v over the words v of a text in context, ``multiply``: Π (v + smoothing).
    smoothing
        Above 0: what is added to every component before words are multiplied into a text, as for
        ``mitchell-lapata``.
    function_words
        Let function words take part.

    References
    ----------
    Erk & Padó, "A structured vector space model for word meaning in context", EMNLP 2008; Cheung &
    Penn, "Evaluating distributional models of semantics for syntactically invariant inference",
    EACL 2012.
    """
    path = user_path(folder)
    opened = open_related(path, kind=KIND)
    words = open_vectors(path / WORDS)
    return ErkPado(
        folder=folder,
        words=words.rows,
        related=opened.related,
        lemmas=opened.lemmas,
        fingerprint=sha256_text(f"{opened.fingerprint} {words.fingerprint}"),
        compose=compose,
        smoothing=smoothing,
        function_words=function_words,
    )
