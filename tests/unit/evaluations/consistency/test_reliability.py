from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from lydite.evaluations.consistency.reliability import Blocks, Reliability, reliability
from lydite.types import Floats


def of(*blocks: list[list[float]]) -> Reliability:
    """Make one term of blocks of sentences."""
    vectors = np.array([sentence for block in blocks for sentence in block], dtype=np.float64)
    number = np.repeat(np.arange(len(blocks)), [len(block) for block in blocks])
    return reliability(Blocks.of(vectors, np.zeros_like(number), number, 1))


def test_three_blocks_by_hand() -> None:
    # T = (2, 0) of two sentences, (1, 1), (1, -1): the sum is (4, 0), 16 - (4 + 2 + 2) = 8 over
    # 16 - (4 + 1 + 1) = 10 gives U = .8; sum |T|² / sum n² = 8 / 6, so r = .6; k = 16 / 6.
    found = of([[1, 0], [1, 0]], [[1, 1]], [[1, -1]])
    assert found.block[0] == pytest.approx(0.6)
    assert found.effective[0] == pytest.approx(16 / 6)
    assert (found.sentences[0], found.blocks[0]) == (4, 3)
    assert found.value[0] == pytest.approx((16 / 6) * 0.6 / (1 + (16 / 6 - 1) * 0.6))
    # With three blocks there is a value and no interval, so that nothing is decided.
    assert np.isnan([found.low[0], found.high[0]]).all()
    assert found.verdicts == ["undecided"]


def test_the_mean_product_has_no_pair_within_a_block() -> None:
    rng = np.random.default_rng(1)
    sizes = [1, 3, 2, 4]
    sentences = [rng.normal(size=(size, 3)) + 1 for size in sizes]
    pairs = [
        a @ b
        for one, other in itertools.permutations(range(4), 2)
        for a in sentences[one]
        for b in sentences[other]
    ]
    sums = [each.sum(axis=0) for each in sentences]
    within = sum(t @ t for t in sums) / sum(size**2 for size in sizes)
    found = of(*(each.tolist() for each in sentences))
    assert found.block[0] == pytest.approx(np.mean(pairs) / within)


def test_interval_by_hand() -> None:
    # Four blocks of one sentence: left out one by one in plain Python.
    rows = [[3.0, 1.0], [2.0, -1.0], [2.0, 0.5], [1.0, 1.0]]

    def r_of(kept: list[list[float]]) -> float:
        total = [sum(column) for column in zip(*kept, strict=True)]
        squares = sum(x * x for row in kept for x in row)
        n = len(kept)
        between = (sum(x * x for x in total) - squares) / (n * n - n)
        return float(between / (squares / n))

    def log_ratio(r: float) -> float:
        return math.log((1 + 3 * r) / (1 - r))

    left = [log_ratio(r_of(rows[:i] + rows[i + 1 :])) for i in range(4)]
    mean = sum(left) / 4
    error = math.sqrt(3 / 4 * sum((each - mean) ** 2 for each in left))
    reach = float(stats.t.ppf(0.975, 3)) * error
    middle = log_ratio(r_of(rows))
    found = of(*([row] for row in rows))
    low, high = found.interval
    assert found.value[0] == pytest.approx(1 - math.exp(-middle))
    assert low[0] == pytest.approx(max(0.0, 1 - math.exp(-(middle - reach))))
    assert high[0] == pytest.approx(1 - math.exp(-(middle + reach)))


def test_it_is_the_mean_over_all_splits() -> None:
    # Products of two halves, over products within: the mean over all ways to halve six blocks is
    # what one block's r predicts for three by Spearman-Brown, as a ratio of means.
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(6, 4)) + 0.7
    halves = [(list(h), [i for i in range(6) if i not in h]) for h in
              itertools.combinations(range(6), 3)]  # fmt: skip
    between = np.mean([rows[a].sum(axis=0) @ rows[b].sum(axis=0) for a, b in halves])
    within = np.mean([(rows[a].sum(axis=0) ** 2).sum() for a, _ in halves])
    r = of(*([row] for row in rows.tolist())).block
    assert Reliability.at_blocks(r, 3)[0] == pytest.approx(between / within)


def test_identical_blocks_are_perfect_and_opposite_ones_are_nothing() -> None:
    same = of(*([[1.0, 2.0]] for _ in range(5)))
    assert same.value[0] == pytest.approx(1)
    assert same.verdicts == ["consistent"]
    apart = of(*([[x, 0.0]] for x in (1.0, -1.0, 1.0, -1.0)))
    assert apart.value[0] == 0
    assert apart.interval[0][0] == 0


def test_terms_do_not_touch_each_other() -> None:
    rng = np.random.default_rng(5)
    vectors, term = rng.normal(size=(40, 3)), np.repeat([0, 1, 3], [15, 5, 20])
    block = rng.integers(0, 9, 40)
    every = reliability(Blocks.of(vectors, term, block, 4))
    for number in (0, 1, 3):
        own = term == number
        alone = reliability(Blocks.of(vectors[own], term[own], block[own], number + 1))
        assert alone.block[-1] == pytest.approx(every.block[number])
        assert alone.high[-1] == pytest.approx(every.high[number])
    assert np.isnan(every.block[2])
    assert every.blocks[2] == 0


def test_one_block_says_nothing() -> None:
    assert np.isnan(of([[1, 0], [1, 1]]).block[0])
    assert np.isnan(of([[0, 0]], [[0, 0]]).block[0])


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.2, 0.4, "consistent"), (-0.05, 0.02, "not consistent"), (0.0, 0.3, "undecided")],
)
def test_the_interval_alone_decides(low: float, high: float, verdict: str) -> None:
    # Eight effective blocks of two sentences: low R(8) is .667 at r = .2; thirty sentences are 15
    # blocks, and R(15) at r = .02 is .234.
    one = np.ones(1)
    found = Reliability(
        block=0.1 * one,
        effective=8 * one,
        sentences=16 * one,
        blocks=np.array([8]),
        low=low * one,
        high=high * one,
    )
    assert found.verdicts == [verdict]


def noise(rng: np.random.Generator, terms: int, blocks: int, signal: float) -> Floats:
    scale = np.arange(1, 21) ** -0.5
    own = rng.normal(size=(terms, 1, 20)) * scale
    vectors = signal * own + rng.normal(size=(terms, blocks, 20)) * scale
    return np.asarray(vectors.reshape(-1, 20))


@pytest.mark.parametrize("signal", [0.0, 0.4])
def test_the_interval_covers(signal: float) -> None:
    rng = np.random.default_rng(11)
    term = np.repeat(np.arange(600), 12)
    found = reliability(Blocks.of(noise(rng, 600, 12, signal), term, np.arange(len(term)), 600))
    # Terms differ in the length of their signal, and so in r; the mean of r is known.
    true = signal**2 / (1 + signal**2)
    assert found.block.mean() == pytest.approx(true, abs=0.02)
    if signal == 0:
        assert 0.95 <= np.mean((found.low <= 0) & (found.high >= 0)) <= 1
        assert found.verdicts.count("consistent") <= 6


def test_a_term_without_sentences_is_undecided() -> None:
    # Twelve blocks with little noise are decided; the term before them has none.
    rows = np.array([[9.0, each] for each in (1, -1, 0.5, -0.5) * 3])
    found = reliability(Blocks.of(rows, np.ones(12, dtype=np.intp), np.arange(12), 2))
    assert np.isnan([found.value[0], found.at_sentences(found.block, 30)[0]]).all()
    assert found.verdicts == ["undecided", "consistent"]
