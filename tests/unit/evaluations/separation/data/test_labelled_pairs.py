from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.evaluations.separation.data import (
    LabelledPairs,
    Thresholds,
    read_labelled_pairs,
    read_minimal_pairs,
    read_msrp_pairs,
    read_sts_pairs,
)


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


def test_without_a_base_pairs_that_share_texts_go_together(tmp_path: Path) -> None:
    # a-b, a-c; d-e; f-c shares c with the first, g-f shares f with the one before.
    rows = "a,b,1\na,c,0\nd,e,1\nf,c,0\ng,f,1\nh,i,0\n"
    bases = read(tmp_path / "pairs", f"left,right,label\n{rows}").bases
    assert len({bases[i] for i in (0, 1, 3, 4)}) == 1
    assert len(set(bases)) == 3


@pytest.mark.parametrize("again", ["a,b,L", "b,a,L"])
def test_a_pair_labeled_h_and_l_is_an_error(tmp_path: Path, again: str) -> None:
    path = tmp_path / "pairs"
    with pytest.raises(FormatError, match="got H and L for 'a' and 'b', first in line 2") as caught:
        read(path, f"left,right,label\na,b,H\nc,d,L\n{again}\n")
    assert f"{path}:4" in str(caught.value)


def test_a_pair_that_stands_twice_counts_once(tmp_path: Path) -> None:
    pairs = read(tmp_path / "pairs", "left,right,label\na,b,H\nb,a,H\nc,d,L\n")
    assert (pairs.left, pairs.right) == (("a", "c"), ("b", "d"))


def test_graded_pairs_are_in_h_in_l_or_in_neither(tmp_path: Path) -> None:
    text = "left,right,score\na,b,5\nc,d,4\ne,f,3.9\ng,h,2\ni,j,0\nb,a,3\n"
    pairs = read(tmp_path / "pairs", text)
    assert pairs.gold is not None
    # The first was rated twice.
    assert pairs.gold.tolist() == [4, 4, 3.9, 2, 0]
    assert pairs.similar.tolist() == [True, True, False, False, False]
    assert pairs.dissimilar.tolist() == [False, False, False, True, True]
    wide = read_labelled_pairs(tmp_path / "pairs", Thresholds(similar=3.5, dissimilar=1))
    assert wide.similar.tolist() == [True, True, True, False, False]
    assert wide.dissimilar.tolist() == [False, False, False, False, True]
    with pytest.raises(FormatError, match="expected a number as 'score', got 'high'"):
        read(tmp_path / "pairs", "left,right,score\na,b,high\n")


def test_msrp_as_it_is_distributed(tmp_path: Path) -> None:
    path = tmp_path / "msr_paraphrase_test.txt"
    header = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n"
    lines = '1\t11\t12\tHe said "yes.\tHe agreed.\r\n0\t13\t14\tA b.\tC d.\r\n'
    path.write_bytes(f"\ufeff{header}{lines}".encode())
    pairs = read_msrp_pairs(path)
    assert pairs.left == ('He said "yes.', "A b.")
    assert pairs.similar.tolist() == [True, False]
    path.write_text(f"{header}1\t11\t12\tA b.\n")
    with pytest.raises(FormatError, match=":2: expected 5 fields, got 4"):
        read_msrp_pairs(path)


def test_sts_as_it_is_distributed(tmp_path: Path) -> None:
    path = tmp_path / "sts-test.csv"
    path.write_text(
        "main-news\tMSRpar\t2012\t1\t4.5\tA b. \tB a.\tx\ty\n"
        'main-forums\tdeft\t2014\t2\t1.000\tHe "c.\tD.\n'
        "main-news\tdeft\t2014\t3\t3\tE.\tF.\n"
    )
    pairs = read_sts_pairs(path)
    assert (pairs.left, pairs.right) == (("A b.", 'He "c.', "E."), ("B a.", "D.", "F."))
    assert pairs.phenomena == ("main-news", "main-forums", "main-news")
    assert (pairs.similar.tolist(), pairs.dissimilar.tolist()) == (
        [True, False, False],
        [False, True, False],
    )
    path.write_text("main-news\tMSRpar\t2012\n")
    with pytest.raises(FormatError, match=":1: expected at least 7 fields, got 3"):
        read_sts_pairs(path)


def test_minimal_pairs_are_read_with_their_sources(tmp_path: Path) -> None:
    path = tmp_path / "minimal"
    path.write_text(
        "phenomenon,source,sentence,same,other\n"
        "voice,x,A sees B.,B is seen by A.,A is seen by B.\n"
        "voice,x,B is seen by A.,A sees B.,B sees A.\n"
        "order,,C.,D.,E.\n"
    )
    pairs = read_minimal_pairs(path)
    assert pairs.sentences == ("A sees B.", "B is seen by A.", "C.")
    assert pairs.other == ("A is seen by B.", "B sees A.", "E.")
    assert pairs.sources == ("voice: x", "voice: x", "order: C.")


@pytest.mark.parametrize("row", ["A.,B.,B.", "A.,A.,B.", "S.,U.,T."])
def test_minimal_pairs_that_cannot_be_are_told(tmp_path: Path, row: str) -> None:
    path = tmp_path / "minimal"
    path.write_text(f"sentence,same,other\nS.,T.,U.\n{row}\n")
    with pytest.raises(FormatError, match=":3: expected three different sentences"):
        read_minimal_pairs(path)


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
