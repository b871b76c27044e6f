from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.evaluations.subsumption.inventory import (
    Choices,
    Inventory,
    WordPairs,
    build_inventory,
    read_word_pairs,
)
from lydite.lexicons.taxonomy import Taxonomy, TaxonomyBuilder
from lydite.lexicons.taxonomy_files import open_taxonomy, read_edge_list
from lydite.resources.catalogue import locate
from lydite.types import Floats

# A dog has two parents; canine-mammal is asserted though it also follows by way of carnivore; egg
# and hen lie on a cycle; bank and bass have two senses each, dog and canine two lemmas each. One
# bass is a fish by assertion, the other one by way of perch.
EDGES = """\
beagle\tdog
dog\tcanine
dog\tpet
canine\tcarnivore
carnivore\tmammal
canine\tmammal
mammal\tanimal
pet\tanimal
bank (river)\tslope
slope\tland
bank (money)\tinstitution
institution\tgroup
egg\then
hen\tegg
egg\tfood
food\tthing
bass (sea)\tperch
bass (lake)\tfish
perch\tfish
dog\tdomestic dog\tsynonym
canine\tcanid\tsynonym
claw\tpaw\tpart
paw\tleg\tpart
"""

PAIRS = (
    "beagle animal pets",
    "dog mammal pets",
    "dog pet",
    "bank land",
    "bank group",
    "canine mammal",
    "bass fish",
    "unicorn animal",
    "animal dog",
)

# What lies between, by hand: beagle-animal dog (2 lemmas), canine (2), pet, carnivore, mammal;
# dog-mammal canine (2), carnivore; bank-land slope; bank-group institution; bass-fish perch.
# dog-pet and canine-mammal are asserted, unicorn is unknown, animal-dog has no path upward.
STEPS = ["pairs", "with senses", "with a path", "inferred, not asserted", "with something between"]
FUNNEL = [9, 8, 7, 5, 5, 13]

#: Of the whole: 35 pairs have a path, 19 of them by an edge of their own.
WHOLE = [24, 35, 16]


@pytest.fixture(scope="module")
def taxonomy(tmp_path_factory: pytest.TempPathFactory) -> Taxonomy:
    path = tmp_path_factory.mktemp("taxonomy") / "edges.tsv"
    path.write_text(EDGES, encoding="utf-8")
    return read_edge_list(path, name="toy", sha256="1" * 64)


def pairs_of(lines: Sequence[str] = PAIRS) -> WordPairs:
    rows = [(*line.split(" "), "")[:3] for line in lines]
    specific, general, classes = zip(*rows, strict=True)
    return WordPairs(specific=specific, general=general, classes=classes)


def build(taxonomy: Taxonomy, **choices: Any) -> Inventory:  # noqa: ANN401
    return build_inventory(taxonomy, pairs_of(), Choices(**choices))


def counts(inventory: Inventory) -> list[int]:
    return [step.count for step in inventory.funnel]


def triples(inventory: Inventory) -> set[tuple[str, str, str]]:
    found = list(zip(inventory.a, inventory.b, inventory.c, strict=True))
    assert len(found) == len(set(found))
    return set(found)


def between(inventory: Inventory, a: str, c: str) -> set[str]:
    return {b for x, b, y in triples(inventory) if (x, y) == (a, c)}


def test_pairs_by_hand(taxonomy: Taxonomy) -> None:
    inventory = build(taxonomy)
    assert counts(inventory) == FUNNEL
    assert [step.name for step in inventory.funnel] == [*STEPS, "triples"]
    assert [step.unit for step in inventory.funnel] == ["pairs"] * 5 + ["triples"]
    dogs = {"dog", "domestic dog", "canine", "canid", "carnivore"}
    assert between(inventory, "beagle", "animal") == dogs | {"pet", "mammal"}
    assert between(inventory, "dog", "mammal") == {"canine", "canid", "carnivore"}
    assert between(inventory, "bank", "land") == {"slope"}
    assert between(inventory, "bank", "group") == {"institution"}
    assert between(inventory, "bass", "fish") == {"perch"}
    assert len(inventory) == 13


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        # The first sense of bank is that of the river, of bass that of the sea.
        ({"senses": "first"}, [9, 8, 6, 4, 4, 12]),
        ({"lemmas": "first"}, [9, 8, 7, 5, 5, 10]),
        # beagle-animal has three edges by way of dog and pet, dog-mammal two by way of canine.
        ({"paths": "shortest"}, [9, 8, 7, 5, 5, 8]),
        ({"inferred": "word"}, [9, 8, 7, 4, 4, 12]),
        # canine-mammal comes in with carnivore, dog-pet with nothing between.
        ({"inferred": "any"}, [9, 8, 7, 7, 6, 14]),
        ({"exclude": ("Pet", "canid")}, [*FUNNEL, 10]),
        ({"exclude": ("domestic_dog",)}, [*FUNNEL, 12]),
        ({"exclude": ("unheard of",)}, [*FUNNEL, 13]),
        ({"sample": 4}, [*FUNNEL, 4]),
        ({"sample": 13}, FUNNEL),
        ({"level": "sense"}, [9, 8, 7, 5, 5, 10]),
    ],
)
def test_each_choice_by_hand(
    taxonomy: Taxonomy, choices: dict[str, Any], expected: list[int]
) -> None:
    inventory = build(taxonomy, **choices)
    assert counts(inventory) == expected
    assert len(inventory) == expected[-1]


