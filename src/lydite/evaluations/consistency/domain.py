"""How far a domain's terms are from their meaning at large (Table 5 of Bloem et al. 2019).

For each term one vector is learnt from all its sentences in the domain and compared with the
background's own vector of the term; terms are grouped by how frequent they are in both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lydite.corpora.occurrences import Occurrences
from lydite.evaluations.consistency.tables import find_terms
from lydite.models.learning import learn_all
from lydite.resources.frequencies import WORDFREQ, open_frequencies
from lydite.spaces.cosine import exact_cosine
from lydite.spaces.space import Space
from lydite.types import Floats, Plain


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
) -> dict[str, Plain]:
    """Compare terms in the domain with the background, by frequency in both.

    Returns
    -------
    ``groups``: name, number of terms and mean cosine of the four groups and of all terms;
    ``terms``: for each its cosine and its two relative frequencies. Empty where the background has
    none of the terms.
    """
    terms = [term for term, places in occurrences.found.items() if places]
    contexts = [[place.context for place in occurrences.found[term]] for term in terms]
    if not terms:
        return {}
    learnt = learn_all(learner, contexts, seed=seed)
    if learnt.background is None:
        return {}
    rows = find_terms(learnt.background, terms)
    kept = np.flatnonzero((rows >= 0) & learnt.learnt)
    if not len(kept):
        return {}
    cosines = exact_cosine(learnt.vectors[kept], learnt.background.vectors[rows[kept]])
    named = [terms[i] for i in kept.tolist()]
    domain = np.array([occurrences.uses[term] / occurrences.tokens for term in named])
    at_large = _relative_frequencies(learnt.background, named)
    return {
        "groups": _groups(cosines, domain, at_large, thresholds),
        "terms": [
            {"term": t, "cosine": round(c, 6), "domain": d, "background": b}
            for t, c, d, b in zip(
                named, cosines.tolist(), domain.tolist(), at_large.tolist(), strict=True
            )
        ],
    }


def _relative_frequencies(background: Space, terms: list[str]) -> Floats:
    if background.counts is not None:
        rows = find_terms(background, terms)
        return np.asarray(background.counts[rows] / background.counts.sum())
    return open_frequencies(WORDFREQ, corpus_size=1.0, phrases="rarest").counts(terms)


def _groups(
    cosines: Floats, domain: Floats, at_large: Floats, limits: Thresholds
) -> list[dict[str, Plain]]:
    here = {"high": domain > limits.domain_high, "low": domain < limits.domain_low}
    there = {"high": at_large > limits.background_high, "low": at_large < limits.background_low}
    rows: list[dict[str, Plain]] = [
        {"group": "all terms", "terms": len(cosines), "cosine": float(cosines.mean())}
    ]
    for one in ("high", "low"):
        for other in ("low", "high"):
            chosen = here[one] & there[other]
            mean = float(cosines[chosen].mean()) if chosen.any() else None
            name = f"{one} in the domain, {other} in the background"
            rows.append({"group": name, "terms": int(chosen.sum()), "cosine": mean})
    return rows
