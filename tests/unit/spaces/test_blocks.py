from __future__ import annotations

import threading

import numpy as np
import pytest

from lydite.spaces.neighbours import LeftOut, over_blocks


def test_blocks_come_in_order() -> None:
    assert list(over_blocks(lambda start: start * 2, range(0, 500, 5))) == list(range(0, 1000, 10))


def test_an_error_in_a_block_is_raised() -> None:
    def work(start: int) -> int:
        if start == 3:
            raise ArithmeticError("block 3")
        return start

    with pytest.raises(ArithmeticError, match="block 3"):
        list(over_blocks(work, range(50)))


def test_abandoned_blocks_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    # The garbage collector may close them inside the start of a thread, where joining deadlocks.
    blocks = over_blocks(lambda start: start, range(50))
    next(blocks)

    def joined(thread: threading.Thread, timeout: float | None = None) -> None:
        pytest.fail(f"waited for {thread.name}")

    monkeypatch.setattr(threading.Thread, "join", joined)
    blocks.close()


def test_words_left_out_are_masked_in_their_block() -> None:
    left_out = LeftOut.of(np.array([[0, 5], [5, -1], [7, 7]]))
    masked = []
    for first_query, first_word in [(0, 0), (0, 4), (2, 4)]:
        cosines = np.zeros((2 if first_query == 0 else 1, 4), dtype=np.float32)
        left_out.mask(cosines, first_query=first_query, first_word=first_word)
        masked += [
            (int(row) + first_query, int(word) + first_word)
            for row, word in np.argwhere(cosines == -2)
        ]
    assert masked == [(0, 0), (0, 5), (1, 5), (2, 7)]
