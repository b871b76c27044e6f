from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.spaces.factorization import SparseMatrix
from lydite.spaces.vocabulary import Vocabulary, bounds
from lydite.trained.cheung_penn.dinu_lapata import AdaptedSenses, Senses
from lydite.trained.cheung_penn.named_rows import NamedRows


def named(rows: dict[str, list[float]]) -> NamedRows:
    values = np.array(list(rows.values()))
    places = np.nonzero(values)
    width = values.shape[1]
    return NamedRows(
        words=Vocabulary.of(rows),
        dimensions=Vocabulary.of([f"d{i}" for i in range(width)]),
        matrix=SparseMatrix(
            starts=bounds(np.count_nonzero(values, axis=1)),
            columns=places[1].astype(np.int32),
            values=values[places].astype(np.float32),
            width=width,
        ),
    )


DOMAIN = {
    "gene": [3.0, 3.0, 0.0],
    "bank": [1.0, 0.0, 0.0],
    "emu": [0.0, 0.0, 2.0],
    "water": [2.0, 2.1, 0.0],
    "loan": [0.0, 5.0, 0.0],
    "bare": [0.0, 0.0, 0.0],
}


def test_the_nearest_known_words(senses: Senses) -> None:
    # Cosines of gene: water almost 1, bank and loan 0.707 both, of which bank stands first.
    # P(z|water) = (1/8, 7/8), P(z|bank) = (2/3, 1/3), P(z|loan) = (3/4, 1/4).
    for nearest, expected in [
        (1, 1 / 8),
        (2, (1 / 8 + 2 / 3) / 2),
        (9, (1 / 8 + 2 / 3 + 3 / 4) / 3),
    ]:
        adapted = AdaptedSenses(general=senses, domain=named(DOMAIN), nearest=nearest)
        rows, known = adapted.distributions(["gene"])
        assert known.all()
        np.testing.assert_allclose(rows, [[expected, 1 - expected]])


def test_words_that_stay_unknown(senses: Senses) -> None:
    adapted = AdaptedSenses(general=senses, domain=named(DOMAIN))
    # emu shares no context with a known word, bare has none, odd has no senses and no vector.
    rows, known = adapted.distributions(["emu", "bare", "odd", "never"])
    assert not known.any()
    assert not rows.any()


def test_known_words_are_as_they_were(senses: Senses) -> None:
    adapted = AdaptedSenses(general=senses, domain=named(DOMAIN))
    words = ["loan", "gene", "bank"]
    rows, known = adapted.distributions(words)
    assert known.all()
    np.testing.assert_array_equal(rows[[0, 2]], senses.distributions(["loan", "bank"])[0])


def test_a_domain_of_unknown_words(senses: Senses) -> None:
    adapted = AdaptedSenses(general=senses, domain=named({"gene": [1.0], "dna": [1.0]}))
    assert not adapted.distributions(["gene"])[1].any()


def test_as_a_loop(senses: Senses) -> None:
    generator = np.random.default_rng(0)
    names = ["loan", "water", "bank", *(f"w{i}" for i in range(30))]
    vectors = generator.random((len(names), 8)) * (generator.random((len(names), 8)) < 0.6)
    adapted = AdaptedSenses(
        general=senses,
        domain=named({name: row.tolist() for name, row in zip(names, vectors, strict=True)}),
        nearest=2,
    )
    rows, known = adapted.distributions(names)
    assert known.all()
    for name, vector, row in list(zip(names, vectors, rows, strict=True))[3:]:
        cosines = [
            (vector @ other / np.linalg.norm(vector) / np.linalg.norm(other), known_name)
            for known_name, other in zip(names[:3], vectors[:3], strict=True)
        ]
        nearest = [known_name for _, known_name in sorted(cosines, reverse=True)[:2]]
        np.testing.assert_allclose(row, senses.distributions(nearest)[0].mean(axis=0), err_msg=name)


def test_no_neighbours(senses: Senses) -> None:
    with pytest.raises(InputError, match="expected nearest to be a whole number from 1"):
        AdaptedSenses(general=senses, domain=named(DOMAIN), nearest=0)
