"""Ask any model for the vectors of words, with case and absence handled in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from lydite.errors import InputError, MissingWordError, UnsuitableModelError
from lydite.models.catalogue import model_spec
from lydite.models.protocols import TextModel, WordModel
from lydite.types import Lookup, OovPolicy, Vectors


def find_words(
    model: object,
    words: Sequence[str],
    *,
    case: Literal["exact", "fold"] = "exact",
    multiword: bool = False,
) -> Lookup:
    """Return the vectors of words from a word model or a text model.

    Parameters
    ----------
    model
        A word model, or a text model, which is given each word as a text.
    words
        n words.
    case
        ``fold`` asks again, in lower case, for words that are absent as written.
    multiword
        Ask again for phrases that are absent, with underscores between their words.

    Returns
    -------
    A word counts as found if it has a vector with a direction: zero vectors and vectors with NaN
    are absent.
    """
    if isinstance(model, WordModel):
        lookup = _checked(model, words, model.lookup(words))
        if case == "fold":
            lookup = _ask_again(model, words, lookup, str.lower)
        if multiword:
            lookup = _ask_again(model, words, lookup, lambda word: word.replace(" ", "_"))
            if case == "fold":
                lookup = _ask_again(model, words, lookup, lambda w: w.lower().replace(" ", "_"))
    elif isinstance(model, TextModel):
        vectors = np.asarray(model.encode(list(words)), dtype=np.float32)
        found = np.ones(len(words), dtype=np.bool_)
        lookup = _checked(model, words, Lookup(vectors=vectors, found=found))
    else:
        raise UnsuitableModelError(
            f"expected a model that gives vectors of words, got {model_spec(model)}",
            hint="a vector file, or any encoder of texts, will do",
        )
    directed = lookup.vectors.any(axis=1) & np.isfinite(lookup.vectors).all(axis=1)
    return Lookup(vectors=lookup.vectors, found=lookup.found & directed)


def _checked(model: object, words: Sequence[str], lookup: Lookup) -> Lookup:
    """Refuse what a stranger's model may not hand back: the rows would belong to other words."""
    vectors, found = np.asarray(lookup.vectors), np.asarray(lookup.found, dtype=np.bool_)
    if vectors.ndim != 2 or len(vectors) != len(words) or found.shape != (len(words),):
        raise InputError(
            f"expected {len(words)} vectors from {model_spec(model)}, one a word, got an array of "
            f"shape {vectors.shape} and a mask of shape {found.shape}",
            hint="encode and lookup return one row a word, in the order asked",
        )
    return Lookup(vectors=vectors, found=found)


def _ask_again(
    model: WordModel, words: Sequence[str], lookup: Lookup, rewrite: Callable[[str], str]
) -> Lookup:
    """Ask for absent words once more, written otherwise."""
    again = [i for i in np.flatnonzero(~lookup.found).tolist() if words[i] != rewrite(words[i])]
    if not again:
        return lookup
    rewritten = [rewrite(words[i]) for i in again]
    second = _checked(model, rewritten, model.lookup(rewritten))
    vectors, found = lookup.vectors.copy(), lookup.found.copy()
    vectors[again], found[again] = second.vectors, second.found
    return Lookup(vectors=vectors, found=found)


def fill_absent(model: object, words: Sequence[str], lookup: Lookup, oov: OovPolicy) -> Lookup:
    """Apply the policy to words that were not found; ``found`` stays what it is."""
    absent = ~lookup.found
    if not absent.any() or oov == "skip":
        return lookup
    if oov == "error":
        first = words[int(np.flatnonzero(absent)[0])]
        raise MissingWordError(
            f"{int(absent.sum())} of {len(words)} words are not in {model_spec(model)}, "
            f"first {first!r}",
            hint="the policies skip, zero and mean go on without them",
        )
    vectors = lookup.vectors.copy()
    vectors[absent] = 0 if oov == "zero" else _mean_vector(model)
    return Lookup(vectors=vectors, found=lookup.found)


def _mean_vector(model: object) -> Vectors:
    if not hasattr(model, "mean_vector"):
        raise InputError(
            f"the policy oov=mean needs the mean of all vectors, which {model_spec(model)} "
            f"cannot give",
            hint="use oov=skip or oov=zero",
        )
    return np.asarray(model.mean_vector(), dtype=np.float32)
