from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.errors import UnsuitableModelError
from lydite.evaluations.nonces import Nonces
from lydite.models.additive import additive
from lydite.models.pooled import pooled
from lydite.resources.catalogue import locate
from lydite.spaces.space import Space

SPACE = Space.of({"n": [1.0, 0.1], "a": [1.0, 0.0], "m": [0.1, 1.0], "b": [0.0, 1.0]})


def test_definitions_by_hand(tmp_path: Path) -> None:
    # "a" is nearest to itself and "n" second; of "b" likewise, "n" is third behind b and m.
    file = tmp_path / "definitions"
    file.write_text("n\t___ a\nm\t___ b\nn\t___ b\nemu\t___ a\n")
    outcome = Nonces().run(additive(SPACE, sample=0), [locate(file)], seed=0)
    np.testing.assert_allclose(outcome.score, (1 / 2 + 1 / 2 + 1 / 3) / 3)
    assert outcome.others["median_rank"] == 2
    assert (outcome.n_covered, outcome.n_items) == (3, 4)
    assert outcome.items["rank"] == [2, 2, 3, None]


def test_chimeras_by_hand(tmp_path: Path) -> None:
    # Learnt as "a", the cosines fall from n over m to b: rho is 1 and -1.
    file = tmp_path / "chimeras"
    file.write_text("1\t___ a\tn,m,b\t3,2,1\n2\t___ a\tn,m,b\t1,2,3\n3\t___ a\tn,m,emu\t1,2,3\n")
    question = Nonces(task="chimeras")
    outcome = question.run(additive(SPACE, sample=0), [locate(file)], seed=0)
    assert outcome.items["value"] == pytest.approx([1.0, -1.0, None])
    assert outcome.score == pytest.approx(0.0)
    assert (outcome.n_covered, outcome.n_items) == (2, 3)


def test_a_learner_without_a_background_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "definitions"
    file.write_text("n\t___ a\nm\t___ b\n")
    with pytest.raises(UnsuitableModelError, match="has none"):
        Nonces().run(pooled("random(3)"), [locate(file)], seed=0)