def test_the_shortest_path_leaves_out_what_lies_on_longer_ones(taxonomy: Taxonomy) -> None:
    inventory = build(taxonomy, paths="shortest")
    assert between(inventory, "beagle", "animal") == {"dog", "domestic dog", "pet"}
    # The redundant edge makes the way by carnivore the longer one.
    assert between(inventory, "dog", "mammal") == {"canine", "canid"}


def test_an_asserted_pair_is_left_out_though_it_is_inferred_too(taxonomy: Taxonomy) -> None:
    assert between(build(taxonomy), "canine", "mammal") == set()
    assert between(build(taxonomy, inferred="any"), "canine", "mammal") == {"carnivore"}
    assert between(build(taxonomy, inferred="word"), "bass", "fish") == set()


def test_the_count_is_that_of_every_word(taxonomy: Taxonomy) -> None:
    rare = {"domestic dog": 0.0, "mammal": 4.0, "land": 5.0}

    def counting(words: list[str]) -> Floats:
        return np.array([rare.get(word, 10.0) for word in words])

    # Without domestic dog and mammal: beagle-animal keeps five, dog-mammal none, the others three.
    choices = Choices(min_count=5)
    inventory = build_inventory(taxonomy, pairs_of(), choices, counting=counting)
    assert counts(inventory) == [*FUNNEL, 8]
    assert inventory.funnel[-1].name == "each word at least 5 times"
    assert inventory.counts is not None
    place = list(inventory.c).index("land")
    assert inventory.counts[place].tolist() == [10, 10, 5]


def test_information_content_is_that_of_every_concept_and_above(taxonomy: Taxonomy) -> None:
    content = np.full(len(taxonomy), 5.0)
    content[taxonomy.concepts.find(["animal"])] = 1.0
    content[taxonomy.concepts.find(["land"])] = 3.0
    content[taxonomy.concepts.find(["perch"])] = np.nan
    content[taxonomy.concepts.find(["bank (money)"])] = np.inf
    choices = Choices(min_ic=3)
    inventory = build_inventory(taxonomy, pairs_of(), choices, information_content=content)
    # dog-mammal keeps three and bank-group one; 3 is not above 3, and NaN is nothing.
    assert counts(inventory) == [*FUNNEL, 4]
    assert inventory.funnel[-1].name == "information content above 3"
    assert inventory.information_content is not None
    assert inventory.information_content[list(inventory.c).index("group"), 0] == np.inf


def test_all_filters_at_once_are_counted_one_after_the_other(taxonomy: Taxonomy) -> None:
    choices = Choices(exclude=("pet",), min_count=5, min_ic=3, sample=2)
    content = np.full(len(taxonomy), 5.0)
    content[taxonomy.concepts.find(["slope"])] = 0
    inventory = build_inventory(
        taxonomy,
        pairs_of(),
        choices,
        counting=lambda words: np.array([0.0 if " " in word else 9.0 for word in words]),
        information_content=content,
    )
    # Gone are pet (1), domestic dog (1), and slope (1).
    assert counts(inventory) == [*FUNNEL, 12, 11, 10, 2]
    assert inventory.funnel[-1].name == "drawn at random"


@pytest.mark.parametrize("choices", [Choices(min_count=1), Choices(min_ic=1)])
def test_a_filter_without_its_numbers_is_refused(taxonomy: Taxonomy, choices: Choices) -> None:
    with pytest.raises(InputError, match="needs"):
        build_inventory(taxonomy, pairs_of(), choices)


