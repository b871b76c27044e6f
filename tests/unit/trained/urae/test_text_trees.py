from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import InputError, ResourceError, SpecError
from lydite.trained.trees import text_trees


@pytest.mark.parametrize(
    ("trees", "expected"),
    [("right", "(a (b (c .)))"), ("left", "(((a b) c) .)"), ("balanced", "((a b) (c .))")],
)
def test_by_the_number_of_words(trees: str, expected: str) -> None:
    forest = text_trees(trees).trees(["a b c.", "d"])
    assert [forest.written(0), forest.written(1)] == [expected, "d"]


def test_the_tokenizer_counts() -> None:
    words, blanks = text_trees("left"), text_trees("left", tokenizer="whitespace")
    assert blanks.trees(["a b."]).written(0) == "(a b.)"
    assert words.fingerprint != blanks.fingerprint
    with pytest.raises(SpecError, match="no tokenizer"):
        text_trees("left", tokenizer="letters")


def test_of_two_trees_over_the_same_letters_the_first_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "trees.txt"
    path.write_text("(S (X (A a) (B b)) (C c))\n(S (A A) (X (B b) (C c)))\n(S (D d))")
    source = text_trees(str(path))
    forest = source.trees(["d", "A b c", "abc"])
    assert [forest.written(tree) for tree in range(3)] == ["d", "((a b) c)", "((a b) c)"]
    with pytest.raises(InputError, match=r"no tree for 2 of 3 texts, first for 'e'"):
        source.trees(["e", "d", "f"])


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(ResourceError, match="no such file"):
        text_trees("absent/trees.txt")
