from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from lydite.corpora.occurrences import Occurrence, Occurrences
from lydite.evaluations.consistency.background import (
    Domain,
    Near,
    domain_difference,
    find_terms,
    nearness,
    to_background,
)
from lydite.evaluations.consistency.evaluation import Consistency
from lydite.evaluations.consistency.measures import Measured, measure, ranks_in
from lydite.models.additive import Additive
from lydite.spaces.space import Space
from lydite.types import Context, Vectors

#: Those of the paper.
PAPERS = Consistency().thresholds


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
    found = domain_difference(learner, occurrences(), PAPERS, seed=1)
    rows: dict[str, object] = {row.group: (row.terms, row.cosine) for row in found.groups}
    # What lies between the thresholds, or on one, is in no group but counts among all terms.
    assert rows == {
        "all terms": (11, pytest.approx((1 + 0.5 + 0 - 0.5 - 1 + 0.5 * 6) / 11, abs=1e-6)),
        "high in the domain, low in the background": (2, pytest.approx(0.75, abs=1e-6)),
        "high in the domain, high in the background": (1, pytest.approx(0, abs=1e-6)),
        "low in the domain, low in the background": (1, pytest.approx(-1, abs=1e-6)),
        "low in the domain, high in the background": (1, pytest.approx(-0.5, abs=1e-6)),
    }
    assert [row.term for row in found.terms] == list(TERMS)
    first = found.terms[0]
    assert (first.term, first.cosine) == ("high-low", 1.0)
    assert first.domain == pytest.approx(0.002)
    assert first.background == pytest.approx(0.00002)


def test_a_group_without_terms_has_no_cosine() -> None:
    limits = replace(PAPERS, frequent_in_domain=0.5)
    found = domain_difference(Additive.open(space(), sample=0), occurrences(), limits, seed=1)
    empty = [row for row in found.groups if not row.terms]
    assert [row.group for row in empty] == [
        "high in the domain, low in the background",
        "high in the domain, high in the background",
    ]
    assert all(row.cosine is None for row in empty)


def test_terms_that_the_background_lacks_are_left_out() -> None:
    learner = Additive.open(space(without=["low-low", "high-high"]), sample=0)
    found = domain_difference(learner, occurrences(), PAPERS, seed=1)
    assert found.groups[0].terms == 9
    assert "low-low" not in [row.term for row in found.terms]


def test_frequencies_at_large_without_counts() -> None:
    background = Space.of({"water": [1, 0], "zymurgy": [0, 1], "east": [1, 0]})
    found = {
        term: (Occurrence(context=Context(tokens=(term, "east"), start=0, stop=1), sentence=0),)
        for term in ("water", "zymurgy")
    }
    where = Occurrences(found=found, uses={"water": 50, "zymurgy": 50}, sentences=9, tokens=10_000)
    rows = domain_difference(Additive.open(background, sample=0), where, PAPERS, seed=1).terms
    assert rows[0].background > 0.00005
    assert rows[1].background < 0.000025


class Stranger:
    def learn(self, contexts: Sequence[Context]) -> Vectors:
        return np.ones(2, dtype=np.float32)


def test_nothing_to_compare() -> None:
    empty = Occurrences(found={"absent": ()}, uses={"absent": 0}, sentences=1, tokens=9)
    learner = Additive.open(space(), sample=0)
    assert domain_difference(learner, empty, PAPERS, seed=1) == Domain()
    assert domain_difference(Stranger(), occurrences(), PAPERS, seed=1) == Domain()
    lacking = Additive.open(space(without=list(TERMS)), sample=0)
    assert domain_difference(lacking, occurrences(), PAPERS, seed=1) == Domain()
    assert domain_difference(learner, occurrences(["unknown"]), PAPERS, seed=1) == Domain()


# The terms' own words, and words to learn from.
SPACE = Space.of(
    {
        "cat": [1, 0],
        "dog": [0, 1],
        "east": [2, 0],
        "north": [0, 2],
        "west": [-2, 0],
    }
)


def sentence(term: str, *words: str) -> Context:
    return Context(tokens=(term, *words), start=0, stop=1)


def learnt() -> Measured:
    samples = [
        [[sentence("Cat", "east")], [sentence("Cat", "east", "north")]],
        [[sentence("dog", "west")], [sentence("dog", "north")]],
        [[sentence("emu", "west")], [sentence("emu", "west", "west", "north")]],
    ]
    return measure(Additive.open(SPACE, sample=0), samples, seed=1)


def test_terms_are_found_in_any_spelling() -> None:
    space = Space.of({"cat": [1], "Paris": [1], "free_will": [1], "New_York": [1], "x y": [1]})
    terms = ["Cat", "Paris", "free will", "Free Will", "New York", "x y", "emu"]
    assert find_terms(space, terms).tolist() == [0, 1, 2, 2, 3, 4, -1]


def compared(measured: Measured, terms: Sequence[str]) -> tuple[Near, dict[str, float]]:
    own = find_terms(SPACE, terms)
    return to_background(measured, ranks_in(SPACE, measured.learnt, own=own), own, terms)


