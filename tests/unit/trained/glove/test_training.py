from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from lydite.corpora.documents import open_corpus
from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.spaces.space import Space
from lydite.spec import Value
from lydite.trained import glove as tiles
from lydite.trained.cooccurrence import CountMatrix
from lydite.trained.glove import GloveRecipe, Weighing, fit_glove
from lydite.trained.zoo.corpus import SharedCorpus
from lydite.trained.zoo.families import family
from lydite.types import Floats


def trained(file: Path, **parameters: Value) -> Space:
    text = open_corpus([file], Preparation(sentences="lines"))
    return family("glove").completed(parameters).train(SharedCorpus(text, file.parent))


def random_counts(words: int = 50) -> CountMatrix:
    generator = np.random.default_rng(2)
    table = generator.poisson(0.6, (words, words)) * generator.integers(1, 90, (words, words))
    rows, columns = np.nonzero(table)
    starts = np.searchsorted(rows, np.arange(words + 1)).astype(np.int64)
    values = table[rows, columns].astype(np.uint32)
    return CountMatrix(starts=starts, columns=columns.astype(np.int32), values=values)


def dense(counts: CountMatrix) -> Floats:
    table = np.zeros((len(counts), len(counts)))
    rows = np.repeat(np.arange(len(counts)), np.diff(counts.starts))
    table[rows, counts.columns] = counts.values
    return table


def test_every_cell_is_dealt_once_with_its_target_and_weight() -> None:
    counts = random_counts()
    dealt = tiles.deal(counts, Weighing(2.0, 10.0, 0.75), 8, 0)
    word = np.argsort(dealt.places)
    table = np.zeros((50, 50))
    for row, column, target, weight in zip(*dealt.cells[1:], strict=True):
        assert table[word[row], word[column]] == 0
        table[word[row], word[column]] = 2 * np.exp(target)
        assert weight == pytest.approx(min(1, (np.exp(target) / 10) ** 0.75), rel=1e-5)
    assert table == pytest.approx(dense(counts), rel=1e-5)


def test_tiles_of_a_stratum_share_no_word_and_all_strata_are_all_tiles() -> None:
    dealt = tiles.deal(random_counts(), Weighing(1.0, 10.0, 0.75), 8, 0)
    starts = dealt.cells.starts
    for shift in range(dealt.side):
        rows: Counter[int] = Counter()
        columns: Counter[int] = Counter()
        for tile in dealt.stratum(shift):
            inside = slice(starts[tile], starts[tile + 1])
            rows.update(set(dealt.cells.rows[inside].tolist()))
            columns.update(set(dealt.cells.columns[inside].tolist()))
        assert max(rows.values(), default=1) == max(columns.values(), default=1) == 1
    strata = [dealt.stratum(shift) for shift in range(dealt.side)]
    assert sorted(np.concatenate(strata)) == list(range(dealt.side**2))


def loop_over_cells(counts: CountMatrix, recipe: GloveRecipe) -> tuple[Floats, Floats, list[float]]:
    """Minimise by AdaGrad with whole vectors in float64, a cell at a time, in the same order."""
    dealt = tiles.deal(counts, Weighing(1.0, recipe.x_max, recipe.weight_power), recipe.dim, 0)
    generator = np.random.default_rng([0, 1])
    shape = (len(counts), recipe.dim + 1)
    words, contexts = (
        (generator.random(shape, dtype=np.float32).astype(np.float64) - 0.5) / recipe.dim
        for _ in range(2)
    )
    word_sums, context_sums = np.ones(shape), np.ones(shape)
    table, word, costs = dense(counts), np.argsort(dealt.places), []
    for _ in range(recipe.epochs):
        cost = 0.0
        for shift in generator.permutation(dealt.side):
            for tile in dealt.stratum(int(shift)):
                for at in range(dealt.cells.starts[tile], dealt.cells.starts[tile + 1]):
                    i, j = dealt.cells.rows[at], dealt.cells.columns[at]
                    count = table[word[i], word[j]]
                    weight = min(1, (count / recipe.x_max) ** recipe.weight_power)
                    w, c = np.append(words[i, :-1], 1), np.append(contexts[j, :-1], 1)
                    biases = words[i, -1] + contexts[j, -1]
                    error = words[i, :-1] @ contexts[j, :-1] + biases - np.log(count)
                    cost += 0.5 * weight * error**2
                    for side, row, sums, gradient in (
                        (words, i, word_sums, weight * error * c),
                        (contexts, j, context_sums, weight * error * w),
                    ):
                        side[row] -= recipe.alpha * gradient / np.sqrt(sums[row])
                        sums[row] += (recipe.alpha * gradient) ** 2
        costs.append(cost / len(dealt))
    return words[dealt.places], contexts[dealt.places], costs


