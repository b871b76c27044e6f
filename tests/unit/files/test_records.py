from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.files.tables import field, records

HINT = "a table with the header a, b"


def listed(path: Path, text: str) -> list[tuple[int, dict[str, object]]]:
    path.write_text(text, encoding="utf-8")
    return [(line, dict(record)) for line, record in records(path, hint=HINT)]


@pytest.mark.parametrize("mark", ["\t", ",", ";"])
def test_a_table_with_comments_blank_lines_and_any_case(tmp_path: Path, mark: str) -> None:
    text = "# about\n\n A |B\n\n1|two\n# between\n3|4\n".replace("|", mark)
    assert listed(tmp_path / "t", text) == [(5, {"a": "1", "b": "two"}), (7, {"a": "3", "b": "4"})]


def test_lines_of_json_with_any_case_and_blank_lines(tmp_path: Path) -> None:
    text = '\n{"A": 1, "b": ["x"]}\n\n{"a": null}\n'
    assert listed(tmp_path / "t", text) == [(2, {"a": 1, "b": ["x"]}), (4, {"a": None})]


def test_a_byte_order_mark_windows_line_ends_and_compression(tmp_path: Path) -> None:
    path = tmp_path / "t.gz"
    path.write_bytes(gzip.compress("\ufeffa\tb\r\nä\t2\r\n".encode()))
    assert list(records(path, hint=HINT)) == [(2, {"a": "ä", "b": "2"})]


def test_quoted_fields_of_csv_may_hold_the_delimiter_and_line_ends(tmp_path: Path) -> None:
    found = listed(tmp_path / "t", 'a,b\n"x, ""y""",2\n"two\nlines",3\n4,5\n')
    assert [record["a"] for _, record in found] == ['x, "y"', "two\nlines", "4"]
    assert [line for line, _ in found] == [2, 3, 5]


def test_a_quotation_mark_between_tabs_is_a_character(tmp_path: Path) -> None:
    assert listed(tmp_path / "t", 'a\tb\n"He left\t2\n') == [(2, {"a": '"He left', "b": "2"})]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('{"a": 1}\n{"a": \n', 2, "expected an object of JSON"),
        ('{"a": 1}\n\n[1, 2]\n', 3, "expected an object of JSON, got '[1, 2]'"),
        ('{"a": 1}\n# no comment in JSON\n', 2, "expected an object of JSON"),
        ("a\tb\n1\t2\n1\t2\t3\n", 3, "expected 2 fields (a, b), got 3"),
        ("a\tb\n1\n", 2, "expected 2 fields (a, b), got 1"),
        ("# about\njust words\n", 2, "expected a header and fields divided by tabs or commas"),
        ('a,b\n"open,2\n', 2, "quoted as in CSV"),
    ],
)
def test_what_is_no_record_is_told_with_path_and_line(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    path = tmp_path / "t"
    with pytest.raises(FormatError, match=re.escape(f"{path}:{line}: ")) as caught:
        listed(path, text)
    assert said in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_an_empty_file(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError, match="expected records, got an empty file"):
        listed(tmp_path / "t", text)


def test_a_header_alone_has_no_records(tmp_path: Path) -> None:
    assert listed(tmp_path / "t", "a\tb\n") == []


def test_a_field_is_a_text() -> None:
    assert field({"a": " x y "}, "a", Path("f"), 3, hint=HINT) == "x y"
    for record, said in (
        ({"a": "  "}, "got '  '"),
        ({"a": 5}, "got 5"),
        ({"a": None}, "got None"),
        ({"b": "x", "c": "y"}, "got none among b, c"),
    ):
        with pytest.raises(FormatError, match=re.escape(f"f:3: expected a text as 'a', {said}")):
            field(record, "a", Path("f"), 3, hint=HINT)