def test_what_is_known_of_a_triple(taxonomy: Taxonomy) -> None:
    inventory = build(taxonomy)
    found = list(zip(inventory.a, inventory.b, inventory.c, strict=True))
    i = found.index(("beagle", "canid", "animal"))
    assert inventory.concepts[i] == ("beagle", "canine", "animal")
    assert inventory.classes[i] == "pets"
    # Up to animal by dog and pet; below it are mammal, pet, carnivore, canine, dog and beagle.
    assert (inventory.depth[i], inventory.below[i]) == (3, 6)
    assert inventory.steps[i].tolist() == [2, 2]
    assert inventory.classes[found.index(("bank", "slope", "land"))] == ""
    assert inventory.concepts[found.index(("bank", "slope", "land"))][0] == "bank (river)"


def test_sisters_are_the_lemmas_of_all_senses(taxonomy: Taxonomy) -> None:
    inventory = build(taxonomy)
    assert set(inventory.sisters) == {w for triple in triples(inventory) for w in triple}
    assert inventory.sisters["dog"] == ("dog", "domestic dog")
    assert set(inventory.sisters["canid"]) == {"canine", "canid"}
    assert inventory.sisters["bank"] == ("bank",)


def test_the_whole_taxonomy_by_hand(taxonomy: Taxonomy) -> None:
    # Concepts between: beagle-canine 1, -pet 1, -carnivore 2, -mammal 3, -animal 5; dog-carnivore
    # 1, -mammal 2, -animal 4; canine-animal 2; carnivore-animal 1; the banks 2; bass 1; egg-thing
    # and hen-thing food, as neither egg nor hen is more general than the other.
    first = build_inventory(taxonomy, None, Choices(lemmas="first"))
    assert counts(first) == [*WHOLE, 27]
    assert [step.name for step in first.funnel[:2]] == ["concepts", "with a path"]
    assert {b for a, b, c in triples(first) if (a, c) == ("egg", "thing")} == {"food"}
    # With all lemmas a triple with a dog or a canine counts double, with both four times.
    assert counts(build_inventory(taxonomy, None, Choices())) == [*WHOLE, 52]
    assert counts(build_inventory(taxonomy, None, Choices(level="sense"))) == [*WHOLE, 27]
    assert counts(build_inventory(taxonomy, None, Choices(level="sense", paths="shortest"))) == [
        *WHOLE,
        18,
    ]
    # canine-mammal comes in, with carnivore.
    loose = build_inventory(taxonomy, None, Choices(level="sense", inferred="any"))
    assert counts(loose) == [24, 35, 35, 28]


def test_choices_about_words_hold_for_the_whole_taxonomy_too(taxonomy: Taxonomy) -> None:
    # The bank of money is not the first sense of its word, and one bass is a fish outright.
    first = triples(build_inventory(taxonomy, None, Choices(senses="first")))
    everything = triples(build_inventory(taxonomy, None, Choices()))
    assert everything - first == {("bank", "institution", "group")}
    word = triples(build_inventory(taxonomy, None, Choices(inferred="word")))
    assert everything - word == {("bass", "perch", "fish")}


def test_of_concepts_on_a_cycle_none_is_between(tmp_path: Path) -> None:
    path = tmp_path / "edges.tsv"
    path.write_text("low\tx\nx\ty\ny\tz\nz\tx\nz\ttop\n", encoding="utf-8")
    ring = read_edge_list(path, name="ring", sha256="")
    found = triples(build_inventory(ring, None, Choices(inferred="any")))
    # x, y and z lie above each other: each is between low and top, and nothing else is anywhere.
    assert found == {("low", each, "top") for each in "xyz"}


def test_parts_and_wholes(taxonomy: Taxonomy) -> None:
    inventory = build_inventory(taxonomy, None, Choices(relation="meronymy"))
    assert triples(inventory) == {("claw", "paw", "leg")}
    assert counts(inventory) == [24, 3, 1, 1]
    one = build_inventory(taxonomy, pairs_of(["claw leg", "leg claw"]), Choices(relation="part"))
    assert counts(one) == [2, 2, 1, 1, 1, 1]
    with pytest.raises(InputError, match="toy has no edge of the relation 'causes'"):
        build_inventory(taxonomy, None, Choices(relation="causes"))


