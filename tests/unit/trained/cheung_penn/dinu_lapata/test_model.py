from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.corpora.preparation import Preparation
from lydite.errors import InputError, UnsuitableModelError
from lydite.models.protocols import TextModel, WordModel
from lydite.spaces.factorization import SparseMatrix
from lydite.spaces.vocabulary import Vocabulary
from lydite.spec import parse
from lydite.trained.cheung_penn.contexts import PREPARATION
from lydite.trained.cheung_penn.dinu_lapata import DinuLapata, Senses
from lydite.trained.cheung_penn.mitchell_lapata import MitchellLapata
from lydite.trained.cheung_penn.named_rows import BackedOffRows, NamedRows


def model(senses: Senses, **options: Any) -> DinuLapata:  # noqa: ANN401
    return DinuLapata(folder="dl", senses=senses, **options)


@pytest.fixture
def domain() -> MitchellLapata:
    """A gene is like water, and nothing else is known of it."""
    rows = NamedRows(
        words=Vocabulary.of(["gene", "water", "loan"]),
        dimensions=Vocabulary.of(["d0", "d1"]),
        matrix=SparseMatrix(
            starts=np.array([0, 1, 2, 3]),
            columns=np.array([0, 0, 1], dtype=np.int32),
            values=np.array([1, 2, 3], dtype=np.float32),
            width=2,
        ),
    )
    return MitchellLapata(
        folder="ml", rows=rows, preparation=PREPARATION, lemmas="none", fingerprint="ab"
    )


# P(z | bank, loan) = (16/19, 3/19): 2/3 * 2/3 to 1/3 * 1/4. The loan has no context word but
# itself, which is none: (3/4, 1/4).
BANK, LOAN = (16 / 19, 3 / 19), (3 / 4, 1 / 4)


def test_a_sum_by_hand(senses: Senses) -> None:
    found = model(senses).encode(["The bank, a loan!"])
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [np.add(BANK, LOAN)], rtol=1e-6)


def test_a_product_by_hand(senses: Senses) -> None:
    product = np.multiply(BANK, LOAN)
    found = model(senses, compose="multiply").encode(["The bank, a loan!"])
    np.testing.assert_allclose(found, [product / product.sum()], rtol=1e-6)


def test_as_a_loop_over_words(senses: Senses) -> None:
    text = "water bank emu of loan water odd the bank the loan bank water"
    tokens = text.split()
    total = np.zeros(2)
    for i, word in enumerate(tokens):
        rows, known = senses.distributions([word])
        if not known[0] or word in {"of", "the"}:
            continue
        near = [
            other
            for j, other in enumerate(tokens)
            if 0 < abs(i - j) <= 3 and other in {"loan", "water"}
        ]
        shifted = []
        for other in near:
            joint = rows[0] * senses.likelihoods(senses.contexts.find([other]))[0]
            shifted.append(joint / joint.sum())
        total += np.mean(shifted, axis=0) if shifted else rows[0]
    np.testing.assert_allclose(model(senses, window=3).encode([text])[0], total, rtol=1e-6)


def test_words_out_of_the_window_change_nothing(senses: Senses) -> None:
    gap = "x x x x x"
    near = f"loan bank {gap} water bank"
    far = f"water bank {gap} loan bank"
    first, second = model(senses).encode([near, far])
    np.testing.assert_allclose(first, second, rtol=1e-6)
    wider = model(senses, window=6).encode([near, far])
    assert not np.allclose(wider[0], wider[1])


def test_function_words_take_up_places_and_take_part_if_asked(senses: Senses) -> None:
    close, apart = model(senses, window=1).encode(["bank loan", "bank of loan"])
    np.testing.assert_allclose(close, np.add(BANK, LOAN), rtol=1e-6)
    np.testing.assert_allclose(apart, np.add((2 / 3, 1 / 3), LOAN), rtol=1e-6)
    of = replace(senses, lemmas=Vocabulary.of(["loan", "water", "of", "odd"]))
    without, with_it = (model(of, function_words=part) for part in (False, True))
    assert not without.encode(["of"]).any()
    np.testing.assert_allclose(with_it.encode(["of"]), [[2 / 3, 1 / 3]], rtol=1e-6)


