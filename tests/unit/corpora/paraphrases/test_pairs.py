from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.paraphrases.layouts import Pair, read_pair_lines, read_pair_table
from lydite.errors import FormatError


def test_msrp_has_ids_and_no_quoting(tmp_path: Path) -> None:
    path = tmp_path / "msr.txt"
    path.write_bytes(
        b"\xef\xbb\xbfQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n"
        b'1\t10\t11\t"Yes.\tHe agreed.\r\n0\t12\t13\t"No."\tHe left.\r\n'
    )
    assert list(read_pair_table(path, "\t")) == [
        Pair('"Yes.', "He agreed.", True, path, 2, "10", "11"),
        Pair('"No."', "He left.", False, path, 3, "12", "13"),
    ]


@pytest.mark.parametrize(
    ("text", "same", "line"),
    [
        ("text1,text2\na,b\n", True, 2),
        ("a,b,1\n", True, 1),
        ("a,b,0\n", False, 1),
        ("is_duplicate,question2,question1,extra\nno,b,a,x\n", False, 2),
    ],
)
def test_the_label_may_be_missing(tmp_path: Path, text: str, same: bool, line: int) -> None:
    path = tmp_path / "p.csv"
    path.write_text(text)
    assert list(read_pair_table(path, ",")) == [Pair("a", "b", same, path, line)]


def test_lines_of_json_have_the_same_fields(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(
        '{"text1": "a", "text2": "b"}\n'
        '{"sentence1": "a", "sentence2": "b", "label": false}\n'
        '{"text1": "a", "text2": "b", "label": 1.0, "id1": 4, "id2": 5}\n'
    )
    assert list(read_pair_lines(path)) == [
        Pair("a", "b", True, path, 1),
        Pair("a", "b", False, path, 2),
        Pair("a", "b", True, path, 3, "4", "5"),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a,b,maybe", "expected the label 0 or 1, got 'maybe'"),
        ("a,b", "expected 3 fields, got 2"),
        ("a, ,1", "expected two sentences, got ' '"),
    ],
)
def test_faulty_rows_are_errors(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "p.csv"
    path.write_text(f"text1,text2,label\na,b,1\n{row}\n")
    with pytest.raises(FormatError, match=rf"p.csv:3: {message}"):
        list(read_pair_table(path, ","))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text1": "a"}', "expected two texts, got the fields text1"),
        ('{"text1": "a", "text2": null}', "expected two sentences, got None"),
        ('{"text1": "a", "text2": "b", "label": null}', "expected the label 0 or 1, got None"),
    ],
)
def test_faulty_lines_of_json_are_errors(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(FormatError, match=rf"p.jsonl:1: {message}"):
        list(read_pair_lines(path))
