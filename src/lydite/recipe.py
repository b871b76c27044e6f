"""A recipe: what ``lydite train`` makes from raw data, declared once.

A frozen dataclass is the one place. Its docstring is the help of the command, its fields are the
options; fields that are not keyword-only are arguments. A plugin registers its own recipes in the
entry-point group ``lydite.recipes``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, cast

from lydite.declare import build, check_values, fields_of
from lydite.drawing.table import Table
from lydite.types import PlainMapping


@dataclass(frozen=True, kw_only=True)
class Product:
    """What a recipe has made, for people and programs.

    Attributes
    ----------
    line
        One line that tells the user what was written where.
    data
        What a command that prints writes as JSON.
    tables
        What it prints in every other format.
    leading
        Which of the tables is written as CSV: two kinds in one stream could not be read.
    """

    line: str
    data: PlainMapping | None = None
    tables: tuple[Table, ...] = ()
    leading: int = 0


class Recipe:
    """Base of all recipes."""

    #: What the command is called.
    name: ClassVar[str]
    #: Calls that are shown below the help, without the name of the program.
    examples: ClassVar[tuple[str, ...]] = ()
    #: The last paragraph of the help, where several recipes share it.
    note: ClassVar[str] = ""
    #: Whether its product has tables, so that the command takes a format.
    prints: ClassVar[bool] = False
    #: Whether parts of it can run on several processes or machines, so that the command takes
    #: an engine.
    parallel: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for path in dict.fromkeys(each.path for each in fields_of(type(self))):
            part: object = self
            for step in path:
                part = getattr(part, step)
            check_values(part, self.name)

    @classmethod
    def of_options(cls, values: Mapping[str, Any]) -> Self:
        """Make a recipe of the values of a command's options, by the names of the fields."""
        return cast("Self", build(cls, values))

    def run(self) -> Product:
        """Make it and write it; who watches is told how far it has come.

        Raises
        ------
        InputError, ResourceError
            If what is to be read is not there or makes no sense, or a file cannot be written.
        """
        raise NotImplementedError
