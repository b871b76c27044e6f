"""A structured vector space of words in context (Erk & Padó 2008; Cheung & Penn 2012, section 4.1).

What a word b prefers in a relation r is the sum of the words that it was met with there:

``R_b(r) = Σ f(c, r, b) v_c`` over the c with ``f(c, r, b) > θ`` (equation 18)

and a word a that stands in that relation to b becomes, component by component,

``a' = v_a ⊙ R_b(r⁻¹)`` (equation 17),

where r is read from a: *catch* with the object *ball* is multiplied with what has *ball* as its
object, and *ball* with what is the object of *catch*.

Taken literally, a word in context is as long as its product comes out: a verb with three frequent
neighbors is millions of times as long as a word without any, and is all of the sum of its text.
That is what the equations say and the default here; ``length=kept`` gives every word the length
that it had before, so that context changes directions alone.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from lydite.declare import Inline, Param, State
from lydite.files.arrays import new_folder
from lydite.models.catalogue import Model
from lydite.models.embedding_cache import as_texts
from lydite.recipe import Product
from lydite.results.provenance import versions
from lydite.storage import sha256_text, user_path
from lydite.trained.cheung_penn.mitchell_lapata import (
    MitchellLapataRecipe,
    open_vectors,
    train_mitchell_lapata,
)
from lydite.trained.cheung_penn.named_rows import BackedOffRows, Rows, dense
from lydite.trained.cheung_penn.recipes import ParsedRecipe
from lydite.trained.cheung_penn.related_words import (
    RelatedFolder,
    RelatedWords,
    inverted,
    neighbours,
    open_related,
    related_words,
    write_related,
)
from lydite.trained.cheung_penn.texts import (
    SMOOTHING,
    Compose,
    check_same_lemmas,
    composed,
    content_tokens,
    sentence_runs,
)
from lydite.trained.inputs import named
from lydite.trained.parameters import check_declared
from lydite.trained.parsed.blocks import ParsedBlock
from lydite.trained.parsed.load import ParsedCorpus
from lydite.trained.parsed.spacy import parse_texts
from lydite.trained.parsed.triples import count_triples
from lydite.types import Floats, Indices, PlainMapping, Vectors


@dataclass(frozen=True, kw_only=True)
class ErkPadoRecipe:
    """How a structured vector space is made; the defaults are those of Cheung & Penn (2012).

    The lemmatizer of the vectors of words is not used: lemmas are those of the corpus.
    """

    theta: Annotated[int, Param("Use only triples that occur more often than this.", least=0)] = 10
    words: Annotated[MitchellLapataRecipe, Inline(without=("min_count", "cds", "lemmas"))] = field(
        default_factory=lambda: MitchellLapataRecipe(lemmas="none")
    )

    def __post_init__(self) -> None:
        check_declared(self)


#: Preferences that are remembered: with 3,000 dimensions about 100 MB.
_REMEMBERED = 8192


class Scaled(NamedTuple):
    """Vectors that may be too long for a floating-point number.

    The vectors are ``exp(logs) * vectors``; ``vectors`` have 1 as their largest component, or are
    zeros.
    """

    vectors: Floats  # (n, d)
    logs: Floats  # (n,)

    @classmethod
    def of(cls, vectors: Floats) -> Scaled:
        """Take the largest component, where there is one above 0, out of each vector."""
        largest = vectors.max(axis=1, initial=0)
        factors = np.where(largest > 0, largest, 1.0)
        return cls(vectors / factors[:, None], np.log(factors))


class Preferences:
    """What words prefer in relations, made when it is asked for."""

    def __init__(self, words: Rows, related: RelatedWords) -> None:
        self._words = words
        self._related = related
        self._made: OrderedDict[tuple[int, int], tuple[Vectors, float]] = OrderedDict()

    def take(self, words: Indices, kinds: Indices) -> Scaled:
        """Return ``R_b(r)`` of each word and relation, (p, d); zeros where there is none."""
        pairs = list(zip(words.tolist(), kinds.tolist(), strict=True))
        asked = dict.fromkeys(pairs)
        lacking = [pair for pair in asked if pair not in self._made]
        known = {pair: self._made[pair] for pair in asked if pair in self._made}
        made = self._make(lacking)
        known.update(
            (pair, (vector.astype(np.float32), float(log)))
            for pair, vector, log in zip(lacking, *made, strict=True)
        )
        self._made.update((pair, known[pair]) for pair in lacking)
        while len(self._made) > _REMEMBERED:
            self._made.popitem(last=False)
        vectors = [known[pair][0] for pair in pairs]
        none = np.zeros((0, len(self._words.dimensions)))
        return Scaled(
            np.stack(vectors).astype(np.float64) if vectors else none,
            np.array([known[pair][1] for pair in pairs]),
        )

    def _make(self, pairs: Sequence[tuple[int, int]]) -> Scaled:
        from scipy.sparse import csr_array

        words, kinds = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        counts = self._related.by(words, kinds)
        fillers, columns = np.unique(counts.indices, return_inverse=True)
        rows = self._words.take([self._related.lemmas[i] for i in fillers.tolist()])
        vectors = csr_array((rows.values, rows.columns, rows.starts), shape=rows.shape)
        shape = len(pairs), len(fillers)
        weights = csr_array((counts.data.astype(np.float64), columns, counts.indptr), shape=shape)
        return Scaled.of((weights @ vectors).toarray())


Length: TypeAlias = Literal["paper", "kept"]


def contextualized(
    vectors: Vectors, tokens: Indices, preferences: Scaled, length: Length = "paper"
) -> Scaled:
    """Multiply words with the preferences of all that they are related to, one after the other.

    A word that has nothing in common with a preference, such as an empty one, stays as it is.

    - ``vectors`` (t, d): the words.
    - ``tokens`` (e,): which word each preference is for.
    - ``preferences`` (e, d).
    - ``length``: as the product comes out, or ``kept``: as long as the word was before.

    >>> catch, verbs_of_ball = np.float32([[3, 1]]), Scaled.of(np.array([[20.0, 0.0]]))
    >>> found = contextualized(catch, np.array([0]), verbs_of_ball)
    >>> (found.vectors * np.exp(found.logs)[:, None]).round(3).tolist()
    [[60.0, 0.0]]
    """
    found, logs = Scaled.of(vectors.astype(np.float64))
    order = np.argsort(tokens, kind="stable")
    asked = tokens[order]
    turns = np.arange(len(asked)) - np.searchsorted(asked, asked)
    for turn in range(int(turns.max(initial=-1)) + 1):
        now = order[turns == turn]
        product = Scaled.of(found[tokens[now]] * preferences.vectors[now])
        common = product.vectors.any(axis=1)
        found[tokens[now[common]]] = product.vectors[common]
        logs[tokens[now[common]]] += (product.logs + preferences.logs[now])[common]
    if length == "kept":
        lengths, were = (np.linalg.norm(each, axis=1) for each in (found, vectors))
        known = lengths > 0
        logs = np.log(np.divide(were, lengths, out=np.ones_like(lengths), where=known))
    return Scaled(found, logs)


KIND: Final = "erk-pado"
#: The folder of the vectors of words within that of the model.
WORDS: Final = "words"


@dataclass(frozen=True, eq=False)
class ErkPado(Model):
    """Words shaped by what they depend on, from a folder of ``lydite train erk-pado`` (E&P).

    Texts are parsed by spaCy (extra ``parse``). Each word is multiplied, component by component,
    with what its head and its dependents prefer in these relations.

    References
    ----------
    Erk & Padó, "A structured vector space model for word meaning in context", EMNLP 2008; Cheung &
    Penn, "Evaluating distributional models of semantics for syntactically invariant inference",
    EACL 2012.
    """

    name: ClassVar[str] = KIND

    folder: Annotated[str, Param("The folder.")]
    _: KW_ONLY
    compose: Annotated[
        Compose,
        Param(
            "``add``: Σ v over the words v of a text in context, ``multiply``: Π (v + smoothing)."
        ),
    ] = "add"
    length: Annotated[
        Length,
        Param(
            "How long a word is in context. ``paper``: as equations 17 and 18 make it, so that "
            "words with frequent neighbors are nearly all of a text. ``kept``: as long as it was, "
            "so that context changes its direction alone; no part of the paper."
        ),
    ] = "paper"
    smoothing: Annotated[
        float,
        Param(
            "Above 0: what is added to every component before words are multiplied into a text, as "
            "for ``mitchell-lapata``.",
            above=0,
        ),
    ] = SMOOTHING
    function_words: Annotated[bool, Param("Let function words take part.")] = False
    words: Annotated[Rows, State]
    related: Annotated[RelatedWords, State]
    lemmas: Annotated[str, State]
    fingerprint: Annotated[str, State]

    @classmethod
    def open(cls, folder: str, **parameters: Any) -> ErkPado:  # noqa: ANN401
        """Open the folder."""
        path = user_path(folder)
        opened = open_related(path, kind=KIND)
        words = open_vectors(path / WORDS)
        return cls(
            folder,
            words=words.rows,
            related=opened.related,
            lemmas=opened.lemmas,
            fingerprint=sha256_text(f"{opened.fingerprint} {words.fingerprint}"),
            **parameters,
        )

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, (n, d); zero where no word is known.

        Vectors of texts are known up to a factor, which no cosine sees.
        """
        block = parse_texts(as_texts(texts), lemmas=self.lemmas)
        vectors = np.zeros((len(texts), len(self.words.dimensions)), dtype=np.float32)
        for place, run in sentence_runs(block):
            vectors[place : place + len(run.starts) - 1] = self._composed(run)
        return vectors

    def words_in_context(self, block: ParsedBlock) -> Scaled:
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
        return contextualized(vectors, near.tokens[kept], preferences, self.length)

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

        words = self.words_in_context(run)
        sentences = np.repeat(np.arange(len(run.starts) - 1), np.diff(run.starts))
        if self.compose == "add":
            # The longest word of each text has length 1, or others would not fit the type.
            logs = np.where(words.vectors.any(axis=1), words.logs, -np.inf)
            tops = np.full(len(run.starts) - 1, -np.inf)
            np.maximum.at(tops, sentences, logs)
            scales = np.exp(logs - np.where(np.isfinite(tops), tops, 0.0)[sentences])
            parts = words.vectors * scales[:, None]
        else:
            parts = _log_ratios(words, self.smoothing)
        count = len(parts)
        membership = csr_array(
            (np.ones(count), np.arange(count), run.starts), shape=(len(run.starts) - 1, count)
        )
        sums: Floats = np.asarray(membership @ parts, dtype=np.float64)
        return composed(sums, self.compose)


