from __future__ import annotations

import math
import random
from collections.abc import Mapping

import numpy as np
import pytest

from lydite.lexicons.information_content import Counting, collect, intrinsic, own_counts
from lydite.lexicons.taxonomy import Taxonomy, TaxonomyBuilder
from lydite.types import Floats

PARENTS = {
    "entity": [],
    "animal": ["entity"],
    "pet": ["entity"],
    "dog": ["animal", "pet"],
    "cat": ["pet", "animal"],
    "rock": ["entity"],
}
LABELS = {"dog": ["dog", "Rex"], "cat": ["cat", "Rex"], "rock": ["rock", "stone age rock"]}
COUNTS = {"dog": 4, "cat": 2, "rock": 1, "stone_age_rock": 1, "rex": 2, "animal": 1, "emu": 50}


def taxonomy(
    parents: Mapping[str, list[str]] = PARENTS,
    labels: Mapping[str, list[str]] = LABELS,
    letters: Mapping[str, str] | None = None,
) -> Taxonomy:
    builder = TaxonomyBuilder(name="things", sha256="0")
    for concept in parents:
        letter = (letters or {}).get(concept, "")
        builder.add_concept(concept, labels.get(concept, [concept]), part_of_speech=letter)
    for concept, above in parents.items():
        for parent in above:
            builder.add_edge("is-a", concept, parent)
    return builder.build()


def counted(
    tree: Taxonomy,
    counts: Mapping[str, float],
    *,
    counting: Counting = "resnik",
    smoothing: float = 0.0,
) -> tuple[Floats, Floats]:
    numbers = np.array(list(counts.values()), dtype=np.float64)
    own = own_counts(tree, list(counts), numbers, counting)
    return collect(tree, own + smoothing, "hypernymy")


def test_a_diamond_counts_once_at_the_top() -> None:
    # Rex is a dog once and a cat once. By hand: dog 4 + 1, cat 2 + 1, rock 1 + 1, animal itself 1,
    # so that animal has 1 + 5 + 3, pet 5 + 3, entity 1 + 5 + 3 + 2.
    counts, values = counted(taxonomy(), COUNTS)
    assert counts.tolist() == [11, 9, 8, 5, 3, 2]
    np.testing.assert_allclose(values, -np.log(np.array([11, 9, 8, 5, 3, 2]) / 11))
    assert values[0] == 0
    assert not np.signbit(values[0])


def test_counting_all_gives_every_sense_the_whole() -> None:
    # By hand: dog 4 + 2, cat 2 + 2, rock 2, animal 1; entity is their sum.
    counts, _ = counted(taxonomy(), COUNTS, counting="all")
    assert counts.tolist() == [13, 11, 10, 6, 4, 2]


def test_smoothing_is_collected_too() -> None:
    # By hand: half of one more for each of six concepts at the top, of three at animal and pet.
    counts, _ = counted(taxonomy(), COUNTS, smoothing=0.5)
    assert counts.tolist() == [14, 10.5, 9.5, 5.5, 3.5, 2.5]


def test_a_concept_never_met_is_infinite_and_a_part_of_speech_never_met_is_unknown() -> None:
    letters = dict.fromkeys(PARENTS, "n") | {"rock": "v"}
    _, values = counted(taxonomy(letters=letters), {"dog": 2})
    # Counts: entity, animal, pet and dog 2; cat is known but not met, and no verb was met.
    assert values.tolist()[:5] == [0, 0, 0, 0, math.inf]
    assert math.isnan(values[5])


def test_each_part_of_speech_has_its_own_total() -> None:
    parents = {"thing": [], "run": ["thing"], "move": [], "run-verb": ["move"]}
    labels = {"run": ["run"], "run-verb": ["run"]}
    letters = {"thing": "n", "run": "n", "move": "v", "run-verb": "v"}
    counts, values = counted(taxonomy(parents, labels, letters), {"run": 3, "thing": 1})
    # The noun and the verb have the whole count of "run": only one sense of each is there.
    assert counts.tolist() == [4, 3, 3, 3]
    np.testing.assert_allclose(values, [0, math.log(4 / 3), 0, 0])


def test_a_cycle_does_no_harm() -> None:
    counts, _ = counted(taxonomy({"a": ["b"], "b": ["a"], "c": ["b"]}, {}), {"c": 1, "a": 2})
    # a and b lie above each other, so that both have all there is.
    assert counts.tolist() == [3, 3, 1]


@pytest.mark.parametrize("counting", ["resnik", "all"])
def test_it_agrees_with_counting_word_by_word(counting: Counting) -> None:
    draw = random.Random(4)
    names = [f"c{i}" for i in range(40)]
    parents = {
        name: draw.sample(names[:i], min(i, draw.randint(0, 3))) for i, name in enumerate(names)
    }
    labels = {name: [f"w{draw.randrange(25)}" for _ in range(2)] for name in names}
    counts = {f"w{i}": draw.randrange(9) for i in range(30)}
    collected, content = counted(taxonomy(parents, labels), counts, counting=counting)

    def above(name: str) -> set[str]:
        return {name}.union(*(above(parent) for parent in parents[name]))

    expected = dict.fromkeys(names, 0.0)
    total = 0.0
    for word, count in counts.items():
        senses = [name for name in names if word in labels[name]]
        for sense in senses:
            share = count / len(senses) if counting == "resnik" else count
            total += share
            for name in above(sense):
                expected[name] += share
    np.testing.assert_allclose(collected, list(expected.values()), atol=1e-12)
    with np.errstate(divide="ignore"):
        values = -np.log(np.array(list(expected.values())) / total)
    np.testing.assert_allclose(content, values, atol=1e-12)
    for name, parent in ((n, p) for n in names for p in parents[n]):
        assert content[names.index(name)] >= content[names.index(parent)]


def test_the_shape_alone_tells_how_much_a_concept_says() -> None:
    # Of six concepts five lie below entity, two each below animal and pet.
    values = intrinsic(taxonomy()).values
    expected = [0, 1 - math.log(3) / math.log(6), 1 - math.log(3) / math.log(6), 1, 1, 1]
    np.testing.assert_allclose(values, expected, atol=1e-15)


def test_a_part_of_speech_with_one_concept_says_nothing() -> None:
    letters = dict.fromkeys(PARENTS, "n") | {"rock": "v"}
    assert intrinsic(taxonomy(letters=letters)).values[5] == 0
