from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.errors import InputError
from lydite.lexicons.oracles import Oracle, read_oracle, write_oracle

ONE = Oracle(words=("fish", "ß"), features=("b", "é"), values=np.array([[0.1, 2 / 3], [0, 1]]))


def test_the_format_is_that_of_qvec(tmp_path: Path) -> None:
    write_oracle(ONE, tmp_path / "o.tsv")
    text = (tmp_path / "o.tsv").read_text("utf-8")
    assert text == 'fish\t{"b": 0.1, "é": 0.6666666666666666}\nß\t{"é": 1.0}\n'


@given(
    words=st.lists(
        st.text(st.characters(categories=["L", "N", "P"]), min_size=1),
        min_size=1,
        max_size=5,
        unique=True,
    ),
    seed=st.integers(0, 99),
)
def test_what_is_read_back_is_the_same_bit_by_bit(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], seed: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "oracle-round-trip.tsv"
    values = np.random.default_rng(seed).dirichlet(np.ones(3), len(words))
    oracle = Oracle(words=tuple(words), features=("a", "b", "c"), values=values)
    write_oracle(oracle, path)
    again = read_oracle(path)
    assert (again.words, again.features) == (oracle.words, oracle.features)
    np.testing.assert_array_equal(again.values, values)


@pytest.mark.parametrize("word", ["two\twords", "two\nlines", "", " ", "# x"])
def test_a_word_that_the_format_cannot_hold(tmp_path: Path, word: str) -> None:
    oracle = Oracle(words=("cat", word), features=("a",), values=np.ones((2, 1)))
    with pytest.raises(InputError, match="expected words without tabs"):
        write_oracle(oracle, tmp_path / "o.tsv")
    assert list(tmp_path.iterdir()) == []


def test_a_weight_that_is_no_number(tmp_path: Path) -> None:
    oracle = Oracle(words=("cat",), features=("a",), values=np.array([[np.nan]]))
    with pytest.raises(InputError, match="expected finite weights"):
        write_oracle(oracle, tmp_path / "o.tsv")
