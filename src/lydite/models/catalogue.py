"""Which models there are, how a spec becomes one, and how its arguments are checked."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from lydite.errors import InputError, SpecError
from lydite.models.protocols import PairModel, TermLearner, TextModel, WordModel
from lydite.registry import Registry, nearest, unknown_name
from lydite.spaces.space import Space
from lydite.spec import Spec, Value, parse, write_value
from lydite.spec import as_argument as spec_argument

_KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def bind(spec: Spec, factory: Callable[..., Any]) -> inspect.BoundArguments:
    """Return the arguments of a call of the factory.

    Parameters that annotations call text, numbers, true or false, one of several words, or none
    are checked; all others are the factory's own affair.

    Raises
    ------
    SpecError
        If an argument is unknown, missing or of another kind.
    """
    signature = _signature(factory)
    expected = f"expected {usage(spec.name, factory)}"
    _refuse_unknown(spec, signature, expected)
    try:
        bound = signature.bind(*spec.args, **dict(spec.params))
    except TypeError as error:
        raise SpecError(f"{spec}: {error}", hint=expected) from None
    hints = _hints(factory)
    for name, value in bound.arguments.items():
        kind = hints.get(name, Any)
        if signature.parameters[name].kind not in _SEVERAL and not _fits(value, kind):
            close = nearest(str(value), map(str, _choices(kind)), most=1)
            raise SpecError(
                f"{spec}: expected {name} to be {_described(kind)}, got {write_value(value)}",
                hint=(f"did you mean {close[0]}? " if close else "") + expected,
            )
    return bound


def usage(name: str, factory: Callable[..., Any]) -> str:
    """Write how a model is called, as a spec.

    >>> def mean(words: object, *, tokenizer: str = "words", limit: int | None = None) -> None: ...
    >>> usage("mean", mean)
    'mean(words, tokenizer=words, limit=none)'
    """
    inside = [_usage(parameter) for parameter in _signature(factory).parameters.values()]
    return f"{name}({', '.join(inside)})" if inside else name


def _usage(parameter: inspect.Parameter) -> str:
    if parameter.kind in _SEVERAL:
        return f"{_SEVERAL[parameter.kind]}{parameter.name}"
    if parameter.default is parameter.empty:
        return parameter.name
    default = write_value(parameter.default) if _sayable(parameter.default) else "..."
    return f"{parameter.name}={default}"


_SEVERAL: dict[Any, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}


def _signature(factory: Callable[..., Any]) -> inspect.Signature:
    """Leave out options that a spec cannot say, such as a callback for progress."""
    signature = inspect.signature(factory)
    kept = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind is not parameter.KEYWORD_ONLY or _sayable(parameter.default)
    ]
    return signature.replace(parameters=kept)


def _sayable(default: object) -> bool:
    return default is inspect.Parameter.empty or isinstance(
        default, str | int | float | Spec | None
    )


def _refuse_unknown(spec: Spec, signature: inspect.Signature, expected: str) -> None:
    parameters = signature.parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return
    by_key = [
        parameter.name
        for parameter in parameters
        if parameter.kind in {parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY}
    ]
    for key, _ in spec.params:
        if key not in by_key:
            close = nearest(key, by_key, most=1)
            raise SpecError(
                f"{spec}: no parameter is called {key!r}",
                hint=(f"did you mean {close[0]}? " if close else "") + expected,
            )


def _hints(factory: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(factory)
    except (NameError, TypeError):  # names that are imported for type checkers only
        return {}


def _fits(value: Value, kind: Any) -> bool:  # noqa: ANN401 - an annotation
    if get_origin(kind) in {Union, UnionType}:
        return any(_fits(value, each) for each in get_args(kind))
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind in _KINDS or kind is NoneType:
        return type(value) is kind
    return True


def _choices(kind: Any) -> tuple[Value, ...]:  # noqa: ANN401
    return get_args(kind) if get_origin(kind) is Literal else ()


def _described(kind: Any) -> str:  # noqa: ANN401
    if get_origin(kind) in {Union, UnionType}:
        return " or ".join(map(_described, get_args(kind)))
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(write_value, get_args(kind)))
    return "none" if kind is NoneType else _KINDS.get(kind, "something else")


Factory: TypeAlias = Callable[..., Any]

_HINT = "'lydite models ls' lists the models; the path of a vector file works too"

MODELS: Registry[Factory] = Registry("model", group="lydite.models", hint=_HINT)
for _name, _target in {
    "vectors": "lydite.models.vectors:vectors",
    "glove-6b-50d": "lydite.models.vectors:glove_6b_50d",
    "sum": "lydite.models.composition:sum_of_words",
    "mean": "lydite.models.composition:mean_of_words",
    "multiply": "lydite.models.composition:product_of_words",
    "bow": "lydite.models.baselines:bow",
    "pca": "lydite.models.principal_components:pca",
    "pv-dm": "lydite.trained.paragraph_vectors:pv_dm",
    "pv-dbow": "lydite.trained.paragraph_vectors:pv_dbow",
    "urae": "lydite.trained.urae:urae",
    "ensemble": "lydite.models.combination:ensemble",
    "overlap": "lydite.models.baselines:overlap",
    "mitchell-lapata": "lydite.trained.cheung_penn.mitchell_lapata:mitchell_lapata",
    "erk-pado": "lydite.trained.cheung_penn.erk_pado:erk_pado",
    "thater": "lydite.trained.cheung_penn.thater:thater",
    "dinu-lapata": "lydite.trained.cheung_penn.dinu_lapata:dinu_lapata",
    "backoff": "lydite.models.combination:backoff",
    "hybrid": "lydite.models.combination:hybrid",
    "random": "lydite.models.baselines:random",
    "usem3": "lydite.models.universal_sentence_encoder:usem3",
    "sentence-transformers": "lydite.models.sentence_transformers:sentence_transformers",
    "endpoint": "lydite.models.endpoint:endpoint",
    "additive": "lydite.models.additive:additive",
    "nonce2vec": "lydite.models.nonce2vec:nonce2vec",
    "ppmi-svd": "lydite.trained.ppmi_svd:ppmi_svd",
    "pooled": "lydite.models.pooled:pooled",
    "path": "lydite.models.taxonomic:path",
    "resnik": "lydite.models.taxonomic:resnik",
    "lin": "lydite.models.taxonomic:lin",
    "jiang-conrath": "lydite.models.taxonomic:jiang_conrath",
}.items():
    MODELS.register(_name, _target)


#: What is made from raw text: classes that train, by the name of the command that trains them.
RECIPES: Registry[type[Any]] = Registry(
    "recipe", group="lydite.recipes", hint="'lydite train --help' lists them"
)
for _name, _target in {
    "zoo": "lydite.trained.zoo.training:Zoo",
}.items():
    RECIPES.register(_name, _target)


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
