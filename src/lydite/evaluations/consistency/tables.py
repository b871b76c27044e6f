"""The further tables of the paper: likeness to the background, neighbours, numbers of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lydite.corpora.samples import Samples, limit_sentences
from lydite.evaluations.consistency.learning import Measured, measure
from lydite.evaluations.consistency.ranks import Ranks
from lydite.spaces.cosine import exact_cosine
from lydite.spaces.neighbours import nearest_words
from lydite.spaces.space import Space
from lydite.stats.bootstrap import Interval, bootstrap_interval
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Plain


def find_terms(background: Space, terms: Sequence[str]) -> Indices:
    """Return the row of each term's own word, -1 where the background does not have it."""
    rows = background.find(terms)
    again = np.flatnonzero(rows < 0)
    for rewrite in (str.lower, _joined, lambda term: _joined(term).lower()):
        rows[again] = background.find([rewrite(terms[i]) for i in again.tolist()])
        again = again[rows[again] < 0]
    return rows


def _joined(term: str) -> str:
    return term.replace(" ", "_")


def to_background(
    measured: Measured, ranks: Ranks | None, own: Indices, terms: Sequence[str]
) -> dict[str, Plain]:
    """Compare what was learnt with the background's own vectors of the terms (Table 6).

    Parameters
    ----------
    measured, ranks
        What was learnt, and its places in the background if there is one.
    own
        Shape (terms,): the row of each term's own word, -1 for none.
    terms
        Their names.

    Returns
    -------
    ``cosine``, the mean over vectors and terms; ``rank``, the mean place of the term's own word
    among all words by cosine to a learnt vector; ``median``; ``terms``, how many the background
    has; ``by_term``. Empty where it has none.
    """
    background, learnt = measured.background, measured.learnt
    kept = np.flatnonzero(own[learnt.term] >= 0)
    if background is None or ranks is None or not len(kept):
        return {}
    term = learnt.term[kept]
    cosines = exact_cosine(learnt.vectors[kept], background.vectors[own[term]])
    return {
        "cosine": _mean_of_terms(cosines, term),
        "rank": _mean_of_terms(ranks.own[kept], term),
        "median": float(np.median(ranks.own[kept])),
        "terms": len(np.unique(term)),
        "by_term": {
            terms[t]: round(float(cosines[term == t].mean()), 6) for t in np.unique(term).tolist()
        },
    }


def _mean_of_terms(values: Floats, term: Indices) -> float:
    codes = np.unique(term, return_inverse=True)[1]
    return float((np.bincount(codes, weights=values) / np.bincount(codes)).mean())


def neighbours(
    measured: Measured, terms: Sequence[str], chosen: Sequence[int], k: int
) -> list[dict[str, Plain]]:
    """Return the nearest words of the first two vectors of some terms side by side (Table 7)."""
    background, learnt = measured.background, measured.learnt
    first, second = measured.pairs
    if background is None:
        return []
    told = []
    for term in chosen:
        pair = np.flatnonzero(measured.pair_terms == term)[:1]
        if not len(pair):
            continue
        rows = np.array([first[pair[0]], second[pair[0]]])
        found = nearest_words(background.vectors, learnt.vectors[rows], k)
        told.append(
            {
                "term": terms[term],
                "cosine": round(float(measured.cosines[pair[0]]), 6),
                "neighbours": [
                    [[background.vocabulary[i], round(c, 4)] for i, c in zip(*each, strict=True)]
                    for each in zip(found.indices.tolist(), found.cosines.tolist(), strict=True)
                ],
            }
        )
    return told


def by_size(
    learner: object,
    samples: Samples,
    sizes: Sequence[int | None],
    *,
    seed: int,
) -> list[dict[str, Plain]]:
    """Measure again with fewer sentences a sample (Table 2); None stands for all of them.

    All sizes are measured on the same terms, those that have enough sentences for the largest, and
    a smaller sample is part of a larger one: the curve is of the amount of text alone. A size that
    fewer than two terms have is left out.
    """
    draws = child_seed(seed, "sizes")
    usable = [size for size in sizes if len(limit_sentences(samples, size, seed=draws).terms) > 1]
    largest = max((size for size in usable if size is not None), default=None)
    kept = {term.term for term in limit_sentences(samples, largest, seed=draws).terms}
    common = replace(samples, terms=tuple(each for each in samples.terms if each.term in kept))
    names = [each.term for each in common.terms]
    rows = []
    for size in usable:
        limited = limit_sentences(common, size, seed=draws)
        measured = measure(learner, [term.samples for term in limited.terms], seed=seed)
        rows.append(_size_row(measured, size, names, child_seed(seed, "size", str(size))))
    return rows


def _size_row(
    measured: Measured, size: int | None, names: Sequence[str], seed: int
) -> dict[str, Plain]:
    by_term = {
        "cosine": measured.by_term(measured.cosines),
        "identification": measured.reciprocals,
    }
    row: dict[str, Plain] = {"size": size or "all", "terms": len(names)}
    for name, values in by_term.items():
        known = values[np.isfinite(values)]
        if len(known) > 1:
            interval = mean_interval(known, seed)
            row |= {name: float(known.mean())}
            row |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
    if len(measured.identification.term):
        row["identification_chance"] = measured.identification.chance
    row["by_term"] = {
        term: {name: _number(values[i]) for name, values in by_term.items()}
        for i, term in enumerate(names)
    }
    return row


def _number(value: float) -> float | None:
    return round(float(value), 6) if np.isfinite(value) else None


def mean_interval(values: Floats, seed: int) -> Interval:
    """Return the bootstrap interval of a mean over terms."""
    return bootstrap_interval(lambda terms: values[terms].mean(axis=1), len(values), seed=seed)
