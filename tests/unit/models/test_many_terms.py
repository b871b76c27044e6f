from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from lydite.errors import InputError, UnsuitableModelError
from lydite.models.contexts import learn_all
from lydite.types import Context, Vectors

CONTEXT = Context(tokens=("a", "x", "b"), start=1, stop=2)


class Stranger:
    def learn(self, contexts: Sequence[Context]) -> Vectors:
        return np.array([len(contexts), np.nan if len(contexts) == 3 else 1], dtype=np.float32)


class Uneven:
    def learn(self, contexts: Sequence[Context]) -> Vectors:
        return np.ones(len(contexts), dtype=np.float32)


def test_a_stranger_is_asked_sample_by_sample() -> None:
    learnt = learn_all(Stranger(), [[CONTEXT], [CONTEXT] * 3])
    assert learnt.vectors.tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert learnt.learned.tolist() == [True, False]
    assert learnt.used.tolist() == [2, 6]
    assert learnt.background is None


def test_vectors_of_several_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="one length"):
        learn_all(Uneven(), [[CONTEXT], [CONTEXT] * 2])


def test_what_learns_nothing_is_refused() -> None:
    with pytest.raises(UnsuitableModelError, match="learner of terms"):
        learn_all(object(), [[CONTEXT]])
    with pytest.raises(InputError, match="got none"):
        learn_all(Stranger(), [])