def _log_ratios(words: Scaled, smoothing: float) -> Floats:
    """Return ``log(1 + v / smoothing)`` of each component, 0 where v is."""
    there = words.vectors > 0
    logs = np.log(words.vectors, out=np.full_like(words.vectors, -np.inf), where=there)
    ratios = logs + (words.logs - np.log(smoothing))[:, None]
    return np.asarray(np.logaddexp(0, ratios), dtype=np.float64)


def train_erk_pado(
    corpus: ParsedCorpus,
    recipe: ErkPadoRecipe,
    folder: Path,
    *,
    provenance: PlainMapping | None = None,
) -> RelatedFolder:
    """Make a structured vector space of a parsed corpus and write it into a new folder.

    The corpus is read twice. The folder, which must not be there yet, holds the triples, and in a
    folder ``words`` the vectors.
    """
    with new_folder(folder) as work:
        train_mitchell_lapata(corpus, recipe.words, work / WORDS)
        triples = count_triples(corpus, lemmas=recipe.words.lemmata, minimum=recipe.theta + 1)
        write_related(
            related_words(triples, triples.counts.astype(float)),
            work,
            kind=KIND,
            lemmas=corpus.lemmas,
            **(provenance or {}),
            recipe=dataclasses.asdict(recipe),
            text={
                "corpus": corpus.fingerprint,
                "tokens": triples.tokens,
                "kept_triples": len(triples),
            },
        )
    return open_related(folder, kind=KIND)


@dataclass(frozen=True, kw_only=True)
class ErkPadoTraining(ParsedRecipe):
    """Count contexts of words and what they depend on, for E&P (extra parse).

    Running text is parsed by spaCy first, at some thousand words per second; other models can be
    trained on the same parses. In a small corpus few triples occur more than 10 times: lower
    --theta.
    """

    name: ClassVar[str] = "erk-pado"
    examples: ClassVar[tuple[str, ...]] = (
        "train erk-pado --parsed genia-usp --out ep-genia",
        "train erk-pado --corpus wikipedia-2014-20m --words 1000000 --parses parsed --out ep-wiki",
        "separation 'erk-pado(ep-wiki, compose=multiply)' --task qa --data genia-answers",
    )

    recipe: Annotated[ErkPadoRecipe, Inline()] = ErkPadoRecipe()

    def run(self) -> Product:
        """Count and write."""
        text, located = self.text()
        about = {"corpus": named(located), "versions": versions()}
        made = train_erk_pado(text, self.recipe, user_path(self.out), provenance=about)
        found = made.provenance["text"]
        return Product(
            line=f"{found['kept_triples']:,} triples that occur more than {self.recipe.theta} "
            f"times, from {found['tokens']:,} tokens: {self.out}"
        )
