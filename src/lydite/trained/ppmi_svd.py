"""Count models: co-occurrence, positive pointwise mutual information, singular values.

The pipeline of Hyperwords (Levy, Goldberg & Dagan 2015). As a learner of terms, the samples of all
terms are counted together with a general corpus, each term apart in each of its samples, and the
whole is factorized once (Bloem, Fokkens & Herbelot 2019, section 5).
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from lydite.corpora.preparation import Preparation
from lydite.declare import Field, Inline, Param
from lydite.errors import InputError
from lydite.models.contexts import Learned, Learner, check_number, check_seed
from lydite.resources.catalogue import Located, locate
from lydite.spaces.factorization import ppmi, truncated_svd
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import PackedWords, Vocabulary
from lydite.trained.cooccurrence import (
    CountedCorpus,
    Counting,
    CountMatrix,
    Dynamics,
    Windows,
    add_counts,
    count_cooccurrences,
    counted,
)
from lydite.trained.encoded_corpus import encode_sentences
from lydite.trained.family import (
    FrequentWords,
    SpaceFamily,
    SpaceRecipe,
    at_length_one,
    space_examples,
    trained_space,
)
from lydite.trained.parameters import Dim, Exponent, Smoothing, Unit, check_declared
from lydite.trained.zoo.corpus import SharedCorpus
from lydite.types import Context, Floats, Indices, Vectors

#: What marks a term in the samples: no token holds a line break.
_MARK = "\n"
#: So that the places of the samples do not draw what the first places of the corpus drew.
_OF_SAMPLES = 1 << 62


@dataclass(frozen=True, kw_only=True)
class Factors:
    """From counts to vectors, with the names that Hyperwords has for it.

    ``cds`` is context distribution smoothing; the logarithm of ``shift`` (``neg``) is subtracted
    from the information; usual exponents of the singular values (``eig``) are 0, 0.5 and 1; to add
    contexts is ``w+c``.
    """

    dim: Dim = 100
    cds: Smoothing = 1.0
    shift: Annotated[float, Param("Negative samples.")] = 1.0
    eig: Exponent = 0.5
    add_contexts: Annotated[bool, Param("Add each word's context vector to its word vector.")] = (
        False
    )
    normalise: Unit = True

    def __post_init__(self) -> None:
        check_declared(self)
        check_number("eig", self.eig, least=0)

    def vectors(self, counts: CountMatrix) -> tuple[Vectors, Vectors]:
        """Return the vectors of words and of contexts, both (n, dim)."""
        weighed = ppmi(counts.starts, counts.columns, counts.values, cds=self.cds, shift=self.shift)
        found = truncated_svd(weighed, self.dim)
        scale = found.sizes**self.eig
        words, contexts = found.left * scale, found.right * scale
        # Neither the rounding of the decomposition nor its arbitrary null vectors are of a word.
        words[np.diff(weighed.starts) == 0] = 0
        if self.add_contexts:
            words = words + contexts
        return self._finished(words), self._finished(contexts)

    def _finished(self, vectors: Floats) -> Vectors:
        finished = at_length_one(vectors) if self.normalise else vectors
        return np.ascontiguousarray(finished, dtype=np.float32)


def ppmi_svd_space(corpus: CountedCorpus, factors: Factors) -> Space:
    """Make a space of a corpus that is counted already."""
    words, contexts = factors.vectors(corpus.contexts)
    return _space(corpus, words, contexts, "ppmi-svd")


def _space(corpus: CountedCorpus, words: Vectors, contexts: Vectors, spec: str) -> Space:
    """Put words and those vectors together that are not all zero."""
    kept = np.flatnonzero(words[: len(corpus.words)].any(axis=1))
    return trained_space(
        corpus.words.take(kept), words[kept], corpus.counts[kept], contexts[kept], spec=spec
    )


@dataclass(frozen=True, eq=False)
class PpmiSvd(Learner):
    """Terms counted together with a general corpus, PPMI, then SVD (Hyperwords).

    The corpus alone decides the vocabulary and how frequent words are, so that its counts need
    to be taken only once, and all samples are set against the same words. In the samples, words
    out of that vocabulary are treated as in the corpus.
    """

    name: ClassVar[str] = "ppmi-svd"
    together: ClassVar[bool] = True

    corpus: Annotated[
        Located,
        Param(
            "The general corpus: a resource, a file or a folder. Its counts are kept in the cache.",
            given_by="general",
        ),
    ]
    _: KW_ONLY
    dim: Annotated[int, Param("How many dimensions.", least=1)] = 100
    window: Annotated[
        int,
        Param(
            "How many words on either side of a word are its contexts, within the sentence.",
            least=1,
        ),
    ] = 5
    dynamic: Annotated[
        Literal[False, True, "sampled"],
        Param(
            "``true`` weighs near contexts more, as dynamic windows do on average; ``sampled`` "
            "draws the size of each window, as Hyperwords does."
        ),
    ] = False
    sample: Annotated[
        float,
        Param(
            "Subsampling: the relative frequency above which words are left out at random; 0 for "
            "none.",
            least=0,
        ),
    ] = 0.0
    delete: Annotated[
        bool, Param("Words out of the vocabulary and those sampled away leave no gap.")
    ] = False
    cds: Annotated[float, Param("Context distribution smoothing, 0.75 or 1 for none.")] = 1.0
    shift: Annotated[float, Param("How many negative samples; the logarithm is subtracted.")] = 1.0
    eig: Annotated[float, Param("The exponent of the singular values.", least=0)] = 0.5
    add_contexts: Annotated[bool, Param("Add the vectors of words as contexts (w+c).")] = False
    min_count: Annotated[int, Param("How often a word has to stand in the corpus.", least=1)] = 100
    limit: Annotated[int | None, Param("How many words to keep at most.")] = None
    tokenised: Annotated[
        bool,
        Param(
            "The corpus has white space between words and one sentence or paragraph per line; "
            "otherwise it is prepared, best as the samples were."
        ),
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.windows

    @classmethod
    def open(cls, corpus: str, **parameters: Any) -> PpmiSvd:  # noqa: ANN401
        """Find the corpus."""
        return cls(locate(corpus), **parameters)

    def spec_value(self, field: Field) -> Any:  # noqa: ANN401
        """Return what the spec says of a field; the corpus goes by its name."""
        return self.corpus.name if field.name == "corpus" else super().spec_value(field)

    @cached_property
    def windows(self) -> Windows:
        """What is a context; its seed is replaced by that of `learn_all`."""
        kinds: dict[object, Dynamics] = {False: "none", True: "expected", "sampled": "sampled"}
        return Windows(
            size=self.window, dynamic=kinds[self.dynamic], sample=self.sample, delete=self.delete
        )

    @cached_property
    def factors(self) -> Factors:
        """How counts become vectors."""
        return Factors(
            dim=self.dim,
            cds=self.cds,
            shift=self.shift,
            eig=self.eig,
            add_contexts=self.add_contexts,
        )

    @property
    def fingerprint(self) -> str:
        """The sha256 of the general corpus."""
        return self.corpus.sha256

    def learn_all(self, samples: Sequence[Sequence[Context]], *, seed: int = 0) -> Learned:
        """Learn one vector for each sample, all in one factorization.

        All occurrences of the term in a sentence are marked; a sentence that is given once for each
        of them is counted once.
        """
        if not len(samples):
            raise InputError("expected samples to learn from, got none")
        windows = dataclasses.replace(self.windows, seed=check_seed(seed))
        counting = Counting(
            files=self.corpus.paths,
            windows=windows,
            min_count=self.min_count,
            limit=self.limit,
            preparation=None if self.tokenised else Preparation(),
        )
        with (
            tempfile.TemporaryDirectory(prefix="lydite-", ignore_cleanup_errors=True) as folder,
            counted(counting, sha256=self.corpus.sha256) as corpus,
        ):
            counts = _with_samples(corpus, samples, windows, Path(folder))
            words, contexts = self.factors.vectors(counts)
            first = len(corpus.words)
            sums = counts.row_sums()[first:] / windows.scale
            return Learned(
                vectors=words[first:],
                learned=np.asarray(words[first:].any(axis=1), dtype=np.bool_),
                background=_space(corpus, words, contexts, self.spec),
                used=np.rint(sums).astype(np.int64),
            )


def _with_samples(
    corpus: CountedCorpus, samples: Sequence[Sequence[Context]], windows: Windows, folder: Path
) -> CountMatrix:
    """Add the counts of the samples; their terms have the last rows and columns."""
    encoded = encode_sentences(
        (sentence for number, sample in enumerate(samples) for sentence in _marked(sample, number)),
        folder,
    )
    rows = _rows(encoded.words, corpus)
    width = len(corpus.words) + len(samples)
    # Terms are rare: they are never sampled away.
    counts = np.concatenate([corpus.counts, np.zeros(len(samples), dtype=np.int64)])
    own = dataclasses.replace(windows, seed=windows.seed ^ _OF_SAMPLES)
    added = count_cooccurrences(encoded, rows.astype(np.int32), counts, own, folder / "samples")
    return add_counts([corpus.contexts, added], width, folder / "joined")


def _rows(words: PackedWords, corpus: CountedCorpus) -> Indices:
    rows = Vocabulary.build(corpus.words).find_packed(words)
    for number, word in enumerate(words.to_list()):
        if word.startswith(_MARK):
            rows[number] = len(corpus.words) + int(word)
    return rows


def _marked(sample: Sequence[Context], number: int) -> Iterator[list[str]]:
    """Yield the sentences of a sample with the mark of its number in place of the term."""
    first: dict[tuple[str, ...], int] = {}
    for context in sample:
        if first.setdefault(context.tokens, context.start) == context.start:
            yield _replaced(context, f"{_MARK}{number}")


def _replaced(context: Context, mark: str) -> list[str]:
    term = context.tokens[context.start : context.stop]
    tokens: list[str] = []
    at = 0
    while at < len(context.tokens):
        if at == context.start or (
            term
            and context.tokens[at : at + len(term)] == term
            and not at < context.start < at + len(term)
        ):
            tokens.append(mark)
            at += len(term)
        else:
            # A line break inside a token would make it a mark.
            tokens.append(context.tokens[at].replace(_MARK, " "))
            at += 1
    return tokens


@dataclass(frozen=True, kw_only=True)
class PpmiSvdFamily(SpaceFamily):
    """Spaces by counting, PPMI and singular values."""

    factorized: ClassVar[bool] = True

    factors: Annotated[Factors, Inline()] = Factors()
    windows: Annotated[Windows, Inline()] = field(default_factory=Windows)
    words: Annotated[FrequentWords, Inline()] = field(
        default_factory=lambda: FrequentWords(min_count=100)
    )

    def __post_init__(self) -> None:
        # Weighing refuses them as well, but only once the corpus is counted.
        check_number("shift", self.factors.shift, least=0, above=True)
        if not 0 <= self.factors.cds <= 1:
            raise InputError(f"expected cds from 0 to 1, got {self.factors.cds!r}")

    @property
    def name(self) -> str:
        """What the family is called."""
        return "ppmi-svd"

    def make(self, corpus: SharedCorpus) -> Space:
        """Count, weigh and factorize."""
        counted = corpus.counted(self.windows, self.words.min_count, self.words.limit)
        return ppmi_svd_space(counted, self.factors)


@dataclass(frozen=True, kw_only=True)
class PpmiSvdTraining(SpaceRecipe):
    """Count co-occurrences, weigh them by information (PPMI), keep the largest singular values."""

    name: ClassVar[str] = "ppmi-svd"
    examples: ClassVar[tuple[str, ...]] = space_examples("ppmi-svd", "--cds 0.75")

    family: Annotated[PpmiSvdFamily, Inline()] = PpmiSvdFamily()
