from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lydite.evaluations.parsing.data import Treebank, Trees, joined
from lydite.evaluations.parsing.parser import (
    Course,
    Numbered,
    Plan,
    attachment,
    epochs,
    inputs_of,
    numbered,
    trained,
)
from lydite.spaces.space import Space

SPACE = Space.of({"a": [1.0, 0.0, 0.0], "cat": [0.0, 1.0, 0.0], "sat": [0.0, 0.0, 1.0]})
PLAN = Plan(
    course=Course(system="arc-hybrid", oracle="dynamic", explored=0.9, dropout=0.0),
    scale="none",
    hidden=16,
    epochs=8,
    batch=4,
)


def tree(words: str, heads: list[int], relations: str) -> Trees:
    return Trees(
        words=tuple(words.split()),
        heads=np.array(heads, dtype=np.int32),
        relations=tuple(relations.split()),
        punctuation=np.zeros(len(heads), dtype=np.bool_),
        starts=np.array([0, len(heads)]),
    )


@pytest.fixture
def data() -> Numbered:
    """Return trees that the last word tells: a verb is the root, else the noun is."""
    kinds = [tree("a cat sat", [2, 3, 0], "det nsubj root"), tree("a cat", [2, 0], "det root")]
    bank = Treebank(
        train=joined(kinds * 10), development=joined(kinds), test=joined(kinds), notes=()
    )
    return numbered(bank, punctuation=True)


def test_the_same_seed_gives_the_same_parser_beside_whatever_others(data: Numbered) -> None:
    lookup = SPACE.lookup(data.words)
    short = replace(PLAN, epochs=1)
    alone = trained(data, [lookup], short, seeds=[5])[0]
    beside = trained(data, [lookup], short, seeds=[4, 5])[1]
    assert alone.tuned == beside.tuned
    assert (alone.heads == beside.heads).all()
    assert (alone.labels == beside.labels).all()


def test_trees_that_vectors_tell_are_learnt_and_reported(data: Numbered) -> None:
    (found,) = trained(data, [SPACE.lookup(data.words)], PLAN, seeds=[0])
    assert found.heads.tolist() == [2, 3, 0, 2, 0]
    assert found.tuned == (1.0, 1.0)
    assert 1 <= found.epoch <= PLAN.epochs
    assert found.plain(data) == {
        "uas": 1.0, "las": 1.0, "epoch": found.epoch,
        "development_uas": 1.0, "development_las": 1.0,
    }  # fmt: skip


def test_vectors_may_be_one_for_all_seeds_or_one_each(data: Numbered) -> None:
    known = SPACE.lookup(data.words)
    other = Space.of({"a": [0.0, 0.0, 1.0], "cat": [1.0, 1.0, 0.0]}).lookup(data.words)
    short = replace(PLAN, epochs=1)
    both = trained(data, [known, other], short, seeds=[1, 1])
    apart = [trained(data, [each], short, seeds=[1])[0] for each in (known, other)]
    for one, same in zip(both, apart, strict=True):
        assert (one.heads == same.heads).all()
        assert one.tuned == same.tuned


def test_weights_go_on_to_change_and_no_seed_is_like_another(data: Numbered) -> None:
    vectors, rows = inputs_of(SPACE.lookup(data.words), data.train.rows, "none")
    training = replace(data.train, rows=rows[data.train.rows])

    def biases(seed: int) -> list[list[float]]:
        found = epochs(training, vectors, PLAN, labels=len(data.relations), seed=seed)
        return [weights.bias.tolist() for weights in found]

    one = biases(0)
    assert len(one) == PLAN.epochs
    assert one[0] != one[-1]
    assert biases(0) == one
    assert biases(1) != one


def test_attachment_by_hand(data: Numbered) -> None:
    gold = data.test
    heads, labels = gold.heads.copy(), gold.labels.copy()
    heads[0], labels[1] = 3, labels[0]
    # Of four words that count the first has a wrong head, the second only a wrong relation.
    scored = np.array([True, True, True, True, False])
    assert attachment(gold, heads, labels, scored) == (3 / 4, 2 / 4)
