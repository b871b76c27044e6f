"""Subsumption preservation as a property: what keeps it by nature, and what changes nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lydite.evaluations.subsumption.evaluation import Subsumption
from lydite.evaluations.subsumption.inventory import (
    Choices,
    WordPairs,
    build_inventory,
    read_word_pairs,
    write_inventory,
)
from lydite.evaluations.subsumption.scoring import Similarities, ask_pairs
from lydite.lexicons.taxonomy import Taxonomy, TaxonomyBuilder, closure
from lydite.lexicons.taxonomy_files import open_taxonomy
from lydite.models.taxonomic import PathSimilarity
from lydite.resources.catalogue import Located, locate
from lydite.results.record import Outcome
from lydite.spaces.space import Space
from lydite.types import Floats

# No time limit: a slow machine is no failure.
unhurried = settings(deadline=None, max_examples=25)
few = settings(deadline=None, max_examples=8)
seeds = st.integers(0, 10_000)

Edges = list[tuple[int, int]]


@st.composite
def trees(draw: st.DrawFn) -> Edges:
    """Draw parents of lower number, one a concept."""
    count = draw(st.integers(3, 20))
    return [(i, draw(st.integers(0, i - 1))) for i in range(1, count)]


@st.composite
def dags(draw: st.DrawFn) -> Edges:
    """Draw parents of lower number, several a concept, near ones above all: long ways up."""
    count = draw(st.integers(4, 14))
    edges = {
        (i, max(0, i - draw(st.sampled_from([1, 1, 1, 2, 3, 8]))))
        for i in range(1, count)
        for _ in range(draw(st.integers(1, 2)))
    }
    return sorted(edges)


@st.composite
def graded(draw: st.DrawFn) -> Edges:
    """Draw levels of three concepts, whose parents are one level up, one to three of them."""
    levels = draw(st.integers(3, 6))
    return [
        (3 * level + i, 3 * (level - 1) + parent)
        for level in range(1, levels)
        for i in range(3)
        for parent in sorted(draw(st.sets(st.integers(0, 2), min_size=1)))
    ]


def taxonomy(edges: Edges) -> Taxonomy:
    builder = TaxonomyBuilder(name="drawn", sha256="")
    for number in range(max(map(max, edges)) + 1):
        builder.add_concept(f"c{number}", [f"w{number}"])
    for child, parent in edges:
        builder.add_edge("is-a", f"c{child}", f"c{parent}")
    return builder.build()


@dataclass(frozen=True, kw_only=True)
class Paths:
    """Triples of a taxonomy, what Path says of them, and distances in edges.

    ``ab``, ``bc`` and ``ac`` lead straight up; ``around`` from A to C through anything above both.
    """

    triples: Sequence[tuple[str, str, str]]
    similarities: Similarities
    ab: Floats
    bc: Floats
    ac: Floats
    around: Floats


def paths(drawn: Taxonomy, choices: Choices) -> Paths | None:
    inventory = build_inventory(drawn, None, choices)
    if not len(inventory):
        return None
    table = closure(drawn.upward("hypernymy"), np.arange(len(drawn)))
    up = np.full((len(drawn), len(drawn)), np.inf)
    up[table.concept, table.ancestor] = table.distance
    a, b, c = (drawn.concepts.find(column) for column in zip(*inventory.concepts, strict=True))
    model = PathSimilarity(drawn)
    return Paths(
        triples=inventory.concepts,
        similarities=ask_pairs(model, inventory).simple,
        ab=up[a, b],
        bc=up[b, c],
        ac=up[a, c],
        around=(up[a] + up[c]).min(axis=1),
    )


def in_senses(edges: Edges, choices: Choices) -> Paths:
    found = paths(taxonomy(edges), replace(choices, level="sense"))
    assert found is not None
    return found


SHORTEST = Choices(paths="shortest", level="sense")
ALL = Choices(level="sense")


@given(trees())
@unhurried
def test_path_keeps_subsumption_in_every_tree(edges: Edges) -> None:
    found = paths(taxonomy(edges), ALL)
    if found is not None:
        # There is one way from A to C, and it leads by B: strictly nearer to both.
        assert (found.similarities.ab > found.similarities.ac).all()
        assert (found.similarities.bc > found.similarities.ac).all()


@given(graded())
@unhurried
def test_path_keeps_subsumption_where_every_edge_goes_up_one_level(edges: Edges) -> None:
    # All ways from A to C are as long as the levels between, and none through something above C
    # is shorter, however many parents there are.
    assert in_senses(edges, ALL).similarities.kept().both.all()


@given(dags())
@unhurried
def test_path_keeps_subsumption_on_shortest_paths_but_for_shortcuts(edges: Edges) -> None:
    # B is at least one edge nearer to A, and to C, than these are to each other straight up. Only
    # a shortcut through something above C that saves two edges or more can bring them nearer.
    found = paths(taxonomy(edges), SHORTEST)
    if found is not None:
        assert found.similarities.kept().both[found.around >= found.ac - 1].all()


@given(dags())
@unhurried
def test_path_keeps_subsumption_on_any_path_that_is_no_detour(edges: Edges) -> None:
    found = paths(taxonomy(edges), ALL)
    if found is not None:
        kept = found.similarities.kept()
        assert kept.subsumption[found.ab <= found.around].all()
        assert kept.reverse[found.bc <= found.around].all()


def test_a_shortcut_above_c_breaks_it_on_the_shortest_path_too() -> None:
    # 5 -> 4 -> 3 -> 2 -> 1 -> 0 is the only way up from 5 to 1, of four edges, but 5 is also right
    # below 0, as 1 is: 5-0-1 has two edges, and 5-0-1-2 has three. So A = 5 is nearer to C = 1
    # than to B = 2, and Path does not abide by the principle.
    edges = [(5, 4), (4, 3), (3, 2), (2, 1), (1, 0), (5, 0)]
    found = in_senses(edges, SHORTEST)
    i = found.triples.index(("c5", "c2", "c1"))
    assert (found.ab[i], found.ac[i], found.around[i]) == (3, 4, 2)
    assert (found.similarities.ab[i], found.similarities.ac[i]) == (1 / 4, 1 / 3)
    assert not found.similarities.kept().subsumption[i]


def test_a_shortcut_that_saves_one_edge_does_no_harm() -> None:
    # 4 -> 3 -> 2 -> 1 has three edges, 4-0-1 has two: as many as 4 -> 3 -> 2.
    found = in_senses([(4, 3), (3, 2), (2, 1), (1, 0), (4, 0)], SHORTEST)
    i = found.triples.index(("c4", "c2", "c1"))
    assert (found.ac[i], found.around[i]) == (3, 2)
    assert found.similarities.kept().both.all()


def test_a_detour_breaks_it_on_all_paths() -> None:
    # 4 -> 1 -> 0 has two edges, and 4 -> 3 -> 2 -> 0 three: 2 is as far from 4 as 0 is, and 3 as
    # far from 0 as 4 is. One concept more on the detour, and they are farther.
    edges = [(4, 1), (1, 0), (4, 3), (3, 2), (2, 0)]
    assert in_senses(edges, ALL).similarities.kept().both.all()
    edges = [(5, 1), (1, 0), (5, 4), (4, 3), (3, 2), (2, 0)]
    found = in_senses(edges, ALL)
    kept = found.similarities.kept()
    broken = [found.triples[i] for i in np.flatnonzero(~kept.both).tolist()]
    assert sorted(broken) == [("c5", "c2", "c0"), ("c5", "c4", "c0")]
    assert in_senses(edges, SHORTEST).similarities.kept().both.all()


def test_path_keeps_subsumption_in_wordnet_on_shortest_paths(shared_data: Path) -> None:
    located = locate("wordnet-3.0")
    wordnet = open_taxonomy(located.paths, name=located.name, sha256=located.sha256)
    pairs = read_word_pairs(locate("bless").single(), "hypernymy")
    model = PathSimilarity(wordnet)

    def kept(choices: Choices) -> tuple[int, int, int]:
        inventory = build_inventory(wordnet, pairs, choices)
        similarities = ask_pairs(model, inventory).simple
        assert similarities.covered.all()
        both = similarities.kept()
        return len(inventory), int((~both.subsumption).sum()), int((~both.reverse).sum())

    assert kept(Choices(level="sense", paths="shortest")) == (3827, 0, 0)
    # B on a detour: pheasant, chordate, animal, where domestic fowl are animals outright.
    assert kept(Choices(level="sense")) == (4080, 18, 45)


#: Twelve words in four chains.
CHAINS = [(3 * chain + i, 3 * chain + i + 1) for chain in range(4) for i in (0, 1)] + [(2, 5)]


def space(X: Floats) -> Space:
    return Space.of({f"w{i}": row for i, row in enumerate(X.tolist())})


def located_text(text: str, folder: str, name: str) -> Located:
    path = Path(folder) / name
    path.write_text(text, encoding="utf-8")
    return locate(path)


def run(
    X: Floats, pairs: Sequence[str] | None = None, edges: Edges = CHAINS, **how: str
) -> Outcome:
    text = "".join(f"w{child}\tw{parent}\n" for child, parent in edges)
    with tempfile.TemporaryDirectory() as folder:
        resources = [located_text(text, folder, "edges.tsv")]
        if pairs:
            resources.append(located_text("\n".join(pairs), folder, "pairs.tsv"))
        return Subsumption(**how).run(space(X), resources, seed=1)  # type: ignore[arg-type]


def vectors(seed: int) -> Floats:
    drawn = np.random.default_rng(seed).normal(size=(12, 4))
    return drawn.astype(np.float32).astype(np.float64)


def decisions(outcome: Outcome) -> dict[str, tuple[float, ...]]:
    metrics = ("ss", "rss", "both", "as", "ras", "aggregate-both")
    rows = zip(*(outcome.items[name] for name in metrics), strict=True)
    return dict(zip(outcome.items["item"], rows, strict=True))


def clear(outcome: Outcome) -> bool:
    """Tell whether every decision is beyond the rounding of float32."""
    ab, bc, ac = (np.array(outcome.items[name]) for name in ("ab", "bc", "ac"))
    return bool(np.min(np.abs([ab - ac, bc - ac])) > 1e-4)


@given(seeds, seeds)
@few
def test_cosine_does_not_depend_on_rotation_and_scale(data: int, by: int) -> None:
    X = vectors(data)
    generator = np.random.default_rng(by)
    expected = run(X)
    assume(clear(expected))
    turn = np.linalg.qr(generator.normal(size=(4, 4)))[0]
    for changed in (X @ turn, 7.3 * X):
        assert decisions(run(changed)) == decisions(expected)
    # Single words may be scaled too, as each has no sister here.
    assert decisions(run(X * np.exp(generator.normal(size=(12, 1))))) == decisions(expected)


def test_inclusion_depends_on_rotation() -> None:
    X = vectors(1)
    turn = np.linalg.qr(np.random.default_rng(2).normal(size=(4, 4)))[0]
    one, other = run(X, similarity="inclusion"), run(X @ turn, similarity="inclusion")
    assert one.items["ab"] != pytest.approx(other.items["ab"], abs=0.05)


@given(seeds, seeds)
@few
def test_the_order_of_edges_and_pairs_does_not_matter(data: int, by: int) -> None:
    generator = np.random.default_rng(by)
    X = vectors(data)
    pairs = [f"w{a}\tw{c}" for a, c in ((0, 2), (3, 5), (6, 8), (9, 11), (0, 5))]
    expected = run(X, pairs)
    edges = [CHAINS[i] for i in generator.permutation(len(CHAINS))]
    found = run(X, [pairs[i] for i in generator.permutation(len(pairs))], edges)
    assert decisions(found) == decisions(expected)
    assert (found.score, found.others) == (expected.score, expected.others)
    assert found.details["breakdown"] == expected.details["breakdown"]


@given(dags(), seeds)
@settings(deadline=None, max_examples=20)
def test_all_pairs_given_as_pairs_are_the_whole_taxonomy(edges: Edges, seed: int) -> None:
    drawn = taxonomy(edges)
    words = list(drawn.words)
    crossed = [(a, c) for a in words for c in words]
    pairs = WordPairs(
        specific=tuple(a for a, _ in crossed),
        general=tuple(c for _, c in crossed),
        classes=("",) * len(crossed),
    )
    for choices in (
        Choices(),
        Choices(paths="shortest"),
        Choices(inferred="any"),
        Choices(sample=3),
    ):
        one = build_inventory(drawn, pairs, choices, seed=seed)
        other = build_inventory(drawn, None, choices, seed=seed)
        assert set(one.concepts) == set(other.concepts)
        assert len(one) == len(other)


@given(dags(), seeds)
@few
def test_a_saved_inventory_gives_the_same_outcome(edges: Edges, seed: int) -> None:
    model = space(np.random.default_rng(seed).normal(size=(14, 5)))
    text = "".join(f"w{child}\tw{parent}\n" for child, parent in edges)
    question = Subsumption(sample=25)
    with tempfile.TemporaryDirectory() as folder:
        resources = [located_text(text, folder, "edges.tsv")]
        assume(len({a for a, *_ in _triples(edges)}) > 1)
        inventory = question.inventory(resources, seed=seed)
        assume(len(set(inventory.a)) > 1)
        path = Path(folder) / "saved.tsv"
        write_inventory(inventory, path)
        assert question.run(model, resources, seed=seed) == Subsumption().run(
            model, [locate(path)], seed=seed
        )


@cache
def _above(edges: tuple[tuple[int, int], ...], concept: int) -> frozenset[int]:
    parents = {parent for child, parent in edges if child == concept}
    return frozenset(parents).union(*(_above(edges, parent) for parent in parents))


def _triples(edges: Edges) -> set[tuple[int, int, int]]:
    """Find all triples the slow way."""
    fixed = tuple(edges)
    concepts = {end for edge in edges for end in edge}
    return {
        (a, b, c)
        for a in concepts
        for b in _above(fixed, a)
        for c in _above(fixed, b)
        if (a, c) not in edges
    }


@given(dags())
@unhurried
def test_the_triples_are_those_found_the_slow_way(edges: Edges) -> None:
    found = build_inventory(taxonomy(edges), None, Choices())
    assert {
        tuple(int(word[1:]) for word in t) for t in zip(found.a, found.b, found.c, strict=True)
    } == (_triples(edges))
