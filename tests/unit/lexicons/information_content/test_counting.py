from __future__ import annotations

import math
import random
from collections.abc import Mapping

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.lexicons.information_content.counting import Counting, count_corpus, intrinsic
from lydite.lexicons.taxonomies.building import TaxonomyBuilder
from lydite.lexicons.taxonomies.taxonomy import Taxonomy

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


def test_a_diamond_counts_once_at_the_top() -> None:
    # Rex is a dog once and a cat once. By hand: dog 4 + 1, cat 2 + 1, rock 1 + 1, animal itself 1,
    # so that animal has 1 + 5 + 3, pet 5 + 3, entity 1 + 5 + 3 + 2.
    found = count_corpus(taxonomy(), COUNTS)
    assert found.counts.tolist() == [11, 9, 8, 5, 3, 2]
    np.testing.assert_allclose(found.values, -np.log(np.array([11, 9, 8, 5, 3, 2]) / 11))
    assert found.values[0] == 0
    assert not np.signbit(found.values[0])


def test_counting_all_gives_every_sense_the_whole() -> None:
    # By hand: dog 4 + 2, cat 2 + 2, rock 2, animal 1; entity is their sum.
    assert count_corpus(taxonomy(), COUNTS, counting="all").counts.tolist() == [13, 11, 10, 6, 4, 2]


def test_smoothing_is_collected_too() -> None:
    # By hand: half of one more for each of six concepts at the top, of three at animal and pet.
    found = count_corpus(taxonomy(), COUNTS, smoothing=0.5)
    assert found.counts.tolist() == [14, 10.5, 9.5, 5.5, 3.5, 2.5]


def test_a_concept_never_met_is_infinite_and_a_part_of_speech_never_met_is_unknown() -> None:
    letters = dict.fromkeys(PARENTS, "n") | {"rock": "v"}
    found = count_corpus(taxonomy(letters=letters), {"dog": 2})
    # Counts: entity, animal, pet and dog 2; cat is known but not met, and no verb was met.
    assert found.values.tolist()[:5] == [0, 0, 0, 0, math.inf]
    assert math.isnan(found.values[5])


def test_each_part_of_speech_has_its_own_total() -> None:
    parents = {"thing": [], "run": ["thing"], "move": [], "run-verb": ["move"]}
    labels = {"run": ["run"], "run-verb": ["run"]}
    letters = {"thing": "n", "run": "n", "move": "v", "run-verb": "v"}
    found = count_corpus(taxonomy(parents, labels, letters), {"run": 3, "thing": 1})
    # The noun and the verb have the whole count of "run": only one sense of each is there.
    assert found.counts.tolist() == [4, 3, 3, 3]
    np.testing.assert_allclose(found.values, [0, math.log(4 / 3), 0, 0])


def test_a_cycle_does_no_harm() -> None:
    found = count_corpus(taxonomy({"a": ["b"], "b": ["a"], "c": ["b"]}, {}), {"c": 1, "a": 2})
    # a and b lie above each other, so that both have all there is.
    assert found.counts.tolist() == [3, 3, 1]


@pytest.mark.parametrize("counting", ["resnik", "all"])
def test_it_agrees_with_counting_word_by_word(counting: Counting) -> None:
    draw = random.Random(4)
    names = [f"c{i}" for i in range(40)]
    parents = {
        name: draw.sample(names[:i], min(i, draw.randint(0, 3))) for i, name in enumerate(names)
    }
    labels = {name: [f"w{draw.randrange(25)}" for _ in range(2)] for name in names}
    counts = {f"w{i}": draw.randrange(9) for i in range(30)}
    found = count_corpus(taxonomy(parents, labels), counts, counting=counting)

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
    np.testing.assert_allclose(found.counts, list(expected.values()), atol=1e-12)
    with np.errstate(divide="ignore"):
        values = -np.log(np.array(list(expected.values())) / total)
    np.testing.assert_allclose(found.values, values, atol=1e-12)
    for name, parent in ((n, p) for n in names for p in parents[n]):
        assert found.values[names.index(name)] >= found.values[names.index(parent)]


def test_the_shape_alone_tells_how_much_a_concept_says() -> None:
    # Of six concepts five lie below entity, two each below animal and pet.
    values = intrinsic(taxonomy()).values
    expected = [0, 1 - math.log(3) / math.log(6), 1 - math.log(3) / math.log(6), 1, 1, 1]
    np.testing.assert_allclose(values, expected, atol=1e-15)


def test_a_part_of_speech_with_one_concept_says_nothing() -> None:
    letters = dict.fromkeys(PARENTS, "n") | {"rock": "v"}
    assert intrinsic(taxonomy(letters=letters)).values[5] == 0


def test_other_counts_are_other_content() -> None:
    prints = {count_corpus(taxonomy(), {"dog": n}).fingerprint for n in (1, 2)}
    assert len(prints | {intrinsic(taxonomy()).fingerprint}) == 3
    assert count_corpus(taxonomy(), {"dog": 1}).fingerprint in prints


@pytest.mark.parametrize(
    ("counts", "options", "message"),
    [
        ({"emu": 1}, {}, "none of the 1 words"),
        ({"dog": -1}, {}, "counts of 0 or more"),
        ({"dog": math.inf}, {}, "counts of 0 or more"),
        ({"dog": 1}, {"smoothing": -1.0}, "smoothing"),
        ({"dog": 1}, {"counting": "some"}, "counting"),
        ({"dog": 1}, {"relation": "meronymy"}, "no edge"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    counts: dict[str, float], options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        count_corpus(taxonomy(), counts, **options)  # type: ignore[arg-type]
