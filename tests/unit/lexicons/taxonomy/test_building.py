from __future__ import annotations

import logging

import pytest

from lydite.lexicons import taxonomy as problems
from lydite.lexicons.taxonomy import Taxonomy, TaxonomyBuilder, problem_examples


def _builder(*concepts: str) -> TaxonomyBuilder:
    builder = TaxonomyBuilder(name="pets", sha256="c0ffee")
    for concept in concepts:
        builder.add_concept(concept, [concept])
    return builder


def _parents(taxonomy: Taxonomy, kind: str) -> dict[str, list[str]]:
    lists = taxonomy.parents[kind]
    return {
        taxonomy.concepts[i]: [taxonomy.concepts[p] for p in lists[i]]
        for i in range(len(taxonomy))
        if len(lists[i])
    }


def _senses(taxonomy: Taxonomy) -> dict[str, list[str]]:
    return {
        word: [taxonomy.concepts[c] for c in taxonomy.senses[i]]
        for i, word in enumerate(taxonomy.words)
    }


def test_concepts_and_edges_may_come_in_any_order() -> None:
    builder = _builder()
    builder.add_edge("is-a", "dog", "animal")
    builder.add_edge("part", "tail", "dog")
    for concept in ("dog", "tail", "animal"):
        builder.add_concept(concept, [concept])
    taxonomy = builder.build()
    assert list(taxonomy.concepts) == ["dog", "tail", "animal"]
    assert _parents(taxonomy, "is-a") == {"dog": ["animal"]}
    assert _parents(taxonomy, "part") == {"tail": ["dog"]}
    assert (taxonomy.name, taxonomy.fingerprint) == ("pets", "c0ffee")
    assert taxonomy.parts_of_speech is None


def test_labels_keep_their_order_and_stand_once() -> None:
    builder = _builder()
    builder.add_concept("1", ["dog", " domestic\t dog ", "", "  ", "dog"])
    builder.add_concept("1", ["hound", "dog"])
    taxonomy = builder.build()
    assert [taxonomy.words[word] for word in taxonomy.labels[0]] == ["dog", "domestic dog", "hound"]
    assert len(builder) == 1


def test_a_word_means_first_the_concept_that_prefers_it() -> None:
    builder = _builder()
    builder.add_concept("hammer", ["hammer", "cock"])
    builder.add_concept("tap", ["tap"])
    builder.add_concept("tap", ["cock"])
    builder.add_concept("rooster", ["cock", "rooster"])
    senses = _senses(builder.build())
    assert senses["cock"] == ["rooster", "hammer", "tap"]
    assert senses["tap"] == ["tap"]


def test_ranks_decide_which_sense_is_most_usual() -> None:
    builder = _builder()
    builder.add_concept("a", ["bank", "shore"], ranks=[2, 0])
    builder.add_concept("b", ["bank"], ranks=[0])
    builder.add_concept("c", ["bank"], ranks=[1])
    assert _senses(builder.build()) == {"bank": ["b", "c", "a"], "shore": ["a"]}


def test_parts_of_speech_where_there_are_any() -> None:
    builder = _builder("dog")
    builder.add_concept("run", ["run"], part_of_speech="v")
    letters = builder.build().parts_of_speech
    assert letters is not None
    assert letters.tolist() == ["", "v"]


def test_duplicates_and_loops_are_left_out_and_counted() -> None:
    builder = _builder("dog", "animal")
    for child, parent in [("dog", "animal"), ("dog", "animal"), ("dog", "dog"), ("dog", "animal")]:
        builder.add_edge("is-a", child, parent)
    builder.add_edge("part", "dog", "animal")
    taxonomy = builder.build()
    assert _parents(taxonomy, "is-a") == _parents(taxonomy, "part") == {"dog": ["animal"]}
    assert taxonomy.problems == {
        problems.DUPLICATE_EDGE: 2,
        problems.SELF_LOOP: 1,
        problems.ROOT: 1,
    }


def test_edges_to_nothing_are_left_out_counted_and_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    builder = _builder("dog")
    for number in range(7):
        builder.add_edge("is-a", "dog", f"missing-{number}")
    builder.add_edge("is-a", "ghost", "dog")
    with caplog.at_level(logging.WARNING):
        taxonomy = builder.build()
    assert taxonomy.problems == {problems.DANGLING_EDGE: 8}
    assert taxonomy.parents == {}
    assert caplog.messages == [
        "pets: 8 concepts that is-a edges name are not described, and the edges left out: "
        "missing-0, missing-1, missing-2, missing-3, missing-4, …"
    ]


def test_edges_to_what_is_obsolete_are_left_out_and_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    builder = _builder("dog", "animal")
    builder.leave_out("brute")
    builder.add_edge("is-a", "dog", "brute")
    builder.add_edge("is-a", "dog", "animal")
    builder.add_edge("is-a", "brute", "animal")
    builder.add_edge("is-a", "brute", "nothing")
    taxonomy = builder.build()
    assert _parents(taxonomy, "is-a") == {"dog": ["animal"]}
    assert taxonomy.problems == {
        problems.OBSOLETE: 1,
        problems.OBSOLETE_EDGE: 1,
        problems.ROOT: 1,
    }
    assert caplog.messages == []


