from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.spaces.vocabulary import Vocabulary
from lydite.trained.cheung_penn.thater import ThaterRecipe, first_order, information
from lydite.trained.parsed.triples import Triples


def triples(keys: list[tuple[int, int, int]], counts: list[int]) -> Triples:
    heads, kinds, dependents = np.array(keys, dtype=np.int32).reshape(-1, 3).T
    return Triples(
        lemmas=Vocabulary.of(["catch", "throw", "ball", "cold"]),
        lemma_counts=np.ones(4, dtype=np.int64),
        relations=("dobj", "nsubj"),
        heads=heads,
        kinds=kinds,
        dependents=dependents,
        counts=np.array(counts, dtype=np.int64),
        tokens=0,
        fingerprint="",
    )


COUNTED = triples([(0, 0, 2), (0, 0, 3), (1, 0, 2), (1, 0, 3), (1, 1, 2)], [3, 1, 1, 3, 50])


def test_information_by_hand() -> None:
    # Of the objects, 8 in all, each verb and each noun has 4: log(3 x 8 / 16) and log(1 x 8 / 16).
    # Of the subjects there is one, so that nothing else can stand there: log 1.
    expected = np.log([1.5, 0.5, 0.5, 1.5, 1])
    np.testing.assert_allclose(information(COUNTED), expected, atol=1e-12)


def test_against_loops() -> None:
    random = np.random.default_rng(0)
    keys = [(h, r, d) for h in range(4) for r in range(2) for d in range(4)]
    keys = [key for key in keys if random.random() < 0.6]
    counts = random.integers(1, 20, len(keys)).tolist()
    of = dict(zip(keys, counts, strict=True))
    for key, found in zip(keys, information(triples(keys, counts)), strict=True):
        total = sum(n for k, n in of.items() if k[1] == key[1])
        left = sum(n for k, n in of.items() if k[:2] == key[:2])
        right = sum(n for k, n in of.items() if k[1:] == key[1:])
        assert found == pytest.approx(np.log(of[key] * total / (left * right)))


def test_rare_triples_and_those_without_information_are_left_out() -> None:
    assert len(first_order(COUNTED, ThaterRecipe(min_count=1, pmi=0.4)).values) == 4
    assert len(first_order(COUNTED, ThaterRecipe(min_count=1, pmi=0.5)).values) == 0
    assert len(first_order(COUNTED, ThaterRecipe(min_count=4, pmi=0)).values) == 0
    assert len(first_order(triples([], []), ThaterRecipe()).values) == 0


def test_what_is_rare_counts_among_the_totals() -> None:
    # The two triples that stand once are left out, and yet 8 objects are 8 objects.
    kept = first_order(COUNTED, ThaterRecipe(min_count=2, pmi=0))
    np.testing.assert_allclose(kept.values, np.log(1.5), rtol=1e-6)


@pytest.mark.parametrize(
    "wrong", [{"min_count": 0}, {"pmi": -1.0}, {"lemmata": 0}, {"pmi": float("nan")}]
)
def test_wrong_parameters(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        ThaterRecipe(**wrong)  # type: ignore[arg-type]
