from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.lexicons.neighbours import Neighbours, read_neighbours
from lydite.spaces.space import Space
from lydite.trained.retrofitting import adjacency, retrofit
from lydite.types import Floats


def lexicon_of(lines: list[list[str]], folder: Path) -> Neighbours:
    path = folder / "lexicon.txt"
    path.write_text("".join(" ".join(line) + "\n" for line in lines))
    return read_neighbours(path)


def random_case(folder: Path, words: int = 120, dim: int = 37) -> tuple[Space, Neighbours]:
    generator = np.random.default_rng(9)
    names = [f"v{'abcdefghij'[i % 10] * (1 + i // 10)}" for i in range(words)]
    vectors = generator.normal(size=(words, dim))
    # Some words of the lexicon are not in the space, some of the space not in the lexicon.
    known = [*names[::2], *names[1:40:2], "unknown"]
    lines = [
        [word, *generator.choice(known, generator.integers(1, 9), replace=False)]
        for word in generator.permutation(known)[:60]
    ]
    space = Space.of(dict(zip(names, vectors.tolist(), strict=True)))
    return space, lexicon_of(lines, folder)


def loop_over_words(space: Space, lexicon: Neighbours, iterations: int, alpha: float) -> Floats:
    """Apply the formula word by word, in the order of the space, with dictionaries."""
    first = {word: space.vectors[i].astype(np.float64) for i, word in enumerate(space.vocabulary)}
    moved = dict(first)
    for _ in range(iterations):
        for word in space.vocabulary:
            near = [other for other in lexicon.of(word) if other in moved]
            if near:
                beta = 1 / len(near)
                total = alpha * first[word] + sum(beta * moved[other] for other in near)
                moved[word] = total / (alpha + beta * len(near))
    return np.array([moved[word] for word in space.vocabulary])


@pytest.mark.parametrize("iterations", [1, 2, 10])
@pytest.mark.parametrize("alpha", [0.0, 1.0, 2.5])
def test_vectors_are_those_of_the_loop_over_words(
    tmp_path: Path, iterations: int, alpha: float
) -> None:
    space, lexicon = random_case(tmp_path)
    out = retrofit(space, lexicon, iterations=iterations, alpha=alpha, normalise=False)
    expected = loop_over_words(space, lexicon, iterations, alpha)
    assert out.space.vectors == pytest.approx(expected, abs=2e-6)
    assert 0 < out.moved < len(space)


def test_the_order_of_words_matters_and_is_that_of_the_space(tmp_path: Path) -> None:
    lexicon = lexicon_of([["a", "b"], ["b", "a"]], tmp_path)
    one = retrofit(Space.of({"a": [1.0], "b": [0.0]}), lexicon, iterations=1, normalise=False)
    # a = (1 + 0) / 2, then b = (0 + a) / 2.
    assert one.space.vectors.ravel().tolist() == [0.5, 0.25]
    other = retrofit(Space.of({"b": [0.0], "a": [1.0]}), lexicon, iterations=1, normalise=False)
    # b = (0 + 1) / 2, then a = (1 + b) / 2.
    assert other.space.vectors.ravel().tolist() == [0.5, 0.75]


def test_threads_change_no_bit(tmp_path: Path) -> None:
    space, lexicon = random_case(tmp_path)
    one, three = (retrofit(space, lexicon, threads=threads).space for threads in (1, 3))
    assert np.array_equal(one.vectors, three.vectors)
    assert one.fingerprint == three.fingerprint != space.fingerprint


def test_the_space_given_stays_as_it_is(tmp_path: Path) -> None:
    space, lexicon = random_case(tmp_path)
    before = space.vectors.copy()
    space.vectors.setflags(write=False)
    retrofit(space, lexicon, normalise=False)
    assert np.array_equal(space.vectors, before)


def test_vectors_get_the_length_one_first(tmp_path: Path) -> None:
    lexicon = lexicon_of([["a", "b"]], tmp_path)
    space = Space.of({"a": [3, 4], "b": [0, 2], "c": [0, 0]}, counts=[5, 4, 3])
    out = retrofit(space, lexicon).space
    # a = ((0.6, 0.8) + (0, 1)) / 2, whatever the iterations: b does not move.
    assert out.vectors == pytest.approx(np.array([[0.3, 0.9], [0, 1], [0, 0]]))
    assert out.counts is not None
    assert out.counts.tolist() == [5, 4, 3]


def test_words_are_found_under_the_rules_of_the_space(tmp_path: Path) -> None:
    lexicon = lexicon_of([["new_york", "city"], ["metropolis", "city"]], tmp_path)
    space = Space.of({"City": [1, 0], "New York": [0, 1]}, case="fold", multiword=True)
    assert adjacency(space, lexicon)[1].tolist() == [0]


def test_words_found_at_one_place_share_their_neighbours(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.txt"
    path.write_text("City town\ncity town village\ntown CITY\n")
    space = Space.of({"village": [1, 0], "city": [0, 1], "town": [1, 1]}, case="fold")
    lists = adjacency(space, read_neighbours(path, lower=False))
    assert [lists[row].tolist() for row in range(3)] == [[], [2, 0], [1]]


def test_a_lexicon_without_common_words_is_refused(tmp_path: Path) -> None:
    lexicon = lexicon_of([["a", "x"], ["y", "a"]], tmp_path)
    with pytest.raises(InputError, match="with neighbours in it, got none"):
        retrofit(Space.of({"a": [1.0], "b": [0.0]}), lexicon)


def test_vectors_that_leave_all_numbers_are_refused(tmp_path: Path) -> None:
    lexicon = lexicon_of([["a", "b"]], tmp_path)
    with pytest.raises(InputError, match="expected vectors to stay finite"):
        retrofit(Space.of({"a": [1.0], "b": [0.5]}), lexicon, alpha=1e308)


@pytest.mark.parametrize("place", [0, 15, 16, 20])
def test_one_number_that_leaves_all_is_seen_in_any_dimension(tmp_path: Path, place: int) -> None:
    vector = [0.0] * 21
    vector[place] = 3e38
    space = Space.of({"a": vector, "b": [1.0] * 21, "c": [1.0] * 21})
    # Twice the first place of a, for its two neighbours, is more than float32 can say.
    with pytest.raises(InputError, match="expected vectors to stay finite"):
        retrofit(space, lexicon_of([["a", "b", "c"]], tmp_path), normalise=False)
