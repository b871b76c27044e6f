from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from lydite.corpora.occurrences import Occurrence, Occurrences
from lydite.evaluations.consistency.evaluation import Thresholds, domain_difference
from lydite.models.additive import Additive
from lydite.spaces.space import Space
from lydite.types import Context, Vectors


def degrees(angle: float) -> list[float]:
    return [float(np.cos(np.deg2rad(angle))), float(np.sin(np.deg2rad(angle)))]


# How often each term is used in a text of 10,000 words, its share of the background in millionths,
# and how many degrees its background vector is from what is learnt of it.
TERMS = {
    "high-low": (20, 20, 0),
    "high-low too": (11, 24, 60),
    "high-high": (30, 60, 90),
    "low-high": (4, 500, 120),
    "low-low": (1, 1, 180),
    "middling here": (7, 1, 60),
    "middling there": (20, 40, 60),
    "at the edge here": (10, 20, 60),
    "at the edge there": (20, 25, 60),
    "at the lower edge here": (5, 20, 60),
    "at the upper edge there": (20, 50, 60),
}
REST = 1_000_000 - sum(share for _, share, _ in TERMS.values())


def space(*, counts: bool = True, without: Sequence[str] = ()) -> Space:
    words = {term: degrees(angle) for term, (_, _, angle) in TERMS.items() if term not in without}
    shares = [TERMS[term][1] for term in words]
    return Space.of({**words, "east": [1, 0]}, **({"counts": [*shares, REST]} if counts else {}))


def occurrences(words: Sequence[str] = ("east",)) -> Occurrences:
    found = {
        term: (Occurrence(context=Context(tokens=(term, *words), start=0, stop=1), sentence=i),)
        for i, term in enumerate(TERMS)
    }
    uses = {term: uses for term, (uses, _, _) in TERMS.items()}
    return Occurrences(
        found={**found, "absent": ()}, uses={**uses, "absent": 0}, sentences=100, tokens=10_000
    )


def test_groups_by_hand() -> None:
    learner = Additive.open(space(), sample=0)
    found = domain_difference(learner, occurrences(), Thresholds(), seed=1)
    rows = {row["group"]: (row["terms"], row["cosine"]) for row in found["groups"]}
    # What lies between the thresholds, or on one, is in no group but counts among all terms.
    assert rows == {
        "all terms": (11, pytest.approx((1 + 0.5 + 0 - 0.5 - 1 + 0.5 * 6) / 11, abs=1e-6)),
        "high in the domain, low in the background": (2, pytest.approx(0.75, abs=1e-6)),
        "high in the domain, high in the background": (1, pytest.approx(0, abs=1e-6)),
        "low in the domain, low in the background": (1, pytest.approx(-1, abs=1e-6)),
        "low in the domain, high in the background": (1, pytest.approx(-0.5, abs=1e-6)),
    }
    assert [row["term"] for row in found["terms"]] == list(TERMS)
    assert found["terms"][0] == {
        "term": "high-low",
        "cosine": 1.0,
        "domain": pytest.approx(0.002),
        "background": pytest.approx(0.00002),
    }


def test_a_group_without_terms_has_no_cosine() -> None:
    limits = Thresholds(domain_high=0.5)
    found = domain_difference(Additive.open(space(), sample=0), occurrences(), limits, seed=1)
    empty = [row for row in found["groups"] if not row["terms"]]
    assert [row["group"] for row in empty] == [
        "high in the domain, low in the background",
        "high in the domain, high in the background",
    ]
    assert all(row["cosine"] is None for row in empty)


def test_terms_that_the_background_lacks_are_left_out() -> None:
    learner = Additive.open(space(without=["low-low", "high-high"]), sample=0)
    found = domain_difference(learner, occurrences(), Thresholds(), seed=1)
    assert found["groups"][0]["terms"] == 9
    assert "low-low" not in [row["term"] for row in found["terms"]]


def test_frequencies_at_large_without_counts() -> None:
    background = Space.of({"water": [1, 0], "zymurgy": [0, 1], "east": [1, 0]})
    found = {
        term: (Occurrence(context=Context(tokens=(term, "east"), start=0, stop=1), sentence=0),)
        for term in ("water", "zymurgy")
    }
    where = Occurrences(found=found, uses={"water": 50, "zymurgy": 50}, sentences=9, tokens=10_000)
    rows = domain_difference(Additive.open(background, sample=0), where, Thresholds(), seed=1)[
        "terms"
    ]
    assert rows[0]["background"] > 0.00005
    assert rows[1]["background"] < 0.000025


def test_nothing_to_compare() -> None:
    class Stranger:
        def learn(self, contexts: Sequence[Context]) -> Vectors:
            return np.ones(2, dtype=np.float32)

    empty = Occurrences(found={"absent": ()}, uses={"absent": 0}, sentences=1, tokens=9)
    learner = Additive.open(space(), sample=0)
    assert domain_difference(learner, empty, Thresholds(), seed=1) == {}
    assert domain_difference(Stranger(), occurrences(), Thresholds(), seed=1) == {}
    lacking = Additive.open(space(without=list(TERMS)), sample=0)
    assert domain_difference(lacking, occurrences(), Thresholds(), seed=1) == {}
    assert domain_difference(learner, occurrences(["unknown"]), Thresholds(), seed=1) == {}
