"""Both systems against implementations of their own on lists, and costs against search."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest

from lydite.evaluations.parsing import parser as t

SYSTEMS = (t.HYBRID, t.STANDARD)
Heads = tuple[int, ...]


def is_projective(heads: Heads) -> bool:
    """Tell whether no two arcs cross, that from the root to the left of all words included."""
    arcs = [(min(h, d), max(h, d)) for d, h in enumerate(heads, 1)]
    return not any(a < c < b < e for a, b in arcs for c, e in arcs)


def is_tree(heads: Heads) -> bool:
    for word in range(1, len(heads) + 1):
        above = word
        for _ in heads:
            above = heads[above - 1] if above else 0
        if above:
            return False
    return heads.count(0) == 1


@cache
def projective_trees(n: int) -> tuple[Heads, ...]:
    every = product(range(n + 1), repeat=n)
    return tuple(heads for heads in every if is_tree(heads) and is_projective(heads))


def replayed(system: int, actions: list[int], n: int) -> list[int]:
    """Take transitions on plain lists, as the papers define them."""
    stack = [] if system == t.HYBRID else [0]
    buffer = [*range(1, n + 1), 0] if system == t.HYBRID else [*range(1, n + 1)]
    heads = [-1] * (n + 1)
    for action in actions:
        if action == t.SHIFT:
            stack.append(buffer.pop(0))
        elif action == t.RIGHT:
            heads[stack[-1]] = stack[-2]
            stack.pop()
        elif system == t.HYBRID:
            heads[stack[-1]] = buffer[0]
            stack.pop()
        else:
            heads[stack[-2]] = stack[-1]
            del stack[-2]
    assert (stack, buffer) == (([], [0]) if system == t.HYBRID else ([0], []))
    return heads[1:]


def test_there_are_as_many_projective_trees_as_are_known() -> None:
    # Projective trees of n words with one root: 1, 2, 7, 30, 143 (OEIS A006013).
    assert [len(projective_trees(n)) for n in range(1, 6)] == [1, 2, 7, 30, 143]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_static_oracle_makes_every_projective_tree(
    system: int, derive: Callable[..., None]
) -> None:
    trees = [heads for n in range(1, 6) for heads in projective_trees(n)]
    starts = np.cumsum([0, *map(len, trees)])
    gold = np.array([head for heads in trees for head in heads], dtype=np.int32)
    actions, found = np.empty(2 * len(gold), dtype=np.int8), np.empty_like(gold)
    derive(system, starts, gold, actions, found)
    assert found.tolist() == gold.tolist()
    for heads, start in zip(trees, starts, strict=False):
        own = actions[2 * start : 2 * (start + len(heads))].tolist()
        assert replayed(system, own, len(heads)) == list(heads)


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        # "the cat sleeps": the <- cat <- sleeps <- root.
        (t.HYBRID, [t.SHIFT, t.LEFT, t.SHIFT, t.LEFT, t.SHIFT, t.LEFT]),
        (t.STANDARD, [t.SHIFT, t.SHIFT, t.LEFT, t.SHIFT, t.LEFT, t.RIGHT]),
    ],
)
def test_three_words_by_hand(system: int, expected: list[int], derive: Callable[..., None]) -> None:
    gold = np.array([2, 3, 0], dtype=np.int32)
    actions, found = np.empty(6, dtype=np.int8), np.empty(3, dtype=np.int32)
    derive(system, np.array([0, 3]), gold, actions, found)
    assert actions.tolist() == expected


Config = tuple[tuple[int, ...], int]


def followers(config: Config, n: int) -> dict[int, tuple[Config, tuple[int, int] | None]]:
    """Return what each transition of arc-hybrid leads to, and the arc (head, child) it makes."""
    stack, first = config
    found: dict[int, tuple[Config, tuple[int, int] | None]] = {}
    if first <= n:
        found[t.SHIFT] = ((*stack, first), first + 1), None
    front = first if first <= n else 0
    if stack and (front or len(stack) == 1):
        found[t.LEFT] = (stack[:-1], first), (front, stack[-1])
    if len(stack) > 1:
        found[t.RIGHT] = (stack[:-1], first), (stack[-2], stack[-1])
    return found


def searched(heads: Heads) -> dict[Config, dict[int, int]]:
    """Return what each transition costs from everywhere, by trying all ways to the end."""
    n = len(heads)

    @cache
    def most(config: Config) -> int:
        return max(
            (gain(arc) + most(after) for after, arc in followers(config, n).values()), default=0
        )

    def gain(arc: tuple[int, int] | None) -> int:
        return int(arc is not None and heads[arc[1] - 1] == arc[0])

    costs: dict[Config, dict[int, int]] = {}
    rest: list[Config] = [((), 1)]
    while rest:
        config = rest.pop()
        if config in costs:
            continue
        ways = followers(config, n)
        costs[config] = {
            action: most(config) - gain(arc) - most(after) for action, (after, arc) in ways.items()
        }
        rest += [after for after, _ in ways.values()]
    return costs


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_dynamic_oracle_costs_what_a_search_finds(n: int) -> None:
    state, costs = t.new_state(n), np.empty(3, dtype=np.int64)
    checked = 0
    for heads in projective_trees(n):
        gold = np.array([-1, *heads])
        for (stack, first), expected in searched(heads).items():
            if not expected:
                continue
            t.begin(state, t.HYBRID, n)
            state.at[:2] = len(stack), first
            state.stack[: len(stack)] = stack
            t.hybrid_costs(state, gold, costs)
            assert {a: int(costs[a]) for a in range(3) if costs[a] < 9} == expected, (heads, stack)
            checked += 1
    assert checked >= len(projective_trees(n)) * 2 * n


def test_a_cost_by_hand() -> None:
    # "a b c": b is the root and the others hang on it. With a on the stack and b to come, shift
    # loses b -> a; left makes it and loses nothing; right has nothing below a to hang it on.
    state, costs = t.new_state(3), np.empty(3, dtype=np.int64)
    t.begin(state, t.HYBRID, 3)
    t.take(state, t.HYBRID, t.SHIFT)
    t.hybrid_costs(state, np.array([-1, 2, 0, 2]), costs)
    # Shift also puts b above a, where it can no longer hang on the root.
    assert costs[[t.SHIFT, t.LEFT]].tolist() == [2, 0]
    assert not t.is_legal(state, t.HYBRID, t.RIGHT)


def test_the_positions_that_are_looked_at() -> None:
    # Arc-standard after five shifts, left (4 <- 5), shift, right (5 -> 6).
    state, nodes = t.new_state(9), np.empty(t.POSITIONS, dtype=np.int64)
    t.begin(state, t.STANDARD, 9)
    for action in (*[t.SHIFT] * 5, t.LEFT, t.SHIFT, t.RIGHT):
        t.take(state, t.STANDARD, action)
    t.look(state, t.STANDARD, nodes)
    # On the stack 5, 3, 2; in the buffer 7, 8, 9; of 5 the left child 4 and the right one 6.
    assert nodes.tolist() == [5, 3, 2, 7, 8, 9, 4, 6, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
    t.begin(state, t.HYBRID, 3)
    for action in (t.SHIFT, t.LEFT):
        t.take(state, t.HYBRID, action)
    t.look(state, t.HYBRID, nodes)
    # The stack is empty; the buffer is 2, 3 and the root; 2 has the left child 1.
    assert nodes.tolist() == [-1, -1, -1, 2, 3, 0, *[-1] * 10, 1, -1]
