"""Which models there are, how a spec becomes one, and how its arguments are checked."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from lydite.boundary import boundary
from lydite.declare import Declared, Field, fields_of, usage
from lydite.errors import InputError, SpecError
from lydite.models import MODELS, MODELS_HINT
from lydite.models.protocols import PairModel, TermLearner, TextModel, WordModel
from lydite.registry import nearest, unknown_name
from lydite.spaces.space import Space
from lydite.spec import Spec, Value, parse, write_value
from lydite.spec import as_argument as spec_argument


class Model(Declared):
    """Base of a model that a spec names: a frozen dataclass whose fields are its parameters.

    Fields before ``_: KW_ONLY`` are given by position or by name, the others by name alone; a
    tuple without default takes any number. What is no parameter, such as weights that were read
    from a file, is marked as `State`. The first line of the docstring is what lists show::

        @dataclass(frozen=True)
        class Letters(Model):
            "How often each letter stands in a text."

            name: ClassVar[str] = "letters"

            alphabet: Annotated[str, Param("The letters that count.")]
            _: KW_ONLY
            lower: Annotated[bool, Param("Put texts in lower case first.")] = True

            def encode(self, texts): ...
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        for each in fields_of(type(self)):
            value = each.of(self)
            if not (each.path or each.several or each.fits(value)):
                raise InputError(
                    f"{self.name}: expected {each.key} to be {each.expected}, got {value!r}"
                )

    @classmethod
    def open(cls, *args: Any, **parameters: Any) -> Any:  # noqa: ANN401
        """Make the model of what a spec says: files are read, models inside it opened.

        Models that are not made of anything are their parameters. It may return another object,
        such as the model with a cache around it.
        """
        return cls(*args, **parameters)


def bind(spec: Spec, target: Factory) -> inspect.BoundArguments:
    """Return the arguments of a call of a model's class or factory.

    Parameters that annotations call text, numbers, true or false, one of several words, or none
    are checked; all others are the model's own affair.

    Raises `SpecError` if an argument is unknown, missing or of another kind.
    """
    fields = fields_of(target)
    expected = f"expected {usage(target, spec.name)}"
    _refuse_unknown(spec, fields, expected)
    try:
        bound = _signature(fields).bind(*spec.args, **dict(spec.params))
    except TypeError as error:
        raise SpecError(f"{spec}: {error}", hint=expected) from None
    for each in fields:
        if each.open_ended or each.key not in bound.arguments:
            continue
        value = bound.arguments[each.key]
        if not each.fits(value):
            close = nearest(str(value), map(str, each.choices), most=1)
            raise SpecError(
                f"{spec}: expected {each.key} to be {each.expected}, got {write_value(value)}",
                hint=(f"did you mean {close[0]}? " if close else "") + expected,
            )
    return bound


def _signature(fields: Sequence[Field]) -> inspect.Signature:
    empty = inspect.Parameter.empty
    return inspect.Signature(
        [
            inspect.Parameter(
                each.key, each.place, default=empty if each.required else each.default
            )
            for each in fields
        ]
    )


def _refuse_unknown(spec: Spec, fields: Sequence[Field], expected: str) -> None:
    if any(each.place is inspect.Parameter.VAR_KEYWORD for each in fields):
        return
    by_key = [
        each.key
        for each in fields
        if not each.open_ended and each.place is not inspect.Parameter.POSITIONAL_ONLY
    ]
    for key, _ in spec.params:
        if key not in by_key:
            close = nearest(key, by_key, most=1)
            raise SpecError(
                f"{spec}: there is no parameter called {key!r}",
                hint=(f"did you mean {close[0]}? " if close else "") + expected,
            )


Factory: TypeAlias = Callable[..., Any]


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
    if not isinstance(model, Path | str | Spec):
        return _adopt(model)
    with boundary(f"opening {str(model)[:200]}"):
        if isinstance(model, Path):
            return _open_file(str(model))
        return _load_text(model) if isinstance(model, str) else _load_spec(model)


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
    raise unknown_name("model", spec.name, MODELS, hint=MODELS_HINT)


def _looks_like_path(text: str) -> bool:
    from lydite.spaces.formats.catalogue import file_suffixes

    return "/" in text or "\\" in text or Path(text).suffix in file_suffixes() or _exists(text)


def _exists(text: str) -> bool:
    try:
        return Path(text).expanduser().exists()
    except (OSError, RuntimeError):  # longer than a name may be, or in the home of nobody
        return False


def _open_file(path: str) -> Any:  # noqa: ANN401
    return _build(Spec("vectors", (path,)))


def _build(spec: Spec) -> Any:  # noqa: ANN401
    target = MODELS.get(spec.name)
    bound = bind(spec, target)
    if isinstance(target, type) and issubclass(target, Model):
        return target.open(*bound.args, **bound.kwargs)
    return target(*bound.args, **bound.kwargs)


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
