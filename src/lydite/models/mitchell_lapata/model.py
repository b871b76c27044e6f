"""Count vectors as a model of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from lydite.corpora.function_words import FUNCTION_WORDS
from lydite.corpora.lemmas import lemmatizer
from lydite.corpora.preparation import Preparation
from lydite.models.background import check_number
from lydite.models.composing import (
    SMOOTHING,
    Compose,
    check_compose,
    check_same_lemmas,
    composed,
    summands,
)
from lydite.models.embedding_cache import as_texts
from lydite.models.lemma_counts import lemma_counts
from lydite.models.mitchell_lapata.file import open_vectors
from lydite.models.named_rows import BackedOffRows, Rows
from lydite.spec import Spec, Value, differing
from lydite.storage import user_path
from lydite.types import Floats, Lookup, Vectors

_TEXTS = 1024


@dataclass(frozen=True, kw_only=True, eq=False)
class MitchellLapata:
    """Texts as the sum or product of the count vectors of their words.

    Attributes
    ----------
    folder
        Where the vectors came from, as the user gave it.
    rows
        The vectors of lemmas.
    preparation
        How a text becomes tokens.
    lemmas
        The lemmatizer of tokens.
    fingerprint
        Which bytes the vectors are.
    compose
        ``add`` or ``multiply``, component by component.
    smoothing
        What is added to every component before it is multiplied.
    function_words
        Whether function words take part.
    """

    folder: str
    rows: Rows
    preparation: Preparation
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
        return str(Spec("mitchell-lapata", (self.folder,), differing(options)))

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector a text, (n, d); zero where no word is known.

        Products are divided by their largest component, which no cosine sees: of twenty words the
        others would be too small for the type.
        """
        lines = [self.content(text) for text in as_texts(texts)]
        vectors = np.zeros((len(lines), len(self.rows.dimensions)), dtype=np.float32)
        for start in range(0, len(lines), _TEXTS):
            block = lines[start : start + _TEXTS]
            vectors[start : start + len(block)] = self._composed(block)
        return vectors

    def lookup(self, words: Sequence[str]) -> Lookup:
        """Return the vectors of the lemmas of words, (n, d), whatever way texts are composed."""
        rows = self.rows.take(lemmatizer(self.lemmas)([word.lower() for word in words]))
        vectors = np.zeros(rows.shape, dtype=np.float32)
        places = np.repeat(np.arange(len(words)), np.diff(rows.starts))
        vectors[places, rows.columns] = rows.values
        return Lookup(vectors=vectors, found=np.diff(rows.starts) > 0)

    def content(self, text: str) -> list[str]:
        """Return the lemmas of a text that take part, in order."""
        lemmas = lemmatizer(self.lemmas)(self.preparation.tokens(text))
        if self.function_words:
            return lemmas
        return [lemma for lemma in lemmas if lemma not in FUNCTION_WORDS]

    def with_words_of(self, domain: MitchellLapata, /) -> MitchellLapata:
        """Return this model with the lemmas of another that it lacks, in its dimensions."""
        check_same_lemmas(self, domain)
        return replace(self, rows=BackedOffRows(general=self.rows, domain=domain.rows))

    def _composed(self, lines: Sequence[Sequence[str]]) -> Floats:
        from scipy.sparse import csr_array

        known = {lemma: i for i, lemma in enumerate(dict.fromkeys(chain.from_iterable(lines)))}
        taken = self.rows.take(list(known))
        values = summands(taken.values.astype(np.float64), self.compose, self.smoothing)
        rows = csr_array((values, taken.columns, taken.starts), shape=taken.shape)
        sums: Floats = (lemma_counts(lines, known) @ rows).toarray()
        return composed(sums, self.compose)


def mitchell_lapata(
    folder: str,
    *,
    compose: Compose = "add",
    smoothing: float = SMOOTHING,
    function_words: bool = False,
) -> MitchellLapata:
    """Sum or product of count vectors, from a folder of ``lydite train mitchell-lapata`` (M&L).

    ``add``: u_i = Σ v_i over the words v of a text. ``multiply``: u_i = Π (v_i + smoothing).

    Parameters
    ----------
    folder
        The folder.
    compose
        ``add`` or ``multiply``. Repeated words count as often as they stand there.
    smoothing
        Above 0: what is added to every component before it is multiplied, so that one word that
        was never met in a context does not take it from all others. Ratios alone matter: a word
        met with information v raises a component by 1 + v / smoothing over one that was not. The
        smaller, the more it counts how many words share a context; the larger, the more alike all
        components become, until nothing sets texts apart.
    function_words
        Let function words take part, whose information is nearly 0 everywhere.

    References
    ----------
    Mitchell & Lapata, "Vector-based models of semantic composition", ACL 2008; Cheung & Penn,
    "Evaluating distributional models of semantics for syntactically invariant inference", EACL
    2012.
    """
    opened = open_vectors(user_path(folder))
    return MitchellLapata(
        folder=folder,
        rows=opened.rows,
        preparation=opened.preparation,
        lemmas=opened.lemmas,
        fingerprint=opened.fingerprint,
        compose=compose,
        smoothing=smoothing,
        function_words=function_words,
    )
