"""Ask any model for the vectors of words, with case and absence handled in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lydite.errors import InputError, MissingWordError, UnsuitableModelError
from lydite.models.catalogue import model_spec
from lydite.models.protocols import TextModel, WordModel
from lydite.spaces.space import CaseRule, Space
from lydite.spaces.vocabulary import Vocabulary
from lydite.types import Indices, Lookup, OovPolicy, Vectors


@dataclass(frozen=True, kw_only=True, eq=False)
class Spellings:
    """Words with the other ways to write them, ready to be looked for again and again."""

    words: Sequence[str]
    forms: Vocabulary
    owner: Indices  # Whose each of the other spellings is, in the order in which they are tried

    @classmethod
    def of(
        cls, words: Sequence[str], *, case: CaseRule = "exact", multiword: bool = False
    ) -> Spellings:
        """Write words otherwise; the parameters are those of :func:`find_words`."""
        rewrites: list[Callable[[str], str]] = [str.lower] if case == "fold" else []
        if multiword:
            rewrites.append(_joined)
            rewrites += [lambda word: _joined(word.lower())] if case == "fold" else []
        others = [
            (i, form)
            for rewrite in rewrites
            for i, form in enumerate(map(rewrite, words))
            if form != words[i]
        ]
        return cls(
            words=words,
            forms=Vocabulary.of([*words, *(form for _, form in others)]),
            owner=np.array([i for i, _ in others], dtype=np.int64),
        )


def _joined(word: str) -> str:
    return word.replace(" ", "_")


def find_words(
    model: object,
    words: Sequence[str] | Spellings,
    *,
    case: CaseRule = "exact",
    multiword: bool = False,
) -> Lookup:
    """Return the vectors of words from a word model or a text model.

    Parameters
    ----------
    model
        A word model, or a text model, which is given each word as a text.
    words
        n words, or their spellings, which make the other parameters idle.
    case
        ``fold`` tries lower case for words that are absent as written.
    multiword
        Try underscores between the words of phrases that are absent.

    Returns
    -------
    A word counts as found if it has a vector with a direction: zero vectors and vectors with NaN
    are absent.
    """
    if isinstance(model, WordModel):
        spelt = words
        if not isinstance(spelt, Spellings):
            spelt = Spellings.of(spelt, case=case, multiword=multiword)
        lookup = _first_spelling(model, spelt)
    elif isinstance(model, TextModel):
        texts = words.words if isinstance(words, Spellings) else words
        vectors = np.asarray(model.encode(list(texts)), dtype=np.float32)
        found = np.ones(len(texts), dtype=np.bool_)
        lookup = _checked(model, texts, Lookup(vectors=vectors, found=found))
    else:
        raise UnsuitableModelError(
            f"expected a model that gives vectors of words, got {model_spec(model)}",
            hint="use a vector file or any text encoder",
        )
    # In float64 the square of no float32 overflows or vanishes.
    squares = np.einsum("ij,ij->i", lookup.vectors, lookup.vectors, dtype=np.float64)
    directed = np.isfinite(squares) & (squares > 0)
    return Lookup(vectors=lookup.vectors, found=lookup.found & directed)


def _first_spelling(model: WordModel, spelt: Spellings) -> Lookup:
    """Look all spellings up at once, and take the first of each word that is there."""
    # A stranger's model need not take anything but a list.
    forms = spelt.forms if isinstance(model, Space) else list(spelt.forms)
    lookup = _checked(model, forms, model.lookup(forms))
    count = len(spelt.words)
    rows, found = np.arange(count), lookup.found[:count].copy()
    hits = np.flatnonzero(lookup.found[count:] & ~found[spelt.owner])
    # Written backwards, so that of several spellings the first one stays.
    rows[spelt.owner[hits[::-1]]] = hits[::-1] + count
    found[spelt.owner[hits]] = True
    return Lookup(vectors=lookup.vectors[rows], found=found)


def _checked(model: object, words: Sequence[str], lookup: Lookup) -> Lookup:
    """Refuse what a stranger's model may not hand back: the rows would belong to other words."""
    vectors, found = np.asarray(lookup.vectors), np.asarray(lookup.found, dtype=np.bool_)
    if vectors.ndim != 2 or len(vectors) != len(words) or found.shape != (len(words),):
        raise InputError(
            f"expected {len(words)} vectors from {model_spec(model)}, one per word, got an array "
            f"of shape {vectors.shape} and a mask of shape {found.shape}",
            hint="encode and lookup return one row per word, in the order asked",
        )
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
