from __future__ import annotations

import logging

import numpy as np
import pytest

from lydite.corpora.annotated import Sentence, Token
from lydite.errors import FormatError, InputError
from lydite.evaluations.tagging.data import UNSEEN, tagging_task


def sentence(text: str) -> Sentence:
    pairs = (token.split("/") for token in text.split())
    return [Token(form, tag) for form, tag in pairs]


TRAIN = [sentence("the/D cat/N sat/V"), sentence("sit/V")]


def test_words_and_tags_become_numbers() -> None:
    task = tagging_task(
        {
            "train": TRAIN,
            "development": [sentence("cat/N")],
            "test": [sentence("the/D"), sentence("dog/N")],
        }
    )
    assert task.words == ("the", "cat", "sat", "sit", "dog")
    assert task.tags == ("D", "N", "V")
    assert task.train.words.tolist() == [0, 1, 2, 3]
    assert task.train.tags.tolist() == [0, 1, 2, 2]
    assert task.train.starts.tolist() == [0, 3, 4]
    assert task.train.lengths.tolist() == [3, 1]
    assert task.development is not None
    assert task.development.words.tolist() == [1]
    assert task.test.words.tolist() == [0, 4]
    assert [len(part.words) for part in task.parts] == [4, 1, 2]
    assert task.notes == ()


def test_sentences_can_be_chosen() -> None:
    task = tagging_task({"train": [*TRAIN, sentence("a/D dog/N")], "test": TRAIN})
    chosen = task.train.chosen(np.array([2, 0]))
    assert [task.words[i] for i in chosen.words] == ["a", "dog", "the", "cat", "sat"]
    assert chosen.tags.tolist() == [0, 1, 0, 1, 2]
    assert chosen.starts.tolist() == [0, 2, 5]


def test_empty_sentences_are_left_out() -> None:
    task = tagging_task({"train": [[], *TRAIN], "test": [sentence("cat/N"), [], sentence("sit/V")]})
    assert task.train.lengths.tolist() == [3, 1]
    assert task.test.lengths.tolist() == [1, 1]
    assert task.development is None


def test_a_few_unseen_tags_count_as_wrong_and_are_told_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        task = tagging_task({"train": TRAIN, "test": [sentence("the/D cat/N"), sentence("oh/I")]})
    assert task.test.tags.tolist() == [0, 1, UNSEEN]
    (note,) = task.notes
    assert (
        note
        == "1 of 3 test words have tags that do not occur in training, and count as wrong: I (1)"
    )
    assert note in caplog.text


def test_another_set_of_tags_is_refused_with_file_tags_and_counts() -> None:
    test = [sentence("the/DT cat/NN sat/VBD"), sentence("sit/V")]
    with pytest.raises(FormatError) as caught:
        tagging_task({"train": TRAIN, "test": test}, places={"test": "corpus/test.tsv"})
    assert caught.value.message == (
        "corpus/test.tsv: 3 of 4 test words have tags that training lacks: DT (1), NN (1), "
        "VBD (1); training has D, N, V"
    )


@pytest.mark.parametrize("missing", ["train", "test"])
def test_training_and_test_are_needed(missing: str) -> None:
    parts = {"train": TRAIN, "development": TRAIN, "test": TRAIN, missing: [[]]}
    with pytest.raises(InputError, match=rf"expected {missing} sentences, got .*0 {missing}"):
        tagging_task(parts)  # type: ignore[arg-type]


def test_one_tag_is_none() -> None:
    with pytest.raises(InputError, match="at least two tags, got only 'N'"):
        tagging_task({"train": [sentence("cat/N dog/N")], "test": TRAIN})
