from __future__ import annotations

import numpy as np

from lydite.trained.training_overlap import Remembered, find_hashes, sentence_hash

SENTENCES = [("a", "cat"), ("a", "dog"), ("a", "cat"), ("an", "emu")]


def test_sentences_that_went_by_are_found_and_no_others() -> None:
    remembered = Remembered(SENTENCES)
    assert list(remembered) == SENTENCES
    hashes = remembered.hashes()
    assert len(hashes) == 3
    assert (np.diff(hashes) > 0).all()
    asked = [("a", "dog"), ("a",), ("a dog",), ("dog", "a"), (), ("an", "emu")]
    assert find_hashes(asked, hashes).tolist() == [True, False, False, False, False, True]


def test_sentences_to_leave_out() -> None:
    remembered = Remembered(SENTENCES, [("a", "cat"), ("a", "bird")])
    assert list(remembered) == [("a", "dog"), ("an", "emu")]
    assert remembered.left_out == 2
    assert not find_hashes([("a", "cat")], remembered.hashes()).any()


def test_nothing_was_seen() -> None:
    none = Remembered([]).hashes()
    assert find_hashes([("a",), ()], none).tolist() == [False, False]
    assert find_hashes([], none).shape == (0,)


def test_hashes_do_not_change_from_process_to_process() -> None:
    # blake2b("a\ncat") in eight bytes, read from the least significant one.
    assert sentence_hash(("a", "cat")) == 14998436613038400445


def test_half_of_a_surrogate_pair() -> None:
    assert sentence_hash(("\ud800",)) != sentence_hash(("\ud801",))
