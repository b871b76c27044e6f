from __future__ import annotations

import pytest

from lydite.corpora import occurrences
from lydite.corpora.occurrences import MASK, Occurrences, find_occurrences
from lydite.corpora.terms import Term
from lydite.errors import InputError


def _terms(*texts: str) -> list[Term]:
    return [Term(text=text, tokens=tuple(text.split())) for text in texts]


def _numbers(found: Occurrences) -> dict[str, list[int]]:
    return {term: [each.sentence for each in places] for term, places in found.found.items()}


SENTENCES = [
    tuple(line.split())
    for line in (
        "logical form is no form",
        "the logical form of a logical form",
        "logical",
        "form follows",
        "the logical form of a logical form",
    )
]


@pytest.mark.parametrize("size", [1, 2, 100])
def test_the_longest_term_counts(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(occurrences, "_BATCH_SENTENCES", size)
    found = find_occurrences(iter(SENTENCES), _terms("form", "logical form", "formula"))
    # Sentence 4 repeats sentence 1, and no phrase runs from sentence 2 into sentence 3.
    assert _numbers(found) == {"form": [0, 3], "logical form": [0, 1], "formula": []}
    assert found.uses == {"form": 2, "logical form": 5, "formula": 0}
    assert (found.sentences, found.tokens) == (5, 22)


def test_contexts_hold_the_sentence_and_the_place() -> None:
    (second,) = find_occurrences(SENTENCES[1:2], _terms("logical form")).found["logical form"]
    assert second.context.tokens == ("the", "logical", "form", "of", "a", MASK)
    assert second.context.tokens[second.context.start : second.context.stop] == ("logical", "form")


def test_other_forms_count_only_when_asked_for() -> None:
    sentences = [("all", "entities"), ("one", "entity"), ("an", "entity's"), ("axiom",)]
    terms = _terms("entity", "axioms")
    assert _numbers(find_occurrences(sentences, terms)) == {"entity": [1], "axioms": []}
    assert _numbers(find_occurrences(sentences, terms, inflected=True)) == {
        "entity": [0, 1, 2],
        "axioms": [3],
    }


def test_a_term_of_its_own_is_no_form_of_another() -> None:
    found = find_occurrences([("law",), ("laws",)], _terms("law", "laws"), inflected=True)
    assert _numbers(found) == {"law": [0], "laws": [1]}


def test_frequent_terms_are_drawn_from_evenly() -> None:
    sentences = [("time", str(number)) for number in range(100)]
    drawn = [
        number
        for seed in range(200)
        for number in _numbers(find_occurrences(sentences, _terms("time"), most=10, seed=seed))[
            "time"
        ]
    ]
    assert len(drawn) == 2000
    # The sum of 2,000 draws without bias has mean 99,000 and a standard deviation below 1,300.
    assert abs(sum(drawn) - 99_000) < 6_500


def test_the_draw_is_a_term_s_own() -> None:
    sentences = [("time", "space", str(number)) for number in range(50)]
    one = find_occurrences(sentences, _terms("time"), most=5, seed=1)
    both = find_occurrences(sentences, _terms("space", "time"), most=5, seed=1)
    assert one.found["time"] == both.found["time"]
    assert both.uses == {"space": 50, "time": 50}
    assert [each.sentence for each in both.found["space"]] != [
        each.sentence for each in both.found["time"]
    ]


def test_no_terms_and_no_sentences_are_no_error() -> None:
    assert find_occurrences([("a",)], []).found == {}
    assert find_occurrences([], _terms("time")).found == {"time": ()}


def test_keeping_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="1 sentence of a term or more, got 0"):
        find_occurrences([], [], most=0)