def test_vectors_are_those_of_a_loop_over_cells() -> None:
    recipe = GloveRecipe(dim=11, epochs=3, x_max=40)
    counts = random_counts()
    words, contexts, costs = loop_over_cells(counts, recipe)
    fitted = fit_glove(counts, recipe)
    assert fitted.words == pytest.approx(words[:, :-1], abs=2e-5)
    assert fitted.contexts == pytest.approx(contexts[:, :-1], abs=2e-5)
    assert fitted.word_biases == pytest.approx(words[:, -1], abs=2e-5)
    assert fitted.context_biases == pytest.approx(contexts[:, -1], abs=2e-5)
    assert fitted.costs == pytest.approx(costs, rel=1e-4)


def test_a_step_follows_the_gradient_of_the_cost() -> None:
    counts = CountMatrix(
        starts=np.array([0, 1, 1]),
        columns=np.array([1], dtype=np.int32),
        values=np.array([7], dtype=np.uint32),
    )
    recipe = GloveRecipe(dim=3, epochs=1, alpha=1e-3, x_max=10)
    before = fit_glove(counts, dataclasses.replace(recipe, alpha=1e-30))
    after = fit_glove(counts, recipe)
    start = np.concatenate(
        [before.words[0], before.contexts[1], before.word_biases[:1], before.context_biases[1:]]
    ).astype(np.float64)
    end = np.concatenate(
        [after.words[0], after.contexts[1], after.word_biases[:1], after.context_biases[1:]]
    ).astype(np.float64)

    def cost(at: Floats) -> float:
        error = at[:3] @ at[3:6] + at[6] + at[7] - np.log(7)
        return float(0.5 * 0.7**0.75 * error**2)

    steps = np.eye(8) * 1e-5
    gradient = np.array([(cost(start + s) - cost(start - s)) / 2e-5 for s in steps])
    assert (start - end) / 1e-3 == pytest.approx(gradient, abs=1e-4)


def test_threads_change_no_bit() -> None:
    recipe = GloveRecipe(dim=6, epochs=4)
    one, three = (fit_glove(random_counts(), recipe, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.words, three.words)
    assert np.array_equal(one.contexts, three.contexts)
    assert one.costs.tolist() == three.costs.tolist()
    other = fit_glove(random_counts(), dataclasses.replace(recipe, seed=1))
    assert not np.array_equal(one.words, other.words)


def test_costs_fall() -> None:
    costs = fit_glove(random_counts(), GloveRecipe(dim=20, epochs=30)).costs
    assert (np.diff(costs) < 0).all()
    assert costs[-1] < costs[0] / 10


def test_a_space_has_sums_counts_and_no_lonely_words(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("the cat sat\nthe dog sat\n" * 20 + "alone\n" * 30)
    space = trained(file, window=2, dim=4, epochs=2)
    assert space.counts is not None
    found = dict(zip(space.vocabulary, space.counts.tolist(), strict=True))
    assert found == {"the": 40, "sat": 40, "cat": 20, "dog": 20}
    assert space.contexts is not None
    assert space.contexts.shape == space.vectors.shape == (4, 4)


def test_the_unit_of_counts_does_not_matter() -> None:
    counts, recipe = random_counts(), GloveRecipe(dim=4, epochs=3)
    fourfold = dataclasses.replace(counts, values=4 * counts.values)
    one, other = fit_glove(counts, recipe), fit_glove(fourfold, recipe, scale=4.0)
    assert np.array_equal(one.words, other.words)
    assert not np.array_equal(one.words, fit_glove(fourfold, recipe).words)


def test_a_corpus_without_two_words_together_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("one\ntwo\n" * 9)
    with pytest.raises(InputError, match="beside each other"):
        trained(file, window=2)


def test_a_learning_rate_that_is_too_high_is_refused() -> None:
    with pytest.raises(InputError, match="smaller alpha"):
        fit_glove(random_counts(), GloveRecipe(dim=4, epochs=40, alpha=1e30))
