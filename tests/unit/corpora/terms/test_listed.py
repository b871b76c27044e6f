from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.term_sources import read_terms
from lydite.errors import FormatError


def test_a_list_has_one_term_a_line(tmp_path: Path) -> None:
    path = tmp_path / "terms.txt"
    path.write_bytes("\ufeff# mine\r\nNaive realism\t12\r\n\r\n  time \r\n".encode())
    assert [term.tokens for term in read_terms(path).terms] == [("naive", "realism"), ("time",)]


def test_a_list_without_terms_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "terms.txt"
    path.write_text("# nothing yet\n\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"terms\.txt: expected terms, got none"):
        read_terms(path)
