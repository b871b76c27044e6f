"""Texts as vectors that no classifier changes: means of words, or words side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.downstream.parts import Part
from lydite.models.catalogue import model_spec
from lydite.models.composition import mean_of_words
from lydite.models.protocols import FittedToTexts, WordModel
from lydite.models.texts import encode_texts, has_direction
from lydite.models.words import find_words
from lydite.types import Mask, Vectors

Features: TypeAlias = Literal["mean", "concatenated"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Encoded:
    """The vectors of a part.

    Attributes
    ----------
    train, development, test
        Shapes (n, d); no rows of ``development`` if there is none.
    covered
        Shape (m,): which test texts the model has something to say of.
    """

    train: Vectors
    development: Vectors
    test: Vectors
    covered: Mask


def encode_part(model: object, part: Part, *, features: Features, tokenizer: str) -> Encoded:
    """Return the vectors of a part's texts.

    Parameters
    ----------
    model
        A model of words, or one of texts, which is taken as it is; what is both counts as the
        first. One that is fitted to texts is fitted to the training texts alone.
    features
        ``mean``: of the vectors of the words that are known, those absent as written being looked
        for in lower case. ``concatenated``: of texts of w words each, the words' vectors one
        after the other, (n, w d), with zeros where one is absent.
    tokenizer
        How texts are cut for a model of words.
    """
    fitted = _fitted(model, part)
    if features == "concatenated":
        vectors, known = concatenated(fitted, part.texts)
    else:
        texts = mean_of_words(fitted, tokenizer=tokenizer) if _of_words(fitted) else fitted
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
    """Refuse a model that has nothing to say of any text that is learnt from.

    One fold of which nothing is known counts like any other: its texts are zeros.

    Raises
    ------
    UndefinedScoreError
        If all vectors of training texts are zero.
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

    >>> from lydite.models.random import random
    >>> vectors, known = concatenated(random(3), ["bare outline", "big city"])
    >>> vectors.shape, known.tolist()
    ((2, 6), [True, True])
    """
    lines = [text.split() for text in texts]
    width = len(lines[0]) if lines else 0
    for text, words in zip(texts, lines, strict=True):
        if len(words) != width or not words:
            raise InputError(
                f"features=concatenated needs texts of as many words each: {texts[0][:40]!r} has "
                f"{width}, {text[:40]!r} has {len(words)}",
                hint="use features=mean",
            )
    place = {word: i for i, word in enumerate(dict.fromkeys(w for line in lines for w in line))}
    lookup = find_words(model, list(place), case="fold")
    vectors = np.where(lookup.found[:, None], lookup.vectors, np.float32(0))
    rows = np.array([[place[word] for word in line] for line in lines], dtype=np.int64)
    known = np.asarray(lookup.found[rows].all(axis=1), dtype=np.bool_)
    return vectors[rows].reshape(len(rows), -1), known
