from __future__ import annotations

import numpy as np

from lydite.spaces.factorization import SparseMatrix
from lydite.spaces.vocabulary import Vocabulary
from lydite.trained.cheung_penn.named_rows import BackedOffRows, NamedRows
from lydite.types import Floats


def rows(words: str, dimensions: str, matrix: list[list[float]]) -> NamedRows:
    dense = np.array(matrix, dtype=np.float32)
    places, columns = np.nonzero(dense)
    return NamedRows(
        words=Vocabulary.of(words.split()),
        dimensions=Vocabulary.of(dimensions.split()),
        matrix=SparseMatrix(
            starts=np.searchsorted(places, np.arange(len(dense) + 1)),
            columns=columns.astype(np.int32),
            values=dense[places, columns],
            width=dense.shape[1],
        ),
    )


def dense(matrix: SparseMatrix) -> Floats:
    found = np.zeros(matrix.shape)
    lengths = np.diff(matrix.starts)
    found[np.repeat(np.arange(len(lengths)), lengths), matrix.columns] = matrix.values
    for start, stop in zip(matrix.starts, matrix.starts[1:], strict=False):
        assert (np.diff(matrix.columns[start:stop]) > 0).all()
    return found


GENERAL = rows("cat dog void", "purr bark milk", [[3, 0, 1], [0, 2, 0], [0, 0, 0]])
DOMAIN = rows("gene dog void odd", "milk cell purr", [[5, 6, 7], [8, 8, 8], [0, 0, 9], [0, 4, 0]])


def test_rows_by_name_in_the_order_asked_for() -> None:
    taken = GENERAL.take(["dog", "emu", "cat", "dog", "void"])
    assert dense(taken).tolist() == [[0, 2, 0], [0, 0, 0], [3, 0, 1], [0, 2, 0], [0, 0, 0]]
    assert GENERAL.take([]).shape == (0, 3)


def test_dimensions_are_found_by_their_names() -> None:
    both = BackedOffRows(general=GENERAL, domain=DOMAIN)
    assert list(both.dimensions) == ["purr", "bark", "milk"]
    # gene: milk 5 and purr 7; "cell" is no dimension of the general rows. The general dog stays.
    assert dense(both.take(["gene", "dog", "cat"])).tolist() == [[7, 0, 5], [0, 2, 0], [3, 0, 1]]


def test_an_empty_row_is_no_word() -> None:
    both = BackedOffRows(general=GENERAL, domain=DOMAIN)
    # "void" has no values in general; all that "odd" has is in a dimension that is not there.
    assert dense(both.take(["void", "odd", "emu"])).tolist() == [[9, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_three_corpora() -> None:
    third = rows("emu gene", "milk", [[1], [1]])
    both = BackedOffRows(general=BackedOffRows(general=GENERAL, domain=DOMAIN), domain=third)
    assert dense(both.take(["emu", "gene"])).tolist() == [[0, 0, 1], [7, 0, 5]]