@pytest.mark.parametrize("compose", ["add", "multiply"])
def test_texts_without_a_known_word_are_zero(senses: Senses, compose: str) -> None:
    found = model(senses, compose=compose).encode(["emu", "", "the odd of", "bank"])
    assert found.any(axis=1).tolist() == [False, False, False, True]
    assert np.isfinite(found).all()
    assert model(senses, compose=compose).encode([]).shape == (0, 2)


def test_each_text_stands_by_itself(senses: Senses) -> None:
    texts = [f"{'bank ' * (i % 3)} loan water {'emu ' * (i % 5)} bank" for i in range(1100)]
    together = model(senses).encode(texts)
    for i in (0, 511, 512, 1099):
        np.testing.assert_array_equal(together[i], model(senses).encode([texts[i]])[0])


def test_words_out_of_context(senses: Senses) -> None:
    lookup = model(senses).lookup(["Bank", "emu"])
    assert lookup.found.tolist() == [True, False]
    np.testing.assert_allclose(lookup.vectors, [[2 / 3, 1 / 3], [0.0, 0.0]], rtol=1e-6)
    assert isinstance(model(senses), TextModel | WordModel)


def test_words_of_a_domain(senses: Senses, domain: MitchellLapata) -> None:
    adapted = model(senses, domain=domain, nearest=1)
    assert not model(senses).encode(["gene"]).any()
    # A gene has the senses of water, (1/8, 7/8); beside a loan, 1/8 * 2/3 to 7/8 * 1/4: 8 to 21.
    np.testing.assert_allclose(adapted.encode(["gene"]), [[1 / 8, 7 / 8]], rtol=1e-6)
    expected = np.add((8 / 29, 21 / 29), LOAN)
    np.testing.assert_allclose(adapted.encode(["gene loan"]), [expected], rtol=1e-6)
    assert adapted.fingerprint != model(senses).fingerprint


def test_specs(senses: Senses, domain: MitchellLapata) -> None:
    assert model(senses).spec == "dinu-lapata(dl)"
    full = model(
        senses, compose="multiply", window=3, function_words=True, domain=domain, nearest=2
    )
    assert full.spec == (
        "dinu-lapata(dl, compose=multiply, window=3, function_words=true, "
        "domain=mitchell-lapata(ml), nearest=2)"
    )
    assert str(parse(full.spec)) == full.spec


def test_from_a_folder(senses: Senses, tmp_path: Path) -> None:
    senses.save(tmp_path / "dl")
    opened = DinuLapata.open(str(tmp_path / "dl"), compose="multiply")
    texts = ["A bank, the loan", "water"]
    np.testing.assert_array_equal(
        opened.encode(texts), model(senses, compose="multiply").encode(texts)
    )
    assert opened.fingerprint == opened.senses.fingerprint != ""


def test_the_preparation_is_that_of_the_corpus(senses: Senses) -> None:
    whole = replace(senses, preparation=Preparation(tokenizer="whitespace"))
    assert not model(whole).encode(["bank, loan,"]).any()
    assert model(senses).encode(["bank, loan,"]).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"compose": "divide"}, "expected compose to be one of add, multiply, got 'divide'"),
        ({"window": 0}, "expected window"),
        ({"nearest": 0}, "expected nearest"),
    ],
)
def test_bad_parameters(senses: Senses, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        model(senses, **options)


def test_a_domain_that_does_not_fit(senses: Senses, domain: MitchellLapata, tmp_path: Path) -> None:
    other = replace(domain, lemmas="simplemma")
    with pytest.raises(InputError, match="got none of the senses and simplemma in ml"):
        model(senses, domain=other).encode(["gene"])
    two = BackedOffRows(general=domain.rows, domain=domain.rows)
    both = replace(domain, rows=two)
    with pytest.raises(UnsuitableModelError, match="expected count vectors of one corpus"):
        model(senses, domain=both).encode(["gene"])
    senses.save(tmp_path / "dl")
    with pytest.raises(UnsuitableModelError, match="expected a mitchell-lapata model"):
        DinuLapata.open(str(tmp_path / "dl"), domain="random(3)")
