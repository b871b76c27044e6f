"""How often lemmas stand near which others, for the models that learn from such counts."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.documents import Corpus
from lydite.corpora.lemmas import FUNCTION_WORDS, GIVEN, lemmatizer
from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.spaces.vocabulary import Vocabulary
from lydite.trained.cooccurrence import MEMORY, CountMatrix, Windows, count_cooccurrences
from lydite.trained.encoded_corpus import EncodedCorpus, encode_sentences
from lydite.trained.parsed.load import ParsedCorpus
from lydite.types import Indices

#: How text becomes tokens: every word of it, however short, and no punctuation.
PREPARATION: Final = Preparation(drop_single=False, formulas="keep")

#: Brackets as treebanks write them, in lower case.
_BRACKETS: Final = frozenset({"-lrb-", "-rrb-", "-lsb-", "-rsb-", "-lcb-", "-rcb-"})


@dataclass(frozen=True, kw_only=True, eq=False)
class LemmaContexts:
    """The counts of a corpus."""

    #: n lemmas: first those that are contexts too, then the others, in both parts the most frequent
    #: first.
    lemmas: Vocabulary
    contexts: Vocabulary  # The c lemmas that are contexts
    matrix: CountMatrix  # (n, c): how often each context stands in the windows of each lemma
    lemmatizer: str
    preparation: Preparation
    tokens: int
    words: int  # How many different ones, before they were lemmatized


@contextlib.contextmanager
def counted_lemmas(
    corpus: Corpus | ParsedCorpus,
    *,
    lemmata: int = 30_000,
    contexts: int = 3_000,
    window: int = 5,
    min_count: int = 1,
    lemmas: str = "simplemma",
    memory: int = MEMORY,
) -> Iterator[LemmaContexts]:
    """Count the contexts of lemmas.

    Words of running text are lemmatized, each different one once; parsed text has its lemmas. Of
    equally frequent lemmas the first met leads; contexts are the most frequent that are no function
    words. Windows end with the sentence; function words take up places in them, punctuation does
    not. The counts are there only inside the ``with``.
    """
    if isinstance(corpus, ParsedCorpus) and corpus.lemmas != GIVEN:
        lemmas = corpus.lemmas
    lemmatize: Callable[[Sequence[str]], list[str]] = lemmatizer(lemmas)
    sentences: Iterator[Sequence[str]]
    if isinstance(corpus, Corpus):
        sentences, preparation = corpus.sentences(), corpus.preparation
    else:
        sentences, preparation, lemmatize = _parsed(corpus), PREPARATION, list
    with tempfile.TemporaryDirectory(prefix="lydite-", ignore_cleanup_errors=True) as name:
        work = Path(name)
        encoded = encode_sentences(sentences, work)
        chosen = _chosen(encoded, lemmatize(encoded.words.to_list()), lemmata, contexts, min_count)
        matrix = count_cooccurrences(
            encoded,
            chosen.rows,
            chosen.counts,
            Windows(size=window),
            work / "counts",
            contexts=chosen.contexts,
            memory=memory,
        )
        yield LemmaContexts(
            lemmas=Vocabulary.of(chosen.lemmas),
            contexts=Vocabulary.of(chosen.lemmas[: chosen.contexts]),
            matrix=matrix,
            lemmatizer=lemmas,
            preparation=preparation,
            tokens=encoded.tokens,
            words=len(encoded.words),
        )


def _parsed(corpus: ParsedCorpus) -> Iterator[Sequence[str]]:
    """Yield the lemmas of each sentence; an empty text is no token to those who read it."""
    for block in corpus.blocks():
        words = [lemma if _is_word(lemma) else "" for lemma in block.lemmas]
        tokens = [words[number] for number in block.tokens.tolist()]
        for start, stop in pairwise(block.starts.tolist()):
            yield tokens[start:stop]


def _is_word(lemma: str) -> bool:
    return any(map(str.isalnum, lemma)) and lemma not in _BRACKETS


@dataclass(frozen=True, kw_only=True, eq=False)
class _Chosen:
    """The lemmas that have a row, contexts first, in both parts the most frequent first."""

    lemmas: list[str]
    contexts: int
    counts: Indices
    rows: NDArray[np.int32]


def _chosen(
    corpus: EncodedCorpus, lemmas: list[str], lemmata: int, most: int, min_count: int
) -> _Chosen:
    """Choose lemmas; of equally frequent ones the first met leads."""
    numbers: dict[str, int] = {}
    owners = np.array([numbers.setdefault(each, len(numbers)) for each in lemmas], dtype=np.int64)
    names = list(numbers)
    counts = np.zeros(len(names), dtype=np.int64)
    np.add.at(counts, owners, corpus.counts)
    frequent = np.argsort(-counts, kind="stable")[:lemmata]
    frequent = frequent[counts[frequent] >= min_count]
    content = [i for i in frequent.tolist() if names[i] not in FUNCTION_WORDS]
    contexts = dict.fromkeys(content[:most])
    if not contexts:
        raise InputError(
            f"expected lemmas that occur {min_count} times or more and are not function words, got "
            f"none among {len(names)}",
            hint="use a larger corpus or a smaller min_count",
        )
    order = [*contexts, *(i for i in frequent.tolist() if i not in contexts)]
    rows = np.full(len(names), -1, dtype=np.int32)
    rows[order] = np.arange(len(order), dtype=np.int32)
    return _Chosen(
        lemmas=[names[i] for i in order],
        contexts=len(contexts),
        counts=counts[order],
        rows=rows[owners],
    )
