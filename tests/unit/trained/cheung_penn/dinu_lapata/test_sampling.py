from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from lydite.errors import InputError
from lydite.progress import watched_by
from lydite.spaces.vocabulary import bounds
from lydite.trained.cheung_penn.dinu_lapata import (
    SenseCounts,
    SenseRecipe,
    sample_senses,
    untrained,
)
from lydite.trained.cooccurrence import CountMatrix

tomotopy = pytest.importorskip("tomotopy", reason="tomotopy is absent")


def matrix(rows: NDArray[np.int64]) -> CountMatrix:
    places = np.nonzero(rows)
    return CountMatrix(
        starts=bounds(np.count_nonzero(rows, axis=1)),
        columns=places[1].astype(np.int32),
        values=rows[places].astype(np.uint32),
    )


def dense(counts: CountMatrix, width: int) -> NDArray[np.int64]:
    rows = np.zeros((len(counts), width), dtype=np.int64)
    rows[np.repeat(np.arange(len(rows)), np.diff(counts.starts)), counts.columns] = counts.values
    return rows


def planted(seed: int = 0) -> tuple[CountMatrix, NDArray[np.float64]]:
    """Forty lemmas of three senses, each of which has ten context words of its own."""
    generator = np.random.default_rng(seed)
    mixtures = generator.dirichlet(np.full(3, 0.3), 40)
    of_contexts = np.repeat(np.eye(3) / 10, 10, axis=1)
    return matrix(generator.multinomial(300, mixtures @ of_contexts)), mixtures


SMALL = SenseRecipe(senses=3, iterations=60)


def test_planted_senses_are_found() -> None:
    counts, mixtures = planted()
    found = sample_senses(counts, 30, SMALL)
    # Which number a sense gets is chance; each has to have the words of one of the three.
    owners = found.contexts.reshape(3, 10, 3).sum(axis=1).argmax(axis=1)
    assert sorted(owners.tolist()) == [0, 1, 2]
    learnt = dense(found.lemmas, 3)[:, owners] / 300
    assert np.abs(learnt - mixtures).max() < 0.1


def test_every_context_word_has_one_sense() -> None:
    counts, _ = planted()
    found = sample_senses(counts, 30, SMALL)
    np.testing.assert_array_equal(dense(found.lemmas, 3).sum(axis=1), counts.row_sums())
    np.testing.assert_array_equal(found.contexts.sum(axis=1), dense(counts, 30).sum(axis=0))
    np.testing.assert_array_equal(found.contexts.sum(axis=0), dense(found.lemmas, 3).sum(axis=0))
    assert -np.log(30) < found.log_likelihood < -np.log(10)


def same(left: SenseCounts, right: SenseCounts) -> bool:
    return np.array_equal(left.contexts, right.contexts) and np.array_equal(
        left.lemmas.values, right.lemmas.values
    )


def test_one_worker_is_deterministic() -> None:
    counts, _ = planted()
    recipe = SenseRecipe(senses=5, iterations=10, most=100)
    assert same(sample_senses(counts, 30, recipe), sample_senses(counts, 30, recipe))
    other = SenseRecipe(senses=5, iterations=10, most=100, seed=1)
    assert not same(sample_senses(counts, 30, recipe), sample_senses(counts, 30, other))


def test_several_workers() -> None:
    counts, _ = planted()
    found = sample_senses(counts, 30, SenseRecipe(senses=3, iterations=5, workers=2))
    assert found.contexts.sum() == 40 * 300


def test_at_most_so_many_context_words_of_a_lemma() -> None:
    rows = np.array([[90, 10, 0], [0, 3, 4]])
    found = sample_senses(matrix(rows), 3, SenseRecipe(senses=2, iterations=1, most=50))
    assert dense(found.lemmas, 2).sum(axis=1).tolist() == [50, 7]
    drawn = found.contexts.sum(axis=1)
    assert drawn[2] == 4
    assert 40 <= drawn[0] <= 50
    assert drawn[1] == 50 + 3 - drawn[0]


def test_a_lemma_without_context_words_has_no_senses() -> None:
    rows = np.array([[2, 1], [0, 0], [1, 1]])
    found = sample_senses(matrix(rows), 2, SenseRecipe(senses=2, iterations=1))
    assert dense(found.lemmas, 2).sum(axis=1).tolist() == [3, 0, 2]


def test_no_context_words() -> None:
    with pytest.raises(InputError, match="expected context words of 2 lemmas, got none"):
        sample_senses(matrix(np.zeros((2, 3), dtype=np.int64)), 3, SMALL)


def test_distributions_are_those_of_the_sampler() -> None:
    counts, _ = planted()
    model, rows = untrained(counts, 30, SMALL)
    model.train(20, workers=1)
    found = sample_senses(counts, 30, SenseRecipe(senses=3, iterations=20))
    assert rows.tolist() == list(range(40))
    lemmas = dense(found.lemmas, 3) + SMALL.prior
    theirs = np.array([document.get_topic_dist() for document in model.docs])
    np.testing.assert_allclose(lemmas / lemmas.sum(axis=1, keepdims=True), theirs, rtol=1e-5)
    contexts = found.contexts + SMALL.eta
    order = [int(name) for name in model.used_vocabs]
    words = np.array([model.get_topic_word_dist(sense) for sense in range(3)]).T
    np.testing.assert_allclose((contexts / contexts.sum(axis=0))[order], words, rtol=1e-4)
    # The priors are those that were given, not estimated ones.
    assert model.alpha == pytest.approx([2 / 3] * 3)


def test_progress() -> None:
    told: list[tuple[str, int, int | None]] = []
    with watched_by(lambda what, done, total: told.append((what, done, total))):
        sample_senses(planted()[0], 30, SenseRecipe(senses=2, iterations=3))
    assert told[39] == ("handing over lemmas", 40, 40)
    assert [entry for entry in told if entry[0] == "Gibbs iterations"] == [
        ("Gibbs iterations", done, 3) for done in range(4)
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"senses": 0}, "expected senses to be a whole number from 1, got 0"),
        ({"senses": 40_000}, "expected at most 32767 senses, got 40000"),
        ({"iterations": 0}, "expected iterations"),
        ({"alpha": 0}, "expected alpha to be a number above 0"),
        ({"eta": -1}, "expected eta"),
        ({"most": 0}, "expected most"),
        ({"seed": -1}, "expected a seed"),
        ({"contexts": 9, "lemmata": 8}, "expected no more contexts than lemmata, got 9 and 8"),
    ],
)
def test_bad_recipes(options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        SenseRecipe(**options)  # type: ignore[arg-type]


def test_the_prior_by_default() -> None:
    assert SenseRecipe(senses=1000).prior == 0.002
    assert SenseRecipe(senses=1000, alpha=0.05).prior == 0.05
