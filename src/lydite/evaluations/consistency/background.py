"""What was learned of terms beside the background's own vectors of them (Tables 5 and 6).

How near a learned vector is to the vector that the background has of the same word, and how that
hangs on how frequent the term is in the domain and in the background. A cosine by itself says
little: vectors of a book have a direction in common, and so have those of its terms in the
background. So beside it stands what is to be expected from the vectors of the *other* terms, and
what is concluded rests on the interval of the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Final, Literal, TypeAlias

import numpy as np

from lydite.corpora.occurrences import Occurrences
from lydite.evaluations.consistency.measures import Measured, Ranks
from lydite.models.contexts import learn_all
from lydite.resources.lexicons import WORDFREQ, open_frequencies
from lydite.results.details import Details
from lydite.spaces.space import Space
from lydite.stats.means import t_quantile
from lydite.types import Floats, Indices, Mask, Plain, Vectors

#: Whether terms are nearer to the background's vectors of themselves than to those of others.
Nearness: TypeAlias = Literal["nearer", "not shown", "farther"]
#: Fewer terms give no interval, nor do as many without another to compare them with.
LEAST_TERMS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Beside(Details):
    """A mean cosine with terms' own vectors beside that with other terms', and their difference."""

    sparse: ClassVar[bool] = True

    cosine: float | None = None
    others: float | None = None  # what is to be expected from those with other terms' vectors
    difference: float | None = None
    # The ends of its interval; none of fewer than `LEAST_TERMS`.
    low: float | None = None
    high: float | None = None

    @property
    def verdict(self) -> Nearness | None:
        """What the interval decides; None without one."""
        if self.low is None or self.high is None:
            return None
        return "nearer" if self.low > 0 else "farther" if self.high < 0 else "not shown"


@dataclass(frozen=True, kw_only=True)
class Near(Beside):
    """How near what was learned is to the background's own vectors; empty if it has none."""

    rank: float | None = None
    median: float | None = None
    terms: int | None = None


@dataclass(frozen=True, kw_only=True)
class DomainGroup(Beside):
    """Terms of like frequency in the domain and the background, and their mean cosines."""

    group: str = ""
    terms: int | None = None


@dataclass(frozen=True, kw_only=True)
class DomainTerm(Details):
    """A term's cosine with the background's own vector, and its two relative frequencies."""

    term: str = ""
    cosine: float = 0.0
    others: float | None = None  # what is to be expected from other terms
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
    known, place = np.unique(term, return_inverse=True)
    table = _means_by_row(_cosines(learnt.vectors[kept], background.vectors[own[known]]), place)
    ranked = _means_by_row(ranks.own[kept, None], place)
    near = Near(
        **_beside(table),
        rank=float(ranked.mean()),
        median=float(np.median(ranks.own[kept])),
        terms=len(known),
    )
    return near, {
        terms[t]: round(float(c), 6) for t, c in zip(known.tolist(), np.diag(table), strict=True)
    }


def _cosines(vectors: Vectors, others: Vectors) -> Floats:
    """Return the cosine of every vector with every other, (n, m)."""
    units = [each.astype(np.float64) for each in (vectors, others)]
    units = [each / np.sqrt((each * each).sum(axis=1, keepdims=True)) for each in units]
    return np.asarray(units[0] @ units[1].T)


def _means_by_row(table: Floats, place: Indices) -> Floats:
    """Return the means of rows that belong together, by their place."""
    sums = np.zeros((int(place.max()) + 1, table.shape[1]))
    np.add.at(sums, place, table)
    return np.asarray(sums / np.bincount(place)[:, None])


def _beside(table: Floats, chosen: Mask | None = None) -> dict[str, float | None]:
    """Return the fields of `Beside` of the chosen terms of a table of cosines."""
    found = nearness(table, chosen)
    return {name: value for name, value in asdict(found).items() if value is not None}


