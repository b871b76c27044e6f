"""Which models there are, and how a spec becomes one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from lydite.errors import InputError, SpecError
from lydite.models.protocols import PairModel, TermLearner, TextModel, WordModel
from lydite.registry import Registry, unknown_name
from lydite.spaces.space import Space
from lydite.spec import Spec, Value, parse

Factory: TypeAlias = Callable[..., Any]

_HINT = "'lydite models ls' lists the models; the path of a vector file works too"

MODELS: Registry[Factory] = Registry("model", group="lydite.models", hint=_HINT)
for _name, _target in {
    "vectors": "lydite.models.vectors:vectors",
    "glove-6b-50d": "lydite.models.vectors:glove_6b_50d",
    "sum": "lydite.models.composition:sum_of_words",
    "mean": "lydite.models.composition:mean_of_words",
    "multiply": "lydite.models.composition:product_of_words",
    "random": "lydite.models.random:random",
    "usem3": "lydite.models.universal_sentence_encoder:usem3",
    "sentence-transformers": "lydite.models.sentence_transformers:sentence_transformers",
    "endpoint": "lydite.models.endpoint:endpoint",
}.items():
    MODELS.register(_name, _target)


def load(model: Value | Path | object) -> Any:  # noqa: ANN401 - any of four protocols
    """Open a model.

    Parameters
    ----------
    model
        A spec, the path of a vector file, gensim's KeyedVectors, or an object that fulfils one of
        the protocols in :mod:`lydite.models.protocols`, which is returned as it is.

    Examples
    --------
    >>> load("random(3)").lookup(["cat"]).vectors.shape
    (1, 3)
    """
    if isinstance(model, Path):
        return _build(Spec("vectors", (str(model),)), said=str(model))
    if isinstance(model, str):
        if Path(model).is_file():
            return _build(Spec("vectors", (model,)), said=model)
        return _load_spec(parse(model))
    if isinstance(model, Spec):
        return _load_spec(model)
    return _adopt(model)


def _load_spec(spec: Spec) -> Any:  # noqa: ANN401
    if spec.name in MODELS:
        return _build(spec, said=str(spec))
    if not (spec.args or spec.params) and _looks_like_path(spec.name):
        return _build(Spec("vectors", (spec.name,)), said=spec.name)
    raise unknown_name("model", spec.name, MODELS, hint=_HINT)


def _looks_like_path(text: str) -> bool:
    return Path(text).is_file() or "/" in text or "\\" in text or Path(text).suffix in _SUFFIXES


_SUFFIXES = {".txt", ".vec", ".bin", ".npy", ".npz", ".safetensors", ".gz", ".xz", ".zst"}


def _build(spec: Spec, *, said: str) -> Any:  # noqa: ANN401
    factory = MODELS.get(spec.name)
    try:
        bound = inspect.signature(factory).bind(*spec.args, **dict(spec.params))
    except TypeError as error:
        raise SpecError(
            f"{said}: {error}", hint=f"expected {spec.name}{inspect.signature(factory)}"
        ) from None
    return factory(*bound.args, **bound.kwargs)


def _adopt(model: object) -> Any:  # noqa: ANN401
    if isinstance(model, WordModel | TextModel | PairModel | TermLearner):
        return model
    if hasattr(model, "index_to_key") and hasattr(model, "vectors"):
        return Space.of_keyed_vectors(model)
    raise InputError(
        f"expected a model, got {type(model).__name__}",
        hint="give a spec, a path, gensim KeyedVectors, or an object with "
        "lookup(words), encode(texts), score(left, right) or learn(contexts)",
    )


def model_spec(model: object) -> str:
    """Return the text that names a model; objects of strangers are named by their class."""
    return str(getattr(model, "spec", None) or type(model).__name__)


def model_fingerprint(model: object) -> str | None:
    """Return which bytes a model is, if it says so."""
    return getattr(model, "fingerprint", None) or None
