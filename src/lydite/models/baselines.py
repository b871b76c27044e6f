"""Models that know little: random vectors, counts of tokens, shared lemmas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from lydite.corpora.lemmas import FUNCTION_WORDS, lemmatizer
from lydite.corpora.tokens import tokenizer as find_tokenizer
from lydite.corpora.tokens import words
from lydite.declare import SEEDS, Param, State
from lydite.errors import InputError
from lydite.models.catalogue import Model
from lydite.models.embedding_cache import as_texts
from lydite.spaces.vocabulary import Hashes, bounds, hash_words, mix, pack
from lydite.storage import sha256_text
from lydite.types import Floats, Lookup, Vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class RandomModel(Model):
    """Random Gaussian vectors, the same for the same text: a baseline.

    They are drawn from a hash of the text and a seed, so that every word is found and different
    texts get independent vectors.

    >>> RandomModel(2).lookup(["cat", "cat"]).vectors.std(axis=0).tolist()
    [0.0, 0.0]
    """

    name: ClassVar[str] = "random"

    dim: Annotated[int, Param("How many dimensions.", least=1)]
    _: KW_ONLY
    seed: Annotated[int, Param("The seed of the random vectors.", least=0, most=SEEDS)] = 0

    @property
    def fingerprint(self) -> str:
        """The spec says it all."""
        return self.spec

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, (n, d)."""
        keys = mix(hash_words(pack(texts)) + mix(np.array([self.seed], dtype=np.uint64)))
        places = np.arange(1, 2 * self.dim + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return _gaussians(mix(keys[:, None] + places[None, :]))

    def lookup(self, words: Sequence[str]) -> Lookup:
        """Return one vector per word; all are found."""
        return Lookup(vectors=self.encode(words), found=np.ones(len(words), dtype=np.bool_))


def _gaussians(bits: Hashes) -> Vectors:
    """Turn (n, 2d) random integers into (n, d) Gaussian numbers (Box & Muller 1958)."""
    uniform = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
    half = bits.shape[1] // 2
    radius = np.sqrt(-2.0 * np.log1p(-uniform[:, :half]))
    return np.asarray(radius * np.cos(2.0 * np.pi * uniform[:, half:]), dtype=np.float32)


@dataclass(frozen=True)
class BagOfWords(Model):
    """Bag of words: how often each token stands in a text (BOW).

    Its dimensions are the sorted tokens of the texts that it is fitted to. It knows nothing of the
    world but these texts, so an evaluation that trains on some of its texts fits it to those alone.

    >>> BagOfWords(punctuation=False).encode(["No, no!", "Yes?"]).tolist()
    [[2.0, 0.0], [0.0, 1.0]]
    """

    name: ClassVar[str] = "bow"

    _: KW_ONLY
    lower: Annotated[bool, Param("Whether texts are put in lower case first.")] = True
    punctuation: Annotated[
        bool,
        Param("Whether tokens without a letter or digit count, as they do in the paper."),
    ] = True
    tokenizer: Annotated[
        str,
        Param(
            "What cuts texts into tokens: ``words``, or ``whitespace`` for texts that are cut "
            "already."
        ),
    ] = "words"
    #: The tokens that have a dimension, once the model is fitted; until then None, and the
    #: dimensions are the tokens of the very texts to be encoded.
    tokens: Annotated[tuple[str, ...] | None, State] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        find_tokenizer(self.tokenizer)

    @cached_property
    def fingerprint(self) -> str:
        """The spec says it all, with the tokens once it is fitted."""
        if self.tokens is None:
            return self.spec
        return sha256_text("\n".join((self.spec, *self.tokens)))

    def fitted_to(self, texts: Sequence[str], /) -> BagOfWords:
        """Return the model with the tokens of these texts as its dimensions.

        >>> fitted = BagOfWords().fitted_to(["The cat sat.", "A cat!"])
        >>> fitted.tokens
        ('!', '.', 'a', 'cat', 'sat', 'the')
        >>> fitted.encode(["The cat, the cat."]).tolist()
        [[0.0, 1.0, 0.0, 2.0, 0.0, 2.0]]
        """
        return replace(self, tokens=self._sorted(self._cut(texts)))

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return how often each token stands in each text, (n, d).

        Tokens that are no dimension are left out; a text of such tokens alone is the zero vector.
        Of a model that is not fitted, cosines and distances of the rows of one call are what they
        are among all tokens, but rows of different calls do not belong together.
        """
        counts: Vectors = self.counts(texts).toarray()
        return counts

    def counts(self, texts: Sequence[str]) -> csr_array[np.float32]:
        """Return what `encode` returns as a sparse matrix.

        >>> counts = BagOfWords().counts(["a b", "b b c"])
        >>> counts.shape, counts.nnz
        ((2, 3), 4)
        """
        from scipy.sparse import csr_array

        lines = self._cut(texts)
        if self.tokens is None:
            tokens = self._sorted(lines)
            place = {token: i for i, token in enumerate(tokens)}
        else:
            tokens, place = self.tokens, self._places
        lengths = np.fromiter(map(len, lines), np.int64, len(lines))
        found = map(place.get, chain.from_iterable(lines), repeat(-1))
        columns = np.fromiter(found, np.int64, int(lengths.sum()))
        starts = bounds((columns >= 0).astype(np.int64))[bounds(lengths)]
        columns = columns[columns >= 0]
        ones = np.ones(len(columns), dtype=np.float32)
        counts = csr_array((ones, columns, starts), shape=(len(texts), len(tokens)))
        counts.sum_duplicates()
        return counts

    @cached_property
    def _places(self) -> dict[str, int]:
        return {token: i for i, token in enumerate(self.tokens or ())}

    def _cut(self, texts: Sequence[str]) -> list[list[str]]:
        if isinstance(texts, str):
            raise InputError(
                f"expected a sequence of texts, got one text: {texts[:60]!r}",
                hint="put it in a list",
            )
        cut = find_tokenizer(self.tokenizer)
        return [cut(text.lower() if self.lower else text) for text in texts]

    def _sorted(self, lines: list[list[str]]) -> tuple[str, ...]:
        tokens = set(chain.from_iterable(lines))
        if self.punctuation:
            return tuple(sorted(tokens))
        return tuple(sorted(t for t in tokens if any(letter.isalnum() for letter in t)))


def lemma_counts(lines: Sequence[Sequence[str]], place: Mapping[str, int]) -> csr_array[np.float64]:
    """Count how often each lemma stands in each text.

    >>> lemma_counts([["a", "b", "a"], []], {"a": 0, "b": 1}).toarray().tolist()
    [[2.0, 1.0], [0.0, 0.0]]
    """
    from scipy.sparse import csr_array

    starts = bounds(np.fromiter(map(len, lines), np.int64, len(lines)))
    columns = np.fromiter((place[lemma] for line in lines for lemma in line), np.int64, starts[-1])
    ones = np.ones(len(columns))
    counts: csr_array[np.float64] = csr_array(
        (ones, columns, starts), shape=(len(lines), len(place))
    )
    counts.sum_duplicates()
    return counts


def content_lemmas(text: str, lemmas: str = "simplemma") -> list[str]:
    """Return the lemmas of a text in order, without function words and punctuation.

    >>> content_lemmas("The cat and the CAT-flap.", "none")
    ['cat', 'cat-flap']
    """
    tokens = [token for token in words(text.lower()) if any(map(str.isalnum, token))]
    return [lemma for lemma in lemmatizer(lemmas)(tokens) if lemma not in FUNCTION_WORDS]


@dataclass(frozen=True)
class Overlap(Model):
    """Shared lemmas without function words, those of both texts counted (Cheung & Penn).

    ``M(x, x') = #In(x, x') + #In(x', x)`` (equation 15), where ``#In(x, x')`` is how many of the
    tokens of x have a lemma that stands in x' (equation 16), so that a lemma counts as often as it
    stands in either. A text without a content word shares nothing: its scores are 0.

    >>> Overlap(lemmas=None).score(["Spam, spam and eggs"], ["Eggs with spam"]).tolist()
    [5.0]
    """

    name: ClassVar[str] = "overlap"

    _: KW_ONLY
    lemmas: Annotated[
        str | None,
        Param("``simplemma`` (extra ``lemmas``), or ``none`` for words as they are written."),
    ] = "simplemma"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lemmas == "none":
            # Unquoted, as a spec writes it, it reads back as no value at all.
            object.__setattr__(self, "lemmas", None)

    @classmethod
    def open(cls, *, lemmas: str | None = "simplemma") -> Overlap:
        """Make the model, once its lemmatizer is there."""
        made = cls(lemmas=lemmas)
        lemmatizer(made.lemmas or "none")
        return made

    @property
    def fingerprint(self) -> str:
        """The spec says it all."""
        return self.spec

    def cross(self, left: Sequence[str], right: Sequence[str], /) -> Floats:
        """Return the score of every left text with every right one, (n, m)."""
        counts, others = self._counts(left, right)
        shared = counts @ others.sign().T + counts.sign() @ others.T
        scores: Floats = shared.toarray()
        return scores

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return one score per pair, (n,)."""
        if len(left) != len(right):
            raise InputError(
                f"expected as many left texts as right ones, got {len(left)} and {len(right)}",
                hint="cross scores all pairs of two lists",
            )
        counts, others = self._counts(left, right)
        shared = counts.multiply(others.sign()) + counts.sign().multiply(others)
        return np.asarray(shared.sum(axis=1), dtype=np.float64)

    def _counts(
        self, left: Sequence[str], right: Sequence[str]
    ) -> tuple[csr_array[np.float64], csr_array[np.float64]]:
        """Return how often each lemma stands in each text, (n, d) and (m, d)."""
        lines = [
            content_lemmas(text, self.lemmas or "none")
            for text in (*as_texts(left), *as_texts(right))
        ]
        place: dict[str, int] = {}
        for lemma in chain.from_iterable(lines):
            place.setdefault(lemma, len(place))
        first, second = lines[: len(left)], lines[len(left) :]
        return lemma_counts(first, place), lemma_counts(second, place)
