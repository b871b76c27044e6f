"""What an evaluation, a recipe or a model says of itself, once.

A frozen dataclass is the one place: its docstring asks the question and explains it, its fields are
the parameters, each with its help. The command with its options and completion, the lists that
``lydite evaluations ls`` and ``lydite models ls`` print, the reference pages, the labels of reports
and the spec follow from it::

    @dataclass(frozen=True, kw_only=True)
    class Similarity(Evaluation):
        name: ClassVar[str] = "similarity"
        slots: ClassVar = (Slot("pairs", "Rated word pairs.", default=("starter-similarity",)),)

        metric: Annotated[Literal["spearman", "pearson"], Param("Which one leads.")] = "spearman"

Nothing here knows NumPy or the command line: help has to be quick.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

from lydite.errors import InputError
from lydite.registry import nearest
from lydite.spec import Spec, Value, as_argument, write_value

#: The largest seed that there is.
SEEDS = 2**64 - 1

#: Kinds of values that an option, or an argument of a spec, can have.
Kind = type[str] | type[int] | type[float] | type[bool] | type[Path]


@dataclass(frozen=True)
class Param:
    """What a field says of itself, in ``Annotated[kind, Param("Help.")]``.

    Attributes
    ----------
    help
        One or two plain sentences.
    metavar
        What stands for the value in the usage; by default its kind or its choices.
    least, above, most
        The smallest value allowed, or a value that has to be exceeded; the largest allowed.
    option
        The name of the option, without dashes, where it is not that of the field.
    default
        How the default is written in the help, where the value itself says little.
    shows
        Only shows more of the same result: no part of the key of a result.
    spec
        Whether the spec that is written names it; a cache, for example, changes no vector.
    command
        Whether the command has an option for it.
    always
        Whether the spec names it also at its default.
    key
        What a spec calls it, where that is not the name of the field.
    given_by
        The option of a command that fills it in where a spec leaves it open: ``background``.
    """

    help: str
    metavar: str | None = None
    least: float | None = None
    above: float | None = None
    option: str | None = None
    default: str | None = None
    shows: bool = False
    spec: bool = True
    command: bool = True
    _: dataclasses.KW_ONLY
    most: float | None = None
    always: bool = False
    key: str | None = None
    given_by: str | None = None


@dataclass(frozen=True)
class Commas(Param):
    """A field of several values that its option takes with commas between them: ``100,200``."""


class State:
    """Marks a field that is no parameter: what was opened, learnt or fitted.

    >>> @dataclass
    ... class Counts:
    ...     lower: Annotated[bool, Param("Put words in lower case.")] = True
    ...     words: Annotated[tuple[str, ...], State] = ()
    >>> [each.name for each in fields_of(Counts)]
    ['lower']
    """


@dataclass(frozen=True)
class Inline:
    """Marks a field that is itself a declared dataclass: its fields are options, too.

    Attributes
    ----------
    without
        Names of its fields that are no options, such as those that the command's name decides.
    unset
        Whether its fields are none unless they are given, because a preset decides them.
    """

    without: tuple[str, ...] = ()
    unset: bool = False


@dataclass(frozen=True)
class Option:
    """An option of a command that is no parameter of what it runs.

    Attributes
    ----------
    name
        As in Python; ``save_samples`` becomes ``--save-samples``.
    help
        One or two plain sentences.
    kind
        What its value is; a ``bool`` is a flag.
    default
        What it is where it is not given; of an option that takes several values, a tuple.
    several
        Whether it takes several values.
    metavar
        What stands for the value in the usage.
    choices
        The values allowed, if they are few.
    least
        The smallest value allowed.
    negatable
        Whether a flag can be switched off, by ``--no-name``.
    option
        The name of the option, without dashes, where it is not that of the attribute.
    """

    name: str
    help: str
    _: dataclasses.KW_ONLY
    kind: Kind = str
    default: Any = None
    several: bool = False
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    least: float | None = None
    negatable: bool = False
    option: str | None = None


@dataclass(frozen=True)
class Slot(Option):
    """A resource that an evaluation or a recipe takes, by name or as a file.

    Attributes
    ----------
    accepts
        The kinds of cards that completion offers; none offers all.
    joined
        Whether ``a+b`` puts several resources together as one.
    """

    _: dataclasses.KW_ONLY
    several: bool = True
    metavar: str | None = "NAME|FILE..."
    accepts: tuple[str, ...] = ()
    joined: bool = False


@dataclass(frozen=True)
class ModelSlot(Option):
    """A model that a recipe takes: a spec, or the path of a vector file."""

    _: dataclasses.KW_ONLY
    metavar: str | None = "MODEL"


@dataclass(frozen=True)
class View(Option):
    """An option that only shows more of results that are there anyway, such as ``--violations``."""

    _: dataclasses.KW_ONLY
    kind: Kind = bool
    default: Any = False


@dataclass(frozen=True)
class Metric:
    """A score: what it is called and how it is written.

    Attributes
    ----------
    name
        As in results.
    title
        For people.
    digits
        Decimals.
    higher
        Whether a higher value is better; None where neither is.
    """

    name: str
    title: str
    digits: int = 3
    higher: bool | None = True

    def write(self, value: float) -> str:
        """Write a score.

        >>> Metric("qvec", "sum of correlations", digits=4).write(8.08639)
        '8.0864'
        """
        # Adding zero turns a rounded -0.0 into 0.0.
        return f"{round(value, self.digits) + 0.0:.{self.digits}f}"


@dataclass(frozen=True, kw_only=True)
class Field:
    """A declared parameter, read from a dataclass.

    Attributes
    ----------
    name
        Of the field.
    kind
        Its type, without None and without what `Annotated` adds.
    optional
        Whether it can be None.
    choices
        The values allowed, of a ``Literal``.
    default
        Its default, or ``dataclasses.MISSING``.
    several
        Whether it is a tuple of such values.
    param
        What is said of it.
    path
        The fields that lead to it, of a dataclass within another.
    place
        How it is passed: by position, by keyword, or as one of any number.
    """

    name: str
    kind: Any
    optional: bool = False
    choices: tuple[Any, ...] = ()
    default: Any = dataclasses.MISSING
    several: bool = False
    param: Param | Option = field(default_factory=lambda: Param(""))
    path: tuple[str, ...] = ()
    place: inspect._ParameterKind = inspect.Parameter.KEYWORD_ONLY

    @property
    def required(self) -> bool:
        """Whether it has to be given."""
        return self.default is dataclasses.MISSING

    @property
    def key(self) -> str:
        """What a spec calls it."""
        return (self.param.key if isinstance(self.param, Param) else None) or self.name

    @property
    def open_ended(self) -> bool:
        """Whether it stands for any number of arguments."""
        return self.place in _OPEN_ENDED

    def of(self, declared: object) -> Any:  # noqa: ANN401
        """Return its value in an object."""
        for step in (*self.path, self.name):
            declared = getattr(declared, step)
        return declared

    def fits(self, value: object) -> bool:
        """Tell whether a value is of its kind; kinds that no spec can write fit everything."""
        if value is None and self.optional:
            return True
        if self.choices:
            return _is_one_of(value, self.choices)
        return _is_of_kind(value, self.kind)

    @property
    def expected(self) -> str:
        """What its value is, in words: ``a whole number or none``."""
        said = _words_for(self.kind)
        if self.choices:
            said = "one of " + ", ".join(map(write_value, self.choices))
        return f"{said} or none" if self.optional else said


_OPEN_ENDED: Mapping[Any, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
_KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def _is_of_kind(value: object, kind: Any) -> bool:  # noqa: ANN401
    if get_origin(kind) in {Union, UnionType}:
        return any(_is_of_kind(value, each) for each in get_args(kind))
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is kind if kind in _KINDS else True


def _words_for(kind: Any) -> str:  # noqa: ANN401
    if get_origin(kind) in {Union, UnionType}:
        return " or ".join(map(_words_for, get_args(kind)))
    return _KINDS.get(kind, "something else")


def fields_of(declared: Callable[..., Any]) -> tuple[Field, ...]:
    """Return the parameters of a declared dataclass, those of dataclasses inside it included.

    Those of a function, or of any other class, are read from its signature.

    >>> @dataclass
    ... class Counted:
    ...     window: Annotated[int, Param("Words on either side.")] = 5
    >>> [(each.name, each.default, each.param.help) for each in fields_of(Counted)]
    [('window', 5, 'Words on either side.')]
    """
    if not dataclasses.is_dataclass(declared) or not isinstance(declared, type):
        return tuple(_parameters(declared))
    if "_declared_fields" not in vars(declared):
        # Kept on the class itself: type hints are slow to read, and nobody else has to forget them.
        type.__setattr__(declared, "_declared_fields", tuple(_fields(declared, {}, ())))
    found: tuple[Field, ...] = vars(declared)["_declared_fields"]
    return found


def _fields(declared: type, defaults: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Field]:
    hints = get_type_hints(declared, include_extras=True)
    for each in dataclasses.fields(declared):
        hint, said = _split(hints[each.name])
        if not each.init or said is State:
            continue
        default = defaults.get(each.name, _default(each))
        if isinstance(said, Inline):
            inner = {
                part.name: getattr(default, part.name)
                for part in dataclasses.fields(hint)
                if default is not dataclasses.MISSING
            }
            inside = _fields(hint, inner, (*path, each.name))
            kept = (part for part in inside if part.name not in said.without)
            if said.unset:
                kept = (dataclasses.replace(part, optional=True, default=None) for part in kept)
            yield from kept
        else:
            param = said if isinstance(said, Param | Option) else Param("")
            made = _field(each.name, hint, default, param)
            yield dataclasses.replace(made, path=path, place=_place(each, made))


def _place(each: dataclasses.Field[Any], made: Field) -> inspect._ParameterKind:
    if each.kw_only:
        return inspect.Parameter.KEYWORD_ONLY
    if made.several and made.required:
        return inspect.Parameter.VAR_POSITIONAL
    return inspect.Parameter.POSITIONAL_OR_KEYWORD


def _parameters(call: Callable[..., Any]) -> Iterator[Field]:
    """Read the parameters of a call, without options that no spec can say, such as a callback."""
    try:
        hints = get_type_hints(call, include_extras=True)
    except (NameError, TypeError):  # names that are imported for type checkers only
        hints = {}
    for each in inspect.signature(call).parameters.values():
        default = dataclasses.MISSING if each.default is each.empty else each.default
        if each.kind is each.KEYWORD_ONLY and not _is_sayable(default):
            continue
        hint, said = _split(hints.get(each.name, Any))
        param = said if isinstance(said, Param) else Param("")
        made = _field(each.name, hint, default, param)
        yield dataclasses.replace(made, place=each.kind)


def _is_sayable(default: object) -> bool:
    return default is dataclasses.MISSING or isinstance(default, str | int | float | Spec | None)


def _field(
    name: str,
    hint: Any,  # noqa: ANN401
    default: Any,  # noqa: ANN401
    said: Param | Option,
) -> Field:
    optional = get_origin(hint) in {Union, UnionType} and NoneType in get_args(hint)
    if optional:
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        hint = kinds[0] if len(kinds) == 1 else Union[tuple(kinds)]  # noqa: UP007
    several = get_origin(hint) is tuple
    if several:
        hint = get_args(hint)[0]
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    return Field(
        name=name,
        kind=type(choices[0]) if choices else hint,
        optional=optional,
        choices=choices,
        default=default,
        several=several,
        param=said,
    )


def _split(hint: Any) -> tuple[Any, Param | Option | Inline | type[State] | None]:  # noqa: ANN401
    """Take what is said of a field off its type."""
    if get_origin(hint) is not Annotated:
        return hint, None
    said = [
        each
        for each in hint.__metadata__
        if each is State or isinstance(each, Param | Option | Inline)
    ]
    return hint.__origin__, said[0] if said else None


def _default(each: dataclasses.Field[Any]) -> Any:  # noqa: ANN401
    if each.default_factory is not dataclasses.MISSING:
        return each.default_factory()
    return each.default


def build(declared: type, values: Mapping[str, Any], usual: object | None = None) -> Any:  # noqa: ANN401
    """Make a declared dataclass of values by name, those of dataclasses inside it included.

    What is not given is as in ``usual``, an object of that class, or else at its default.
    """
    return _build(declared, values, usual)


def _build(declared: type, values: Mapping[str, Any], usual: object | None) -> Any:  # noqa: ANN401
    hints = get_type_hints(declared, include_extras=True)
    given: dict[str, Any] = {}
    for each in dataclasses.fields(declared):
        hint, said = _split(hints[each.name])
        if isinstance(said, Inline):
            held = _default(each) if usual is None else getattr(usual, each.name)
            inner = {name: value for name, value in values.items() if name not in said.without}
            given[each.name] = _build(hint, inner, None if held is dataclasses.MISSING else held)
        elif each.name in values:
            given[each.name] = values[each.name]
        elif usual is not None:
            given[each.name] = getattr(usual, each.name)
    return declared(**given)


class Declared:
    """Base of what is named by a spec: a dataclass whose fields are its parameters.

    Values of fields that are a ``Literal`` or a ``bool`` are checked when one is made, and so are
    the bounds of those that are numbers.
    """

    name: ClassVar[str]

    def __post_init__(self) -> None:
        check_values(self, self.name)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters and their values."""
        return {each.name: each.of(self) for each in fields_of(type(self))}

    @property
    def spec(self) -> str:
        """The name with what has no default and what is not at its default; it parses back."""
        return str(self.to_spec())

    @property
    def key(self) -> str:
        """The spec without parameters that only show more: part of the key of a result.

        Parameters stand in the order of their names and only where they differ from their
        defaults, so that neither a new parameter nor another order makes stored results stale.
        """
        return str(self._to_spec(shown=False))

    def to_spec(self) -> Spec:
        """Return what `spec` writes, for those who look into it and need not read it again."""
        return self._to_spec(shown=True)

    def _to_spec(self, *, shown: bool) -> Spec:
        fields = [
            each
            for each in fields_of(type(self))
            if not isinstance(each.param, Param)
            or (each.param.spec and (shown or not each.param.shows))
        ]
        args: list[Value] = []
        params: dict[str, Value] = {}
        for each in fields:
            value = self.spec_value(each)
            if each.open_ended:
                args += map(as_value, value)
            elif each.required and each.place is inspect.Parameter.POSITIONAL_OR_KEYWORD:
                args.append(as_value(value))
            elif each.required or value != each.default or _is_always_written(each):
                params[each.key] = as_value(value)
        ordered = params.items() if shown else sorted(params.items())
        return Spec(self.name, tuple(args), tuple(ordered))

    def spec_value(self, field: Field) -> Any:  # noqa: ANN401
        """Return what the spec says of a field: its value, unless a class knows a shorter one."""
        return field.of(self)


