from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from lydite.errors import InputError, UnsuitableModelError
from lydite.models.catalogue import model_fingerprint
from lydite.models.combination import BackedOff
from lydite.models.protocols import CrossModel, PairModel, TextModel
from lydite.types import Floats


@dataclass(frozen=True)
class Shared:
    """Scores pairs by the words that they share and it knows."""

    words: frozenset[str]
    fingerprint: str | None = None

    def cross(self, left: Sequence[str], right: Sequence[str], /) -> Floats:
        known = [[set(text.split()) & self.words for text in side] for side in (left, right)]
        return np.array([[float(len(a & b)) for b in known[1]] for a in known[0]])

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        return np.diag(self.cross(left, right)).copy()

    def with_words_of(self, domain: Shared, /) -> Shared:
        return Shared(self.words | domain.words)


@dataclass(frozen=True)
class Another(Shared):
    pass


GENERAL, DOMAIN = Shared(frozenset({"cat"}), "1"), Shared(frozenset({"gene"}), "2")


def test_a_model_of_pairs() -> None:
    both = BackedOff.open(GENERAL, DOMAIN)
    assert isinstance(both, CrossModel)
    assert isinstance(both, PairModel)
    assert not isinstance(both, TextModel)
    assert both.cross(["cat gene"], ["cat gene", "gene emu"]).tolist() == [[2, 1]]
    assert both.score(["cat gene"], ["gene cat"]).tolist() == [2]


def test_which_bytes_it_is() -> None:
    one, other = BackedOff.open(GENERAL, DOMAIN), BackedOff.open(DOMAIN, GENERAL)
    assert model_fingerprint(one) != model_fingerprint(other)
    assert model_fingerprint(BackedOff.open(GENERAL, Shared(frozenset()))) is None


def test_a_model_that_takes_no_words() -> None:
    with pytest.raises(UnsuitableModelError, match=r"random\(3\)"):
        BackedOff.open("random(3)", GENERAL)


def test_models_of_two_kinds() -> None:
    with pytest.raises(InputError, match="one kind, got Shared and Another"):
        BackedOff.open(GENERAL, Another(frozenset()))
