"""Latent senses of words in context (Dinu & Lapata 2010).

A lemma is a document, and the words in its windows are the document's words. Of the sampler only
the counts of its last state are kept: with the priors, which ``meta.json`` has, they give the
distributions exactly, in less than a tenth of the space of P(z | t). A folder holds, for n lemmas,
m context words and K senses:

=============== =============== ==========================================================
letters         uint8           the lemmas in UTF-8, end to end
offsets         int64 (n + 1)   where each begins in ``letters``
context_letters uint8           the context words, likewise
context_offsets int64 (m + 1)
starts          int64 (n + 1)   where the row of each lemma begins in the next two
columns         int32           senses, ascending in each row
values          uint32          how many context words of the lemma have the sense
contexts        uint32 (m, K)   how often each context word has each sense
=============== =============== ==========================================================
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.documents import Corpus
from lydite.corpora.lemmas import FUNCTION_WORDS, lemmatizer
from lydite.corpora.preparation import Preparation
from lydite.declare import Inline, Param, State
from lydite.errors import InputError, MissingExtraError, UnsuitableModelError
from lydite.files.arrays import (
    Fit,
    check_fit,
    check_new,
    new_folder,
    opened_arrays,
    rows_fit,
    seal,
    words_fit,
    write_arrays,
)
from lydite.models.catalogue import Model, load, model_spec
from lydite.models.contexts import check_count
from lydite.models.embedding_cache import as_texts
from lydite.progress import current_progress
from lydite.recipe import Product
from lydite.results.provenance import versions
from lydite.spaces.factorization import SparseMatrix
from lydite.spaces.vocabulary import PackedWords, Vocabulary, bounds, spans
from lydite.storage import sha256_file, sha256_text, user_path
from lydite.trained.cheung_penn.contexts import LemmaContexts, counted_lemmas
from lydite.trained.cheung_penn.mitchell_lapata import MitchellLapata
from lydite.trained.cheung_penn.named_rows import NamedRows
from lydite.trained.cheung_penn.recipes import (
    Contexts,
    LemmaRecipe,
    Lemmas,
    Lemmata,
    check_contexts,
)
from lydite.trained.cheung_penn.texts import Compose
from lydite.trained.cooccurrence import MEMORY, CountMatrix
from lydite.trained.inputs import named
from lydite.trained.parameters import MinCount, ShortSeed, Window, Workers, check_declared
from lydite.trained.parsed.load import ParsedCorpus
from lydite.types import Floats, Indices, Lookup, Mask, PlainMapping, Vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array


#: What the priors of all senses of a word add up to, if alpha is not given.
PRIOR_MASS: Final = 2.0

#: tomotopy keeps the number of a sense in 16 bits.
_MOST_SENSES = 32_767


@dataclass(frozen=True, kw_only=True)
class SenseRecipe:
    """How latent senses are learned, by latent Dirichlet allocation over the contexts of lemmas.

    What is counted is told by `counted_lemmas`; the defaults of that, 1,200 senses that all words
    share and 600 passes over all tokens are those of Cheung & Penn (2012, section 4.2).

    The prior of a sense says how many context words are taken to have been seen with it before any
    was. The usual ``50 / senses`` (Griffiths & Steyvers 2004) is meant for documents of some
    hundred words; of a rare lemma that has a few dozen context words it would leave hardly more
    than the prior, so it is ``2 / senses`` here. Cheung & Penn name no priors. They stay as they
    are: tomotopy's own estimation of them is switched off.

    A corpus has a few context words per token, which follow Zipf's law: if not at ``most`` so many
    of a lemma were sampled from, most of the time would go to the senses of a few frequent words.
    Which of them are kept is drawn without replacement; None keeps all. Only with one worker does
    the same seed give the same bits.
    """

    lemmata: Lemmata = 30_000
    contexts: Contexts = 3_000
    window: Window = 5
    min_count: MinCount = 1
    lemmas: Lemmas = "simplemma"
    senses: Annotated[int, Param("Number of latent senses (dimensions).", least=1)] = 1200
    iterations: Annotated[int, Param("Passes of Gibbs sampling.", least=1)] = 600
    alpha: Annotated[float | None, Param("Prior of a sense; by default 2 / senses.", above=0)] = (
        None
    )
    eta: Annotated[float, Param("Prior of a context word in a sense.", above=0)] = 0.01
    most: Annotated[
        int | None,
        Param("Maximum number of context words drawn per lemma; 0 for all.", least=0),
    ] = 2000
    seed: ShortSeed = 0
    workers: Workers = 1

    def __post_init__(self) -> None:
        check_declared(self)
        check_contexts(self.contexts, self.lemmata)
        if self.senses > _MOST_SENSES:
            raise InputError(f"expected at most {_MOST_SENSES} senses, got {self.senses}")
        if self.most is not None:
            check_count("most", self.most, least=1)

    @property
    def prior(self) -> float:
        """Alpha, also where it is not given."""
        return PRIOR_MASS / self.senses if self.alpha is None else self.alpha


_KIND: Final = "dinu-lapata"

_ARRAYS: Final[dict[str, Any]] = {
    "letters": np.uint8,
    "offsets": np.int64,
    "context_letters": np.uint8,
    "context_offsets": np.int64,
    "starts": np.int64,
    "columns": np.int32,
    "values": np.uint32,
    "contexts": np.uint32,
}
_HINT = f"lydite train {_KIND} writes such folders"


class Distributions(Protocol):
    """Words to their senses."""

    def distributions(self, words: Sequence[str]) -> tuple[Floats, Mask]:
        """Return P(z | t) of each word, (n, K), and which words are known, (n,)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Senses:
    """P(z | t) and P(c | z), kept as the counts that they come from."""

    lemmas: Vocabulary
    contexts: Vocabulary
    lemma_counts: CountMatrix  # (n, K): how many context words of a lemma have which sense
    #: (m, K): how often a context word has which sense.
    context_counts: NDArray[np.integer[Any]]
    alpha: float
    eta: float
    lemmatizer: str
    preparation: Preparation
    provenance: PlainMapping
    fingerprint: str = ""  # The sha256 of the arrays; empty where they are not in a folder

    @property
    def senses(self) -> int:
        """K."""
        return int(self.context_counts.shape[1])

    def distributions(self, words: Sequence[str]) -> tuple[Floats, Mask]:
        """Return P(z | t) of each lemma, (n, K), and which are known, (n,).

        ``(n_tz + alpha) / (n_t + K alpha)``; the row of an unknown lemma is 0, and a lemma that had
        no context word at all is unknown.
        """
        places = self.lemmas.find(words)
        counts = self.lemma_counts
        lengths = np.where(places >= 0, counts.starts[places + 1] - counts.starts[places], 0)
        entries = spans(counts.starts[places], lengths)
        rows = np.zeros((len(words), self.senses))
        owners = np.repeat(np.arange(len(words)), lengths)
        rows[owners, counts.columns[entries]] = counts.values[entries]
        known = lengths > 0
        rows[known] += self.alpha
        rows[known] /= rows[known].sum(axis=1, keepdims=True)
        return rows, known

    def likelihoods(self, places: NDArray[np.int64]) -> Floats:
        """Return P(c | z) of the context words at these places, (n, K).

        ``(n_cz + eta) / (n_z + m eta)``.
        """
        likelihoods: Floats = (self.context_counts[places] + self.eta) / self._totals
        return likelihoods

    @cached_property
    def _totals(self) -> Floats:
        sizes: Floats = self.context_counts.sum(axis=0, dtype=np.float64)
        return sizes + len(self.contexts) * self.eta

    def save(self, folder: Path) -> None:
        """Write a folder, which must not be there yet, as a whole."""
        with new_folder(folder) as work:
            write_arrays(work, self._arrays(), _ARRAYS)
            seal(
                work,
                _ARRAYS,
                **self.provenance,
                kind=_KIND,
                senses=self.senses,
                alpha=self.alpha,
                eta=self.eta,
                lemmas=self.lemmatizer,
                preparation=dataclasses.asdict(self.preparation),
                sha256=sha256_text("\n".join(sha256_file(work / name) for name in _ARRAYS)),
            )

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {
            "letters": self.lemmas.words.letters,
            "offsets": self.lemmas.words.offsets,
            "context_letters": self.contexts.words.letters,
            "context_offsets": self.contexts.words.offsets,
            "starts": self.lemma_counts.starts,
            "columns": self.lemma_counts.columns,
            "values": self.lemma_counts.values,
            "contexts": self.context_counts,
        }


