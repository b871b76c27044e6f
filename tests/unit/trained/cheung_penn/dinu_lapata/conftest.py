from __future__ import annotations

import numpy as np
import pytest

from lydite.spaces.vocabulary import Vocabulary
from lydite.trained.cheung_penn.contexts import PREPARATION
from lydite.trained.cheung_penn.dinu_lapata import Senses
from lydite.trained.cooccurrence import CountMatrix


@pytest.fixture
def senses() -> Senses:
    """Two senses: of money and of rivers.

    With alpha = 1: P(z | bank) = (3 + 1, 1 + 1) / 6 = (2/3, 1/3), P(z | loan) = (2 + 1, 0 + 1) / 4
    = (3/4, 1/4), P(z | water) = (0 + 1, 6 + 1) / 8 = (1/8, 7/8). "odd" had no context words.

    With eta = 1 and two context words: the senses have 4 + 2 = 6 and 6 + 2 = 8, so that P(loan | z)
    = (3 + 1) / 6, (1 + 1) / 8 = (2/3, 1/4) and P(water | z) = (2/6, 6/8) = (1/3, 3/4).
    """
    return Senses(
        lemmas=Vocabulary.of(["loan", "water", "bank", "odd"]),
        contexts=Vocabulary.of(["loan", "water"]),
        lemma_counts=CountMatrix(
            starts=np.array([0, 1, 2, 4, 4]),
            columns=np.array([0, 1, 0, 1], dtype=np.int32),
            values=np.array([2, 6, 3, 1], dtype=np.uint32),
        ),
        context_counts=np.array([[3, 1], [1, 5]]),
        alpha=1.0,
        eta=1.0,
        lemmatizer="none",
        preparation=PREPARATION,
        provenance={"corpus": "by hand"},
    )
