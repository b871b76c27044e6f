from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

from lydite.corpora.books import Passage
from lydite.corpora.running_text import RunningText
from lydite.errors import InputError
from lydite.evaluations.consistency.drift import (
    OF_PSEUDO_TERMS,
    OF_TERMS,
    Draws,
    deal,
    drift,
    parts_of,
    pseudo_terms,
)
from lydite.models.contributions import Contributions
from lydite.types import Floats, Indices


def text_of(
    *paragraphs: int, chapters: list[int] | None = None, works: list[int] | None = None
) -> RunningText:
    """Make a text of paragraphs with so many sentences of one word."""
    return RunningText.of(
        Passage(
            (("w",),) * count,
            0 if chapters is None else chapters[i],
            0 if works is None else works[i],
        )
        for i, count in enumerate(paragraphs)
    )


def test_halves_divide_at_the_paragraph_nearest_to_the_middle() -> None:
    assert parts_of(text_of(3, 4, 2, 1), "halves").tolist() == [0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
    assert parts_of(text_of(1, 4, 2, 3), "halves").tolist() == [0] * 5 + [1] * 5


def test_chapters_and_works() -> None:
    text = text_of(2, 1, 1, chapters=[0, 2, 5], works=[0, 0, 1])
    assert parts_of(text, "chapters").tolist() == [0, 0, 1, 2]
    assert parts_of(text, "works").tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("by", "lacking"),
    [("halves", "single paragraph"), ("chapters", "single chapter"), ("works", "single file")],
)
def test_one_part_is_nothing_to_compare(by: str, lacking: str) -> None:
    with pytest.raises(InputError, match=lacking):
        parts_of(text_of(4), by)  # type: ignore[arg-type]


def given(
    vectors: Floats, term: list[int], sentence: list[int], text: RunningText
) -> Contributions:
    """Give terms these vectors in a text that otherwise adds nothing."""
    numbers = np.array(sentence)
    return Contributions(
        sums=np.asarray(vectors, dtype=np.float64),
        weight=np.ones(len(numbers)),
        term=np.array(term),
        sentence=numbers,
        block=text.paragraph[numbers],
        terms=max(term) + 1,
        text_sums=np.zeros((len(text), np.shape(vectors)[1])),
        text_weight=np.ones(len(text)),
        text=text,
    )


def statistic(vectors: Floats, sizes: Floats, first: tuple[int, ...]) -> float:
    """Return n1 n2 / n |m1 - m2|², in the plain words of the definition."""
    one = np.isin(np.arange(len(vectors)), first)
    n, m = sizes[one].sum(), sizes[~one].sum()
    apart = vectors[one].sum(axis=0) / n - vectors[~one].sum(axis=0) / m
    return float(n * m / (n + m) * apart @ apart)


def test_p_is_the_share_of_ways_to_deal_paragraphs_that_part_them_as_far() -> None:
    rng = np.random.default_rng(4)
    # Paragraphs of one and two sentences, the first four in the first half.
    sizes = np.array([1, 2, 1, 1, 2, 1, 1, 1])
    text = text_of(*sizes.tolist())
    vectors = rng.normal(size=(10, 3))
    vectors[:5] += 0.8
    found = drift(given(vectors, [0] * 10, list(range(10)), text), parts_of(text, "halves"))
    sums = np.add.reduceat(vectors, np.cumsum(sizes) - sizes, axis=0)
    observed = statistic(sums, sizes, (0, 1, 2, 3))
    every = [statistic(sums, sizes, first) for first in combinations(range(8), 4)]
    assert len(every) == 70
    assert found.p[0] == pytest.approx(np.mean(np.array(every) >= observed * (1 - 1e-12)))
    assert (found.parts[0], found.blocks[0]) == (2, 8)


def test_perfectly_apart_paragraphs_by_hand() -> None:
    text = text_of(*[1] * 8)
    vectors = np.array([[1.0]] * 4 + [[-1.0]] * 4)
    found = drift(given(vectors, [0] * 8, list(range(8)), text), parts_of(text, "halves"))
    # Of 70 ways to deal 8 to 4 and 4, this one and its mirror image.
    assert found.p[0] == pytest.approx(2 / 70)
    assert found.share[0] == pytest.approx(1.0)
    assert found.found.tolist() == [True]


def test_too_few_paragraphs_are_not_tested() -> None:
    text = text_of(*[1] * 14)
    rng = np.random.default_rng(0)
    # Three and three can be dealt in ten ways that differ; one paragraph is no part.
    few, lone = [0, 1, 2, 7, 8, 9], [0, 1, 2, 3, 4, 5, 6, 7]
    vectors = rng.normal(size=(14, 2))
    found = drift(given(vectors, [0] * 6 + [1] * 8, few + lone, text), parts_of(text, "halves"))
    assert not found.tested.any()
    assert np.isnan(found.adjusted).all()
    assert not found.found.any()


