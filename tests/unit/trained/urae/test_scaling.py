from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.spaces.space import Space
from lydite.trained.trees import branched
from lydite.trained.urae import scaling_of

SPACE = Space.of({"a": [1.0, 5.0], "b": [4.0, 5.0]})


def test_over_tokens_by_hand() -> None:
    # a twice and B once, which is b; x is unknown. Means (1 + 1 + 4) / 3 = 2 and 5; squares
    # (1 + 1 + 4) / 3 = 2 and 0, on average 1, whose root, four times, is 4.
    scaling = scaling_of(SPACE, branched([["a", "B"], ["a", "x"]], "right"), case="fold")
    assert scaling.mean.tolist() == [2.0, 5.0]
    assert scaling.scale == pytest.approx(4.0)
    words = scaling.words(SPACE, ["b", "x", "a"], case="fold")
    np.testing.assert_allclose(words.vectors, [[0.5, 0.0], [0.0, 0.0], [-0.25, 0.0]])
    assert words.found.tolist() == [True, False, True]


def test_no_words() -> None:
    scaling = scaling_of(SPACE, branched([["a", "b"]], "right"), case="exact")
    assert scaling.words(SPACE, [], case="exact").vectors.shape == (0, 2)


def test_trees_in_another_language() -> None:
    with pytest.raises(InputError, match="has 1 of 3 words"):
        scaling_of(SPACE, branched([["x", "y", "b"]], "right"), case="fold")
