"""Latent senses as a model of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lydite.corpora.function_words import FUNCTION_WORDS
from lydite.corpora.lemmas import lemmatizer
from lydite.errors import InputError, UnsuitableModelError
from lydite.models.background import check_count
from lydite.models.catalogue import as_argument, load, model_spec
from lydite.models.composing import Compose, check_compose
from lydite.models.dinu_lapata.adaptation import AdaptedSenses
from lydite.models.dinu_lapata.in_context import composed, senses_in_context, windowed
from lydite.models.dinu_lapata.senses import Distributions, Senses, open_senses
from lydite.models.embedding_cache import as_texts
from lydite.models.mitchell_lapata.model import MitchellLapata, mitchell_lapata
from lydite.models.named_rows import NamedRows
from lydite.spec import Spec, Value, differing
from lydite.storage import sha256_text, user_path
from lydite.types import Floats, Indices, Lookup, Vectors, current_progress

WINDOW = 5
NEAREST = 5

#: Texts whose words are looked up together.
_TEXTS = 512


@dataclass(frozen=True, kw_only=True, eq=False)
class DinuLapata:
    """Texts as the sum or product of the senses that their words have in them.

    Attributes
    ----------
    folder
        Where the senses came from, as the user gave it.
    senses
        What was learnt.
    compose
        ``add`` or ``multiply``, component by component.
    window
        How many words on either side shift the senses of a word.
    function_words
        Whether function words take part; they always take up places in the window.
    domain
        A model of another corpus, for words that this one lacks.
    nearest
        How many known words a word of the domain gets its senses from.
    """

    folder: str
    senses: Senses
    compose: Compose = "add"
    window: int = WINDOW
    function_words: bool = False
    domain: MitchellLapata | None = None
    nearest: int = NEAREST

    def __post_init__(self) -> None:
        check_compose(self.compose)
        check_count("window", self.window, least=1)
        check_count("nearest", self.nearest, least=1)

    @property
    def spec(self) -> str:
        """The text that names this model."""
        options: dict[str, tuple[Value, Value]] = {
            "compose": (self.compose, "add"),
            "window": (self.window, WINDOW),
            "function_words": (self.function_words, False),
            "domain": (as_argument(self.domain) if self.domain else None, None),
            "nearest": (self.nearest, NEAREST),
        }
        return str(Spec("dinu-lapata", (self.folder,), differing(options)))

    @property
    def fingerprint(self) -> str:
        """Which bytes the senses are, and those of the domain's model."""
        if self.domain is None:
            return self.senses.fingerprint
        return sha256_text(f"{self.senses.fingerprint}\n{self.domain.fingerprint}")

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector a text, (n, K); zero where no word is known."""
        lines = [self._lemmas(text) for text in as_texts(texts)]
        vectors = np.zeros((len(lines), self.senses.senses), dtype=np.float32)
        for start in range(0, len(lines), _TEXTS):
            block = lines[start : start + _TEXTS]
            words = _Block(block, self)
            for number in range(len(block)):
                vectors[start + number] = words.vector(number)
            current_progress()("texts as senses", start + len(block), len(lines))
        return vectors

    def lookup(self, words: Sequence[str]) -> Lookup:
        """Return P(z | t) of the lemmas of words, (n, K), out of any context."""
        lemmas = lemmatizer(self.senses.lemmatizer)([word.lower() for word in words])
        vectors, found = self.words.distributions(lemmas)
        return Lookup(vectors=vectors.astype(np.float32), found=found)

    @cached_property
    def words(self) -> Distributions:
        """The senses of words, with those of the domain's own."""
        return self.senses if self.domain is None else adapt(self.senses, self.domain, self.nearest)

    def _lemmas(self, text: str) -> list[str]:
        return lemmatizer(self.senses.lemmatizer)(self.senses.preparation.tokens(text))