def test_cycles_are_kept_and_counted() -> None:
    # a > b > c > a is a cycle of is-a and instance together, d hangs below it; e and f are parts
    # of each other. That a is a part of d makes no cycle: it takes two relations to come round.
    builder = _builder("a", "b", "c", "d", "e", "f")
    edges = [
        ("is-a", "ab"), ("instance", "bc"), ("is-a", "ca"), ("is-a", "da"),
        ("part", "ef"), ("part", "fe"), ("part", "ad"), ("regulates", "df"), ("regulates", "fd"),
    ]  # fmt: skip
    for kind, ends in edges:
        builder.add_edge(kind, *ends)
    taxonomy = builder.build()
    assert taxonomy.problems == {problems.ON_CYCLE: 5}
    assert sum(len(lists.items) for lists in taxonomy.parents.values()) == 9


def test_roots_and_several_parents_are_those_of_hypernymy() -> None:
    # Above others and below none: x, y. Below two: a, whose parents are of two kinds. p and q
    # have no place in hypernymy.
    builder = _builder("a", "b", "x", "y", "p", "q")
    edges = [("is-a", "ax"), ("instance", "ay"), ("is-a", "bx"), ("part", "pq"), ("part", "pa")]
    for kind, ends in edges:
        builder.add_edge(kind, *ends)
    assert builder.build().problems == {problems.ROOT: 2, problems.SEVERAL_PARENTS: 1}


def test_without_hypernymy_they_are_those_of_meronymy() -> None:
    builder = _builder("hand", "arm", "leg")
    builder.add_edge("part", "hand", "arm")
    assert builder.build().problems == {problems.ROOT: 1}


def test_labels_are_counted() -> None:
    builder = _builder("x")
    builder.add_concept("1", ["bank"])
    builder.add_concept("2", ["bank"])
    builder.add_concept("3")
    taxonomy = builder.build()
    assert taxonomy.problems == {problems.SHARED_LABEL: 1, problems.NO_LABEL: 1}
    assert taxonomy.labels[3].tolist() == []


def test_building_twice_gives_the_same() -> None:
    builder = _builder("dog", "animal")
    builder.add_edge("is-a", "dog", "animal")
    builder.add_edge("is-a", "dog", "dog")
    builder.problems.note("something of the reader's", "one")
    builder.problems.note("something of the reader's", "two")
    first, second = builder.build(), builder.build()
    assert first.problems == second.problems
    assert first.problems["something of the reader's"] == 2
    assert first.examples == second.examples
    assert first.examples["something of the reader's"] == ("one", "two")


def test_problems_are_named() -> None:
    builder = _builder("dog", "pet", "friend", "cat")
    edges = ["dog > pet", "pet > friend", "friend > dog", "dog > pet", "cat > cat", "cat > ghost"]
    for child, parent in (edge.split(" > ") for edge in edges):
        builder.add_edge("is-a", child, parent)
    builder.add_edge("is-a", "cat", "pet")
    builder.add_edge("is-a", "cat", "friend")
    builder.leave_out("dodo")
    builder.add_edge("is-a", "cat", "dodo")
    assert problem_examples(builder.build()) == {
        problems.OBSOLETE: ("dodo",),
        problems.DUPLICATE_EDGE: ("dog > pet",),
        problems.SELF_LOOP: ("cat",),
        problems.DANGLING_EDGE: ("cat > ghost",),
        problems.OBSOLETE_EDGE: ("cat > dodo",),
        problems.SEVERAL_PARENTS: ("cat > pet, friend",),
        problems.ON_CYCLE: ("dog > pet > friend > dog",),
    }


def test_each_cycle_is_named_once_by_a_shortest_way() -> None:
    builder = _builder("a", "b", "c", "x", "y", "z")
    for edge in ("a b", "b c", "c a", "b a", "x y", "y x", "z a"):
        child, parent = edge.split()
        builder.add_edge("is-a", child, parent)
    taxonomy = builder.build()
    assert taxonomy.problems[problems.ON_CYCLE] == 5
    assert sorted(problem_examples(taxonomy)[problems.ON_CYCLE]) == ["a > b > a", "x > y > x"]


def test_five_of_a_kind_are_named() -> None:
    builder = _builder("a")
    for number in range(9):
        builder.add_edge("is-a", "a", f"ghost {number}")
    taxonomy = builder.build()
    assert taxonomy.problems[problems.DANGLING_EDGE] == 9
    named = problem_examples(taxonomy)[problems.DANGLING_EDGE]
    assert named == tuple(f"a > ghost {number}" for number in range(5))


def test_nothing_at_all() -> None:
    taxonomy = _builder().build()
    assert (len(taxonomy), len(taxonomy.words), taxonomy.problems) == (0, 0, {})
