from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.evaluations.separation.data import LabelledPairs, read_labelled_pairs


def read(path: Path, text: str) -> LabelledPairs:
    path.write_text(text)
    return read_labelled_pairs(path)


def test_a_table_and_lines_of_json_say_the_same(tmp_path: Path) -> None:
    rows = [
        {"left": "a cat", "right": "the cat", "label": "H", "phenomenon": "article", "base": "1"},
        {"left": "a cat", "right": "no cat", "label": "L", "phenomenon": "negation", "base": "1"},
        {"left": "a dog", "right": "the dog", "label": "H", "phenomenon": "article", "base": "2"},
    ]
    table = "\t".join(rows[0]) + "\n" + "".join("\t".join(row.values()) + "\n" for row in rows)
    for text in (table, "".join(json.dumps(row) + "\n" for row in rows)):
        pairs = read(tmp_path / "pairs", text)
        assert pairs.left == ("a cat", "a cat", "a dog")
        assert pairs.right == ("the cat", "no cat", "the dog")
        assert pairs.similar.tolist() == [True, False, True]
        assert pairs.phenomena == ("article", "negation", "article")
        assert pairs.bases == ("1", "1", "2")


def test_without_a_base_pairs_with_one_left_text_go_together(tmp_path: Path) -> None:
    pairs = read(tmp_path / "pairs", "left,right,label\na,b,1\na,c,0\nd,e,1\n")
    assert pairs.bases == ("a", "a", "d")
    assert pairs.phenomena == ("", "", "")


@pytest.mark.parametrize(
    ("label", "similar"),
    [("H", True), (" h ", True), ("similar", True), ("YES", True), (1, True), (True, True),
     ("L", False), ("dissimilar", False), ("no", False), (0, False), (False, False)],
)  # fmt: skip
def test_labels_have_many_names(tmp_path: Path, label: object, similar: bool) -> None:
    record = {"left": "a", "right": "b", "label": label}
    assert read(tmp_path / "pairs", json.dumps(record)).similar.tolist() == [similar]


@pytest.mark.parametrize("label", ["", "E", "high", "2", None, 0.5, ["H"]])
def test_another_label_is_told_with_path_and_line(tmp_path: Path, label: object) -> None:
    rows = [{"left": "a", "right": "b", "label": each} for each in ("H", label)]
    path = tmp_path / "pairs"
    with pytest.raises(FormatError, match=re.escape(f"{path}:2: expected H (similar) or L")):
        read(path, "".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"right": "b", "label": "H"}, "left"),
        ({"left": "a", "label": "H"}, "right"),
        ({"left": " ", "right": "b", "label": "H"}, "left"),
        ({"left": 3, "right": "b", "label": "H"}, "left"),
    ],
)
def test_a_text_that_is_missing_is_told(
    tmp_path: Path, record: dict[str, object], name: str
) -> None:
    with pytest.raises(FormatError, match=f":1: expected a text as '{name}'") as caught:
        read(tmp_path / "pairs", json.dumps(record))
    assert "left, right, label" in str(caught.value.hint)
