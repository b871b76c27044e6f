from __future__ import annotations

import csv
from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.files.tables import TableRow, table_rows


def test_quoted_fields_span_lines_and_rows_keep_their_first_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b'\xef\xbb\xbfa,b\r\n\r\n1,"two\r\nlines, ""really"""\r\n2,three\r\n')
    assert list(table_rows(path, ",")) == [
        TableRow(1, ["a", "b"]),
        TableRow(3, ["1", 'two\nlines, "really"']),
        TableRow(5, ["2", "three"]),
    ]


def test_between_tabs_only_whole_fields_are_quoted(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text('1\t"Yes", he said.\n2\t"He said ""yes""."\n')
    assert [row.fields[1] for row in table_rows(path, "\t")] == [
        '"Yes", he said.',
        'He said "yes".',
    ]
    raw = [row.fields[1] for row in table_rows(path, "\t", quoted=False)]
    assert raw[1] == '"He said ""yes""."'


def test_a_quotation_that_does_not_end_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,"open\n2,c\n')
    with pytest.raises(FormatError, match=r"t.csv:2: expected fields"):
        list(table_rows(path, ","))


def test_a_field_may_be_longer_than_csv_takes_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    usual = csv.field_size_limit()
    path.write_text(f"good,{'x' * (usual + 1)}\nbad,y\n")
    rows = table_rows(path, ",")
    assert len(next(rows).fields[1]) == usual + 1
    # The limit is one for the whole process, and stays as it was for others.
    assert csv.field_size_limit() == usual
    assert next(rows).fields == ["bad", "y"]