def test_three_parts_are_dealt_as_often_as_wanted() -> None:
    rng = np.random.default_rng(1)
    sums, sizes = rng.normal(size=(6, 2)), np.array([1.0, 2, 1, 1, 3, 1])
    part = np.array([0, 0, 1, 1, 2, 2])
    drawn = np.empty(40_000)
    deal(sums, sizes, part, 3, np.uint64(3), drawn)
    every = []
    for order in set(permutations(part.tolist())):
        labels = np.array(order)
        every.append(
            sum(
                float((sums[labels == p].sum(0) ** 2).sum()) / sizes[labels == p].sum()
                for p in range(3)
            )
        )
    assert len(every) == 90
    # Every way is met, each about as often as any other.
    values, counts = np.unique(drawn.round(9), return_counts=True)
    assert values == pytest.approx(np.unique(np.round(every, 9)), abs=1e-8)
    share = np.array([np.isclose(every, value, atol=1e-8).sum() / 90 for value in values])
    assert counts / 40_000 == pytest.approx(share, abs=0.01)


def random_terms(
    terms: int, per_half: int, shift: float, seed: int
) -> tuple[Contributions, Indices]:
    """Make terms whose paragraphs of two sentences scatter, apart by ``shift`` in the halves."""
    rng = np.random.default_rng(seed)
    text = text_of(*[2] * (2 * per_half))
    n = 4 * per_half
    vectors = rng.normal(size=(terms, 2 * per_half, 1, 8)) + rng.normal(
        size=(terms, 2 * per_half, 2, 8)
    )
    vectors[:, per_half:] += shift
    term = np.repeat(np.arange(terms), n).tolist()
    sentences = list(range(n)) * terms
    return given(vectors.reshape(-1, 8), term, sentences, text), parts_of(text, "halves")


def test_without_drift_one_in_twenty_is_below_a_twentieth() -> None:
    contributions, parts = random_terms(400, 8, 0.0, 5)
    p = drift(contributions, parts, draws=OF_PSEUDO_TERMS).p
    assert 0.025 < (p <= 0.05).mean() < 0.085
    assert p.mean() == pytest.approx(0.5, abs=0.06)


def test_drift_is_found() -> None:
    contributions, parts = random_terms(30, 12, 1.0, 6)
    found = drift(contributions, parts)
    assert found.found.mean() > 0.9
    assert (found.share[found.found] > 0).all()


def test_turning_and_scaling_change_nothing() -> None:
    contributions, parts = random_terms(20, 9, 0.4, 7)
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(8, 8)))[0]
    turned = given(
        3 * contributions.sums @ turn,
        contributions.term.tolist(),
        contributions.sentence.tolist(),
        contributions.text,
    )
    one, other = drift(contributions, parts), drift(turned, parts)
    assert one.p == pytest.approx(other.p, abs=1e-3)
    assert one.share == pytest.approx(other.share)
    assert one.found.tolist() == other.found.tolist()


def test_the_company_of_a_term_does_not_change_its_p() -> None:
    contributions, parts = random_terms(6, 9, 0.3, 8)
    own = contributions.term == 4
    columns = ("sums", "weight", "term", "sentence", "block")
    kept = {name: getattr(contributions, name)[own] for name in columns}
    alone = drift(replace(contributions, **kept), parts)
    # More may be drawn where more hangs on it.
    assert alone.p[4] == pytest.approx(drift(contributions, parts).p[4], rel=0.1)
    assert alone.tested.tolist() == [False] * 4 + [True, False]


def test_ten_seeds_of_the_draws_find_the_same() -> None:
    contributions, parts = random_terms(40, 9, 0.55, 9)
    found = [drift(contributions, parts, seed=seed).found.tolist() for seed in range(10)]
    assert 2 < sum(found[0]) < 38
    assert all(each == found[0] for each in found)


def test_more_is_drawn_where_it_might_decide() -> None:
    contributions, parts = random_terms(1, 10, 1.5, 10)
    coarse = drift(contributions, parts, draws=Draws(exact=10, first=99, close=999, narrow=0))
    assert coarse.p[0] == pytest.approx(1 / 1000)
    assert drift(contributions, parts, draws=OF_TERMS).p[0] < 1 / 10_000


def wandering(seed: int) -> tuple[Contributions, Indices]:
    """Make a text whose topic wanders, with terms that have nothing to do with it."""
    rng = np.random.default_rng(seed)
    sentences, terms = 1200, 40
    text = text_of(*[4] * (sentences // 4))
    topic = np.cumsum(rng.normal(scale=0.12, size=(sentences, 6)), axis=0)
    all_sums = topic + rng.normal(size=(sentences, 6))
    places = [np.sort(rng.choice(sentences, 30, replace=False)) for _ in range(terms)]
    sentence = np.concatenate(places)
    return (
        Contributions(
            sums=all_sums[sentence],
            weight=np.ones(len(sentence)),
            term=np.repeat(np.arange(terms), 30),
            sentence=sentence,
            block=text.paragraph[sentence],
            terms=terms,
            text_sums=all_sums,
            text_weight=np.ones(sentences),
            text=text,
        ),
        parts_of(text, "halves"),
    )


def test_topics_of_the_text_are_no_drift_of_its_terms() -> None:
    contributions, parts = wandering(3)
    found = drift(contributions, parts, draws=OF_PSEUDO_TERMS)
    assert (found.p <= 0.05).mean() <= 0.15
    null = pseudo_terms(contributions, parts, shifts=5)
    assert null.false_positives < 0.12
    assert null.tested == 40
    assert null.found <= null.most
    # Without taking away what stands around, all of them are found: the text goes on.
    plain = given(
        contributions.vectors,
        contributions.term.tolist(),
        contributions.sentence.tolist(),
        contributions.text,
    )
    assert (drift(plain, parts, draws=OF_PSEUDO_TERMS).p <= 0.05).mean() > 0.9
