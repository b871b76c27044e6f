from __future__ import annotations

import numpy as np

from lydite.evaluations.downstream.words import places_of, starts_of


def test_some_sentences_in_any_order_and_more_than_once() -> None:
    words = np.array(["a", "b", "c", "d", "e", "f"])
    starts = starts_of(np.array([2, 3, 1]))
    places = places_of(starts, np.array([1, 0, 1]))
    assert "".join(words[places]) == "cdeabcde"
    assert places_of(starts, np.array([], dtype=np.int64)).shape == (0,)


def test_no_sentence_starts_at_the_end() -> None:
    assert starts_of(np.array([], dtype=np.int64)).tolist() == [0]
