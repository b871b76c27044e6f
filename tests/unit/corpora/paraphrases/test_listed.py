from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.paraphrases.groups import Row
from lydite.corpora.paraphrases.layouts import read_group_lines, read_group_table, sniff
from lydite.corpora.paraphrases.load import open_groups
from lydite.errors import FormatError


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('group,text\na,"Yes, sir."\n', 2),
        ('a,"Yes, sir."\n', 1),
        ('x,Text,GROUP\n1,"Yes, sir.",a\n', 2),
        ('text,label\n"Yes, sir.",a\n', 2),
        ('intent,utterance\na,"Yes, sir."\n', 2),
        ('text,category\n"Yes, sir.",a\n', 2),
        ('id,text,label_text,label\n7,"Yes, sir.",a,0\n', 2),
        # One known name of two gives the other.
        ('kind,text\na,"Yes, sir."\n', 2),
        ('Question,answer\n"Yes, sir.",a\n', 2),
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


@pytest.mark.parametrize(
    "text",
    [
        # German names, either way round, and no header at all.
        "kategorie,anfrage\na,Ja bitte.\na,Gern doch.\nb,Nein danke.\nb,Auf keinen Fall.\n",
        "anfrage,kategorie\nJa bitte.,a\nGern doch.,a\nNein danke.,b\nAuf keinen Fall.,b\n",
        "Ja bitte.,a\nGern doch.,a\nNein danke.,b\nAuf keinen Fall.,b\n",
    ],
)
def test_values_that_come_back_are_groups(tmp_path: Path, text: str) -> None:
    path = tmp_path / "g.csv"
    path.write_text(text)
    assert [(row.group, row.text) for row in read_group_table(path, ",")] == [
        ("a", "Ja bitte."),
        ("a", "Gern doch."),
        ("b", "Nein danke."),
        ("b", "Auf keinen Fall."),
    ]


def test_a_first_row_of_a_group_of_its_own_is_no_header_if_it_has_a_sentence(
    tmp_path: Path,
) -> None:
    path = tmp_path / "g.csv"
    path.write_text("c,A whole sentence.\na,One.\na,Two.\n")
    assert [row.group for row in read_group_table(path, ",")] == ["c", "a", "a"]


def test_more_columns_under_unknown_names_are_explained(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text("nummer,kategorie,anfrage\n1,a,Ja bitte.\n2,a,Gern doch.\n")
    with pytest.raises(
        FormatError, match=r"g.csv:1: expected a header .* got nummer, kategorie, anfrage"
    ) as caught:
        list(read_group_table(path, ","))
    assert "intent, category" in str(caught.value.hint)


@pytest.mark.parametrize(
    "line",
    [
        '{"label": 3, "text": "Yes."}',
        '{"intent": 3, "utterance": "Yes."}',
        '{"Category": "3", "Question": "Yes."}',
        '{"intent": "3", "examples": ["Yes."]}',
    ],
)
def test_lines_of_json_have_other_names_too(tmp_path: Path, line: str) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text(line + "\n")
    assert sniff(path).layout == "group lines"
    assert list(read_group_lines(path)) == [Row("3", "Yes.", path, 1)]


def test_lines_of_json_under_unknown_names_are_explained(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text(
        '{"kategorie": "a", "anfrage": "Ja."}\n{"kategorie": "a", "anfrage": "Gern."}\n'
    )
    with pytest.raises(FormatError, match="got the fields kategorie, anfrage") as caught:
        open_groups([path])
    assert "name the column of groups group" in str(caught.value.hint)