def test_a_word_is_never_asked_about_itself(tmp_path: Path) -> None:
    # By way of other senses man would be A and B, turkey A and C, drink B and C.
    edges = [
        "man (male)\tman (human)",
        "man (human)\tprimate",
        "primate\tanimal",
        "turkey (bird)\tfowl",
        "fowl\tturkey (dish)",
        "ale\tdrink (beer)",
        "drink (beer)\tdrink (liquid)",
    ]
    path = tmp_path / "edges.tsv"
    path.write_text("\n".join(edges), encoding="utf-8")
    same = read_edge_list(path, name="same", sha256="")
    assert triples(build_inventory(same, None, Choices())) == {("man", "primate", "animal")}
    senses = build_inventory(same, None, Choices(level="sense"))
    assert ("man (male)", "man (human)", "primate") in senses.concepts
    assert ("turkey (bird)", "fowl", "turkey (dish)") in senses.concepts
    assert len(senses) == 6


def test_a_sample_is_drawn_by_seed_from_all(taxonomy: Taxonomy) -> None:
    whole = triples(build_inventory(taxonomy, None, Choices()))
    seen = set()
    for seed in range(12):
        drawn = [build_inventory(taxonomy, None, Choices(sample=20), seed=seed) for _ in range(2)]
        assert triples(drawn[0]) == triples(drawn[1])
        assert len(drawn[0]) == 20
        assert triples(drawn[0]) <= whole
        seen |= triples(drawn[0])
    assert seen == whole


def test_the_order_of_pairs_does_not_matter(taxonomy: Taxonomy) -> None:
    for choices in (Choices(), Choices(sample=5), Choices(level="sense")):
        one = build_inventory(taxonomy, pairs_of(), choices, seed=3)
        other = build_inventory(taxonomy, pairs_of(PAIRS[::-1]), choices, seed=3)
        assert set(one.concepts) == set(other.concepts)
        assert triples(one) == triples(other)
        assert counts(one) == counts(other)


def test_pairs_are_found_in_any_case_and_with_underscores(taxonomy: Taxonomy) -> None:
    inventory = build_inventory(taxonomy, pairs_of(["Domestic_Dog MAMMAL"]), Choices())
    assert between(inventory, "domestic dog", "mammal") == {"canine", "canid", "carnivore"}


def test_a_pair_given_twice_gives_its_triples_once(taxonomy: Taxonomy) -> None:
    inventory = build_inventory(taxonomy, pairs_of(["bank land x", "bank land y"]), Choices())
    assert triples(inventory) == {("bank", "slope", "land")}
    assert list(inventory.classes) == ["x"]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (["unicorn horse"], [1, 0, 0, 0, 0, 0]),
        (["animal dog", "dog dog"], [2, 2, 0, 0, 0, 0]),
        (["dog pet"], [1, 1, 1, 0, 0, 0]),
    ],
)
def test_the_funnel_of_an_empty_inventory_goes_on_to_the_end(
    taxonomy: Taxonomy, pairs: list[str], expected: list[int]
) -> None:
    inventory = build_inventory(taxonomy, pairs_of(pairs), Choices())
    assert counts(inventory) == expected
    assert len(inventory) == 0
    assert inventory.depth.shape == (0,)


def parts_of_speech() -> Taxonomy:
    builder = TaxonomyBuilder(name="runs", sha256="")
    for letter in "vn":
        for name in ("sprint", "run", "move"):
            builder.add_concept(f"{name}.{letter}.01", [name], part_of_speech=letter)
        builder.add_edge("is-a", f"sprint.{letter}.01", f"run.{letter}.01")
        builder.add_edge("is-a", f"run.{letter}.01", f"move.{letter}.01")
    return builder.build()


def test_only_concepts_of_the_part_of_speech() -> None:
    pairs = pairs_of(["sprint move"])
    for source in (pairs, None):
        nouns, verbs, both = (
            build_inventory(
                parts_of_speech(), source, Choices(part_of_speech=letter, level="sense")
            )
            for letter in ("n", "v", "")
        )
        assert nouns.concepts == [("sprint.n.01", "run.n.01", "move.n.01")]
        assert verbs.concepts == [("sprint.v.01", "run.v.01", "move.v.01")]
        assert len(both) == 2
    # The verb comes first; among the nouns the noun does.
    first = build_inventory(parts_of_speech(), pairs, Choices(senses="first", level="sense"))
    assert len(first) == 1
    with pytest.raises(InputError, match="no concept of the part of speech 'r'"):
        build_inventory(parts_of_speech(), pairs, Choices(part_of_speech="r"))


