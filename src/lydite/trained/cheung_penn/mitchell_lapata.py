"""Count vectors of lemmas, added or multiplied (Mitchell & Lapata 2008).

For n lemmas, of which the first c are the dimensions too:

========= ============= ======================================================
letters   uint8         the lemmas in UTF-8, end to end
offsets   int64 (n + 1) where each begins in ``letters``
hashes    uint64 (n,)   of the lemmas, sorted
order     int32 (n,)    which lemma has each
starts    int64 (n + 1) where the row of each begins in the next two
columns   int32         dimensions, ascending in each row
values    float32       positive information
========= ============= ======================================================

``meta.json`` says how they were made, and from what.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.documents import Corpus
from lydite.corpora.lemmas import FUNCTION_WORDS, lemmatizer
from lydite.corpora.preparation import Preparation
from lydite.declare import Inline, Param, State
from lydite.files.arrays import (
    check_fit,
    check_new,
    new_folder,
    opened_arrays,
    rows_fit,
    seal,
    words_fit,
    write_arrays,
)
from lydite.models.baselines import lemma_counts
from lydite.models.catalogue import Model
from lydite.models.contexts import check_number
from lydite.models.embedding_cache import as_texts
from lydite.recipe import Product
from lydite.results.provenance import versions
from lydite.spaces.factorization import SparseMatrix, ppmi
from lydite.spaces.vocabulary import VOCABULARY_ARRAYS, Vocabulary
from lydite.storage import sha256_file, sha256_text, user_path
from lydite.trained.cheung_penn.contexts import counted_lemmas
from lydite.trained.cheung_penn.named_rows import BackedOffRows, NamedRows, Rows, dense
from lydite.trained.cheung_penn.recipes import (
    Contexts,
    LemmaRecipe,
    Lemmas,
    Lemmata,
    check_contexts,
)
from lydite.trained.cheung_penn.texts import (
    SMOOTHING,
    Compose,
    check_same_lemmas,
    composed,
    summands,
)
from lydite.trained.cooccurrence import MEMORY
from lydite.trained.inputs import named
from lydite.trained.parameters import MinCount, Smoothing, Window, check_declared
from lydite.trained.parsed.load import ParsedCorpus
from lydite.types import Floats, Lookup, PlainMapping, Vectors


@dataclass(frozen=True, kw_only=True)
class MitchellLapataRecipe:
    """How count vectors are made; the defaults are those of Cheung & Penn (2012, section 4.2).

    Values are positive pointwise mutual information. The paper says "pmi-scaled" and no more:
    information itself is minus infinity for a lemma that was never met in a context, which neither
    sums nor products survive, and below 0 it rests on few counts; as 0 it says that nothing is
    known of the context. Probabilities are shares of the counts, without smoothing, since the
    contexts are the most frequent lemmas and hardly any count of theirs is small.

    Windows lie within the sentence; function words take up places in them, punctuation does not.
    A ``cds`` of 0.75 makes the information of rare contexts less.
    """

    lemmata: Lemmata = 30_000
    contexts: Contexts = 3_000
    window: Window = 5
    min_count: MinCount = 1
    cds: Smoothing = 1.0
    lemmas: Lemmas = "simplemma"

    def __post_init__(self) -> None:
        check_declared(self)
        check_number("cds", self.cds, least=0)
        check_contexts(self.contexts, self.lemmata)


_KIND: Final = "mitchell-lapata"
_ARRAYS: Final[dict[str, Any]] = {
    **VOCABULARY_ARRAYS,
    "starts": np.int64,
    "columns": np.int32,
    "values": np.float32,
}
_HINT = f"lydite train {_KIND} writes such folders"


@dataclass(frozen=True, kw_only=True, eq=False)
class CountVectors:
    """Count vectors as they lie in a folder."""

    rows: NamedRows
    preparation: Preparation
    lemmas: str
    fingerprint: str  # The sha256 of the arrays and of what makes lemmas of texts
    provenance: PlainMapping


def write_vectors(
    rows: NamedRows,
    folder: Path,
    *,
    recipe: MitchellLapataRecipe,
    preparation: Preparation,
    lemmas: str,
    provenance: PlainMapping | None = None,
) -> CountVectors:
    """Write a new folder as a whole, and map it."""
    matrix = rows.matrix
    arrays: dict[str, NDArray[Any]] = {
        **rows.words.arrays(),
        "starts": matrix.starts,
        "columns": matrix.columns,
        "values": matrix.values,
    }
    facts = {
        "kind": _KIND,
        "dimensions": matrix.width,
        "preparation": dataclasses.asdict(preparation),
        "lemmas": lemmas,
    }
    with new_folder(folder) as work:
        write_arrays(work, arrays, _ARRAYS)
        sums = [sha256_file(work / name) for name in _ARRAYS]
        seal(
            work,
            _ARRAYS,
            **{**(provenance or {}), **facts},
            recipe=dataclasses.asdict(recipe),
            sha256=sha256_text("\n".join([json.dumps(facts, sort_keys=True), *sums])),
        )
    return open_vectors(folder)


def open_vectors(folder: Path) -> CountVectors:
    """Map the vectors of a folder."""
    with opened_arrays(folder, _ARRAYS, what="count vectors", hint=_HINT, kind=_KIND) as (
        arrays,
        facts,
    ):
        return CountVectors(
            rows=_rows(arrays, int(facts.pop("dimensions"))),
            preparation=Preparation(**facts["preparation"]),
            lemmas=str(facts["lemmas"]),
            fingerprint=str(facts["sha256"]),
            provenance=facts,
        )


def _rows(arrays: dict[str, NDArray[Any]], dimensions: int) -> NamedRows:
    check_fit(arrays, words_fit(arrays))
    words = Vocabulary.of_arrays(arrays)
    if not 0 < dimensions <= len(words):
        raise ValueError(f"expected from 1 to {len(words)} dimensions, got {dimensions}")
    check_fit(arrays, rows_fit(arrays, rows=len(words), width=dimensions))
    starts, columns = arrays["starts"], arrays["columns"]
    return NamedRows(
        words=words,
        dimensions=Vocabulary.build(words.words.take(np.arange(dimensions))),
        matrix=SparseMatrix(
            starts=starts, columns=columns, values=arrays["values"], width=dimensions
        ),
    )


def train_mitchell_lapata(
    corpus: Corpus | ParsedCorpus,
    recipe: MitchellLapataRecipe,
    folder: Path,
    *,
    provenance: PlainMapping | None = None,
    memory: int = MEMORY,
) -> CountVectors:
    """Make count vectors of a corpus and write them into a new folder."""
    check_new(folder)
    options = dataclasses.asdict(recipe)
    cds = options.pop("cds")
    with counted_lemmas(corpus, **options, memory=memory) as counted:
        counts, width = counted.matrix, len(counted.contexts)
        rows = NamedRows(
            words=counted.lemmas,
            dimensions=counted.contexts,
            matrix=ppmi(counts.starts, counts.columns, counts.values, width=width, cds=cds),
        )
    text = {"tokens": counted.tokens, "words": counted.words}
    return write_vectors(
        rows,
        folder,
        recipe=recipe,
        preparation=counted.preparation,
        lemmas=counted.lemmatizer,
        provenance={**(provenance or {}), "text": text},
    )


_TEXTS = 1024


@dataclass(frozen=True, eq=False)
class MitchellLapata(Model):
    """Sum or product of count vectors, from a folder of ``lydite train mitchell-lapata`` (M&L).

    ``add``: u_i = Σ v_i over the words v of a text. ``multiply``: u_i = Π (v_i + smoothing).

    References
    ----------
    Mitchell & Lapata, "Vector-based models of semantic composition", ACL 2008; Cheung & Penn,
    "Evaluating distributional models of semantics for syntactically invariant inference", EACL
    2012.
    """

    name: ClassVar[str] = "mitchell-lapata"

    folder: Annotated[str, Param("The folder.")]
    _: KW_ONLY
    compose: Annotated[
        Compose,
        Param("``add`` or ``multiply``. Repeated words count as often as they stand there."),
    ] = "add"
    smoothing: Annotated[
        float,
        Param(
            "Above 0: what is added to every component before it is multiplied, so that one word "
            "that was never met in a context does not take it from all others. Ratios alone "
            "matter: a word met with information v raises a component by 1 + v / smoothing over "
            "one that was not. The smaller, the more it counts how many words share a context; the "
            "larger, the more alike all components become, until nothing sets texts apart.",
            above=0,
        ),
    ] = SMOOTHING
    function_words: Annotated[
        bool,
        Param("Let function words take part, whose information is nearly 0 everywhere."),
    ] = False
    rows: Annotated[Rows, State]
    preparation: Annotated[Preparation, State]
    lemmas: Annotated[str, State]
    fingerprint: Annotated[str, State]

    @classmethod
    def open(cls, folder: str, **parameters: Any) -> MitchellLapata:  # noqa: ANN401
        """Open the folder."""
        opened = open_vectors(user_path(folder))
        return cls(
            folder,
            rows=opened.rows,
            preparation=opened.preparation,
            lemmas=opened.lemmas,
            fingerprint=opened.fingerprint,
            **parameters,
        )

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, (n, d); zero where no word is known.

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
        return Lookup(vectors=dense(rows), found=np.diff(rows.starts) > 0)

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


@dataclass(frozen=True, kw_only=True)
class MitchellLapataTraining(LemmaRecipe):
    """Count the contexts of lemmas and weigh them by information, for M&L (extra lemmas).

    Sentences evaluated later are lemmatized like the corpus; with --lemmas given, by simplemma.
    """

    name: ClassVar[str] = "mitchell-lapata"
    examples: ClassVar[tuple[str, ...]] = (
        "train mitchell-lapata --corpus wikipedia-2014-20m --out ml-wikipedia",
        "train mitchell-lapata --parsed genia-usp --out ml-genia",
        "separation 'mitchell-lapata(ml-wikipedia, compose=multiply)' --task qa --data my.jsonl",
        "separation 'backoff(mitchell-lapata(ml-wikipedia), mitchell-lapata(ml-genia))' "
        "--task qa --data my.jsonl",
    )

    recipe: Annotated[MitchellLapataRecipe, Inline()] = MitchellLapataRecipe()

    def run(self) -> Product:
        """Count, weigh and write."""
        text, located = self.text()
        made = train_mitchell_lapata(
            text,
            self.counted,
            user_path(self.out),
            provenance={"corpus": named(located), "versions": versions()},
        )
        rows, tokens = made.rows, made.provenance["text"]["tokens"]
        return Product(
            line=f"{len(rows.words):,} lemmas of {len(rows.dimensions):,} dimensions, from "
            f"{tokens:,} tokens: {self.out}"
        )
