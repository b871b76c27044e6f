from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.corpora.books import Passage
from lydite.corpora.occurrences import Occurrences, find_occurrences
from lydite.corpora.running_text import RunningText
from lydite.corpora.samples import Samples, sample_alternately, sample_random, split_halves
from lydite.corpora.terms import Term
from lydite.errors import InputError


def _occurrences(*, first: int = 0, **counts: int) -> Occurrences:
    sentences = [
        (term, str(number))
        for term, count in counts.items()
        for number in range(first, first + count)
    ]
    return find_occurrences(sentences, [Term(text=term, tokens=(term,)) for term in counts])


def _sentences(samples: Samples) -> list[list[list[str]]]:
    return [
        [[context.tokens[1] for context in sample] for sample in each.samples]
        for each in samples.terms
    ]


@given(
    count=st.integers(10, 80),
    parts=st.integers(2, 6),
    most=st.integers(1, 12),
    seed=st.integers(0, 9),
)
def test_samples_share_no_sentence_and_are_of_one_size(
    count: int, parts: int, most: int, seed: int
) -> None:
    samples = sample_random(_occurrences(time=count), samples=parts, most=most, seed=seed)
    (term,) = _sentences(samples)
    drawn = [sentence for sample in term for sentence in sample]
    assert len(term) == parts
    assert len(set(drawn)) == len(drawn) == min(count, parts * most)
    assert max(map(len, term)) - min(map(len, term)) <= 1
    assert max(map(len, term)) <= most


def test_five_samples_of_ten_by_default() -> None:
    samples = sample_random(_occurrences(often=70, seldom=13))
    assert [[len(sample) for sample in term] for term in _sentences(samples)] == [
        [10, 10, 10, 10, 10],
        [3, 3, 3, 2, 2],
    ]


def test_samples_are_seeded_by_term() -> None:
    both = sample_random(_occurrences(time=60, space=60), seed=1)
    assert both == sample_random(_occurrences(time=60, space=60), seed=1)
    assert both.terms[1] == sample_random(_occurrences(space=60), seed=1).terms[0]
    assert both.fingerprint != sample_random(_occurrences(time=60, space=60), seed=2).fingerprint


def test_terms_left_out_are_counted_with_the_reason() -> None:
    samples = sample_random(_occurrences(a=9, b=10, c=0, d=1))
    assert [each.term for each in samples.terms] == ["b"]
    assert samples.problems == {"fewer than 10 sentences": 2, "never occurs": 1}
    assert samples.dropped["c"] == "never occurs"


@pytest.mark.parametrize("choice", [{"samples": 1}, {"most": 0}, {"minimum": 4}])
def test_impossible_samples_are_refused(choice: dict[str, int]) -> None:
    with pytest.raises(InputError, match="expected 2 samples or more"):
        sample_random(_occurrences(time=20), **choice)  # type: ignore[arg-type]


def test_halves_are_the_two_samples() -> None:
    first = _occurrences(time=3, space=1, order=0, unity=2)
    second = _occurrences(first=10, time=2, space=9, order=0, unity=0)
    samples = split_halves(first, second)
    assert _sentences(samples) == [[["0", "1", "2"], ["10", "11"]]]
    assert samples.problems == {"fewer than 2 sentences in a half": 2, "never occurs": 1}


def test_a_sentence_of_both_halves_counts_for_the_first() -> None:
    samples = split_halves(_occurrences(time=3), _occurrences(first=2, time=3))
    assert _sentences(samples) == [[["0", "1", "2"], ["3", "4"]]]
    assert split_halves(_occurrences(time=3), _occurrences(first=2, time=2)).terms == ()


@pytest.mark.parametrize("empty", ["first", "second"])
def test_an_empty_half_is_refused(empty: str) -> None:
    halves = [_occurrences(time=0 if which == empty else 5) for which in ("first", "second")]
    with pytest.raises(InputError, match=f"the {empty} half has no sentences"):
        split_halves(*halves)


def _text(*paragraphs: int) -> RunningText:
    """Make paragraphs of so many sentences, each of which uses one term."""
    numbers = iter(range(sum(paragraphs)))
    return RunningText.of(
        Passage(tuple(("time", str(next(numbers))) for _ in range(size))) for size in paragraphs
    )


def test_every_other_paragraph_goes_to_the_same_sample() -> None:
    text = _text(2, 3, 1, 2, 2)
    found = find_occurrences(text.sentences(), [Term(text="time", tokens=("time",))])
    samples = sample_alternately(text, found)
    assert _sentences(samples) == [[["0", "1", "5", "8", "9"], ["2", "3", "4", "6", "7"]]]
    few = sample_alternately(text, found, minimum=11)
    assert (few.terms, few.problems) == ((), {"fewer than 11 sentences": 1})


def test_a_term_of_one_paragraph_has_no_second_sample() -> None:
    text = _text(12)
    found = find_occurrences(text.sentences(), [Term(text="time", tokens=("time",))])
    assert sample_alternately(text, found).dropped == {"time": "all in one block of text"}