def open_senses(folder: Path) -> Senses:
    """Map what was learned."""
    with opened_arrays(folder, _ARRAYS, what="latent senses", hint=_HINT, kind=_KIND) as (
        arrays,
        facts,
    ):
        senses = int(facts["senses"])
        check_fit(arrays, {**words_fit(arrays), **words_fit(arrays, "context_")})
        lemmas, contexts = len(arrays["offsets"]) - 1, len(arrays["context_offsets"]) - 1
        check_fit(arrays, rows_fit(arrays, rows=lemmas, width=senses))
        check_fit(arrays, {"contexts": Fit(shape=(contexts * senses,))})
        return Senses(
            lemmas=_vocabulary(arrays["letters"], arrays["offsets"]),
            contexts=_vocabulary(arrays["context_letters"], arrays["context_offsets"]),
            lemma_counts=CountMatrix(
                starts=arrays["starts"], columns=arrays["columns"], values=arrays["values"]
            ),
            context_counts=arrays["contexts"].reshape(-1, senses),
            alpha=float(facts["alpha"]),
            eta=float(facts["eta"]),
            lemmatizer=str(facts["lemmas"]),
            preparation=Preparation(**facts["preparation"]),
            provenance=facts,
            fingerprint=str(facts["sha256"]),
        )


