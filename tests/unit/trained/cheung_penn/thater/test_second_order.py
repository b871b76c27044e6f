from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from lydite.spaces.vocabulary import Vocabulary, bounds
from lydite.trained.cheung_penn import thater as second_order
from lydite.trained.cheung_penn.related_words import RelatedWords
from lydite.trained.cheung_penn.thater import Entries, without_context, words_in_context
from lydite.trained.parsed.blocks import ParsedBlock

RELATIONS = ("nsubj", "dobj", "nsubj^-1", "dobj^-1")
LEMMAS = ["catch", "throw", "ball", "cold", "boy"]
WEIGHTS = {
    ("catch", "dobj", "ball"): 3.0,
    ("catch", "dobj", "cold"): 5.0,
    ("throw", "dobj", "ball"): 2.0,
    ("catch", "nsubj", "boy"): 7.0,
}


def first_order(weights: dict[tuple[str, str, str], float], lemmas: list[str]) -> RelatedWords:
    table = np.zeros((len(lemmas), len(RELATIONS), len(lemmas)))
    for (head, relation, dependent), weight in weights.items():
        kind, i, j = RELATIONS.index(relation), lemmas.index(head), lemmas.index(dependent)
        table[i, kind, j] = table[j, kind + 2, i] = weight
    flat = table.reshape(len(lemmas), -1)
    rows, columns = np.nonzero(flat)
    return RelatedWords(
        lemmas=Vocabulary.of(lemmas),
        relations=RELATIONS,
        starts=bounds(np.bincount(rows, minlength=len(lemmas))),
        columns=columns,
        values=flat[rows, columns].astype(np.float32),
    )


def named(first: RelatedWords, entries: Entries) -> dict[tuple[int, str, str, str], float]:
    """Return owner, both relations and word with their value."""
    kinds, columns = np.divmod(entries.dimensions, first.matrix.shape[1])
    seconds, words = np.divmod(first.used[columns], len(first.lemmas))
    found: dict[tuple[int, str, str, str], float] = {}
    for owner, kind, second, word, value in zip(
        *(each.tolist() for each in (entries.owners, kinds, seconds, words, entries.values)),
        strict=True,
    ):
        key = (owner, RELATIONS[kind], RELATIONS[second], first.lemmas[word])
        assert key not in found
        found[key] = value
    return found


def block(words: list[str], edges: list[tuple[int, str, int]]) -> ParsedBlock:
    return ParsedBlock(
        lemmas=tuple(words),
        relations=RELATIONS[:2],
        tokens=np.arange(len(words)),
        starts=np.array([0, len(words)]),
        edges=np.array([(h, RELATIONS.index(r), d) for h, r, d in edges], np.int64).reshape(-1, 3),
    )


def in_context(
    first: RelatedWords, words: list[str], edges: list[tuple[int, str, int]]
) -> dict[tuple[int, str, str, str], float]:
    every = np.ones(len(words), dtype=np.bool_)
    return named(first, words_in_context(first, block(words, edges), every))


def test_second_order_by_hand() -> None:
    first = first_order(WEIGHTS, LEMMAS)
    found = Entries.join(list(without_context(first, np.array([0]), np.array([0])))).summed()
    assert named(first, found) == {
        # Through ball 3 x 3 and cold 5 x 5; through ball 3 x 2; through boy 7 x 7.
        (0, "dobj", "dobj^-1", "catch"): 34,
        (0, "dobj", "dobj^-1", "throw"): 6,
        (0, "nsubj", "nsubj^-1", "catch"): 49,
    }


def test_words_in_context_by_hand() -> None:
    first = first_order(WEIGHTS, LEMMAS)
    found = in_context(first, ["catch", "ball"], [(0, "dobj", 1)])
    assert found == {
        # Of catch's vector what stands at dobj, times what ball has as an object: catch 3, throw 2.
        (0, "dobj", "dobj^-1", "catch"): 34 * 3,
        (0, "dobj", "dobj^-1", "throw"): 6 * 2,
        # Of ball: through catch 3 x (ball 3, cold 5, boy 7), through throw 2 x ball 2, times what
        # catch has: ball 3, cold 5, boy 7.
        (1, "dobj^-1", "dobj", "ball"): (3 * 3 + 2 * 2) * 3,
        (1, "dobj^-1", "dobj", "cold"): 3 * 5 * 5,
        (1, "dobj^-1", "nsubj", "boy"): 3 * 7 * 7,
    }


