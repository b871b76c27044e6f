from __future__ import annotations

import numpy as np

from lydite.trained.cheung_penn.texts import content_tokens, sentence_runs
from lydite.trained.parsed.blocks import ParsedBlock

BLOCK = ParsedBlock(
    lemmas=("the", "dog", "bark", ".", "cat"),
    relations=("nsubj",),
    tokens=np.array([0, 1, 2, 3, 4, 2, 1, 2, 3]),
    starts=np.array([0, 4, 4, 6, 9]),
    edges=np.array([[2, 0, 1], [5, 0, 4], [7, 0, 6]]),
)


def test_function_words_and_marks_take_no_part() -> None:
    expected = [False, True, True, False, True, True, True, True, False]
    assert content_tokens(BLOCK).tolist() == expected
    assert content_tokens(BLOCK, function_words=True).tolist() == [True, *expected[1:]]


def test_runs_hold_all_sentences_with_their_dependencies() -> None:
    for tokens in range(1, 12):
        runs = list(sentence_runs(BLOCK, tokens=tokens))
        assert [place for place, _ in runs] == np.cumsum(
            [0, *(len(run.starts) - 1 for _, run in runs[:-1])]
        ).tolist()
        assert sum(len(run.starts) - 1 for _, run in runs) == 4
        words = [run.lemmas[number] for _, run in runs for number in run.tokens.tolist()]
        assert words == [BLOCK.lemmas[number] for number in BLOCK.tokens.tolist()]
        assert [each for _, run in runs for each in run.triples()] == BLOCK.triples()


def test_a_run_is_not_longer_than_asked_for_if_it_can_be() -> None:
    assert [len(run.tokens) for _, run in sentence_runs(BLOCK, tokens=5)] == [4, 5]
    assert [len(run.tokens) for _, run in sentence_runs(BLOCK, tokens=1)] == [4, 0, 2, 3]
