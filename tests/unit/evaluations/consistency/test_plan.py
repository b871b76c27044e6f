from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.evaluations.consistency.plan import (
    Usual,
    Wished,
    blocks_for,
    blocks_for_precision,
    needed_for,
    precision,
    sentences_to_decide,
    usual_in,
)
from lydite.evaluations.consistency.reliability import Blocks, Reliability, reliability
from lydite.types import Floats


def words(rng: np.random.Generator, r: Floats, blocks: int) -> Blocks:
    """Make words with a known reliability of one block, of one sentence each."""
    scale = np.sqrt(1 / np.arange(1, 31))
    scale /= np.linalg.norm(scale)
    own = rng.normal(size=(len(r), 30)) * scale
    own *= (np.sqrt(r / (1 - r)) / np.linalg.norm(own, axis=1))[:, None]
    term = np.repeat(np.arange(len(r)), blocks)
    noise = rng.normal(size=(len(term), 30)) * scale
    return Blocks.of(own[term] + noise, term, np.arange(len(term)), len(r))


def test_what_is_usual_is_found_again() -> None:
    rng = np.random.default_rng(1)
    blocks = words(rng, np.minimum(rng.gamma(2.0, 0.03, size=800), 0.9), 20)
    usual = usual_in(blocks, reliability(blocks))
    assert usual.mean == pytest.approx(0.06, rel=0.25)
    assert usual.shape == pytest.approx(2.0, rel=0.5)
    # tr(C)² / tr(C²) of 1/i: (sum 1/i)² / sum 1/i².
    spread = 1 / np.arange(1, 31)
    assert usual.directions == pytest.approx(spread.sum() ** 2 / (spread**2).sum(), rel=0.1)


def test_shrinking_is_nearer_to_the_truth() -> None:
    rng = np.random.default_rng(2)
    true = np.minimum(rng.gamma(1.0, 0.06, size=600), 0.9)
    blocks = words(rng, true, 10)
    found = reliability(blocks)
    shrunk = usual_in(blocks, found).shrunk(found.block, found.effective)
    plain = np.sqrt(np.mean((found.block - true) ** 2))
    assert np.sqrt(np.mean((shrunk - true) ** 2)) < 0.8 * plain
    assert (shrunk > 0).all()


def test_without_a_measurement_a_term_is_as_usual() -> None:
    usual = Usual(mean=0.04)
    assert usual.shrunk(np.array([np.nan]), np.array([1.0])).tolist() == [0.04]
    # Much text leaves a measurement where it was.
    assert usual.shrunk(np.array([0.3]), np.array([5000.0]))[0] == pytest.approx(0.3, abs=0.01)


def test_few_words_say_nothing_of_what_is_usual() -> None:
    blocks = words(np.random.default_rng(3), np.full(5, 0.2), 20)
    assert usual_in(blocks, reliability(blocks)) == Usual()


def test_sentences_by_hand() -> None:
    # r = .2: .5 takes 4 blocks, .8 takes 16; two sentences a block, and four times 4 decide.
    r = np.array([0.2])
    assert blocks_for(r, 0.8)[0] == pytest.approx(16)
    found = Reliability(
        block=r,
        effective=np.array([5.0]),
        sentences=np.array([10.0]),
        blocks=np.array([5]),
        low=r,
        high=r,
    )
    assert sentences_to_decide(r, found)[0] == pytest.approx(32)
    assert Reliability.at_blocks(r, 16)[0] == pytest.approx(0.8)


def test_the_planned_precision_is_what_comes_out() -> None:
    # The standard error of R is what many samples of as many blocks vary by.
    rng = np.random.default_rng(4)
    r, count = 0.1, 40
    blocks = words(rng, np.full(800, r), count)
    found = reliability(blocks)
    usual = usual_in(blocks, found)
    expected = precision(usual, np.array([r]), np.array([float(count)]))[0]
    assert found.value.std() == pytest.approx(expected, rel=0.35)
    assert blocks_for_precision(usual, r, expected) == pytest.approx(count, rel=0.1)


def test_quantiles_ascend_and_have_the_mean_between() -> None:
    low, middle, high = Usual(mean=0.05, shape=1.0).quantiles((0.25, 0.5, 0.75))
    # Of an exponential distribution the median is log 2 times the mean.
    assert low < middle < 0.05 < high
    assert middle == pytest.approx(0.05 * np.log(2), rel=0.05)


def test_a_plan_by_hand() -> None:
    # (1 - r) / r is 24: .8 takes 4 times as many, .9 nine times, and four times decide.
    wished = Wished(reliabilities=(0.5, 0.8, 0.9), precision=0.1)
    assert needed_for(0.04, Usual(), wished)[:4] == pytest.approx([24, 96, 216, 96])


def test_a_planned_precision_by_hand() -> None:
    # At r = .2 and k = 16, R = .8: dR/dr = 16 / (1 + 15 * .2)² = 1, so the error of R is that of r,
    # 2 / (k² d) + 4 r (1 - r)² l / k = 2 / 2560 + 4 * .2 * .64 * .05 / 16 = .00078 + .0016.
    usual = Usual(directions=10.0, along=0.05)
    error = np.sqrt(2 / 2560 + 0.0016)
    assert precision(usual, np.array([0.2]), np.array([16.0]))[0] == pytest.approx(error)
    *_, k = needed_for(0.2, usual, Wished(precision=2 * error))
    assert k == pytest.approx(16, rel=0.01)


def test_a_finer_precision_takes_more_text() -> None:
    needed = [needed_for(0.05, Usual(), Wished(precision=p))[-1] for p in (0.2, 0.1, 0.05)]
    assert needed == sorted(needed)
    assert needed[0] < needed[2]


def test_four_of_five_are_decided_with_as_much_text_as_is_said() -> None:
    rng = np.random.default_rng(8)
    for r in (0.05, 0.15):
        *_, decide, _ = needed_for(r, Usual(), Wished())
        found = reliability(words(rng, np.full(400, r), round(decide)))
        assert 0.7 < found.verdicts.count("consistent") / 400 < 0.97


@pytest.mark.parametrize(
    "wrong", [{"reliabilities": (1.0,)}, {"precision": 0.0}, {"of_paragraphs": (2.0,)}]
)
def test_wishes_that_no_text_grants_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        Wished(**wrong)  # type: ignore[arg-type]


def test_where_text_grows_less_useful_more_of_it_is_needed() -> None:
    r = np.array([0.2])
    # 16 of 10 effective blocks: 1.6 times the text, or 1.6² where twice is worth only √2.
    found = [
        Reliability(
            block=r,
            effective=np.array([10.0]),
            sentences=np.array([30.0]),
            blocks=np.array([10]),
            low=r,
            high=r,
            growth=growth,
        )
        for growth in (1.0, 0.5)
    ]
    assert sentences_to_decide(r, found[0])[0] == pytest.approx(48)
    assert sentences_to_decide(r, found[1])[0] == pytest.approx(76.8)
