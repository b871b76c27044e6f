from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.corpora.documents import open_corpus
from lydite.errors import InputError
from lydite.trained.cheung_penn.contexts import PREPARATION
from lydite.trained.cheung_penn.dinu_lapata import DinuLapata, SenseRecipe, train_dinu_lapata

pytest.importorskip("tomotopy", reason="tomotopy is absent")

RECIPE = SenseRecipe(senses=2, iterations=50, lemmas="none", min_count=2, window=2)
TEXT = "Cats purr softly. Cats drink milk. Kittens purr, kittens drink milk softly.\n" * 20
TEXT += "Stocks fall sharply. Shares fall sharply, stocks lose value. Shares lose value.\n" * 20


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


def test_senses_of_a_text(corpus: Path, tmp_path: Path) -> None:
    opened = open_corpus([corpus], PREPARATION)
    senses = train_dinu_lapata(opened, RECIPE, tmp_path / "out", provenance={"corpus": ["text"]})
    assert senses.provenance["corpus"] == ["text"]
    assert senses.provenance["text"] == {"tokens": 480, "words": 12}
    assert senses.provenance["recipe"]["senses"] == 2
    # Windows of two in sentences of 3, 3, 6 and of 3, 6, 3 words: 6, 6 and 18 contexts a line.
    assert senses.provenance["sampled"] == 40 * 30
    model = DinuLapata(folder="out", senses=senses)
    kitten, milk, share = model.encode(["Kittens purr.", "Cats drink milk.", "Shares fall."])
    assert kitten.argmax() == milk.argmax() != share.argmax()
    # Two words, each a distribution.
    assert kitten.sum() == pytest.approx(2)


def test_the_same_seed_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    opened = open_corpus([corpus], PREPARATION)
    one, two = (train_dinu_lapata(opened, RECIPE, tmp_path / name) for name in ("one", "two"))
    assert one.fingerprint == two.fingerprint
    np.testing.assert_array_equal(one.context_counts, two.context_counts)


def test_a_folder_that_is_there(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a new folder"):
        train_dinu_lapata(open_corpus([corpus]), RECIPE, tmp_path)
