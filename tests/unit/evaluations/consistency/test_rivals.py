from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import hypergeom

from lydite.corpora.books import Passage
from lydite.corpora.running_text import RunningText
from lydite.evaluations.consistency.reliability import Blocks
from lydite.evaluations.consistency.rivals import (
    AMONG,
    Identified,
    identify_among,
    nearest_in_count,
)
from lydite.types import Floats


def text_of(**counts: int) -> RunningText:
    """Make a text in which words occur in so many sentences, one word a sentence."""
    return RunningText.of(
        Passage(((word,),)) for word, count in counts.items() for _ in range(count)
    )


def test_rivals_are_nearest_in_count_and_ties_go_by_the_alphabet() -> None:
    text = text_of(term=9, zeta=10, alpha=10, beta=8, rare=2, often=90)
    words, near = nearest_in_count(text, np.array([10, 80]), taken={"term"}, each=3, least=3)
    names = [text.words[word] for word in words.tolist()]
    assert [names[i] for i in near[0]] == ["alpha", "zeta", "beta"]
    assert names[near[1][0]] == "often"
    assert "rare" not in names
    assert "term" not in names


def identified(terms: Floats, rivals: Floats, *, splits: int = 300) -> Identified:
    """Tell terms from all rivals; both (words, blocks, d)."""
    one, other = blocks(terms), blocks(rivals)
    numbers = [np.tile(np.arange(each.shape[1]), len(each)) for each in (terms, rivals)]
    everyone = [np.arange(len(rivals))] * len(terms)
    return identify_among(one, numbers[0], other, numbers[1], everyone, splits=splits)


def blocks(vectors: Floats) -> Blocks:
    words, count, width = vectors.shape
    return Blocks(
        sums=vectors.reshape(-1, width),
        sentences=np.ones(words * count),
        term=np.repeat(np.arange(words), count),
        terms=words,
    )


def test_one_direction_of_its_own_beats_all_rivals() -> None:
    rng = np.random.default_rng(1)
    terms = np.repeat(np.eye(50)[:3, None], 8, axis=1)
    found = identified(terms, rng.normal(size=(30, 8, 50)))
    assert found.beaten.tolist() == [1.0] * 3
    assert found.place.tolist() == [1.0] * 3


def test_noise_is_at_chance() -> None:
    rng = np.random.default_rng(2)
    found = identified(rng.normal(size=(60, 12, 20)), rng.normal(size=(40, 12, 20)))
    assert found.beaten.mean() == pytest.approx(0.5, abs=0.07)
    chance = sum(1 / place for place in range(1, AMONG + 1)) / AMONG
    assert found.place.mean() == pytest.approx(chance, abs=0.07)


def test_half_of_the_rivals_ahead_by_hand() -> None:
    # The term's halves are at right angles; half of the rivals lie along its first half whatever
    # the split, half opposite: with two blocks, both halves are one block each.
    terms = np.array([[[1.0, 0.0], [0.0, 1.0]]])
    rivals = np.array([[[1.0, 1.0]] * 2] * 19 + [[[-1.0, -1.0]] * 2] * 19)
    found = identified(terms, rivals)
    assert found.beaten[0] == pytest.approx(0.5)
    # 19 of 38 are drawn, 19 of which are ahead: hypergeometric.
    drawn = np.arange(20)
    expected = (hypergeom.pmf(drawn, 38, 19, 19) / (1 + drawn)).sum()
    assert found.place[0] == pytest.approx(expected)


def test_the_same_every_time() -> None:
    rng = np.random.default_rng(3)
    terms, rivals = rng.normal(size=(4, 6, 5)), rng.normal(size=(25, 6, 5))
    assert identified(terms, rivals).beaten.tolist() == identified(terms, rivals).beaten.tolist()


def test_a_term_of_one_block_is_not_told() -> None:
    rng = np.random.default_rng(4)
    found = identified(rng.normal(size=(2, 1, 5)), rng.normal(size=(25, 6, 5)))
    assert np.isnan(found.beaten).all()
