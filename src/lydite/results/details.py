"""What an evaluation tells beside its scores, typed: written and read through one dataclass.

A result stores details as plain data. The dataclass that an evaluation fills and its section reads
is declared beside the evaluation, once::

    @dataclass(frozen=True, kw_only=True)
    class Found(Details):
        word: str = ""
        times: int = 0

    @dataclass(frozen=True, kw_only=True)
    class MyDetails(Details):
        missing: tuple[str, ...] = ()
        found: tuple[Found, ...] = ()

    Outcome(..., details=MyDetails(found=rows).plain())
    MyDetails.of(result).found[0].word
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, ClassVar, Self, Union, get_args, get_origin, get_type_hints

from lydite.results.record import Result
from lydite.types import Plain, PlainMapping


@dataclass(frozen=True, kw_only=True)
class Details:
    """Base of details and of the rows in them; a field that ends in ``_`` is stored without it.

    All fields have defaults, since an older result, or another version's, need not have them.
    """

    #: Whether fields that are None are not written.
    sparse: ClassVar[bool] = False

    @classmethod
    def of(cls, result: Result) -> Self:
        """Read the details of a result."""
        return cls.read(result.details)

    @classmethod
    def read(cls, data: PlainMapping) -> Self:
        """Read plain data; what has no field is left out, what is absent has its default.

        >>> @dataclass(frozen=True, kw_only=True)
        ... class Pair(Details):
        ...     words: tuple[str, ...] = ()
        ...     cosine: float | None = None
        >>> Pair.read({"words": ["a", "b"], "more": 1})
        Pair(words=('a', 'b'), cosine=None)
        """
        stored = ((name, kind, data.get(name.rstrip("_"))) for name, kind in _kinds(cls).items())
        return cls(**{name: _read(kind, each) for name, kind, each in stored if each is not None})

    def plain(self) -> dict[str, Plain]:
        """Return plain data, as JSON knows it."""
        return {
            each.name.rstrip("_"): _plain(value)
            for each in dataclasses.fields(self)
            if (value := getattr(self, each.name)) is not None or not self.sparse
        }


@dataclass(frozen=True, kw_only=True)
class Missing(Details):
    """Details that name some of the items that were not covered."""

    missing: tuple[str, ...] = ()


_KINDS: dict[type, dict[str, Any]] = {}


def _kinds(declared: type[Details]) -> dict[str, Any]:
    """Return the types of the fields, kept since they are slow to read."""
    if declared not in _KINDS:
        hints = get_type_hints(declared)
        _KINDS[declared] = {each.name: hints[each.name] for each in dataclasses.fields(declared)}
    return _KINDS[declared]


def _read(kind: Any, value: Plain) -> Any:  # noqa: ANN401
    if value is None:
        return None
    if get_origin(kind) in {Union, UnionType}:
        kinds = [each for each in get_args(kind) if each is not NoneType]
        return _read(kinds[0], value) if len(kinds) == 1 else value
    if isinstance(kind, type) and issubclass(kind, Details):
        return kind.read(value)
    inner = get_args(kind)
    if get_origin(kind) is tuple:
        each_kind = [inner[0]] * len(value) if inner[-1] is ... else inner
        return tuple(_read(each, part) for each, part in zip(each_kind, value, strict=True))
    if get_origin(kind) in {dict, Mapping}:
        return {key: _read(inner[1], each) for key, each in value.items()}
    return value


def _plain(value: Any) -> Plain:  # noqa: ANN401
    if isinstance(value, Details):
        return value.plain()
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return value
