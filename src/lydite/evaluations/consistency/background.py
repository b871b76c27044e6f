"""What was learned of terms beside the background's own vectors of them (Tables 5 and 6).

How near a learned vector is to the vector that the background has of the same word, and how that
hangs on how frequent the term is in the domain and in the background.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lydite.corpora.occurrences import Occurrences
from lydite.evaluations.consistency.measures import Measured, Ranks
from lydite.models.contexts import learn_all
from lydite.resources.lexicons import WORDFREQ, open_frequencies
from lydite.results.details import Details
from lydite.spaces.cosine import exact_cosine
from lydite.spaces.space import Space
from lydite.types import Floats, Indices, Plain


@dataclass(frozen=True, kw_only=True)
class Near(Details):
    """How near what was learned is to the background's own vectors; empty if it has none."""

    sparse: ClassVar[bool] = True

    cosine: float | None = None
    rank: float | None = None
    median: float | None = None
    terms: int | None = None


@dataclass(frozen=True, kw_only=True)
class DomainGroup(Details):
    """Terms of like frequency in the domain and the background, and their mean cosine."""

    group: str = ""
    terms: int | None = None
    cosine: float | None = None


@dataclass(frozen=True, kw_only=True)
class DomainTerm(Details):
    """A term's cosine with the background's own vector, and its two relative frequencies."""

    term: str = ""
    cosine: float = 0.0
    domain: float = 0.0
    background: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Domain(Details):
    """Terms in the domain beside the background; empty if that was not asked."""

    groups: tuple[DomainGroup, ...] = ()
    terms: tuple[DomainTerm, ...] = ()

    def plain(self) -> dict[str, Plain]:
        """Return plain data, as JSON knows it."""
        return super().plain() if self.groups else {}


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
) -> tuple[Near, dict[str, float]]:
    """Compare what was learned with the background's own vectors of the terms (Table 6).

    ``own``, (terms,), has the row of each term's own word, -1 for none. Returns means over vectors
    and terms, and the cosine of each term that the background has; both are empty where it has
    none. The rank is the place of the term's own word among all words by cosine to a learned
    vector.
    """
    background, learnt = measured.background, measured.learnt
    kept = np.flatnonzero(own[learnt.term] >= 0)
    if background is None or ranks is None or not len(kept):
        return Near(), {}
    term = learnt.term[kept]
    cosines = exact_cosine(learnt.vectors[kept], background.vectors[own[term]])
    near = Near(
        cosine=_mean_of_terms(cosines, term),
        rank=_mean_of_terms(ranks.own[kept], term),
        median=float(np.median(ranks.own[kept])),
        terms=len(np.unique(term)),
    )
    return near, {
        terms[t]: round(float(cosines[term == t].mean()), 6) for t in np.unique(term).tolist()
    }


def _mean_of_terms(values: Floats, term: Indices) -> float:
    codes = np.unique(term, return_inverse=True)[1]
    return float((np.bincount(codes, weights=values) / np.bincount(codes)).mean())


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Relative frequencies below and above which a term is rare and frequent; between is neither.

    The paper's own are the defaults.
    """

    domain_low: float = 0.0005
    domain_high: float = 0.001
    background_low: float = 0.000025
    background_high: float = 0.00005


def domain_difference(
    learner: object, occurrences: Occurrences, thresholds: Thresholds, *, seed: int
) -> Domain:
    """Compare terms in the domain with the background, by frequency in both.

    Returns all terms, the four groups, and each term; empty where the background has none of the
    terms.
    """
    terms = [term for term, places in occurrences.found.items() if places]
    contexts = [[place.context for place in occurrences.found[term]] for term in terms]
    if not terms:
        return Domain()
    learnt = learn_all(learner, contexts, seed=seed)
    if learnt.background is None:
        return Domain()
    rows = find_terms(learnt.background, terms)
    kept = np.flatnonzero((rows >= 0) & learnt.learned)
    if not len(kept):
        return Domain()
    cosines = exact_cosine(learnt.vectors[kept], learnt.background.vectors[rows[kept]])
    named = [terms[i] for i in kept.tolist()]
    domain = np.array([occurrences.uses[term] / occurrences.tokens for term in named])
    at_large = _relative_frequencies(learnt.background, named)
    return Domain(
        groups=_groups(cosines, domain, at_large, thresholds),
        terms=tuple(
            DomainTerm(term=t, cosine=round(c, 6), domain=d, background=b)
            for t, c, d, b in zip(
                named, cosines.tolist(), domain.tolist(), at_large.tolist(), strict=True
            )
        ),
    )


def _relative_frequencies(background: Space, terms: list[str]) -> Floats:
    if background.counts is not None:
        rows = find_terms(background, terms)
        return np.asarray(background.counts[rows] / background.counts.sum())
    return open_frequencies(WORDFREQ, corpus_size=1.0, phrases="rarest").counts(terms)


def _groups(
    cosines: Floats, domain: Floats, at_large: Floats, limits: Thresholds
) -> tuple[DomainGroup, ...]:
    here = {"high": domain > limits.domain_high, "low": domain < limits.domain_low}
    there = {"high": at_large > limits.background_high, "low": at_large < limits.background_low}
    rows = [DomainGroup(group="all terms", terms=len(cosines), cosine=float(cosines.mean()))]
    for one in ("high", "low"):
        for other in ("low", "high"):
            chosen = here[one] & there[other]
            mean = float(cosines[chosen].mean()) if chosen.any() else None
            name = f"{one} in the domain, {other} in the background"
            rows.append(DomainGroup(group=name, terms=int(chosen.sum()), cosine=mean))
    return tuple(rows)
