from __future__ import annotations

from lydite.corpora.occurrences import MASK, context_of, masked_context
from lydite.types import Context


def test_a_term_is_never_among_its_own_contexts() -> None:
    tokens = ["free", "will", "and", "free", "will", "or", "free", "will"]
    context = context_of(tokens, [(0, 2), (3, 5), (6, 8)])
    assert context == Context(tokens=("free", "will", "and", MASK, "or", MASK), start=0, stop=2)


def test_a_term_used_once_leaves_the_sentence_as_it_is() -> None:
    context = context_of(("on", "time"), [(1, 2)])
    assert context == Context(tokens=("on", "time"), start=1, stop=2)


def test_the_first_mask_becomes_the_term() -> None:
    context = masked_context(["a", MASK, "or", MASK], ["nile", "perch"])
    assert context == Context(tokens=("a", "nile", "perch", "or", MASK), start=1, stop=3)


def test_a_sentence_without_the_term_has_no_context() -> None:
    assert masked_context(["a", "perch", "___s"], ["perch"]) is None
