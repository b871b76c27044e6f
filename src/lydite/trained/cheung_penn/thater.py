"""Second-order vectors of words in context (Thater, Fürstenau & Pinkal 2010).

For a word w let ``[w](r, w') = pmi(w, r, w')`` be its first-order vector over relations, in either
direction, and words, with small values left out. Its second-order vector is

``[[w]](r, r', w'') = Σ_x [w](r, x) [x](r', w'')``

so that *catch* has a value at (dobj, dobj^-1, throw) if there are things that are caught and
thrown. In the context of a word w' that is related to it by r it is

``[[w in r:w']] = [[w]] × L_r([w'])``

where × multiplies component by component and ``L_r`` lifts the first-order vector of the context
word to second order: its value at (r, r', w'') is ``[w'](r', w'')``, and 0 where the first relation
is not r. Of *catch* with the object *ball* remain the verbs whose objects are like those of *catch*
and that *ball* is an object of, each with what *ball* has to say to it. Several related words
contribute the sum of their contexts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.declare import Inline, Param, State
from lydite.errors import InputError
from lydite.files.arrays import new_folder
from lydite.models.catalogue import Model
from lydite.models.embedding_cache import as_texts
from lydite.recipe import Product
from lydite.results.provenance import versions
from lydite.storage import user_path
from lydite.trained.cheung_penn.recipes import Lemmata, ParsedRecipe
from lydite.trained.cheung_penn.related_words import (
    RelatedFolder,
    RelatedWords,
    neighbours,
    open_related,
    related_words,
    write_related,
)
from lydite.trained.cheung_penn.texts import (
    Compose,
    check_same_lemmas,
    content_tokens,
    sentence_runs,
)
from lydite.trained.inputs import named
from lydite.trained.parameters import check_declared
from lydite.trained.parsed.blocks import ParsedBlock
from lydite.trained.parsed.load import ParsedCorpus
from lydite.trained.parsed.spacy import parse_texts
from lydite.trained.parsed.triples import Triples, count_triples
from lydite.types import Floats, Indices, Mask, PlainMapping

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, kw_only=True)
class ThaterRecipe:
    """How first-order vectors are made; the defaults are those of Cheung & Penn (2012)."""

    lemmata: Lemmata = 30_000
    min_count: Annotated[int, Param("Leave out rarer triples.", least=1)] = 10
    pmi: Annotated[
        float,
        Param(
            "Leave out triples with less pointwise mutual information (natural logarithm).",
            least=0,
        ),
    ] = 2.0

    def __post_init__(self) -> None:
        check_declared(self)


#: Products of two entries that are made at a time, about 200 MB.
_PRODUCTS = 1 << 23


@dataclass(frozen=True, kw_only=True, eq=False)
class Entries:
    """Entries of sparse vectors; those with the same owner and dimension are to be added up."""

    owners: Indices
    #: (m,): ``r · u + column``, that of (r', w'') among the u columns that are used.
    dimensions: Indices
    values: Floats

    @classmethod
    def join(cls, parts: list[Entries]) -> Entries:
        """Return all entries of several lists."""
        none = np.zeros(0, dtype=np.int64)
        return cls(
            owners=np.concatenate([none, *(part.owners for part in parts)]),
            dimensions=np.concatenate([none, *(part.dimensions for part in parts)]),
            values=np.concatenate([np.zeros(0), *(part.values for part in parts)]),
        )

    def summed(self) -> Entries:
        """Add up what has the same owner and dimension; sorted by both."""
        if not len(self.owners):
            return self
        # One number for both: far faster to sort than two.
        stride = int(self.dimensions.max()) + 1
        keys = self.owners * stride + self.dimensions
        order = np.argsort(keys)
        keys = keys[order]
        new = np.flatnonzero(np.diff(keys, prepend=-1))
        owners, dimensions = np.divmod(keys[new], stride)
        values = np.add.reduceat(self.values[order], new)
        return Entries(owners=owners, dimensions=dimensions, values=values)


def words_in_context(first: RelatedWords, block: ParsedBlock, taking_part: Mask) -> Entries:
    """Return the second-order vectors of the words of some texts in their context.

    A word has its vector without context where nothing that is related to it leaves any of it.

    - ``taking_part`` (t,): which tokens have a vector and are context of others.
    """
    rows = first.lemmas.find(list(block.lemmas))[block.tokens]
    rows = np.where(taking_part & first.has(rows), rows, -1)
    near = neighbours(block, first.relations)
    kept = (rows[near.tokens] >= 0) & (rows[near.others] >= 0)
    tokens, kinds, others = near.tokens[kept], near.kinds[kept], near.others[kept]
    found = list(_in_context(first, tokens, rows[tokens], kinds, rows[others]))
    in_context = Entries.join(found)
    alone = np.setdiff1d(np.flatnonzero(rows >= 0), in_context.owners)
    return Entries.join([in_context, *without_context(first, alone, rows[alone])]).summed()


def _in_context(
    first: RelatedWords, owners: Indices, words: Indices, kinds: Indices, contexts: Indices
) -> Iterator[Entries]:
    """Yield ``[[w]] × L_r([w'])`` of several words, relations and related words."""
    for part in _portions(first, words, kinds):
        found = _slices(first, words[part], kinds[part]).multiply(first.matrix[contexts[part]])
        yield _entries(first, found.tocsr(), owners[part], kinds[part])


def without_context(first: RelatedWords, owners: Indices, words: Indices) -> Iterator[Entries]:
    """Yield ``[[w]]`` of several words."""
    places, kinds = first.relations_of(words)
    for part in _portions(first, words[places], kinds):
        slices = _slices(first, words[places[part]], kinds[part])
        yield _entries(first, slices, owners[places[part]], kinds[part])


def _slices(first: RelatedWords, words: Indices, kinds: Indices) -> csr_array[np.float64]:
    """Return ``[[w]](r, ·, ·)`` of several words and relations, (p, u)."""
    return (first.by(words, kinds).astype(np.float64) @ first.matrix).tocsr()


def _entries(
    first: RelatedWords, found: csr_array[np.float64], owners: Indices, kinds: Indices
) -> Entries:
    entries = found.tocoo()
    rows, columns = entries.coords
    return Entries(
        owners=owners[rows],
        dimensions=kinds[rows] * first.matrix.shape[1] + columns,
        values=entries.data,
    )


def _portions(first: RelatedWords, words: Indices, kinds: Indices) -> Iterator[slice]:
    """Divide pairs of word and relation into runs whose products fit into memory."""
    if not len(words):
        return
    by = first.by(words, kinds)
    by.data = np.ones_like(by.data)
    products = np.cumsum(by @ np.diff(first.starts).astype(np.float64))
    edges = np.searchsorted(products, np.arange(_PRODUCTS, products[-1], _PRODUCTS))
    marks = np.unique([0, *edges.tolist(), len(words)]).tolist()
    yield from (slice(a, b) for a, b in pairwise(marks))


Length: TypeAlias = Literal["paper", "unit"]


def composed(words: Entries, texts: Indices, compose: Compose, length: Length = "paper") -> Entries:
    """Compose the vectors of words into those of texts.

    - ``add``: ``Σ v``; with ``length=unit``, ``Σ v / |v|``. A second-order vector grows with the
      square of how many words the word was met with, and in context with the cube, so that of the
      plain sum one word may be nearly all.
    - ``multiply``: ``Π (1 + v / mean(v)) - 1``, with the mean of the components that are there. Two
      words hardly have a dimension in common that a third has too, and words on two sides of a
      relation have none, so the product itself is 0 everywhere. With 1 added to each factor a word
      without a dimension leaves it as it is, and one that no word has stays 0; dimensions that
      words share count the more.

    - ``words``: whose owners are tokens, each dimension of a token once; values above 0.

    Two words of one text share the second of three dimensions.

    >>> owners, dimensions = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])
    >>> words = Entries(owners=owners, dimensions=dimensions, values=np.array([3.0, 4, 8, 6]))
    >>> composed(words, np.array([0, 0]), "add").values.tolist()
    [3.0, 12.0, 6.0]
    >>> composed(words, np.array([0, 0]), "add", "unit").values.round(2).tolist()
    [0.6, 1.6, 0.6]
    """
    if compose == "add" and length == "paper":
        return _over_texts(words, texts, words.values)
    if compose == "add":
        lengths = np.sqrt(np.bincount(words.owners, words.values**2))
        return _over_texts(words, texts, words.values / lengths[words.owners])
    sums = np.bincount(words.owners, words.values)
    counts = np.bincount(words.owners)
    scaled = words.values * counts[words.owners] / sums[words.owners]
    found = _over_texts(words, texts, np.log1p(scaled))
    largest = np.zeros(int(found.owners.max(initial=0)) + 1)
    np.maximum.at(largest, found.owners, found.values)
    top = largest[found.owners]
    return Entries(
        owners=found.owners,
        dimensions=found.dimensions,
        # (e^u - 1) / e^top, which does not overflow.
        values=np.exp(found.values - top) - np.exp(-top),
    )


def _over_texts(words: Entries, texts: Indices, values: Floats) -> Entries:
    return Entries(owners=texts[words.owners], dimensions=words.dimensions, values=values).summed()


def unit_rows(entries: Entries, count: int) -> csr_array[np.float64]:
    """Return vectors of length 1, (count, d), over those d dimensions that any of them has.

    - ``entries``: each owner and dimension once, sorted by owners.
    - ``count``: how many rows; those without an entry are 0.
    """
    from scipy.sparse import csr_array

    dimensions, columns = np.unique(entries.dimensions, return_inverse=True)
    lengths = np.sqrt(np.bincount(entries.owners, entries.values**2, minlength=count))
    values = entries.values / lengths[entries.owners]
    return csr_array((values, (entries.owners, columns)), shape=(count, max(1, len(dimensions))))


KIND: Final = "thater"
#: Of cosines: texts with the same words have to tie, in whatever order these were added up.
_DECIMALS = 12


@dataclass(frozen=True, eq=False)
class Thater(Model):
    """Second-order vectors in context, from a folder of ``lydite train thater`` (TFP).

    Texts are parsed by spaCy (extra ``parse``). Their words have vectors over two relations and a
    word, sharpened by the words that they are related to in the text. Scores are cosines.

    References
    ----------
    Thater, Fürstenau & Pinkal, "Contextualizing semantic representations using syntactically
    enriched vector models", ACL 2010; Cheung & Penn, "Evaluating distributional models of semantics
    for syntactically invariant inference", EACL 2012.
    """

    name: ClassVar[str] = KIND

    folder: Annotated[str, Param("The folder.")]
    _: KW_ONLY
    compose: Annotated[
        Compose,
        Param(
            "``add``: Σ v over the words of a text. ``multiply``: Π (1 + v) - 1, each with "
            "components of mean 1: the plain product of two words is 0 nearly everywhere."
        ),
    ] = "add"
    length: Annotated[
        Length,
        Param(
            "How long a word is in a sum. ``paper``: as it comes out, so that words that were met "
            "often are nearly all of a text. ``unit``: all alike; no part of the paper."
        ),
    ] = "paper"
    function_words: Annotated[bool, Param("Let function words take part.")] = False
    first: Annotated[RelatedWords, State]
    lemmas: Annotated[str, State]
    fingerprint: Annotated[str, State]

    @classmethod
    def open(cls, folder: str, **parameters: Any) -> Thater:  # noqa: ANN401
        """Open the folder."""
        opened = open_related(user_path(folder), kind=KIND)
        return cls(
            folder,
            first=opened.related,
            lemmas=opened.lemmas,
            fingerprint=opened.fingerprint,
            **parameters,
        )

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
        """Return one vector per text, (n, d), of length 1, over the dimensions that any has."""
        block = parse_texts(as_texts(texts), lemmas=self.lemmas)
        found = []
        for place, run in sentence_runs(block):
            taking_part = content_tokens(run, function_words=self.function_words)
            words = words_in_context(self.first, run, taking_part)
            owners = np.repeat(np.arange(len(run.starts) - 1), np.diff(run.starts)) + place
            found.append(composed(words, owners, self.compose, self.length))
        return unit_rows(Entries.join(found), len(texts))

    def with_words_of(self, domain: Thater, /) -> Thater:
        """Return this model with the lemmas of another that it lacks, and their dimensions."""
        check_same_lemmas(self, domain)
        return replace(self, first=self.first.joined(domain.first))


def train_thater(
    corpus: ParsedCorpus,
    recipe: ThaterRecipe,
    folder: Path,
    *,
    provenance: PlainMapping | None = None,
) -> RelatedFolder:
    """Make first-order vectors of a parsed corpus and write them into a new folder."""
    with new_folder(folder) as work:
        triples = count_triples(corpus, lemmas=recipe.lemmata)
        related = first_order(triples, recipe)
        write_related(
            related,
            work,
            kind=KIND,
            lemmas=corpus.lemmas,
            **(provenance or {}),
            recipe=dataclasses.asdict(recipe),
            text={
                "corpus": corpus.fingerprint,
                "tokens": triples.tokens,
                "triples": len(triples),
                "kept_triples": len(related.values) // 2,
            },
        )
    return open_related(folder, kind=KIND)


def first_order(triples: Triples, recipe: ThaterRecipe) -> RelatedWords:
    """Return the first-order vectors of all lemmas."""
    enough = np.asarray(triples.counts) >= recipe.min_count
    weights = information(triples)
    return related_words(triples, np.where(enough & (weights >= recipe.pmi), weights, 0.0))


def information(triples: Triples) -> Floats:
    """Return the pointwise mutual information of each triple, (m,).

    ``log(p(w, w' | r) / (p(w | r) p(w' | r)))``, that is
    ``log(f(w, r, w') f(·, r, ·) / (f(w, r, ·) f(·, r, w')))``: how much more often two words stand
    in a relation than words that do stand on these sides of it would by chance. It is the same
    whichever of the two words is asked.
    """
    counts = np.asarray(triples.counts, dtype=np.float64)
    kinds = triples.kinds.astype(np.int64)
    totals = np.bincount(kinds, counts)
    expected = _totals(triples.heads, kinds, counts) * _totals(triples.dependents, kinds, counts)
    return np.asarray(np.log(counts * totals[kinds] / expected), dtype=np.float64)


def _totals(words: NDArray[np.int32], kinds: NDArray[np.int64], counts: Floats) -> Floats:
    """Return, for each triple, how often its word stands on that side of its relation."""
    most = int(kinds.max(initial=0)) + 1
    _, pairs = np.unique(words.astype(np.int64) * most + kinds, return_inverse=True)
    return np.bincount(pairs, counts).astype(np.float64)[pairs]


@dataclass(frozen=True, kw_only=True)
class ThaterTraining(ParsedRecipe):
    """Count which words depend on which and weigh them by information, for TFP (extra parse).

    Running text is parsed by spaCy first, at some thousand words per second; other models can be
    trained on the same parses. In a small corpus few triples occur 10 times: lower --min-count.
    """

    name: ClassVar[str] = "thater"
    examples: ClassVar[tuple[str, ...]] = (
        "train thater --parsed genia-usp --out tfp-genia",
        "train thater --parsed genia-usp --min-count 3 --pmi 1 --out tfp-genia-low",
        "separation 'backoff(thater(tfp-wiki), thater(tfp-genia))' --task qa --data genia-answers",
    )

    recipe: Annotated[ThaterRecipe, Inline()] = ThaterRecipe()

    def run(self) -> Product:
        """Count, weigh and write."""
        text, located = self.text()
        about = {"corpus": named(located), "versions": versions()}
        made = train_thater(text, self.recipe, user_path(self.out), provenance=about)
        found = made.provenance["text"]
        return Product(
            line=f"{found['kept_triples']:,} of {found['triples']:,} triples, from "
            f"{found['tokens']:,} tokens: {self.out}"
        )