def nearness(table: Floats, chosen: Mask | None = None) -> Beside:
    """Compare cosines with terms' own vectors with those with others'.

    ``table``, C, (n, n), has the cosine of what was learned of each term with the background's
    vector of each term; ``chosen``, (n,), the terms that are asked about, all by default, while the
    others still serve for comparison. Some learned vectors are near to everything, and so are the
    words that are frequent. So what is to be expected of term i is

        E_i = mean of C_ij + mean of C_ji - mean of C_jk, over all j, k ≠ i, j ≠ k

    and the difference is the mean of C_ii - E_i over chosen terms; over all terms, the mean of the
    diagonal less that of the rest. No draw is made. Terms are the units: each is left out in
    turn, with Student's t for as many terms as are chosen.

    >>> nearness(np.array([[0.9, 0.2], [0.4, 0.8]])).difference
    0.55
    """
    n = len(table)
    rows = np.ones(n, dtype=np.bool_) if chosen is None else chosen
    if not rows.any():
        return Beside()
    cosine = float(np.diag(table)[rows].mean())
    if n < 2:
        return Beside(cosine=cosine)
    others = float(_expected(table)[rows].mean())
    enough = rows.sum() >= LEAST_TERMS and n > LEAST_TERMS
    ends = _jackknife(table, rows) if enough else None
    return Beside(
        cosine=cosine,
        others=others,
        difference=round(cosine - others, 12),
        low=None if ends is None else cosine - others - ends,
        high=None if ends is None else cosine - others + ends,
    )


def _expected(table: Floats) -> Floats:
    """Return what the cosine of each term with its own vector would be if it were another's."""
    n, own = len(table), np.diag(table)
    beside = table.sum(axis=1) + table.sum(axis=0) - 2 * own
    rest = table.sum() - own.sum()
    if n == 2:
        return np.asarray(beside / 2)
    return np.asarray((beside - rest / (n - 1)) / (n - 2))


def _jackknife(table: Floats, rows: Mask, *, level: float = 0.95) -> float:
    """Return how far the interval of the difference reaches to either side."""
    n, count, own = len(table), int(rows.sum()), np.diag(table)
    beside = table.sum(axis=1) + table.sum(axis=0) - 2 * own
    # Without term k, which is then neither asked about nor compared with.
    kept = count - rows
    asked = own[rows].sum() - np.where(rows, own, 0.0)
    compared = beside[rows].sum() - np.where(rows, beside, 0.0)
    compared -= table[rows].sum(axis=0) + table[:, rows].sum(axis=1) - np.where(rows, 2 * own, 0.0)
    rest = table.sum() - own.sum() - beside
    without = (asked - compared / (n - 3)) / kept + rest / ((n - 2) * (n - 3))
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    return float(t_quantile(level, count - 1) * error)


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Relative frequencies below which a term is rare, and above which it is frequent."""

    rare_in_domain: float
    frequent_in_domain: float
    rare_at_large: float
    frequent_at_large: float


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
    table = _cosines(learnt.vectors[kept], learnt.background.vectors[rows[kept]])
    named = [terms[i] for i in kept.tolist()]
    domain = np.array([occurrences.uses[term] / occurrences.tokens for term in named])
    at_large = _relative_frequencies(learnt.background, named)
    return Domain(
        groups=_groups(table, domain, at_large, thresholds),
        terms=tuple(
            DomainTerm(term=t, cosine=round(c, 6), others=o, domain=d, background=b)
            for t, c, o, d, b in zip(
                named,
                np.diag(table).tolist(),
                _others(table),
                domain.tolist(),
                at_large.tolist(),
                strict=True,
            )
        ),
    )


def _relative_frequencies(background: Space, terms: list[str]) -> Floats:
    if background.counts is not None:
        rows = find_terms(background, terms)
        return np.asarray(background.counts[rows] / background.counts.sum())
    return open_frequencies(WORDFREQ, corpus_size=1.0, phrases="rarest").counts(terms)


def _others(table: Floats) -> list[float | None]:
    """Return what is to be expected of each term; none of a single one."""
    if len(table) < 2:
        return [None] * len(table)
    return [round(each, 6) for each in _expected(table).tolist()]


def _groups(
    table: Floats, domain: Floats, at_large: Floats, limits: Thresholds
) -> tuple[DomainGroup, ...]:
    here = {
        "high": domain > limits.frequent_in_domain,
        "low": domain < limits.rare_in_domain,
    }
    there = {
        "high": at_large > limits.frequent_at_large,
        "low": at_large < limits.rare_at_large,
    }
    rows = [DomainGroup(group="all terms", terms=len(table), **_beside(table))]
    for one in ("high", "low"):
        for other in ("low", "high"):
            chosen = here[one] & there[other]
            name = f"{one} in the domain, {other} in the background"
            rows.append(DomainGroup(group=name, terms=int(chosen.sum()), **_beside(table, chosen)))
    return tuple(rows)
