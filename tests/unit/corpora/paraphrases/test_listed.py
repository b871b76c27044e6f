from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.paraphrases.groups import Row
from lydite.corpora.paraphrases.layouts import read_group_lines, read_group_table
from lydite.errors import FormatError


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('group,text\na,"Yes, sir."\n', 2),
        ('a,"Yes, sir."\n', 1),
        ('x,Text,GROUP\n1,"Yes, sir.",a\n', 2),
    ],
)
def test_columns_are_found_with_and_without_a_header(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "g.csv"
    path.write_text(text)
    assert list(read_group_table(path, ",")) == [Row("a", "Yes, sir.", path, line)]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a,Yes, sir.", r"g.csv:3: expected 2 fields, got 3: 'a, Yes,  sir.'"),
        ("a, ", r"g.csv:3: expected a sentence of group 'a', got an empty text"),
        (",Yes.", r"g.csv:3: expected the name of a group, got none before 'Yes.'"),
    ],
)
def test_faulty_rows_are_errors(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "g.csv"
    path.write_text(f"group,text\nb,Good.\n{row}\n")
    with pytest.raises(FormatError, match=message):
        list(read_group_table(path, ","))


def test_lines_of_json_have_one_text_or_several(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text('{"group": 1, "text": "Yes."}\n\n{"group": "b", "texts": ["No.", "Nay."]}\n')
    assert list(read_group_lines(path)) == [
        Row("1", "Yes.", path, 1),
        Row("b", "No.", path, 3),
        Row("b", "Nay.", path, 3),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"group": "a", "text": "x"', "expected an object of JSON"),
        ('["a", "x"]', "expected an object of JSON"),
        ('{"text": "x"}', "as 'group', got none"),
        ('{"group": true, "text": "x"}', "as 'group', got true"),
        ('{"group": "a"}', "expected a text in group 'a', got None"),
        ('{"group": "a", "text": 3}', "expected a text in group 'a', got 3"),
        ('{"group": "a", "texts": "x"}', "expected a list of texts in group 'a', got x"),
        ('{"group": "a", "texts": ["x", " "]}', "expected a sentence of group 'a'"),
    ],
)
def test_faulty_lines_of_json_are_errors(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text('{"group": "b", "text": "Good."}\n' + line + "\n")
    with pytest.raises(FormatError, match=rf"g.jsonl:2: .*{message}"):
        list(read_group_lines(path))
