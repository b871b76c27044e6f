from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.trained.trees import Binarised, read_trees

PENN = """
( (S
    (NP-SBJ-1 (NNP Mr.) (NNP Vinken) )
    (VP (VBZ is)
      (S (NP-SBJ (-NONE- *-1) )
        (NP-PRD (NP (NN chairman) ) (PP (IN of) (NP (NNP Elsevier)))) ))
    (. .) ))
"""


def trees(text: str, folder: Path, *, binarised: Binarised = "right") -> list[str]:
    path = folder / "trees.txt"
    path.write_text(text, encoding="utf-8")
    forest = read_trees([path], binarised=binarised)
    return [forest.written(tree) for tree in range(len(forest))]


def test_binary_trees_with_labels_of_sentiment(tmp_path: Path) -> None:
    text = "(3 (2 It) (4 (2 's) (4 good)))\n(2 bad)\n\n(1 (2 (2 not) (2 good)) (2 .))"
    assert trees(text, tmp_path) == ["(It ('s good))", "bad", "((not good) .)"]


def test_traces_go_chains_collapse_and_nodes_become_binary(tmp_path: Path) -> None:
    right = "((Mr. Vinken) ((is (chairman (of Elsevier))) .))"
    left = "(((Mr. Vinken) (is (chairman (of Elsevier)))) .)"
    assert trees(PENN, tmp_path) == [right]
    assert trees(PENN, tmp_path, binarised="left") == [left]


@pytest.mark.parametrize(
    ("binarised", "expected"), [("right", "(a (b (c d)))"), ("left", "(((a b) c) d)")]
)
def test_to_which_side(binarised: Binarised, expected: str, tmp_path: Path) -> None:
    assert trees("(X (A a) (B b) (C c) (D d))", tmp_path, binarised=binarised) == [expected]
    # Words without tags of their own, and traces between them.
    assert trees("(X a b (-NONE- *) c (Y d))", tmp_path, binarised=binarised) == [expected]


def test_a_tree_of_traces_alone_is_none(tmp_path: Path) -> None:
    text = "(S (NP (-NONE- *T*)) (VP (-NONE- 0)))\n(S (X a))"
    assert trees(text, tmp_path) == ["a"]


def test_words_are_written_as_in_plain_text(tmp_path: Path) -> None:
    text = r"(S (-LRB- -LRB-) (A and\/or) (`` ``) (B b) ('' '') (-RRB- -RRB-))"
    assert trees(text, tmp_path) == ['(( (and/or (" (b (" ))))))']


def test_letters_of_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "old.mrg"
    path.write_bytes("(S (A café))".encode("latin-1"))
    assert read_trees([path]).words == ("café",)


def test_deep_trees_need_no_recursion(tmp_path: Path) -> None:
    deep = "(X (A a) " * 5000 + "(A a)" + ")" * 5000
    path = tmp_path / "deep.txt"
    path.write_text(deep)
    assert read_trees([path]).heights.max() == 5000


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("(2 (2 a) (2 b))\n(2 (2 a) (2 b)))\n(2 c)", 2, "one too many"),
        ("(2 a)\n\n(2 (2 a) (2 b)\n(2 c)\n", 3, "1 from here on"),
        ("(2 a)\nstray (2 b)", 2, "'stray'"),
        ("(2 a)\n( ( ( a b ) c ) d )", 2, "expected a label"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    text: str, line: int, what: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=what) as caught:
        trees(text, tmp_path)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"{tmp_path / 'trees.txt'}:{line}: ")


@pytest.mark.parametrize("text", ["", "plain text", "(S (-NONE- *))"])
def test_a_file_without_trees(text: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="expected trees in brackets, got none"):
        trees(text, tmp_path)


def test_compressed_files_and_archives(tmp_path: Path) -> None:
    packed = tmp_path / "one.gz"
    packed.write_bytes(gzip.compress(b"(S (A a) (B b))"))
    archive = tmp_path / "two.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("README", "about (these) files")
        file.writestr("combined/x_1.mrg", "(S (A a) (-NONE- *))")
        # The same text without tags, where a trace would be taken for a word.
        file.writestr("parsed/x_1.prd", "(S a b *)")
        file.writestr("parsed/x_2.prd", "(S c d e)")
    forest = read_trees([packed, archive])
    assert [forest.written(tree) for tree in range(len(forest))] == ["(a b)", "a", "(c (d e))"]


def test_the_treebanks_at_hand(shared_data: Path) -> None:
    penn = read_trees([shared_data / "treebanks/treebank.zip"])
    assert len(penn) == 3914
    assert not {"*", "*T*-1", "-LRB-"} & set(penn.words)
    sentiment = read_trees([shared_data / "downstream/sst/trees-dev.txt"])
    assert len(sentiment) == 1101
    assert sentiment.sentence(0)[:4] == ["It", "'s", "a", "lovely"]
