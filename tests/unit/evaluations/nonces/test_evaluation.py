from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.errors import UndefinedScoreError, UnsuitableModelError
from lydite.evaluations.nonces.evaluation import Nonces
from lydite.models.additive import Additive
from lydite.models.pooled import Pooled
from lydite.resources.catalogue import locate
from lydite.spaces.space import Space
from lydite.stats.means import mean_interval

SPACE = Space.of({"n": [1.0, 0.1], "a": [1.0, 0.0], "m": [0.1, 1.0], "b": [0.0, 1.0]})


def test_definitions_by_hand(tmp_path: Path) -> None:
    # "a" is nearest to itself and "n" second; of "b" likewise, "n" is third behind b and m.
    file = tmp_path / "definitions"
    file.write_text("n\t___ a\nm\t___ b\nn\t___ b\nemu\t___ a\n")
    outcome = Nonces().run(Additive.open(SPACE, sample=0), [locate(file)], seed=0)
    np.testing.assert_allclose(outcome.score, (1 / 2 + 1 / 2 + 1 / 3) / 3)
    assert outcome.others["median_rank"] == 2
    assert (outcome.n_covered, outcome.n_items) == (3, 4)
    assert outcome.items["rank"] == [2, 2, 3, None]
    assert outcome.details["missing"] == ["emu"]
    assert [(each["word"], each["rank"]) for each in outcome.details["definitions"]] == [
        ("n", 2), ("m", 2), ("n", 3),
    ]  # fmt: skip


def test_chimeras_by_hand(tmp_path: Path) -> None:
    # Learnt as "a", the cosines fall from n over m to b: rho is 1 and -1.
    file = tmp_path / "chimeras"
    file.write_text("1\t___ a\tn,m,b\t3,2,1\n2\t___ a\tn,m,b\t1,2,3\n3\t___ a\tn,m,emu\t1,2,3\n")
    outcome = Nonces().run(Additive.open(SPACE, sample=0), [locate(file)], seed=0)
    assert outcome.items["value"] == pytest.approx([1.0, -1.0, None])
    assert outcome.score == pytest.approx(0.0)
    assert (outcome.n_covered, outcome.n_items) == (2, 3)
    told = [(each["people"], each["learner"]) for each in outcome.details["chimeras"]]
    assert told == [(["n", "m", "b"], ["n", "m", "b"]), (["b", "m", "n"], ["n", "m", "b"])]


def test_the_interval_of_definitions_is_that_of_a_mean(tmp_path: Path) -> None:
    file = tmp_path / "definitions"
    file.write_text("n\t___ a\nm\t___ b\nn\t___ b\n")
    learner = Additive.open(SPACE, sample=0)
    outcome = Nonces().run(learner, [locate(file)], seed=0)
    # The first and the third define the same word.
    assert outcome.interval == mean_interval([1 / 2, 1 / 2, 1 / 3], [0, 1, 0])
    file.write_text("n\t___ a\nm\t___ b\n")
    assert Nonces().run(learner, [locate(file)], seed=0).interval is None


def test_trials_with_the_same_probes_are_one_cluster(tmp_path: Path) -> None:
    # Learnt as "a" or as "b": rho of n, m, b and of m, n, a, in two sets and in one.
    file = tmp_path / "chimeras"
    one, two = "n,m,b\t3,2,1", "a,n,m\t3,1,2"
    file.write_text(f"1\t___ a\t{one}\n2\t___ b\t{one}\n3\t___ a\t{two}\n4\t___ b\t{two}\n")
    learner = Additive.open(SPACE, sample=0)
    outcome = Nonces().run(learner, [locate(file)], seed=0)
    assert outcome.items["value"] == pytest.approx([1.0, -1.0, 0.5, -0.5])
    expected = mean_interval([1.0, 0.0, 0.75, 0.25], [0, 0, 1, 1])
    assert expected is not None
    assert outcome.interval is not None
    ends = (outcome.interval.low, outcome.interval.high)
    assert ends == pytest.approx((2 * expected.low - 1, 2 * expected.high - 1))
    # All of one set: nothing tells how sets differ.
    file.write_text(f"1\t___ a\t{one}\n2\t___ b\t{one}\n3\t___ a\tb,m,n\t3,1,2\n")
    assert Nonces().run(learner, [locate(file)], seed=0).interval is None


def test_the_null_is_the_ranks_of_the_words_that_others_define(tmp_path: Path) -> None:
    # Learnt as "a", the order is a, n, m, b; as "b" it is b, m, n, a. So of the other's word the
    # rank is 3 in both, and every draw is 1/3.
    file = tmp_path / "definitions"
    file.write_text("n\t___ a\nm\t___ b\n")
    baseline = Nonces().run(Additive.open(SPACE, sample=0), [locate(file)], seed=0).baseline
    assert (baseline.low, baseline.mean, baseline.high) == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_one_word_alone_has_no_score(tmp_path: Path) -> None:
    file = tmp_path / "definitions"
    file.write_text("n\t___ a\nn\t___ b\nemu\t___ b\n")
    with pytest.raises(UndefinedScoreError, match=r"2 different words .* but 1 of the 3 trials"):
        Nonces().run(Additive.open(SPACE, sample=0), [locate(file)], seed=0)


def test_part_and_level_choose_the_file(tmp_path: Path) -> None:
    for level, ratings in (("l2", "3,2,1"), ("l4", "1,2,3")):
        for part in ("test", "train"):
            lines = [f"{i}\t___ a\tn,m,b\t{ratings}\n" for i in (1, 2)]
            (tmp_path / f"chimeras.{level}.{part}.txt").write_text("".join(lines))
    learner = Additive.open(SPACE, sample=0)
    low, high = (
        Nonces(level=level, part="train").run(learner, [locate(tmp_path)], seed=0)
        for level in ("L2", "L4")
    )
    assert (low.score, high.score) == pytest.approx((1.0, -1.0))
    assert high.details["file"] == "chimeras.l4.train.txt"


def test_a_learner_without_a_background_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "definitions"
    file.write_text("n\t___ a\nm\t___ b\n")
    with pytest.raises(UnsuitableModelError, match="has none"):
        Nonces().run(Pooled.open("random(3)"), [locate(file)], seed=0)


def test_a_learner_that_draws_is_asked_again_and_its_trials_averaged(tmp_path: Path) -> None:
    file = tmp_path / "definitions"
    file.write_text("n\t___ a b a b a b\nm\t___ b a b a b\nn\t___ b a a b\n")
    vectors = {"n": [1.0, 0.1], "a": [1.0, 0.0], "m": [0.1, 1.0], "b": [0.0, 1.0]}
    learner = Additive.open(Space.of(vectors, counts=[1_000] * 4), sample=0.05)
    single = [
        Nonces(repeats=1).run(learner, [locate(file)], seed=seed).items["value"]
        for seed in range(3)
    ]
    assert single[0] != single[1] or single[1] != single[2]
    spread = np.ptp([Nonces(repeats=40).run(learner, [locate(file)], seed=s).score for s in (0, 1)])
    alone = np.ptp([Nonces(repeats=1).run(learner, [locate(file)], seed=s).score for s in range(9)])
    assert spread < alone
