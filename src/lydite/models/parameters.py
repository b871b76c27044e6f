"""Fit the arguments of a spec to the parameters of what makes the model."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from lydite.errors import SpecError
from lydite.registry import nearest
from lydite.spec import Spec, Value, write_value

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
