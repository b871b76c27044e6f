from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.paraphrases.layouts import (
    Passage,
    Version,
    aligned_rows,
    read_id_lines,
    read_id_object,
    read_id_table,
    read_plain_versions,
)
from lydite.errors import FormatError, InputError


def write(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"v{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def test_lines_of_the_same_number_are_a_group(tmp_path: Path) -> None:
    # The third line is missing in the second version and is dots in the first.
    paths = write(tmp_path, "a1\na2\n...\na4\n", "b1\nb2\n\nb4\n\n\n", "c1\n\nc3\nc4\n")
    rows, notes = aligned_rows(read_plain_versions(paths), minimum=2)
    assert [(row.group, row.text, row.path.name, row.line) for row in rows] == [
        ("1", "a1", "v0.txt", 1),
        ("1", "b1", "v1.txt", 1),
        ("1", "c1", "v2.txt", 1),
        ("2", "a2", "v0.txt", 2),
        ("2", "b2", "v1.txt", 2),
        ("4", "a4", "v0.txt", 4),
        ("4", "b4", "v1.txt", 4),
        ("4", "c4", "v2.txt", 4),
    ]
    assert notes == {
        "passages without a word left out": 1,
        "ids in too few versions left out": 1,
    }


def test_a_version_with_fewer_lines_is_an_error(tmp_path: Path) -> None:
    paths = write(tmp_path, "a1\na2\n", "b1\nb2\nb3\n")
    with pytest.raises(FormatError, match=r"v0.txt:2: expected 3 lines, as in v1.txt, got 2"):
        read_plain_versions(paths)


def test_a_blank_last_line_is_a_line(tmp_path: Path) -> None:
    first, second = read_plain_versions(write(tmp_path, "a1\n\n", "b1\nb2\n"))
    assert list(first.passages) == list(second.passages) == ["1", "2"]


def test_versions_by_id_are_read_from_tables_lines_and_objects(tmp_path: Path) -> None:
    table, lines, whole = write(
        tmp_path,
        "id\ttext\nGen 1\tIn the beginning.\tSelah.\n\n",
        '{"id": "Gen 1", "text": "At the first."}\n{"id": 2, "text": "And."}\n',
        '{\n "Gen 1": "First.",\n "2": "Then."\n}\n',
    )
    assert read_id_table(table).passages == {"Gen 1": Passage("In the beginning.\tSelah.", 2)}
    assert read_id_lines(lines).passages == {
        "Gen 1": Passage("At the first.", 1),
        "2": Passage("And.", 2),
    }
    assert read_id_object(whole).passages == {
        "Gen 1": Passage("First.", None),
        "2": Passage("Then.", None),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\ta\nb\n", r"v0.txt:2: expected an id, a tab and a text, got 'b'"),
        ("1\ta\n1\tb\n", r"v0.txt:2: expected each id once, got '1' again: 'b'"),
        ("\ta\n", r"v0.txt:1: expected an id"),
    ],
)
def test_faulty_tables_are_errors(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_id_table(*write(tmp_path, text))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": null, "text": "a"}', "as 'id', got null"),
        ('{"id": "1", "text": 4}', "expected a text at id '1', got 4"),
    ],
)
def test_faulty_lines_are_errors(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(FormatError, match=rf"v0.txt:1: .*{message}"):
        read_id_lines(*write(tmp_path, line))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"1": "a",\n"2": }', r"v0.txt:2: expected an object of JSON, but Expecting value"),
        ('{"1": "a", "1": "b"}', r"v0.txt: expected each id once, got '1' again: 'b'"),
        ('{"1": ["a"]}', r"v0.txt: expected a text at id '1', got"),
        ('["a"]', r"v0.txt: expected an object that has a text for each id"),
    ],
)
def test_faulty_objects_are_errors(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_id_object(*write(tmp_path, text))


def test_fewer_versions_than_a_group_needs_are_an_error() -> None:
    version = Version(Path("a.txt"), {"1": Passage("a", 1)})
    with pytest.raises(InputError, match=r"at least 3 versions .* got 2: a.txt, a.txt"):
        aligned_rows([version, version], minimum=3)