def test_several_contexts_are_added_up() -> None:
    first = first_order(WEIGHTS, LEMMAS)
    both = in_context(first, ["boy", "catch", "cold"], [(1, "nsubj", 0), (1, "dobj", 2)])
    one = in_context(first, ["boy", "catch"], [(1, "nsubj", 0)])
    two = in_context(first, ["cold", "catch"], [(1, "dobj", 0)])
    catch = {key: value for key, value in both.items() if key[0] == 1}
    assert catch == {key: value for key, value in (one | two).items() if key[0] == 1}


def test_without_a_context_that_fits_the_whole_vector() -> None:
    first = first_order(WEIGHTS, LEMMAS)
    alone = in_context(first, ["catch"], [])
    assert len(alone) == 3
    # An emu is not known; catch was never met as an object.
    assert in_context(first, ["catch", "emu"], [(0, "dobj", 1)]) == alone
    odd = in_context(first, ["catch", "throw"], [(1, "dobj", 0)])
    assert {key: value for key, value in odd.items() if key[0] == 0} == alone


def test_words_that_take_no_part_are_no_context() -> None:
    first = first_order(WEIGHTS, LEMMAS)
    parsed = block(["catch", "ball"], [(0, "dobj", 1)])
    found = named(first, words_in_context(first, parsed, np.array([True, False])))
    assert found == in_context(first, ["catch"], [])


@pytest.mark.parametrize("most", [1, 50, 1 << 23])
@pytest.mark.parametrize("seed", range(4))
def test_against_loops(seed: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_order, "_PRODUCTS", most)
    random = np.random.default_rng(seed)
    lemmas = [f"w{i}" for i in range(7)]
    weights = {
        (a, r, b): float(random.integers(1, 9))
        for a in lemmas
        for r in RELATIONS[:2]
        for b in lemmas
        if random.random() < 0.2
    }
    vectors: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
    for (head, relation, dependent), weight in weights.items():
        vectors[head][relation, dependent] = weight
        vectors[dependent][f"{relation}^-1", head] = weight
    words = [lemmas[i] for i in random.integers(0, 7, 6)]
    edges = [(int(random.integers(0, 6)), str(random.choice(RELATIONS[:2])), i) for i in range(6)]
    expected: dict[tuple[int, str, str, str], float] = defaultdict(float)
    for place, word in enumerate(words):
        whole: dict[tuple[str, str, str], float] = defaultdict(float)
        for (r, x), a in vectors[word].items():
            for (s, y), b in vectors[x].items():
                whole[r, s, y] += a * b
        near = [(r, words[d]) for h, r, d in edges if h == place]
        near += [(f"{r}^-1", words[h]) for h, r, d in edges if d == place]
        shaped: dict[tuple[str, str, str], float] = defaultdict(float)
        for r, other in near:
            for (s, y), c in vectors[other].items():
                if (r, s, y) in whole:
                    shaped[r, s, y] += whole[r, s, y] * c
        for (r, s, y), value in (shaped or whole).items():
            expected[place, r, s, y] = value
    # Each place is a token of its own, so equal words have to be numbered alike.
    names = list(dict.fromkeys(words))
    parsed = ParsedBlock(
        lemmas=tuple(names),
        relations=RELATIONS[:2],
        tokens=np.array([names.index(word) for word in words]),
        starts=np.array([0, 6]),
        edges=np.array([(h, RELATIONS.index(r), d) for h, r, d in edges]),
    )
    first = first_order(weights, lemmas)
    found = named(first, words_in_context(first, parsed, np.ones(6, dtype=np.bool_)))
    assert found == pytest.approx(dict(expected))


def test_no_texts() -> None:
    first = first_order(WEIGHTS, LEMMAS)
    assert in_context(first, [], []) == {}
    assert in_context(first_order({}, LEMMAS), ["catch"], []) == {}
