"""The starter taxonomy keeps the promises its comments make."""

import re
from collections import Counter
from collections.abc import Iterable
from graphlib import TopologicalSorter
from importlib.resources import files

import pytest

WORD = re.compile(r"[a-z]+")
RELATIONS = ("hypernymy", "meronymy")

Edge = tuple[str, str, str]
Parents = dict[str, set[str]]


def lines() -> tuple[list[str], list[str]]:
    """Split the file into its leading comments and its rows."""
    text = (files("lydite.resources") / "starter" / "taxonomy.tsv").read_text(encoding="utf-8")
    assert text.endswith("\n")
    every = text.removesuffix("\n").split("\n")
    rows = [line for line in every if not line.startswith("#")]
    comments = every[: len(every) - len(rows)]
    assert all(line.startswith("# ") for line in comments), "comments stand at the top only"
    return comments, rows


def edges() -> list[Edge]:
    out: list[Edge] = []
    for row in lines()[1]:
        child, parent, relation = row.split("\t")
        out.append((child, parent, relation))
    return out


def parents(*relations: str) -> Parents:
    out: Parents = {}
    for child, parent, relation in edges():
        if relation in relations:
            out.setdefault(child, set()).add(parent)
            out.setdefault(parent, set())
    return out


def ancestors(above: Parents) -> Parents:
    """Close the parents transitively; a cycle raises ``graphlib.CycleError``."""
    out: Parents = {}
    for concept in TopologicalSorter(above).static_order():
        out[concept] = above[concept].union(*(out[parent] for parent in above[concept]))
    return out


def triples(closed: Parents) -> int:
    """Count the chains A < B < C, direct or not."""
    return sum(len(closed[middle]) for above in closed.values() for middle in above)


def leaf_depths(closed: Parents) -> list[int]:
    inner = set().union(*closed.values())
    return sorted(len(above) for concept, above in closed.items() if concept not in inner)


def labels(rows: Iterable[Edge]) -> set[str]:
    return {label for child, parent, _ in rows for label in (child, parent)}


def test_ancestors_and_triples_on_a_small_taxonomy() -> None:
    # a < b < d and a < c < d < e: the triples are abd, abe, acd, ace, ade, bde, cde.
    closed = ancestors({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": {"e"}, "e": set()})
    assert closed["a"] == {"b", "c", "d", "e"}
    assert triples(closed) == 7
    assert leaf_depths(closed) == [4]


def test_comments_are_short_and_name_the_licence() -> None:
    comments, _ = lines()
    assert 1 <= len(comments) <= 8
    assert any("CC0" in line for line in comments)
    assert any("for Lydite" in line for line in comments)


def test_relations_are_known_and_large_enough() -> None:
    counts = Counter(relation for _, _, relation in edges())
    assert set(counts) == set(RELATIONS)
    assert counts["hypernymy"] >= 300
    assert counts["meronymy"] >= 60


def test_labels_are_single_lower_case_tokens() -> None:
    assert {label for label in labels(edges()) if not WORD.fullmatch(label)} == set()


def test_there_are_between_250_and_450_concepts() -> None:
    assert 250 <= len(labels(edges())) <= 450


def test_rows_are_unique_and_ordered_by_relation_child_parent() -> None:
    rows = edges()
    assert rows == sorted(set(rows), key=lambda edge: (edge[2], edge[0], edge[1]))


def test_no_concept_is_its_own_parent() -> None:
    assert [edge for edge in edges() if edge[0] == edge[1]] == []


@pytest.mark.parametrize("relations", [("hypernymy",), ("meronymy",), RELATIONS])
def test_there_is_no_cycle(relations: tuple[str, ...]) -> None:
    closed = ancestors(parents(*relations))
    assert [concept for concept, above in closed.items() if concept in above] == []


def test_no_pair_is_both_a_kind_and_a_part() -> None:
    pairs = Counter(edge[:2] for edge in edges())
    assert [pair for pair, count in pairs.items() if count > 1] == []


@pytest.mark.parametrize("relation", RELATIONS)
def test_only_direct_edges_are_listed(relation: str) -> None:
    above = parents(relation)
    closed = ancestors(above)
    implied = [
        (child, parent)
        for child, direct in above.items()
        for parent in direct
        if any(parent in closed[other] for other in direct)
    ]
    assert implied == []


def test_most_leaves_have_three_ancestors_and_some_have_five() -> None:
    depths = leaf_depths(ancestors(parents("hypernymy")))
    assert sum(depth >= 3 for depth in depths) > len(depths) * 2 / 3
    assert sum(depth >= 5 for depth in depths) >= 20


def test_hypernymy_has_at_least_600_triples() -> None:
    assert triples(ancestors(parents("hypernymy"))) >= 600


def test_meronymy_has_chains() -> None:
    closed = ancestors(parents("meronymy"))
    assert closed["finger"] == {"hand", "arm", "body"}
    assert triples(closed) >= 60


def test_some_concepts_have_two_parents() -> None:
    above = parents("hypernymy")
    assert above["tomato"] == {"fruit", "vegetable"}
    assert sum(len(direct) >= 2 for direct in above.values()) >= 10
