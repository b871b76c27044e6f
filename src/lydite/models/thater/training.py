"""Count triples and weigh them by their information."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.parsed.opening import ParsedCorpus
from lydite.corpora.triples.counting import count_triples
from lydite.corpora.triples.triples import Triples
from lydite.models.related_folder import RelatedFolder, open_related, write_related
from lydite.models.related_words import RelatedWords, related_words
from lydite.models.thater.model import KIND
from lydite.models.thater.recipe import ThaterRecipe
from lydite.spaces.array_folder import new_folder
from lydite.types import Floats, PlainMapping


def train_thater(
    corpus: ParsedCorpus,
    recipe: ThaterRecipe,
    folder: Path,
    *,
    provenance: PlainMapping | None = None,
) -> RelatedFolder:
    """Make first-order vectors of a parsed corpus and write them into a new folder.

    Parameters
    ----------
    corpus
        Parsed text. Texts that the model is given later get lemmas of the same kind.
    recipe
        How.
    folder
        Must not be there yet.
    provenance
        What it is made from, in plain data, kept with the vectors.

    Raises
    ------
    InputError
        If the folder is there.
    """
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
