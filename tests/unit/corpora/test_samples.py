from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.corpora.occurrences import Occurrences, find_occurrences
from lydite.corpora.samples import Samples, limit_sentences, sample_random, split_halves
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


def test_fewer_sentences_are_among_more() -> None:
    samples = split_halves(_occurrences(time=9), _occurrences(first=9, time=9))
    kept = {most: _sentences(limit_sentences(samples, most, seed=1))[0] for most in (1, 2, 3, 4, 8)}
    for less, more in ((1, 2), (2, 3), (3, 4), (4, 8)):
        for short, long in zip(kept[less], kept[more], strict=True):
            assert len(short) == less
            assert set(short) < set(long)
    assert limit_sentences(samples, None) is samples
    assert _sentences(limit_sentences(samples, 2, seed=2)) != [kept[2]]


def test_terms_with_too_few_sentences_are_left_out_of_the_limit() -> None:
    samples = sample_random(_occurrences(a=50, b=20, c=1))
    limited = limit_sentences(samples, 5)
    assert [each.term for each in limited.terms] == ["a"]
    assert limited.problems == {
        "fewer than 10 sentences": 1,
        "fewer than 5 sentences in a sample": 1,
    }


def test_a_limit_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="1 sentence of a sample or more, got 0"):
        limit_sentences(sample_random(_occurrences(a=50)), 0)