def _vocabulary(letters: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Vocabulary:
    return Vocabulary.build(PackedWords(letters=letters, offsets=offsets))


@dataclass(frozen=True, kw_only=True, eq=False)
class SenseCounts:
    """How often the sampler has ended with which sense."""

    lemmas: CountMatrix  # (n, senses): of the context words of each lemma
    contexts: NDArray[np.int64]  # (m, senses): of each context word, for all lemmas together
    #: Of a context word together with its sense, on average; natural logarithm.
    log_likelihood: float


def sample_senses(counts: CountMatrix, contexts: int, recipe: SenseRecipe) -> SenseCounts:
    """Give a sense to every context word of every lemma.

    ``counts`` has the shape (lemmas, ``contexts``).

    >>> counts = CountMatrix(
    ...     starts=np.array([0, 1, 2]),
    ...     columns=np.array([0, 1], dtype=np.int32),
    ...     values=np.array([50, 50], dtype=np.uint32),
    ... )
    >>> found = sample_senses(counts, 2, SenseRecipe(senses=2, iterations=50))
    >>> sorted(found.contexts.tolist())  # each of two words that never stand together has its own
    [[0, 50], [50, 0]]
    """
    model, rows = untrained(counts, contexts, recipe)
    progress = current_progress()

    def tell(_: object, done: int, total: int) -> None:
        progress("Gibbs iterations", done, total)

    with warnings.catch_warnings():
        # That several workers are not reproducible is said where workers are chosen.
        warnings.filterwarnings("ignore", message="The training result may differ")
        model.train(recipe.iterations, workers=recipe.workers, callback_interval=1, callback=tell)
    return _counted(model, rows, len(counts), contexts, recipe.senses)


def untrained(counts: CountMatrix, contexts: int, recipe: SenseRecipe) -> tuple[Any, Indices]:
    """Return tomotopy's model with all documents, and which lemma each of these is."""
    model = _tomotopy().LDAModel(
        k=recipe.senses, alpha=recipe.prior, eta=recipe.eta, seed=recipe.seed
    )
    model.optim_interval = 0
    names = np.array([str(number) for number in range(contexts)], dtype=object)
    rows: list[int] = []
    for row, columns, values in _documents(counts, recipe):
        model.add_doc(np.repeat(names[columns], values).tolist())
        rows.append(row)
        current_progress()("handing over lemmas", row + 1, len(counts))
    if not rows:
        raise InputError(
            f"expected context words of {len(counts)} lemmas, got none",
            hint="use a larger corpus, or a wider window",
        )
    return model, np.array(rows, dtype=np.int64)


def _documents(
    counts: CountMatrix, recipe: SenseRecipe
) -> Iterator[tuple[int, NDArray[np.int32], Indices]]:
    """Yield lemma, context words and how many of each are sampled from, where there are any."""
    generator = np.random.default_rng(recipe.seed)
    for row in range(len(counts)):
        entries = slice(counts.starts[row], counts.starts[row + 1])
        values = counts.values[entries].astype(np.int64)
        if recipe.most is not None and values.sum() > recipe.most:
            values = generator.multivariate_hypergeometric(values, recipe.most, method="marginals")
        if values.any():
            yield row, counts.columns[entries], values


def _counted(model: Any, rows: Indices, lemmas: int, contexts: int, senses: int) -> SenseCounts:  # noqa: ANN401
    """Count the senses of the sampler's last state."""
    numbers = np.array([int(name) for name in model.used_vocabs], dtype=np.int64)
    of_contexts = np.zeros((contexts, senses), dtype=np.int64)
    lengths = np.zeros(lemmas, dtype=np.int64)
    columns, values = [], []
    # Iterated over: the package's documents by number are wrong (0.14.0).
    for row, document in zip(rows, model.docs, strict=True):
        topics = np.asarray(document.topics, dtype=np.int64)
        np.add.at(of_contexts, (numbers[np.asarray(document.words)], topics), 1)
        found, times = np.unique(topics, return_counts=True)
        lengths[row] = len(found)
        columns.append(found.astype(np.int32))
        values.append(times.astype(np.uint32))
    return SenseCounts(
        lemmas=CountMatrix(
            starts=bounds(lengths), columns=np.concatenate(columns), values=np.concatenate(values)
        ),
        contexts=of_contexts,
        log_likelihood=float(model.ll_per_word),
    )


def _tomotopy() -> Any:  # noqa: ANN401 - a module without types
    if importlib.util.find_spec("tomotopy") is None:
        raise MissingExtraError("learning latent senses", extra="train")
    with warnings.catch_warnings():
        # Of a type without a module; where warnings are errors, it could not be imported at all.
        warnings.simplefilter("ignore", DeprecationWarning)
        return importlib.import_module("tomotopy")


_WORDS = 512


@dataclass(frozen=True, kw_only=True, eq=False)
class AdaptedSenses:
    """The senses of a general corpus, and those of a domain's own words by way of them.

    Latent senses of two corpora cannot be compared. Cheung & Penn (2012, section 4.4) therefore
    look, for a word that only the domain has, for the known words that are closest to it by cosine
    over the co-occurrence vectors of the domain, and take the mean of their distributions.
    """

    general: Distributions
    domain: NamedRows
    #: How many known words are taken. Of equally close ones the first of the domain lead; a word
    #: with a cosine of 0 or less is not taken, and where all are such the word stays unknown.
    nearest: int = 5

    def __post_init__(self) -> None:
        check_count("nearest", self.nearest, least=1)

    def distributions(self, words: Sequence[str]) -> tuple[Floats, Mask]:
        """Return P(z | t) of each word, (n, K), and which words are known, (n,)."""
        rows, known = self.general.distributions(words)
        for start in range(0, len(words), _WORDS):
            absent = start + np.flatnonzero(~known[start : start + _WORDS])
            if not len(absent):
                continue
            neighbours, taken = self._neighbours([words[i] for i in absent.tolist()])
            found = taken.any(axis=1)
            distinct, places = np.unique(neighbours[taken], return_inverse=True)
            theirs, _ = self.general.distributions([self._known[i] for i in distinct.tolist()])
            sums = np.zeros((len(absent), rows.shape[1]))
            np.add.at(sums, np.nonzero(taken)[0], theirs[places])
            rows[absent[found]] = (sums / np.maximum(taken.sum(axis=1, keepdims=True), 1))[found]
            known[absent[found]] = True
        return rows, known

    def _neighbours(self, words: list[str]) -> tuple[Indices, Mask]:
        """Return the places of the closest known words, (n, nearest), and which of them count."""
        similar = (_unit(self.domain.take(words)) @ self._vectors.T).toarray()
        order = np.argsort(-similar, axis=1, kind="stable")[:, : self.nearest]
        return order, np.take_along_axis(similar, order, axis=1) > 0

    @cached_property
    def _known(self) -> list[str]:
        """The words of the domain that the general corpus has too."""
        words = list(self.domain.words)
        known = [
            self.general.distributions(words[start : start + _WORDS])[1]
            for start in range(0, len(words), _WORDS)
        ]
        return [words[i] for i in np.flatnonzero(np.concatenate([*known, np.zeros(0, bool)]))]

    @cached_property
    def _vectors(self) -> csr_array[np.float64]:
        return _unit(self.domain.take(self._known))


def _unit(matrix: SparseMatrix) -> csr_array[np.float64]:
    """Return the rows at length 1; empty ones stay so."""
    from scipy.sparse import csr_array, diags_array

    height = len(matrix.starts) - 1
    rows = csr_array(
        (matrix.values.astype(np.float64), matrix.columns, matrix.starts),
        shape=(height, matrix.width),
    )
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    inverse = np.divide(1.0, lengths, out=np.zeros(height), where=lengths > 0)
    return csr_array(diags_array(inverse) @ rows)


def senses_in_context(words: Floats, contexts: Floats, near: Mask) -> Floats:
    r"""Shift the senses of words by the context words that stand near them.

    .. math:: v(t, c)_k = P(z_k | t, c) = \frac{P(z_k | t) P(c | z_k)}{\sum_l P(z_l | t) P(c | z_l)}

    (Dinu & Lapata 2010; equation 19 of Cheung & Penn 2012). A word with several context words gets
    the mean of these; a word without any keeps P(z | t).

    - ``words`` (m, K): P(z | t) of each word.
    - ``contexts`` (n, K): P(c | z) of each context word. No number of either is 0.
    - ``near`` (m, n): which context words stand in the window of which word.

    >>> words = np.array([[0.5, 0.5]])
    >>> contexts = np.array([[0.3, 0.1], [0.1, 0.3]])
    >>> senses_in_context(words, contexts, np.array([[True, False]])).tolist()
    [[0.75, 0.25]]
    """
    if not near.any():
        return words
    weights = near / (words @ contexts.T)
    several = near.sum(axis=1, keepdims=True)
    shifted = words * (weights @ contexts) / np.maximum(several, 1)
    return np.where(several > 0, shifted, words)


def windowed(words: Indices, contexts: Indices, window: int) -> Mask:
    """Return which context words stand at most so far from which word, (m, n).

    A word is not its own context.

    >>> windowed(np.array([0, 3]), np.array([0, 1]), 2).tolist()
    [[False, True], [False, True]]
    """
    distances = np.abs(words[:, None] - contexts[None, :])
    near: Mask = (distances > 0) & (distances <= window)
    return near


def composed(words: Floats, compose: Compose) -> Floats:
    """Return the vector of a sentence from the distributions of its words, (K,).

    ``add`` is their sum. ``multiply`` is their product, by component, made to add up to 1: the
    product itself is too small for a floating-point number. Components that were never sampled are
    not 0 but what the priors give them, so nothing else is needed to smooth them.

    >>> composed(np.array([[0.75, 0.25], [0.5, 0.5]]), "add").tolist()
    [1.25, 0.75]
    >>> composed(np.array([[0.75, 0.25], [0.5, 0.5]]), "multiply").round(6).tolist()
    [0.75, 0.25]
    """
    if compose == "add":
        total: Floats = words.sum(axis=0)
        return total
    logarithms = np.log(words).sum(axis=0)
    product = np.exp(logarithms - logarithms.max())
    normalized: Floats = product / product.sum()
    return normalized


WINDOW = 5
NEAREST = 5

#: Texts whose words are looked up together.
_TEXTS = 512


@dataclass(frozen=True, eq=False)
class DinuLapata(Model):
    """Latent senses of words in context, from a folder of ``lydite train dinu-lapata`` (D&L).

    Each word gets the senses that it has beside the words in its window, P(z | t, c), and a text
    their sum or product.

    References
    ----------
    Dinu & Lapata, "Measuring distributional similarity in context", EMNLP 2010; Cheung & Penn,
    "Evaluating distributional models of semantics for syntactically invariant inference", EACL
    2012.
    """

    name: ClassVar[str] = "dinu-lapata"

    folder: Annotated[str, Param("The folder.")]
    _: KW_ONLY
    compose: Annotated[
        Compose,
        Param("``add`` or ``multiply``. Repeated words count as often as they stand there."),
    ] = "add"
    window: Annotated[
        int, Param("How many words on either side shift the senses of a word.", least=1)
    ] = WINDOW
    function_words: Annotated[
        bool,
        Param("Let function words take part; they always take up places in the window."),
    ] = False
    domain: Annotated[
        MitchellLapata | None,
        Param(
            "A folder of ``lydite train mitchell-lapata``, or such a model: words that only this "
            "corpus has get the mean of the senses of those known words that are closest to them "
            "in it."
        ),
    ] = None
    nearest: Annotated[
        int, Param("How many known words a word of the domain gets its senses from.", least=1)
    ] = NEAREST
    senses: Annotated[Senses, State]

    @classmethod
    def open(cls, folder: str, *, domain: object = None, **parameters: Any) -> DinuLapata:  # noqa: ANN401
        """Open the folder, and the model of the domain."""
        return cls(
            folder,
            senses=open_senses(user_path(folder)),
            domain=None if domain is None else _domain(domain),
            **parameters,
        )

    @property
    def fingerprint(self) -> str:
        """Which bytes the senses are, and those of the domain's model."""
        if self.domain is None:
            return self.senses.fingerprint
        return sha256_text(f"{self.senses.fingerprint}\n{self.domain.fingerprint}")

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, (n, K); zero where no word is known."""
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
    """Give words that only the domain has senses, by the known words that they resemble there."""
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


def _domain(domain: object) -> MitchellLapata:
    if isinstance(domain, str) and user_path(domain).is_dir():
        return MitchellLapata.open(domain)
    model = load(domain)
    if not isinstance(model, MitchellLapata):
        raise UnsuitableModelError(
            f"expected a mitchell-lapata model of the domain, got {model_spec(model)}",
            hint="give the folder of lydite train mitchell-lapata",
        )
    return model


def train_dinu_lapata(
    corpus: Corpus | ParsedCorpus,
    recipe: SenseRecipe,
    folder: Path,
    *,
    provenance: PlainMapping | None = None,
    memory: int = MEMORY,
) -> Senses:
    """Learn latent senses from a corpus and write them into a new folder."""
    check_new(folder)
    with counted_lemmas(
        corpus,
        lemmata=recipe.lemmata,
        contexts=recipe.contexts,
        window=recipe.window,
        min_count=recipe.min_count,
        lemmas=recipe.lemmas,
        memory=memory,
    ) as counted:
        learned = senses_of(counted, recipe, provenance=provenance)
    learned.save(folder)
    return open_senses(folder)


def senses_of(
    counted: LemmaContexts, recipe: SenseRecipe, *, provenance: PlainMapping | None = None
) -> Senses:
    """Learn latent senses from counts."""
    sampled = sample_senses(counted.matrix, len(counted.contexts), recipe)
    return Senses(
        lemmas=counted.lemmas,
        contexts=counted.contexts,
        lemma_counts=sampled.lemmas,
        context_counts=sampled.contexts,
        alpha=recipe.prior,
        eta=recipe.eta,
        lemmatizer=counted.lemmatizer,
        preparation=counted.preparation,
        provenance={
            **(provenance or {}),
            "recipe": dataclasses.asdict(recipe),
            "text": {"tokens": counted.tokens, "words": counted.words},
            "sampled": int(sampled.contexts.sum()),
            "log_likelihood": sampled.log_likelihood,
        },
    )


@dataclass(frozen=True, kw_only=True)
class DinuLapataTraining(LemmaRecipe):
    """Learn latent senses from the contexts of lemmas, for D&L (extras train and lemmas).

    With 1,200 senses, a million context words take a second or more per iteration. Sentences
    evaluated later are lemmatized like the corpus; with --lemmas given, by simplemma.
    """

    name: ClassVar[str] = "dinu-lapata"
    examples: ClassVar[tuple[str, ...]] = (
        "train dinu-lapata --corpus wikipedia-2014-20m --out dl-wikipedia --workers 2",
        "train dinu-lapata --parsed genia-usp --senses 200 --iterations 200 --out dl-genia",
        "separation 'dinu-lapata(dl-wikipedia, compose=multiply)' --task qa --data genia-answers",
        "separation 'dinu-lapata(dl-wikipedia, domain=ml-genia)' --task qa --data genia-answers",
    )

    recipe: Annotated[SenseRecipe, Inline()] = SenseRecipe()

    @classmethod
    def of_options(cls, values: Mapping[str, Any]) -> Self:
        """Make a recipe of the values of a command's options, where 0 stands for all."""
        return super().of_options({**values, "most": values["most"] or None})

    def run(self) -> Product:
        """Count, sample and write."""
        text, located = self.text()
        made = train_dinu_lapata(
            text,
            self.counted,
            user_path(self.out),
            provenance={
                "corpus": named(located),
                "versions": {**versions(), "tomotopy": _sampler()},
            },
        )
        return Product(
            line=f"{self.recipe.senses:,} senses of {len(made.lemmas):,} lemmas, from "
            f"{made.provenance['sampled']:,} context words in "
            f"{made.provenance['text']['tokens']:,} tokens: {self.out}"
        )


def _sampler() -> str:
    """Return the version of what samples; where it is absent, say so before anything is counted."""
    try:
        return version("tomotopy")
    except ImportError as error:
        raise MissingExtraError("learning latent senses", extra="train") from error
