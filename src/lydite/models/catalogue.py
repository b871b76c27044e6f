"""Which models there are, and how a spec becomes one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from lydite.errors import InputError, SpecError
from lydite.models.parameters import bind
from lydite.models.protocols import PairModel, TermLearner, TextModel, WordModel
from lydite.registry import Registry, unknown_name
from lydite.spaces.space import Space
from lydite.spec import Spec, Value, parse
from lydite.spec import as_argument as spec_argument

Factory: TypeAlias = Callable[..., Any]

_HINT = "'lydite models ls' lists the models; the path of a vector file works too"

MODELS: Registry[Factory] = Registry("model", group="lydite.models", hint=_HINT)
for _name, _target in {
    "vectors": "lydite.models.vectors:vectors",
    "glove-6b-50d": "lydite.models.vectors:glove_6b_50d",
    "sum": "lydite.models.composition:sum_of_words",
    "mean": "lydite.models.composition:mean_of_words",
    "multiply": "lydite.models.composition:product_of_words",
    "bow": "lydite.models.bag_of_words:bow",
    "pca": "lydite.models.principal_components:pca",
    "pv-dm": "lydite.models.paragraph_vectors.model:pv_dm",
    "pv-dbow": "lydite.models.paragraph_vectors.model:pv_dbow",
    "urae": "lydite.models.urae.model:urae",
    "ensemble": "lydite.models.ensemble:ensemble",
    "overlap": "lydite.models.overlap:overlap",
    "mitchell-lapata": "lydite.models.mitchell_lapata.model:mitchell_lapata",
    "erk-pado": "lydite.models.erk_pado.model:erk_pado",
    "thater": "lydite.models.thater.model:thater",
    "dinu-lapata": "lydite.models.dinu_lapata.model:dinu_lapata",
    "backoff": "lydite.models.backoff:backoff",
    "hybrid": "lydite.models.hybrid:hybrid",
    "random": "lydite.models.random:random",
    "usem3": "lydite.models.universal_sentence_encoder:usem3",
    "sentence-transformers": "lydite.models.sentence_transformers:sentence_transformers",
    "endpoint": "lydite.models.endpoint:endpoint",
    "additive": "lydite.models.additive:additive",
    "nonce2vec": "lydite.models.nonce2vec.learner:nonce2vec",
    "ppmi-svd": "lydite.models.ppmi_svd:ppmi_svd",
    "pooled": "lydite.models.pooled:pooled",
    "path": "lydite.models.taxonomic:path",
    "resnik": "lydite.models.taxonomic:resnik",
    "lin": "lydite.models.taxonomic:lin",
    "jiang-conrath": "lydite.models.taxonomic:jiang_conrath",
}.items():
    MODELS.register(_name, _target)


def load(model: Value | Path | object) -> Any:  # noqa: ANN401 - any of four protocols
    """Open a model.

    Parameters
    ----------
    model
        A spec, the path of a vector file, a gensim model or its KeyedVectors, or an object that
        fulfils one of the protocols in :mod:`lydite.models.protocols`, which is returned as it is.
        A text that is a model's name means that model, even if a file of that name exists: write
        ``./usem3``, or give a `Path`, for the file.

    Examples
    --------
    >>> load("random(3)").lookup(["cat"]).vectors.shape
    (1, 3)
    """
    if isinstance(model, Path):
        return _open_file(str(model))
    if isinstance(model, str):
        return _load_text(model)
    return _load_spec(model) if isinstance(model, Spec) else _adopt(model)


def _load_text(text: str) -> Any:  # noqa: ANN401
    try:
        spec = parse(text)
    except SpecError:
        if _exists(text):
            return _open_file(text)
        raise
    own = spec.name not in MODELS and _exists(text)
    return _open_file(text) if own else _load_spec(spec)


def _load_spec(spec: Spec) -> Any:  # noqa: ANN401
    if spec.name in MODELS:
        return _build(spec)
    if not (spec.args or spec.params) and _looks_like_path(spec.name):
        return _open_file(spec.name)
    raise unknown_name("model", spec.name, MODELS, hint=_HINT)


def _looks_like_path(text: str) -> bool:
    return "/" in text or "\\" in text or Path(text).suffix in _SUFFIXES or _exists(text)


_SUFFIXES = {".txt", ".vec", ".bin", ".npy", ".npz", ".safetensors", ".gz", ".xz", ".zst"}


def _exists(text: str) -> bool:
    try:
        return Path(text).expanduser().exists()
    except (OSError, RuntimeError):  # longer than a name may be, or in the home of nobody
        return False


def _open_file(path: str) -> Any:  # noqa: ANN401
    return _build(Spec("vectors", (path,)))


def _build(spec: Spec) -> Any:  # noqa: ANN401
    factory = MODELS.get(spec.name)
    bound = bind(spec, factory)
    return factory(*bound.args, **bound.kwargs)


def _adopt(model: object) -> Any:  # noqa: ANN401
    if isinstance(model, type):
        raise InputError(
            f"expected a model, got the class {model.__name__}",
            hint=f"make one of it: {model.__name__}(...)",
        )
    keyed = getattr(model, "wv", model)
    if hasattr(keyed, "index_to_key") and hasattr(keyed, "vectors"):
        return Space.of_keyed_vectors(model)
    if isinstance(model, WordModel | TextModel | PairModel | TermLearner):
        return model
    raise InputError(
        f"expected a model, got {type(model).__name__}",
        hint="give a spec, a path, gensim KeyedVectors, or an object with "
        "lookup(words), encode(texts), score(left, right) or learn(contexts)",
    )


def model_spec(model: object) -> str:
    """Return the text that names a model; objects of strangers are named by their class."""
    spec = getattr(model, "spec", None)
    return spec if isinstance(spec, str) and spec else type(model).__name__


def as_argument(model: object) -> Value:
    """Return a model's name as an argument of a spec; that of a stranger need not be a spec."""
    return spec_argument(model_spec(model))


def model_fingerprint(model: object) -> str | None:
    """Return which bytes a model is, if it says so."""
    fingerprint = getattr(model, "fingerprint", None)
    return fingerprint if isinstance(fingerprint, str) and fingerprint else None