def _is_always_written(each: Field) -> bool:
    return isinstance(each.param, Param) and each.param.always


def as_value(value: Any) -> Value:  # noqa: ANN401
    """Return a parameter's value as an argument of a spec; a model by its own spec."""
    if value is None or isinstance(value, str | int | float | Spec):
        return value
    spec = getattr(value, "spec", None)
    return as_argument(spec if isinstance(spec, str) and spec else type(value).__name__)


def check_values(declared: object, name: str) -> None:
    """Refuse values that are not among the choices or below the bounds of their fields."""
    for each in fields_of(type(declared)):
        if each.path:
            continue
        value = getattr(declared, each.name)
        if value is None and each.optional:
            continue
        choices = each.choices or ((True, False) if each.kind is bool else ())
        if choices and not each.several and not _is_one_of(value, choices):
            said = [write_value(choice) for choice in choices]
            close = nearest(str(value), said, most=1)
            raise InputError(
                f"{name}: expected {each.name} to be one of {', '.join(said)}, got {value!r}",
                hint=f"did you mean {close[0]}?" if close else None,
            )
        _check_bounds(each, value, name)


def _check_bounds(each: Field, value: Any, name: str) -> None:  # noqa: ANN401
    param = each.param
    if not isinstance(param, Param) or (param.least is None and param.above is None):
        return
    kinds = {int} if each.kind is int else {int, float}
    within = (
        type(value) in kinds
        and math.isfinite(value)
        and (param.least is None or value >= param.least)
        and (param.above is None or value > param.above)
        and (param.most is None or value <= param.most)
    )
    if not within:
        what = "a whole number" if each.kind is int else "a number"
        bound = f"from {param.least:g}" if param.least is not None else f"above {param.above:g}"
        if param.most is not None:
            bound += f" to {write_value(param.most)}"
        raise InputError(f"{name}: expected {each.name} to be {what} {bound}, got {value!r}")


def _is_one_of(value: object, choices: tuple[object, ...]) -> bool:
    # 1 == True in Python, but a parameter that takes the one does not take the other.
    return any(type(value) is type(choice) and value == choice for choice in choices)


def usage(declared: Callable[..., Any], name: str) -> str:
    """Write how a spec is called.

    >>> def mean(words: object, *, tokenizer: str = "words", limit: int | None = None) -> None: ...
    >>> usage(mean, "mean")
    'mean(words, tokenizer=words, limit=none)'
    """
    inside = [_usage(each) for each in fields_of(declared)]
    return f"{name}({', '.join(inside)})" if inside else name


def _usage(each: Field) -> str:
    if each.open_ended:
        return f"{_OPEN_ENDED[each.place]}{each.key}"
    if each.required:
        return each.key
    return f"{each.key}={write_value(each.default) if _is_sayable(each.default) else '...'}"


def summary_of(thing: object) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
