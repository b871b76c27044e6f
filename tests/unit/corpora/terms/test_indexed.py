from __future__ import annotations

import pytest

from lydite.corpora.index import index_terms
from lydite.corpora.preparation import Preparation
from lydite.errors import InputError

BODY = """
We speak of naive realism, and Bergson speaks of naive realism. For William James the law of
causation was plain; asymmetrical relations, and relations by themselves, were not. It is the
knowledge of the external world that moral obligation and moral judgments need. A book of Bergson's
on time and time again, on order, on quality, on unity of time; the Absolute was not in it.
"""
INDEX = """
INDEX

Absolute, 1
Bergson, 4
Causation, 2
  law of, 3
External world, knowledge of, 9
Hypotheses, how made, 3
James, William, 7
Moral judgments, 2; obligation, 3; their origin, 4
Order, the, 8
Quality, inner, 9
Realism, naive, 1
RELATIONS, 5
  asymmetrical, 6
  denied, 7
Robertson, D. S., 160 n.
Unity, 7
Zeno, 9
"""


def _texts(*, names: bool = True) -> list[str]:
    return [term.text for term in index_terms(BODY + INDEX, names=names).terms]


def test_entries_become_phrases_that_occur() -> None:
    assert _texts() == [
        "Absolute",
        "Bergson",
        "causation",
        "law of causation",
        "knowledge of the external world",
        "hypotheses",
        "William James",
        "moral judgments",
        "moral obligation",
        "order",
        "quality",
        "naive realism",
        "relations",
        "asymmetrical relations",
        "robertson",
        "unity",
        "zeno",
    ]


def test_an_entry_stays_as_printed_where_that_is_more_frequent() -> None:
    text = "Black art, and art black as night. Art black as pitch." + INDEX.replace(
        "Bergson", "Art, black"
    )
    assert "art black" in [term.text for term in index_terms(text).terms]


def test_names_can_be_left_out() -> None:
    assert set(_texts()) - set(_texts(names=False)) == {"Absolute", "Bergson", "William James"}
    assert index_terms(BODY + INDEX, names=False).problems == {"proper names": 3}


def test_an_index_in_small_letters_has_no_names() -> None:
    lower = index_terms(BODY + INDEX.lower(), names=False)
    assert "bergson" in [term.text.lower() for term in lower.terms]


def test_tokens_are_those_of_the_corpus() -> None:
    terms = index_terms(BODY + INDEX, preparation=Preparation(lower=False)).terms
    assert {term.tokens for term in terms} >= {("Bergson",), ("naive", "realism"), ("order",)}


def test_a_book_without_an_index_is_refused() -> None:
    with pytest.raises(InputError, match=r"emma\.txt: no index was found") as caught:
        index_terms(BODY, name="emma.txt")
    assert caught.value.hint is not None
    assert "list of terms" in caught.value.hint
