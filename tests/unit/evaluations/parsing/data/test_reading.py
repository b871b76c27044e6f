from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.evaluations.parsing.data import read_trees

# (number, word, part of speech, head, relation)
Row = tuple[str, str, str, str, str]

CATS: list[Row] = [
    ("1", "Cats", "NOUN", "2", "nsubj"),
    ("2", "sleep", "VERB", "0", "root"),
    ("3", ".", "PUNCT", "2", "punct"),
]


def lines(*rows: Row) -> str:
    return "".join(
        "\t".join([number, word, "_", tag, "_", "_", head, relation, "_", "_"]) + "\n"
        for number, word, tag, head, relation in rows
    )


def written(folder: Path, text: str) -> Path:
    path = folder / "trees.conllu"
    path.write_text(text)
    return path


def test_two_sentences_with_a_contraction_and_an_empty_node(tmp_path: Path) -> None:
    second = [
        ("1-2", "Don't", "_", "_", "_"),
        ("1", "Do", "AUX", "3", "aux"),
        ("2", "n't", "PART", "3", "advmod:neg"),
        ("2.1", "you", "_", "_", "_"),
        ("3", "go", "VERB", "0", "root"),
    ]
    text = f"# newdoc\n#x\n{lines(*CATS)}\n\n# text = Don't go\n{lines(*second)}"
    trees = read_trees(written(tmp_path, text))
    assert len(trees) == 2
    assert trees.words == ("Cats", "sleep", ".", "Do", "n't", "go")
    assert trees.heads.tolist() == [2, 0, 2, 3, 3, 0]
    assert trees.relations == ("nsubj", "root", "punct", "aux", "advmod:neg", "root")
    assert trees.punctuation.tolist() == [False, False, True, False, False, False]
    assert trees.starts.tolist() == [0, 3, 6]


def test_compressed_and_with_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "trees.conllu.gz"
    path.write_bytes(gzip.compress(lines(*CATS).replace("\n", "\r\n").encode()))
    assert read_trees(path).words == ("Cats", "sleep", ".")


@pytest.mark.parametrize(
    ("place", "row", "line", "message"),
    [
        (2, ("3", ".", "PUNCT", "_", "punct"), 4, "the number of a head in the seventh column"),
        (2, ("3", ".", "PUNCT", "4", "punct"), 4, "another word of this sentence of 3"),
        (2, ("3", ".", "PUNCT", "3", "punct"), 4, "another word of this sentence of 3"),
        (2, ("3", ".", "PUNCT", "0", "root"), 4, "one root per sentence, got a second, '.'"),
        (1, ("2", "sleep", "VERB", "1", "root"), 2, "a word with the head 0, got none"),
        (2, ("3", ".", "PUNCT", "2", "_"), 4, "a relation in the eighth column"),
        (2, ("4", ".", "PUNCT", "2", "punct"), 4, "3 in the first column, got '4'"),
        (2, ("x", ".", "PUNCT", "2", "punct"), 4, "1, 2-3 or 8.1 in the first column"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_line(
    tmp_path: Path, place: int, row: Row, line: int, message: str
) -> None:
    rows = [*CATS[:place], row, *CATS[place + 1 :]]
    path = written(tmp_path, f"# text\n{lines(*rows)}")
    with pytest.raises(FormatError, match=message) as caught:
        read_trees(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert caught.value.hint is not None


def test_a_circle_beside_a_root_is_refused(tmp_path: Path) -> None:
    rows = [("1", "a", "X", "2", "dep"), ("2", "b", "X", "1", "dep"), ("3", "c", "X", "0", "root")]
    path = written(tmp_path, lines(*CATS) + "\n" + lines(*rows))
    with pytest.raises(FormatError, match="got a circle through word 1") as caught:
        read_trees(path)
    assert caught.value.line == 5


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_a_file_without_trees_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError, match="expected dependency trees, got none"):
        read_trees(written(tmp_path, text))


def test_other_columns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="10 columns divided by tabs") as caught:
        read_trees(written(tmp_path, "The\tDET\n"))
    assert caught.value.line == 1


def test_the_english_web_treebank_has_as_many_words_as_its_card_says(shared_data: Path) -> None:
    trees = read_trees(shared_data / "treebanks" / "ud-ewt" / "en_ewt-ud-test.conllu")
    assert (len(trees), len(trees.words)) == (2077, 25094)
    assert (trees.heads == 0).sum() == 2077
