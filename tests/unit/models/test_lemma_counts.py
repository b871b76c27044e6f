from __future__ import annotations

from lydite.models.baselines import lemma_counts


def test_counts_of_repeated_lemmas_stand_in_one_place() -> None:
    counts = lemma_counts([["b", "a", "b"], ["a"]], {"a": 0, "b": 1, "c": 2})
    assert counts.toarray().tolist() == [[1, 2, 0], [1, 0, 0]]
    assert counts.nnz == 3


def test_no_texts_and_no_lemmas() -> None:
    assert lemma_counts([], {}).shape == (0, 0)
    assert lemma_counts([[], []], {}).shape == (2, 0)
