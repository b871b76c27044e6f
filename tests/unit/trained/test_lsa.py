from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.corpora.documents import open_corpus
from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.spaces.space import Space
from lydite.spec import Value
from lydite.trained.lsa import LsaRecipe, Weighting
from lydite.trained.zoo.corpus import SharedCorpus
from lydite.trained.zoo.families import family
from lydite.types import Floats

TOKENISED = Preparation(tokenizer="whitespace", sentences="lines", drop_single=False)


def documents(count: int = 60) -> list[list[str]]:
    generator = np.random.default_rng(3)
    return [
        [f"w{number}" for number in generator.zipf(1.5, size) % 30]
        for size in generator.integers(4, 20, count)
    ]


def written(texts: list[list[str]], path: Path) -> Path:
    path.write_text("".join(" ".join(text) + "\n" for text in texts))
    return path


def trained(file: Path, preparation: Preparation = TOKENISED, **parameters: Value) -> Space:
    corpus = SharedCorpus(open_corpus([file], preparation), file.parent)
    return family("lsa").completed(parameters).train(corpus)


def weighed(table: Floats, weighting: Weighting) -> Floats:
    """Weigh counts of words by column, one word after the other."""
    out = np.zeros_like(table)
    for i, row in enumerate(table):
        if weighting == "tf-idf":
            out[i] = row * np.log(len(row) / np.count_nonzero(row))
        else:
            shares = row[row > 0] / row.sum()
            certainty = 1 + (shares * np.log(shares)).sum() / np.log(len(row))
            out[i] = np.log(1 + row) * certainty
    return out


@pytest.mark.parametrize("weighting", ["log-entropy", "tf-idf"])
@pytest.mark.parametrize("span", [1, 7])
def test_similarities_are_those_of_the_dense_decomposition(
    tmp_path: Path, weighting: Weighting, span: int
) -> None:
    texts = documents()
    file = written(texts, tmp_path / "text.txt")
    space = trained(file, dim=5, weighting=weighting, span=span, min_count=4)
    table = np.zeros((len(space), -(-len(texts) // span)))
    for number, text in enumerate(texts):
        for row in space.find(text).tolist():
            if row >= 0:
                table[row, number // span] += 1
    assert space.counts is not None
    assert space.counts.tolist() == table.sum(axis=1).tolist()
    left, sizes, _ = np.linalg.svd(weighed(table, weighting))
    expected = left[:, :5] * sizes[:5]
    found = space.vectors.astype(np.float64)
    # Signs are arbitrary; products are not.
    assert found @ found.T == pytest.approx(expected @ expected.T, abs=1e-3)


def test_words_beside_words_can_be_the_columns(tmp_path: Path) -> None:
    file = written(documents(), tmp_path / "text.txt")
    space = trained(file, dim=4, columns="words", weighting="none", window=2, min_count=4)
    table = np.zeros((len(space), len(space)))
    for text in documents():
        rows = space.find(text).tolist()
        for i, row in enumerate(rows):
            for other in rows[max(0, i - 2) : i] + rows[i + 1 : i + 3]:
                if row >= 0 and other >= 0:
                    table[row, other] += 1
    left, sizes, _ = np.linalg.svd(table)
    expected = left[:, :4] * sizes[:4]
    found = space.vectors.astype(np.float64)
    assert found @ found.T == pytest.approx(expected @ expected.T, rel=1e-4, abs=1e-2)
    assert space.contexts is not None
    assert space.contexts.shape == space.vectors.shape


def test_words_that_stand_everywhere_alike_are_left_out(tmp_path: Path) -> None:
    texts = [["the", "cat", "cat"], ["the", "dog", "dog"], ["the", "emu", "cat"]]
    space = trained(written(texts, tmp_path / "text.txt"), dim=2, min_count=1)
    assert sorted(space.vocabulary) == ["cat", "dog", "emu"]


def test_vectors_can_have_the_length_one(tmp_path: Path) -> None:
    file = written(documents(), tmp_path / "text.txt")
    space = trained(file, dim=4, normalise=True, min_count=4)
    assert np.linalg.norm(space.vectors, axis=1) == pytest.approx(np.ones(len(space)), abs=1e-5)


def test_running_text_is_prepared(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("The cat sat. The dog ran home. A cat ran. The dog sat at home.\n" * 3)
    space = trained(file, Preparation(), dim=2, min_count=3)
    assert {"cat", "dog"} <= set(space.vocabulary)


def test_one_document_is_too_few_to_weigh_words_by(tmp_path: Path) -> None:
    file = written([["a", "b", "a"]], tmp_path / "text.txt")
    with pytest.raises(InputError, match="several documents"):
        trained(file, dim=1, min_count=1)


def test_unknown_weightings_are_refused() -> None:
    with pytest.raises(InputError, match="weighting among log-entropy"):
        LsaRecipe(weighting="idf")  # type: ignore[arg-type]
