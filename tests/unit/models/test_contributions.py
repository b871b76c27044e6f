from __future__ import annotations

import numpy as np
import pytest

from lydite.corpora.books import Passage
from lydite.corpora.occurrences import find_occurrences
from lydite.corpora.running_text import RunningText, Uses, text_of_contexts
from lydite.corpora.terms import Term
from lydite.errors import InputError
from lydite.models.additive import Additive
from lydite.models.contributions import Contributions
from lydite.spaces.space import Space
from lydite.types import Context

SPACE = Space.of({"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [2.0, 2.0], "t": [5.0, 5.0]})


def passages(*paragraphs: str) -> RunningText:
    return RunningText.of(
        Passage(tuple(tuple(sentence.split()) for sentence in paragraph.split(" / ")))
        for paragraph in paragraphs
    )


def uses_of(text: RunningText, *terms: str) -> Uses:
    found = find_occurrences(
        text.sentences(), [Term(text=term, tokens=tuple(term.split())) for term in terms]
    )
    return Uses.of(text, list(found.found.values()))


def added(text: RunningText, *terms: str, **how: object) -> Contributions:
    model = Additive(SPACE, sample=0, **how)  # type: ignore[arg-type]
    return model.contributions(text, uses_of(text, *terms))


def test_a_sentence_adds_the_words_around_the_term() -> None:
    found = added(passages("a t b / c c", "b x t"), "t")
    assert found.sums.tolist() == [[1, 1], [0, 1]]
    assert found.weight.tolist() == [2, 1]
    assert (found.sentence.tolist(), found.block.tolist()) == ([0, 2], [0, 1])
    # The book's words: a, t, b, c, c, b, t weigh one each.
    assert found.center.tolist() == pytest.approx([15 / 7, 16 / 7])
    assert found.vectors[1].tolist() == pytest.approx([0 - 15 / 7, 1 - 16 / 7])


def test_the_window_counts_known_words_and_words_near_two_uses_once() -> None:
    found = added(passages("a b ? t c a t b b"), "t", window=1)
    assert found.sums.tolist() == [[0 + 2 + 1 + 0, 1 + 2 + 0 + 1]]
    overlapping = added(passages("a t c t b"), "t", window=2)
    assert overlapping.sums.tolist() == [[1 + 2, 2 + 1]]


def test_a_phrase_is_left_out_whole() -> None:
    found = added(passages("a t c b"), "t c")
    assert found.sums.tolist() == [[1, 1]]


def test_sentences_that_add_nothing_are_left_out() -> None:
    found = added(passages("t ? / a t", "? t"), "t")
    assert found.sentence.tolist() == [1]


def test_the_sum_over_sentences_is_what_is_learned() -> None:
    rng = np.random.default_rng(2)
    words = [f"w{i}" for i in range(30)]
    space = Space.of(dict(zip(words, rng.normal(size=(30, 5)).tolist(), strict=True)))
    text = passages(*(" ".join(rng.choice([*words, "?"], 50)) for _ in range(40)))
    model = Additive(space, sample=0, window=4)
    terms = [Term(text=word, tokens=(word,)) for word in words[:9]]
    found = find_occurrences(text.sentences(), terms).found
    contexts = [[place.context for place in places] for places in found.values()]
    learned = model.learn_all(contexts).vectors
    sums = np.zeros((9, 5))
    each = model.contributions(text, Uses.of(text, list(found.values())))
    np.add.at(sums, each.term, each.sums)
    assert sums == pytest.approx(learned, abs=1e-4)
    # The same from the contexts alone, as saved samples have them.
    saved, places = text_of_contexts(contexts)
    again = model.contributions(saved, Uses.of(saved, places))
    assert again.sums == pytest.approx(each.sums)


def test_weights_are_what_random_dropping_gives_on_average() -> None:
    space = Space.of({"a": [1.0, 0.0], "b": [0.0, 1.0]}, counts=[300, 3])
    model = Additive(space, sample=0.01, frequencies="space")
    text = passages("a t b")
    mean = model.contributions(text, uses_of(text, "t")).sums[0]
    context = Context(tokens=("a", "t", "b"), start=1, stop=2)
    drawn = np.mean([model.learn_all([[context]], seed=s).vectors[0] for s in range(2000)], axis=0)
    assert 0 < mean[0] < 1
    assert drawn == pytest.approx(mean, abs=0.03)


def test_the_passage_leaves_its_own_sentence_out() -> None:
    found = added(passages("a a", "a t", "b b"), "t")
    # Around: a a and b b.
    assert found.passage_center(found.sentence).tolist() == [[0.5, 0.5]]
    assert found.beyond_passage.tolist() == [[0.5, -0.5]]


def test_a_passage_of_many_sentences_has_ends() -> None:
    text = passages(*["a"] * 150, "a t", *["b"] * 150)
    found = added(text, "t")
    assert found.passage_center(found.sentence).tolist() == [[0.5, 0.5]]
    first = added(passages("a t", *["a"] * 100, *["b"] * 50), "t")
    assert first.passage_center(first.sentence).tolist() == [[1.0, 0.0]]


def test_terms_are_moved_to_other_sentences() -> None:
    found = added(passages("a t / a", "b", "c t"), "t")
    moved = found.moved(np.array([1, 2, 3, 0]))
    assert moved.sentence.tolist() == [0, 1]
    assert moved.sums.tolist() == [[6, 5], [1, 0]]
    assert moved.block.tolist() == [0, 0]


def test_a_background_of_another_language_is_refused() -> None:
    with pytest.raises(InputError, match="has 2 of the 152 context words, too few"):
        added(passages("a t " + "? " * 150), "t")


def test_runs_where_there_are_no_paragraphs() -> None:
    # No sentence is there twice: repeated ones count once.
    text = passages(*[f"a t {i}" if i in {0, 5, 14, 24, 60} else "b" for i in range(70)])
    assert not text.has_paragraphs
    assert added(text, "t").block.tolist() == [1, 1, 1, 2, 3]
    assert text.block_name == "run of sentences under 10 apart"


def test_contractions_are_cut_as_the_background_has_them() -> None:
    space = Space.of({"do": [1.0, 0.0], "n't": [0.0, 2.0], "like": [3.0, 3.0]})
    learner = Additive.open(space, sample=0)
    whole, uses = text_of_contexts(
        [[Context(tokens=("i", "don't", "like", "cats"), start=3, stop=4)]]
    )
    cut, cut_uses = text_of_contexts(
        [[Context(tokens=("i", "do", "n't", "like", "cats"), start=4, stop=5)]]
    )
    expected = learner.contributions(cut, Uses.of(cut, cut_uses))
    found = learner.contributions(whole, Uses.of(whole, uses))
    assert found.sums.tolist() == expected.sums.tolist() == [[4.0, 5.0]]
    assert found.weight.tolist() == [3.0]
