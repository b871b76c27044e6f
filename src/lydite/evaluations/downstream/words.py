"""Words and texts of a task as vectors of a model, and how many of the words it has."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from lydite.corpora.tokens import tokenizer as find_tokenizer
from lydite.errors import InputError, UndefinedScoreError, UnsuitableModelError
from lydite.evaluations.downstream.parts import Part
from lydite.models.catalogue import model_spec
from lydite.models.composition import Composition, MeanOfWords
from lydite.models.contractions import split_contractions
from lydite.models.protocols import FittedToTexts, WordModel
from lydite.models.texts import encode_texts, has_direction
from lydite.models.words import find_words
from lydite.spaces.space import CaseRule
from lydite.types import Indices, Lookup, Mask, Plain, Vectors


def places_of(starts: Indices, sentences: Indices) -> Indices:
    """Return the places of the words of some sentences, one sentence after the other.

    ``starts``, (m + 1,), has the first word of each sentence and, at the end, the number of words.

    >>> places_of(np.array([0, 2, 5, 6]), np.array([2, 0])).tolist()
    [5, 0, 1]
    """
    lengths = np.diff(starts)[sentences]
    ends = np.cumsum(lengths)
    shift = np.repeat(starts[sentences] - ends + lengths, lengths)
    return np.asarray(shift + np.arange(len(shift)), dtype=np.int64)


def starts_of(lengths: Indices) -> Indices:
    """Return where sentences of so many words start, and in the end the number of words, (m + 1,).

    >>> starts_of(np.array([2, 3, 1])).tolist()
    [0, 2, 5, 6]
    """
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


#: How words are looked up: as written and then in lower case, as written, in lower case.
Case: TypeAlias = Literal["fold", "exact", "lower"]


def look_up(model: object, words: Sequence[str], *, case: Case, what: str) -> Lookup:
    """Return the vectors of words, (v, d), and which have one.

    >>> from lydite.spaces.space import Space
    >>> space = Space.of({"cat": [1.0]})
    >>> look_up(space, ["Cat", "cat"], case="exact", what="tagging").found.tolist()
    [False, True]
    """
    if not isinstance(model, WordModel):
        raise UnsuitableModelError(
            f"{what} needs vectors of single words, and {model_spec(model)} has none to look up",
            hint="give a model of words, such as a vector file",
        )
    asked = [word.lower() for word in words] if case == "lower" else words
    return find_words(model, asked, case="fold" if case == "fold" else "exact")


Features: TypeAlias = Literal["mean", "concatenated"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Encoded:
    """The vectors of a part."""

    # (n, d); no rows of ``development`` if there is none.
    train: Vectors
    development: Vectors
    test: Vectors
    covered: Mask  # (m,): which test texts the model has something to say of


def encode_part(model: object, part: Part, *, features: Features, tokenizer: str) -> Encoded:
    """Return the vectors of a part's texts.

    A model of words and of texts counts as the first; one that is fitted to texts is fitted to the
    training texts alone. ``mean`` is of the vectors of the known words, those absent as written
    being looked for in lower case. ``concatenated`` puts the vectors of texts of w words each one
    after the other, (n, w d), with zeros where a word is absent.
    """
    fitted = _fitted(model, part)
    if features == "concatenated":
        vectors, known = concatenated(fitted, part.texts)
    else:
        texts = MeanOfWords.open(fitted, tokenizer=tokenizer) if _of_words(fitted) else fitted
        vectors = encode_texts(texts, part.texts)
        known = has_direction(vectors)
    start, stop = len(part.train.texts), len(part.texts) - len(part.test.texts)
    return Encoded(
        train=vectors[:start],
        development=vectors[start:stop],
        test=vectors[stop:],
        covered=known[stop:],
    )


def check_known(model: object, parts: Sequence[Part], encoded: Sequence[Encoded]) -> None:
    """Refuse a model that has nothing to say of any text that is learned from.

    One fold of which nothing is known counts like any other: its texts are zeros.
    """
    if any(each.train.any() for each in encoded):
        return
    texts = list(dict.fromkeys(text for part in parts for text in part.train.texts))
    raise UndefinedScoreError(
        f"{model_spec(model)} knows no word of the {len(texts)} training texts, first "
        f"{texts[0][:80]!r}",
        hint="does the model know words of this language?",
    )


def _fitted(model: object, part: Part) -> object:
    if isinstance(model, FittedToTexts) and not _of_words(model):
        return model.fitted_to(part.train.texts)
    return model


def _of_words(model: object) -> bool:
    return isinstance(model, WordModel)


def concatenated(model: object, texts: Sequence[str]) -> tuple[Vectors, Mask]:
    """Return the vectors of a text's words side by side, (n, w d), and which have all words, (n,).

    >>> from lydite.models.baselines import RandomModel
    >>> vectors, known = concatenated(RandomModel(3), ["bare outline", "big city"])
    >>> vectors.shape, known.tolist()
    ((2, 6), [True, True])
    """
    lines = [text.split() for text in texts]
    width = len(lines[0]) if lines else 0
    for text, words in zip(texts, lines, strict=True):
        if len(words) != width or not words:
            raise InputError(
                "features=concatenated needs texts with equal numbers of words: "
                f"{texts[0][:40]!r} has {width}, {text[:40]!r} has {len(words)}",
                hint="use features=mean",
            )
    place = {word: i for i, word in enumerate(dict.fromkeys(w for line in lines for w in line))}
    lookup = find_words(model, list(place), case="fold")
    vectors = np.where(lookup.found[:, None], lookup.vectors, np.float32(0))
    rows = np.array([[place[word] for word in line] for line in lines], dtype=np.int64)
    known = np.asarray(lookup.found[rows].all(axis=1), dtype=np.bool_)
    return vectors[rows].reshape(len(rows), -1), known


logger = logging.getLogger(__name__)

#: Below this share of the words a result says little of the vectors.
LEAST = 0.2

_SHOWN = 10


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """How many words, which are tokens with a letter, a model has."""

    # Words of the texts, each as often as it occurs, and those that the model has.
    running: int
    running_found: int
    distinct: int
    distinct_found: int
    missing: tuple[str, ...]  # the most frequent words that it does not have

    @property
    def share(self) -> float:
        """Of running words; 0 if there is none."""
        return self.running_found / self.running if self.running else 0.0

    @property
    def plain(self) -> dict[str, Plain]:
        """The counts, for a result."""
        return {
            "running": self.running,
            "running_found": self.running_found,
            "distinct": self.distinct,
            "distinct_found": self.distinct_found,
        }


def word_coverage(model: object, texts: Sequence[str], *, tokenizer: str) -> Coverage | None:
    """Count the words of texts that a model has; None for a model that is not one of words.

    A word that is absent as written is looked for in lower case, a contraction in pieces; a
    composition of words brings a tokenizer and a way to look up of its own.

    >>> from lydite.models.baselines import RandomModel
    >>> word_coverage(RandomModel(3), ["A cat, a dog."], tokenizer="words").plain["distinct"]
    4
    """
    words, case = model, "fold"
    if isinstance(model, Composition):
        words, tokenizer, case = model.words, model.tokenizer, model.case
    if not isinstance(words, WordModel):
        return None
    cut = find_tokenizer(tokenizer)
    rule: CaseRule = "fold" if case == "fold" else "exact"
    tokens: list[Sequence[str]] = [cut(text) for text in texts]
    if tokenizer != "whitespace":
        tokens = split_contractions(words, tokens, case=rule)
    counts = Counter(word for sentence in tokens for word in sentence if _has_letter(word))
    if not counts:
        return Coverage(running=0, running_found=0, distinct=0, distinct_found=0, missing=())
    forms, times = list(counts), np.array(list(counts.values()))
    found = find_words(words, forms, case=rule).found
    return coverage_of(forms, times, found)


def coverage_of(words: Sequence[str], times: Indices, found: Mask) -> Coverage:
    """Count words that were looked up already.

    Words are different ones, each with how often it occurs; those without a letter do not count.

    >>> found = np.array([True, False, True])
    >>> coverage_of(["a", "cat", "."], np.array([2, 1, 9]), found).plain
    {'running': 3, 'running_found': 2, 'distinct': 2, 'distinct_found': 1}
    """
    counted = times * np.array([_has_letter(word) for word in words], dtype=np.bool_)
    there = counted > 0
    absent = np.flatnonzero(there & ~found)
    often = absent[np.argsort(-counted[absent], kind="stable")][:_SHOWN]
    return Coverage(
        running=int(counted.sum()),
        running_found=int(counted[found].sum()),
        distinct=int(there.sum()),
        distinct_found=int((there & found).sum()),
        missing=tuple(words[i] for i in often),
    )


def _has_letter(token: str) -> bool:
    return any(map(str.isalpha, token))


def coverage_notes(model: object, coverage: Coverage | None, what: str) -> list[str]:
    """Warn, and return what to say in a result, if a model has few of a task's words."""
    if coverage is None or coverage.share >= LEAST:
        return []
    name = model_spec(model)
    if coverage.running:
        said = (
            f"{name} has only {coverage.share:.1%} of the {coverage.running:,} words of {what} "
            f"({coverage.distinct_found:,} of {coverage.distinct:,} different ones; missing are "
            f"{', '.join(coverage.missing)}): the score says little about its vectors"
        )
    else:
        said = f"no text of {what} has a word with a letter: the score says little of {name}"
    logger.warning("%s", said)
    return [said]
