from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from lydite.errors import UnsuitableModelError
from lydite.models.pooled import Pooled, Target
from lydite.spaces.space import Space
from lydite.types import Context, Vectors

SENTENCE = Context(tokens=("a", "new", "term", "and", "___"), start=1, stop=3)


class Recorder:
    spec = "recorder"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str], /) -> Vectors:
        self.texts += texts
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("masked", "a [MASK] and [MASK]"),
        ("kept", "a new term and new term"),
        ("dropped", "a and"),
    ],
)
def test_the_term_is_masked_kept_or_dropped(target: Target, text: str) -> None:
    encoder = Recorder()
    Pooled.open(encoder, target=target, mark="[MASK]").learn([SENTENCE])
    assert encoder.texts == [text]


def test_contexts_are_averaged() -> None:
    short = Context(tokens=("x",), start=0, stop=1)
    learnt = Pooled.open(Recorder(), target="kept").learn_all([[SENTENCE, short], [short], []])
    # Lengths 23 and 1, and 1 alone.
    assert learnt.vectors.tolist() == [[12.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
    assert learnt.learned.tolist() == [True, True, False]


def test_a_model_without_texts_is_refused() -> None:
    with pytest.raises(UnsuitableModelError, match="encodes none"):
        Pooled.open(Space.of({"a": [1.0]}))
