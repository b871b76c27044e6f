"""Scores of all pairs of two lists of texts, by any model that can give any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lydite.errors import InputError, LyditeError, UnsuitableModelError
from lydite.models.catalogue import model_spec
from lydite.models.protocols import (
    Combined,
    CrossModel,
    PairModel,
    SparseTexts,
    TextModel,
    WordModel,
)
from lydite.models.texts import encode_texts
from lydite.types import Floats, Mask

#: Of cosines: vectors have float32's seven digits, and texts with the same words in another order
#: have to tie, wherever in a product of matrices they stand.
_DECIMALS = 7
#: Pairs that a pair model is handed at a time.
_PAIRS = 1 << 16


@dataclass(frozen=True, kw_only=True, eq=False)
class Crossed:
    """Scores of all pairs."""

    scores: Floats  # (n, m), finite
    #: ``left_known``, ``right_known`` (n,) and (m,): which texts the model has anything to
    #: say about. Scores of the others are 0.
    left_known: Mask
    right_known: Mask


def cross_scores(model: object, left: Sequence[str], right: Sequence[str]) -> Crossed:
    """Score every left text with every right one.

    A text model is asked for the vectors of all texts, whose cosines are the scores: that of a
    zero vector, of a text without any known word, is 0. A model that scores pairs is asked for
    them, in one go if it can; where it has nothing to say (NaN), the score is 0.

    Raises `UnsuitableModelError` if the model neither encodes texts nor scores pairs. Raises
    `InputError` if what it returns has another shape, or is infinite.

    >>> from lydite.models.catalogue import load
    >>> cross_scores(load("random(50)"), ["a cat"], ["a cat", "a dog"]).scores.round(3)
    array([[1.   , 0.058]])
    """
    return cross_each(model, [(left, right)])[0]


def cross_each(
    model: object, units: Sequence[tuple[Sequence[str], Sequence[str]]]
) -> list[Crossed]:
    """Score every left text with every right one, of each of several pairs of lists.

    Texts that stand in several lists are encoded once.
    """
    if isinstance(model, Combined):
        return _combined(model, units)
    if isinstance(model, SparseTexts):
        return _sparse_cosines(model, units)
    if isinstance(model, CrossModel):
        return [
            _checked(model, left, right, _told(model, model.cross, left, right))
            for left, right in units
        ]
    if isinstance(model, TextModel):
        return _cosines(model, units)
    if isinstance(model, PairModel):
        return [
            _checked(model, left, right, _pair_by_pair(model, left, right)) for left, right in units
        ]
    raise _unsuitable(model)


def pair_scores(model: object, left: Sequence[str], right: Sequence[str]) -> tuple[Floats, Mask]:
    """Score each left text with the right one in the same place.

    Returns the scores, (n,), finite; and which pairs the model has something to say about, (n,).
    """
    if isinstance(model, TextModel) and not isinstance(model, CrossModel):
        vectors = _UnitVectors.of(model, [*left, *right])
        first, second = vectors.rows(left), vectors.rows(right)
        known = vectors.known[first] & vectors.known[second]
        cosines = np.einsum("ij,ij->i", vectors.unit[first], vectors.unit[second])
        return cosines.round(_DECIMALS), known
    if isinstance(model, PairModel):
        scores = _scored(model, left, right)
        known = ~np.isnan(scores)
        return np.where(known, scores, 0.0), known
    if isinstance(model, CrossModel):
        each = [((a,), (b,)) for a, b in zip(left, right, strict=True)]
        crossed = cross_each(model, each)
        known = np.array([one.left_known[0] and one.right_known[0] for one in crossed])
        return np.array([one.scores[0, 0] for one in crossed]), known
    raise _unsuitable(model)


def _unsuitable(model: object) -> UnsuitableModelError:
    hint = "use a text encoder or a model that scores pairs"
    if isinstance(model, WordModel):
        hint = f"compose its words: 'mean({model_spec(model)})'"
    return UnsuitableModelError(
        f"expected a model that scores pairs of texts, got {model_spec(model)}", hint=hint
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _UnitVectors:
    """The vectors of texts, each asked for once: an encoder may be slow."""

    place: dict[str, int]
    unit: Floats
    known: Mask

    @classmethod
    def of(cls, model: TextModel, texts: Sequence[str]) -> _UnitVectors:
        place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        vectors = encode_texts(model, list(place)).astype(np.float64)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
        return cls(place=place, unit=unit, known=lengths[:, 0] > 0)

    def rows(self, texts: Sequence[str]) -> list[int]:
        return [self.place[text] for text in texts]


def _cosines(
    model: TextModel, units: Sequence[tuple[Sequence[str], Sequence[str]]]
) -> list[Crossed]:
    vectors = _UnitVectors.of(model, _texts(units))
    found = []
    for left, right in units:
        rows, columns = vectors.rows(left), vectors.rows(right)
        found.append(
            Crossed(
                scores=(vectors.unit[rows] @ vectors.unit[columns].T).round(_DECIMALS),
                left_known=vectors.known[rows],
                right_known=vectors.known[columns],
            )
        )
    return found


def _sparse_cosines(
    model: SparseTexts, units: Sequence[tuple[Sequence[str], Sequence[str]]]
) -> list[Crossed]:
    place = {text: i for i, text in enumerate(dict.fromkeys(_texts(units)))}
    vectors = model.sparse_vectors(list(place))
    known = np.diff(vectors.indptr) > 0
    found = []
    for left, right in units:
        rows, columns = [place[text] for text in left], [place[text] for text in right]
        found.append(
            Crossed(
                scores=(vectors[rows] @ vectors[columns].T).toarray().round(_DECIMALS),
                left_known=known[rows],
                right_known=known[columns],
            )
        )
    return found


def _combined(
    model: Combined, units: Sequence[tuple[Sequence[str], Sequence[str]]]
) -> list[Crossed]:
    each = [cross_each(part, units) for part in model.parts]
    return [
        Crossed(
            scores=model.combine([part.scores for part in parts]),
            left_known=np.logical_or.reduce([part.left_known for part in parts]),
            right_known=np.logical_or.reduce([part.right_known for part in parts]),
        )
        for parts in zip(*each, strict=True)
    ]


def _texts(units: Sequence[tuple[Sequence[str], Sequence[str]]]) -> list[str]:
    return [text for unit in units for side in unit for text in side]


def _pair_by_pair(model: PairModel, left: Sequence[str], right: Sequence[str]) -> Floats:
    scores = np.empty(len(left) * len(right))
    for start in range(0, len(scores), _PAIRS):
        places = np.arange(start, min(start + _PAIRS, len(scores)))
        rows, columns = np.divmod(places, len(right))
        scores[places] = _scored(model, [left[i] for i in rows], [right[j] for j in columns])
    return scores.reshape(len(left), len(right))


def _scored(model: PairModel, left: Sequence[str], right: Sequence[str]) -> Floats:
    """Return one score per pair, (n,), NaN where the model has nothing to say, none infinite."""
    scores = _told(model, model.score, left, right)
    if scores.shape != (len(left),):
        raise InputError(
            f"expected {len(left)} scores from {model_spec(model)}, one per pair, got an array of "
            f"shape {scores.shape}",
            hint="score must return one number per pair, in the given order",
        )
    if np.isinf(scores).any():
        place = int(np.isinf(scores).argmax())
        raise _infinite(model, left[place], right[place])
    return scores


def _told(
    model: object,
    asked: Callable[[list[str], list[str]], object],
    left: Sequence[str],
    right: Sequence[str],
) -> Floats:
    """Return what a model says of texts, as real numbers in an array of any shape."""
    try:
        given = np.asarray(asked(list(left), list(right)))
    except (LyditeError, MemoryError):
        raise
    except Exception as error:
        raise InputError(
            f"{model_spec(model)} cannot score {len(left)} texts with {len(right)}, the first "
            f"{left[0][:60]!r} and {right[0][:60]!r}: {type(error).__name__}: {error}",
            hint="does the model take two lists of texts, and texts as long as these?",
        ) from error
    if given.dtype.kind not in "biuf":
        raise InputError(
            f"expected scores that are real numbers from {model_spec(model)}, got {given.dtype}",
            hint="a score is a finite number, or NaN where the model has nothing to say",
        )
    return given.astype(np.float64)


def _infinite(model: object, left: str, right: str) -> InputError:
    return InputError(
        f"{model_spec(model)} scores {left[:60]!r} and {right[:60]!r} with an infinity",
        hint="a score is a finite number, or NaN where the model has nothing to say",
    )


def _checked(model: object, left: Sequence[str], right: Sequence[str], scores: Floats) -> Crossed:
    if scores.shape != (len(left), len(right)):
        raise InputError(
            f"expected {len(left)} x {len(right)} scores from {model_spec(model)}, got an array of "
            f"shape {scores.shape}",
            hint="cross returns one row a left text, one column a right one",
        )
    if np.isinf(scores).any():
        i, j = np.argwhere(np.isinf(scores))[0]
        raise _infinite(model, left[i], right[j])
    present = ~np.isnan(scores)
    return Crossed(
        scores=np.where(present, scores, 0.0),
        left_known=np.asarray(present.any(axis=1), dtype=np.bool_),
        right_known=np.asarray(present.any(axis=0), dtype=np.bool_),
    )
