"""Array operations on taxonomies agree with the plainest Python there is, cycles and all."""

from __future__ import annotations

from collections import deque
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.lexicons.taxonomy import (
    Lists,
    TaxonomyBuilder,
    closure,
    depths,
    numbers_below,
    on_cycles,
)

# No time limit: a slow machine is no failure.
unhurried = settings(deadline=None, max_examples=150)

Parents = list[list[int]]


@st.composite
def digraphs(draw: st.DrawFn) -> Parents:
    """Parents of up to 12 concepts; loops and cycles of all lengths are among them."""
    count = draw(st.integers(1, 12))
    concept = st.integers(0, count - 1)
    return draw(
        st.lists(st.lists(concept, max_size=3, unique=True), min_size=count, max_size=count)
    )


def _above(parents: Parents, start: int) -> dict[int, int]:
    """Return the distance of everything above a concept, itself included, breadth first."""
    distance = {start: 0}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for parent in parents[here]:
            if parent not in distance:
                distance[parent] = distance[here] + 1
                waiting.append(parent)
    return distance


@unhurried
@given(digraphs(), st.data())
def test_closure_is_breadth_first_search(parents: Parents, data: st.DataObject) -> None:
    asked = data.draw(st.lists(st.integers(0, len(parents) - 1)))
    table = closure(Lists.of(parents), asked)
    rows = list(zip(table.concept, table.ancestor, table.distance, strict=True))
    assert rows == [
        (concept, ancestor, distance)
        for concept in sorted(set(asked))
        for ancestor, distance in sorted(_above(parents, concept).items())
    ]


@unhurried
@given(digraphs())
def test_a_closure_answers_for_every_pair(parents: Parents) -> None:
    count = len(parents)
    table = closure(Lists.of(parents), range(0, count, 2))
    concept, ancestor = (each.ravel() for each in np.indices((count, count)))
    expected = [
        -1 if low % 2 else _above(parents, low).get(high, -1)
        for low, high in zip(concept.tolist(), ancestor.tolist(), strict=True)
    ]
    assert table.distances(concept, ancestor).tolist() == expected
    assert table.holds(concept, ancestor).tolist() == [each >= 0 for each in expected]


@unhurried
@given(digraphs())
def test_depth_is_the_distance_of_the_nearest_root(parents: Parents) -> None:
    expected = [
        min((far for top, far in _above(parents, low).items() if not parents[top]), default=-1)
        for low in range(len(parents))
    ]
    assert depths(Lists.of(parents)).tolist() == expected


@unhurried
@given(digraphs(), st.data())
def test_numbers_below_count_who_has_it_above(parents: Parents, data: st.DataObject) -> None:
    asked = data.draw(st.lists(st.integers(0, len(parents) - 1)))
    above = [_above(parents, low) for low in range(len(parents))]
    expected = [sum(top in each for each in above) - 1 for top in asked]
    assert numbers_below(Lists.of(parents), asked).tolist() == expected


@unhurried
@given(digraphs())
def test_on_a_cycle_is_what_lies_above_its_own_parents(parents: Parents) -> None:
    expected = [
        low
        for low in range(len(parents))
        if any(low in _above(parents, parent) for parent in parents[low])
    ]
    assert on_cycles(Lists.of(parents)).tolist() == expected


@unhurried
@given(digraphs())
def test_turning_twice_gives_the_same_edges(parents: Parents) -> None:
    lists = Lists.of(parents)
    again = lists.turned(len(parents)).turned(len(parents))
    assert [again[i].tolist() for i in range(len(again))] == [sorted(each) for each in parents]


@unhurried
@given(digraphs(), st.randoms(use_true_random=False))
def test_a_built_taxonomy_has_the_edges_it_was_given(parents: Parents, random: Random) -> None:
    edges = [(str(low), str(high)) for low, above in enumerate(parents) for high in above]
    steps = [*edges, *edges, *map(str, range(len(parents)))]
    random.shuffle(steps)
    builder = TaxonomyBuilder(name="", sha256="")
    for step in steps:
        if isinstance(step, str):
            builder.add_concept(step, [step])
        else:
            builder.add_edge("is-a", *step)
    taxonomy = builder.build()
    lists = taxonomy.parents.get("is-a", Lists.of([]))
    built = {
        (taxonomy.concepts[low], taxonomy.concepts[high])
        for low, high in zip(lists.owners(), lists.items, strict=True)
    }
    assert built == {edge for edge in edges if edge[0] != edge[1]}
    assert len(lists.items) == len(built)
