from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.errors import InputError
from lydite.spaces import factorization as module
from lydite.spaces.factorization import SparseMatrix, ppmi
from lydite.types import Floats


def compressed(counts: Floats, **options: float) -> SparseMatrix:
    rows, columns = np.nonzero(counts)
    return ppmi(
        np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(counts)))]),
        columns.astype(np.int32),
        counts[rows, columns].astype(np.uint32),
        width=counts.shape[1],
        **options,
    )


def whole(matrix: SparseMatrix) -> Floats:
    dense = np.zeros(matrix.shape)
    rows = np.repeat(np.arange(len(dense)), np.diff(matrix.starts))
    dense[rows, matrix.columns] = matrix.values
    return dense


def of_hyperwords(counts: Floats, cds: float, neg: float) -> Floats:
    """Follow calc_pmi and PositiveExplicit: e^PMI, its log, less log(neg), negative ones to 0."""
    sum_w, sum_c = counts.sum(axis=1), counts.sum(axis=0) ** cds
    found = np.zeros(counts.shape)
    for word, context in zip(*np.nonzero(counts), strict=True):
        information = counts[word, context] / sum_w[word] / sum_c[context] * sum_c.sum()
        found[word, context] = max(math.log(information) - math.log(neg), 0.0)
    return found


def test_by_hand() -> None:
    # #(w) = 4, 2 and #(c) = 1, 5, in all 6: log(1·6 / (4·1)), log(3·6 / (4·5)) < 0,
    # log(2·6 / (2·5)).
    weighed = compressed(np.array([[1.0, 3.0], [0.0, 2.0]]))
    assert weighed.columns.tolist() == [0, 1]
    assert weighed.starts.tolist() == [0, 1, 2]
    assert weighed.values == pytest.approx([math.log(1.5), math.log(1.2)])


def test_smoothing_and_shift_by_hand() -> None:
    # #(c)^0.5 = 2, 4, in all 6; #(w) = 5, 15; for the first entry log(4·6 / (5·2)) - log(2).
    weighed = compressed(np.array([[4.0, 1.0], [0.0, 15.0]]), cds=0.5, shift=2.0)
    assert whole(weighed) == pytest.approx(np.array([[math.log(1.2), 0.0], [0.0, 0.0]]), abs=1e-6)


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.lists(st.integers(0, 4), min_size=5, max_size=5), min_size=1, max_size=6),
    st.sampled_from([1.0, 0.75, 0.0]),
    st.sampled_from([1.0, 5.0, 0.5]),
    st.sampled_from([1, 3, 1 << 20]),
)
def test_formulas_are_those_of_hyperwords(
    counts: list[list[int]], cds: float, shift: float, block: int
) -> None:
    dense = np.array(counts, dtype=np.float64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        weighed = compressed(dense, cds=cds, shift=shift)
    # 0 ** 0 is 1, but a context that never occurs is not there in Hyperwords at all.
    there = dense.sum(axis=0) > 0
    expected = np.zeros(dense.shape)
    expected[:, there] = of_hyperwords(dense[:, there], cds, shift)
    assert whole(weighed) == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("options", [{"cds": -1.0}, {"cds": 1.5}, {"shift": 0.0}])
def test_parameters_without_meaning_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match="expected"):
        compressed(np.ones((2, 2)), **options)