def test_likeness_to_the_background_by_hand() -> None:
    found, by_term = compared(learnt(), ["Cat", "dog", "emu"])
    # Cat: 1 and the cosine of 45 degrees; dog: 0 and 1. Nobody knows what an emu is.
    half = np.sqrt(0.5)
    assert by_term == {
        "Cat": pytest.approx((1 + half) / 2, abs=1e-6),
        "dog": pytest.approx(0.5),
    }
    assert found.cosine == pytest.approx(((1 + half) / 2 + 0.5) / 2)
    # From (2, 0) cat ties with east for the first two places, from (2, 2) all but west tie for
    # four. From (-2, 0), dog ties with north behind west; from (0, 2) for the first two.
    assert found.rank == pytest.approx(((1.5 + 2.5) / 2 + (2.5 + 1.5) / 2) / 2)
    assert found.median == 2.0
    assert found.terms == 2


def test_terms_that_the_background_lacks() -> None:
    assert compared(learnt(), ["a", "b", "c"]) == (Near(), {})


def test_without_a_background_there_is_nothing_to_compare_with() -> None:
    samples = [[[sentence(t, "x")], [sentence(t, "y")]] for t in "ab"]
    measured = measure(Stranger(), samples, seed=1)
    assert to_background(measured, None, np.array([-1, -1]), ["a", "b"]) == (Near(), {})


def test_cosines_beside_those_of_other_terms_by_hand() -> None:
    found, _ = compared(learnt(), ["Cat", "dog", "emu"])
    # Cat is learned as (2, 0) and (2, 2), dog as (-2, 0) and (0, 2).
    half = np.sqrt(0.5)
    others = ((0 + half) / 2 + (-1 + 0) / 2) / 2
    assert found.others == pytest.approx(others)
    assert found.difference == pytest.approx(((1 + half) / 2 + 0.5) / 2 - others)
    # Two terms say nothing of how terms vary; all terms together are the diagonal and the rest.
    assert (found.low, found.high, found.verdict) == (None, None, None)


def test_the_interval_is_that_of_leaving_out_each_term() -> None:
    table = np.random.default_rng(3).normal(size=(9, 9))
    chosen = np.arange(9) < 5

    def difference(kept: Sequence[int]) -> float:
        """Write out the definition."""
        found = []
        for i in (i for i in kept if chosen[i]):
            row = np.mean([table[i, j] for j in kept if j != i])
            column = np.mean([table[j, i] for j in kept if j != i])
            every = np.mean([table[j, k] for j in kept for k in kept if len({i, j, k}) == 3])
            found.append(table[i, i] - (row + column - every))
        return float(np.mean(found))

    found = nearness(table, chosen)
    assert found.difference == pytest.approx(difference(range(9)))
    without = np.array([difference([j for j in range(9) if j != k]) for k in range(9)])
    error = np.sqrt(8 / 9 * ((without - without.mean()) ** 2).sum())
    # Student's t of four degrees of freedom: 2.776.
    assert found.high is not None
    assert found.low is not None
    assert found.high - found.low == pytest.approx(2 * 2.776445 * error, rel=1e-5)


def test_verdicts_rest_on_the_interval() -> None:
    near, rng = np.eye(8), np.random.default_rng(0)
    assert nearness(near + 0.1 * rng.normal(size=(8, 8))).verdict == "nearer"
    assert nearness(-near + 0.1 * rng.normal(size=(8, 8))).verdict == "farther"
    assert nearness(0.02 * near + rng.normal(size=(8, 8))).verdict == "not shown"
    assert nearness(near[:2, :2]).verdict is None
    assert nearness(near[:1, :1]).difference is None
    assert nearness(near, np.zeros(8, dtype=bool)).cosine is None


def test_groups_are_compared_with_all_other_terms() -> None:
    found = domain_difference(Additive.open(space(), sample=0), occurrences(), PAPERS, seed=1)
    groups = {row.group: row for row in found.groups}
    every = groups["all terms"]
    assert every.difference == pytest.approx(0, abs=1e-6)
    assert every.verdict == "not shown"
    # All learn (1, 0): some words are nearer to it than others, but to every term's vector alike.
    for name, row in groups.items():
        assert row.terms
        assert row.difference == pytest.approx(0, abs=1e-6), name
    rare = groups["low in the domain, low in the background"]
    assert rare.low is None
    (own,) = (row for row in found.terms if row.term == "low-low")
    assert own.others == pytest.approx(own.cosine, abs=1e-5)


def test_what_is_near_to_everything_is_not_near_to_its_own() -> None:
    rng = np.random.default_rng(5)
    # Learned vectors and words that are near to everything add to rows and columns alike.
    table = rng.normal(size=(12, 1)) + rng.normal(size=(1, 12))
    chosen = np.arange(12) % 3 == 0
    assert nearness(table, chosen).difference == pytest.approx(0, abs=1e-12)
    assert nearness(table + np.eye(12), chosen).difference == pytest.approx(1)
