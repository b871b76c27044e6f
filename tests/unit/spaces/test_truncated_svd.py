from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.spaces.factorization import SparseMatrix, truncated_svd
from lydite.types import Floats


def sparse(dense: Floats) -> SparseMatrix:
    rows, columns = np.nonzero(dense)
    return SparseMatrix(
        starts=np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(dense)))]),
        columns=columns.astype(np.int32),
        values=dense[rows, columns].astype(np.float32),
        width=dense.shape[1],
    )


def random_matrix(rows: int, columns: int) -> Floats:
    generator = np.random.default_rng(0)
    filled = generator.random((rows, columns)) < 0.05
    return np.asarray(filled * generator.gamma(1.0, size=(rows, columns)), dtype=np.float32).astype(
        np.float64
    )


@pytest.mark.parametrize(("rows", "columns", "dim"), [(30, 20, 20), (620, 560, 12), (560, 620, 12)])
def test_it_is_the_beginning_of_the_whole_decomposition(rows: int, columns: int, dim: int) -> None:
    dense = random_matrix(rows, columns)
    left, sizes, right = np.linalg.svd(dense, full_matrices=False)
    found = truncated_svd(sparse(dense), dim)
    assert found.sizes == pytest.approx(sizes[:dim], rel=1e-9)
    signs = np.sign(np.sum(found.left * left[:, :dim], axis=0))
    assert found.left * signs == pytest.approx(left[:, :dim], abs=1e-7)
    assert found.right * signs == pytest.approx(right[:dim].T, abs=1e-7)


def test_the_largest_entry_is_positive_and_the_seed_does_not_matter() -> None:
    matrix = sparse(random_matrix(620, 560))
    found, other = truncated_svd(matrix, 8), truncated_svd(matrix, 8, seed=7)
    largest = np.abs(found.left).argmax(axis=0)
    assert (found.left[largest, np.arange(8)] > 0).all()
    assert other.left == pytest.approx(found.left, abs=1e-7)


def test_threads_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = sparse(random_matrix(620, 560))
    monkeypatch.setenv("LYDITE_THREADS", "1")
    alone = truncated_svd(matrix, 8)
    monkeypatch.setenv("LYDITE_THREADS", "3")
    together = truncated_svd(matrix, 8)
    assert (alone.left == together.left).all()
    assert (alone.right == together.right).all()


def test_a_rank_below_the_dimensions_asked_for() -> None:
    dense = np.zeros((620, 560))
    for number in range(3):
        dense[number * 7 : number * 7 + 7, number * 5 : number * 5 + 5] = number + 1
    found = truncated_svd(sparse(dense), 6)
    # A block of 7 x 5 equal entries v has the singular value v sqrt(35).
    assert found.sizes == pytest.approx([3 * 35**0.5, 2 * 35**0.5, 35**0.5, 0, 0, 0], abs=1e-5)
    assert (found.left * found.sizes) @ found.right.T == pytest.approx(dense, abs=1e-5)


@pytest.mark.parametrize("dim", [0, 21])
def test_more_dimensions_than_the_matrix_has_are_refused(dim: int) -> None:
    with pytest.raises(InputError, match=f"from 1 to 20 dimensions .* got {dim}"):
        truncated_svd(sparse(random_matrix(30, 20)), dim)


def test_a_matrix_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="more often than by chance"):
        truncated_svd(sparse(np.zeros((3, 3))), 1)
