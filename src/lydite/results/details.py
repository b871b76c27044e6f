"""What a result tells beside its scores, typed: stored as JSON, read back as the same objects.

An evaluation declares it beside itself, writes it by ``plain`` and reads it by ``of``::

    @dataclass(frozen=True, kw_only=True)
    class Details(Missing):
        definitions: tuple[Definition, ...] = ()

    Outcome(details=Details(definitions=found).plain(), ...)
    Details.of(result).definitions
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Self, Union, get_args, get_origin, get_type_hints

from lydite.errors import InputError
from lydite.results.record import Result
from lydite.types import PlainMapping


class Stored:
    """Base of frozen dataclasses that are stored as JSON.

    Fields are plain values, tuples, mappings by text, or `Stored` themselves. One that is None by
    default is not written where it is None, unless `null` makes the default; unknown names are
    not read. A field whose name ends in ``_`` is stored without it, as ``class_`` is.
    """

    @classmethod
    def of(cls, result: Result) -> Self:
        """Read the details of a result; what it does not tell is empty."""
        return cls.read(result.details)

    @classmethod
    def read(cls, plain: PlainMapping) -> Self:
        """Make one of plain data."""
        given = {
            each.name: _read(each.kind, plain[each.stored])
            for each in _declared(cls)
            if each.stored in plain
        }
        lacking = [e.name for e in _declared(cls) if e.required and e.name not in given]
        if lacking:
            raise InputError(
                f"{cls.__name__}: expected {', '.join(lacking)}, got {', '.join(plain)}"
            )
        return cls(**given)

    def plain(self) -> dict[str, Any]:
        """Return plain data, fit for JSON."""
        return {
            each.name.rstrip("_"): _plain(value)
            for each in dataclasses.fields(self)  # type: ignore[arg-type]
            if (value := getattr(self, each.name)) is not None or each.default is not None
        }


def null() -> None:
    """Make the default of a field that is None, and stored so, where there is nothing to tell."""


@dataclass(frozen=True, kw_only=True)
class Missing(Stored):
    """Details that name what was not covered.

    Attributes
    ----------
    missing
        Some of the items that were not covered.
    """

    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Declared:
    name: str
    kind: Any
    required: bool

    @property
    def stored(self) -> str:
        return self.name.rstrip("_")


_FIELDS: dict[type, list[_Declared]] = {}


def _declared(kind: type) -> list[_Declared]:
    """Return the fields of a dataclass; type hints are slow to read, so that they are kept."""
    if kind not in _FIELDS:
        hints, nothing = get_type_hints(kind), dataclasses.MISSING
        _FIELDS[kind] = [
            _Declared(each.name, hints[each.name], each.default is each.default_factory is nothing)
            for each in dataclasses.fields(kind)
        ]
    return _FIELDS[kind]


def _read(kind: Any, plain: Any) -> Any:  # noqa: ANN401 - whatever a field is declared to be
    if isinstance(kind, type) and issubclass(kind, Stored):
        return kind.read(plain)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        chosen = next((each for each in inner if each is not NoneType), Any)
        return None if plain is None else _read(chosen, plain)
    if origin is tuple:
        each = [inner[0]] * len(plain) if inner[-1] is Ellipsis else inner
        return tuple(_read(one, value) for one, value in zip(each, plain, strict=True))
    if origin is not None and issubclass(origin, Mapping):
        return {name: _read(inner[1], value) for name, value in plain.items()}
    return plain


def _plain(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, Stored):
        return value.plain()
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