def test_a_concept_is_left_out_by_its_preferred_label_alone(taxonomy: Taxonomy) -> None:
    # As object.n.01 must go with `object`, though `physical object` is another of its lemmas.
    without = build(taxonomy, level="sense", exclude=("canine",))
    assert not [concepts for concepts in without.concepts if "canine" in concepts]
    assert len(without) == 8
    assert len(build(taxonomy, level="sense", exclude=("canid",))) == 10


def test_senses_have_names_for_spaces_of_senses(taxonomy: Taxonomy) -> None:
    assert build(taxonomy).keys == {}
    inventory = build(taxonomy, level="sense")
    assert inventory.level == "sense"
    assert inventory.keys["bank", "bank (money)"] == ("bank (money)",)
    for triple, concepts in zip(
        zip(inventory.a, inventory.b, inventory.c, strict=True), inventory.concepts, strict=True
    ):
        assert all(pair in inventory.keys for pair in zip(triple, concepts, strict=True))


def test_provenance_says_what_and_how(taxonomy: Taxonomy) -> None:
    about = build(taxonomy, exclude=("pet",), paths="shortest").provenance
    assert (about["taxonomy"], about["taxonomy_sha256"]) == ("toy", "1" * 64)
    assert about["choices"]["exclude"] == ["pet"]
    assert about["choices"]["paths"] == "shortest"


@cache
def wordnet() -> Taxonomy:
    located = locate("wordnet-3.0")
    return open_taxonomy(located.paths, name=located.name, sha256=located.sha256)


def test_bless_and_wordnet_give_the_triples_that_nltk_gives(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = "NLTK, the other implementation, is not installed"
    data = pytest.importorskip("nltk.data", reason=reason)
    reading = pytest.importorskip("nltk.corpus.reader.wordnet", reason=reason)

    class Reader(reading.WordNetCorpusReader):  # type: ignore[misc, name-defined]
        # Other versions and languages are not at hand.
        def map_wn(self, version: str = "wordnet") -> None: ...

    monkeypatch.setattr(data, "path", [str(shared_data)])
    other = Reader(str(shared_data / "wordnet-3.0"), object())
    pairs = read_word_pairs(locate("bless").single(), "hypernymy")
    inventory = build_inventory(wordnet(), pairs, Choices())

    def parents(synset: Any) -> list[Any]:  # noqa: ANN401
        return [*synset.hypernyms(), *synset.instance_hypernyms()]

    @cache
    def above(synset: Any) -> frozenset[Any]:  # noqa: ANN401
        return frozenset().union(*({parent} | above(parent) for parent in parents(synset)))

    def senses(word: str) -> list[Any]:
        # NLTK also gives the senses of base forms and of words in another case.
        return [each for each in other.synsets(word, "n") if word in each.lemma_names()]

    expected, steps = set(), np.zeros(3, dtype=int)
    for a, c in zip(pairs.specific, pairs.general, strict=True):
        crossed = [(x, y) for x in senses(a) for y in senses(c)]
        linked = [(x, y) for x, y in crossed if y in above(x)]
        inferred = [(x, y) for x, y in linked if y not in parents(x)]
        steps += [bool(crossed), bool(linked), bool(inferred)]
        expected |= {
            (a, lemma, c)
            for x, y in inferred
            for b in above(x)
            if y in above(b)
            for lemma in b.lemma_names()
            if len({a, lemma, c}) == 3
        }
    assert {tuple(w.replace("_", " ") for w in t) for t in expected} == triples(inventory)
    assert counts(inventory)[1:4] == steps.tolist()
    assert len(inventory) == 9047


def test_words_between_are_excluded_in_wordnet_at_both_levels(shared_data: Path) -> None:
    pairs = read_word_pairs(locate("bless").single(), "hypernymy")
    for level, gone in (("word", "object"), ("sense", "object.n.01")):
        choices = Choices(level=level)  # type: ignore[arg-type]
        held, left = (
            build_inventory(wordnet(), pairs, each)
            for each in (choices, replace(choices, exclude=("object", "artifact")))
        )
        names = (
            [held.concepts, left.concepts] if level == "sense" else [triples(held), triples(left)]
        )
        assert [any(gone in triple for triple in each) for each in names] == [True, False]
