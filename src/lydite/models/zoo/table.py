"""The table ``[zoo]`` of a suite: a grid of spaces and the folder that they are in."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from lydite.corpora.preparation import FormulaChoice, NumberChoice, Preparation, SentenceCut
from lydite.corpora.tokens import tokenizer
from lydite.errors import InputError
from lydite.models.zoo.families import FAMILIES, check_kinds
from lydite.models.zoo.grid import RETROFITTING, Grid
from lydite.models.zoo.training import zoo_paths
from lydite.registry import nearest

_LISTS: Final = ("corpus", "families", "dims", "windows", "retrofit", "retrofitted")
_TABLES: Final = (*FAMILIES, RETROFITTING)
_NUMBERS: Final = ("dims", "windows")
#: What a preparation takes for names; a command line refuses others by itself.
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "sentences": get_args(SentenceCut),
    "formulas": get_args(FormulaChoice),
    "numbers": get_args(NumberChoice),
}


@dataclass(frozen=True, kw_only=True)
class Zoo:
    """Spaces that are trained before they are asked.

    Attributes
    ----------
    grid
        Which.
    folder
        Where they are, as the user wrote it.
    """

    grid: Grid
    folder: str

    @property
    def models(self) -> tuple[str, ...]:
        """The paths of the spaces, in the order of the grid."""
        return tuple(path.as_posix() for path in zoo_paths(self.grid, self.folder))

    def to_toml(self) -> str:
        """Write the table; what is as usual is left out.

        >>> grid = Grid(corpus=("book.txt",), families=("glove",), options={"glove": {"x_max": 10}})
        >>> print(Zoo(grid=grid, folder="zoo").to_toml())
        [zoo]
        folder = "zoo"
        corpus = ["book.txt"]
        families = ["glove"]
        <BLANKLINE>
        [zoo.glove]
        x_max = 10
        <BLANKLINE>
        """
        lines = ["[zoo]", f"folder = {_written(self.folder)}"]
        for each in dataclasses.fields(Grid):
            value = getattr(self.grid, each.name)
            if each.name not in {"options", "preparation"} and value != each.default:
                lines.append(f"{each.name} = {_written(value)}")
        tables: dict[str, Mapping[str, Any]] = dict(self.grid.options)
        usual = dataclasses.asdict(Preparation())
        own = dataclasses.asdict(self.grid.preparation)
        tables["preparation"] = {k: v for k, v in own.items() if v != usual[k]}
        for name, table in tables.items():
            if table:
                lines += ["", f"[zoo.{name}]"]
                lines += [f"{key} = {_written(value)}" for key, value in table.items()]
        return "\n".join([*lines, ""])


def zoo_of(table: Mapping[str, Any]) -> Zoo:
    """Read the table ``[zoo]`` of a suite.

    Raises
    ------
    InputError
        If a key is unknown, or a value makes no sense.
    """
    fields = [each.name for each in dataclasses.fields(Grid) if each.name != "options"]
    known = ["folder", *fields, *_TABLES]
    for key in table:
        if key not in known:
            close = nearest(key, known, most=1)
            raise InputError(
                f"[zoo] has a key {key!r} that is not known",
                hint=(f"did you mean {close[0]}? " if close else "")
                + f"there are {', '.join(known)}",
            )
    for key in ("folder", "corpus", "families"):
        if key not in table:
            raise InputError(
                f"expected [zoo] to have a key {key!r}",
                hint='[zoo] folder = "zoo" corpus = ["book.txt"] families = ["skipgram"]',
            )
    if not isinstance(table["folder"], str) or not table["folder"]:
        raise InputError(f"expected 'folder' of [zoo] to be a text, got {table['folder']!r}")
    values = {key: value for key, value in table.items() if key in fields}
    values |= {key: _list(key, table[key]) for key in _LISTS if key in table}
    if "preparation" in table:
        values["preparation"] = _preparation(_table("preparation", table["preparation"]))
    options = {key: _table(key, table[key]) for key in _TABLES if key in table}
    return Zoo(grid=Grid(**values, options=options), folder=table["folder"])


def _list(key: str, value: object) -> tuple[Any, ...]:
    """Return a list of one kind; a single value is one of its own."""
    values = value if isinstance(value, list) else [value]
    kind = int if key in _NUMBERS else str
    if not all(type(each) is kind for each in values):
        what = "whole numbers" if kind is int else "texts"
        raise InputError(f"expected {key!r} of [zoo] to be a list of {what}, got {value!r}")
    return tuple(values)


def _table(key: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(
            f"expected [zoo.{key}] to be a table, got {value!r}",
            hint=f"[zoo.{key}] on a line of its own, then key = value",
        )
    return value


def _preparation(table: dict[str, Any]) -> Preparation:
    known = [each.name for each in dataclasses.fields(Preparation)]
    for key in table:
        if key not in known:
            close = nearest(key, known, most=1)
            raise InputError(
                f"[zoo.preparation] has a key {key!r} that is not known",
                hint=(f"did you mean {close[0]}? " if close else "")
                + f"there are {', '.join(known)}",
            )
    check_kinds(dataclasses.asdict(Preparation()), table)
    for key, choices in _CHOICES.items():
        if key in table and table[key] not in choices:
            raise InputError(
                f"expected {key} of [zoo.preparation] among {', '.join(choices)}, "
                f"got {table[key]!r}"
            )
    preparation = Preparation(**table)
    tokenizer(preparation.tokenizer)
    return preparation


def _written(value: object) -> str:
    """Write a value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, str):
        # A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return repr(value)