class _Block:
    """Some texts, whose different lemmas are looked up once."""

    def __init__(self, lines: Sequence[Sequence[str]], model: DinuLapata) -> None:
        numbers: dict[str, int] = {}
        self._lines = [
            np.array([numbers.setdefault(lemma, len(numbers)) for lemma in line], dtype=np.int64)
            for line in lines
        ]
        self._model = model
        lemmas = list(numbers)
        self._words, self._known = model.words.distributions(lemmas)
        if not model.function_words:
            self._known &= np.array([lemma not in FUNCTION_WORDS for lemma in lemmas], dtype=bool)
        self._contexts: Indices = model.senses.contexts.find(lemmas)

    def vector(self, number: int) -> Floats:
        """Compose the vector of a text, (K,)."""
        line = self._lines[number]
        words = np.flatnonzero(self._known[line])
        if not len(words):
            return np.zeros(self._model.senses.senses)
        contexts = np.flatnonzero(self._contexts[line] >= 0)
        likelihoods = self._model.senses.likelihoods(self._contexts[line[contexts]])
        near = windowed(words, contexts, self._model.window)
        shifted = senses_in_context(self._words[line[words]], likelihoods, near)
        return composed(shifted, self._model.compose)


def adapt(senses: Senses, domain: MitchellLapata, nearest: int = NEAREST) -> AdaptedSenses:
    """Give words that only the domain has senses, by the known words that they resemble there.

    Parameters
    ----------
    senses
        Of a general corpus.
    domain
        Count vectors of the domain.
    nearest
        How many known words are taken.

    Raises
    ------
    InputError
        If lemmas are not of one kind.
    UnsuitableModelError
        If the domain's model is one of two corpora itself.
    """
    if domain.lemmas != senses.lemmatizer:
        raise InputError(
            f"expected lemmas of one kind, got {senses.lemmatizer} of the senses and "
            f"{domain.lemmas} in {domain.folder}",
            hint="train both with the same lemmatizer",
        )
    if not isinstance(domain.rows, NamedRows):
        raise UnsuitableModelError(
            f"expected count vectors of one corpus, got {model_spec(domain)}",
            hint="give the folder of lydite train mitchell-lapata",
        )
    return AdaptedSenses(general=senses, domain=domain.rows, nearest=nearest)


def dinu_lapata(
    folder: str,
    *,
    compose: Compose = "add",
    window: int = WINDOW,
    function_words: bool = False,
    domain: object = None,
    nearest: int = NEAREST,
) -> DinuLapata:
    """Latent senses of words in context, from a folder of ``lydite train dinu-lapata`` (D&L).

    Each word gets the senses that it has beside the words in its window, P(z | t, c), and a text
    their sum or product.

    Parameters
    ----------
    folder
        The folder.
    compose
        ``add`` or ``multiply``. Repeated words count as often as they stand there.
    window
        How many words on either side shift the senses of a word.
    function_words
        Let function words take part.
    domain
        A folder of ``lydite train mitchell-lapata``, or such a model: words that only this corpus
        has get the mean of the senses of those known words that are closest to them in it.
    nearest
        How many of these.

    References
    ----------
    Dinu & Lapata, "Measuring distributional similarity in context", EMNLP 2010; Cheung & Penn,
    "Evaluating distributional models of semantics for syntactically invariant inference", EACL
    2012.
    """
    return DinuLapata(
        folder=folder,
        senses=open_senses(user_path(folder)),
        compose=compose,
        window=window,
        function_words=function_words,
        domain=None if domain is None else _domain(domain),
        nearest=nearest,
    )


def _domain(domain: object) -> MitchellLapata:
    if isinstance(domain, str) and user_path(domain).is_dir():
        return mitchell_lapata(domain)
    model = load(domain)
    if not isinstance(model, MitchellLapata):
        raise UnsuitableModelError(
            f"expected a mitchell-lapata model of the domain, got {model_spec(model)}",
            hint="give the folder of lydite train mitchell-lapata",
        )
    return model
