"""``lydite models``: what can be put to the test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.arguments import Format, FormatOption, complete_models
from lydite.cli.output import print_table
from lydite.declare import summary_of, usage
from lydite.drawing.table import Scalar, Table
from lydite.models import MODELS
from lydite.models.catalogue import load, model_fingerprint, model_spec
from lydite.spaces.formats.safetensors import read_provenance
from lydite.spaces.space import Space
from lydite.types import Plain

group = typer.Typer(no_args_is_help=True, help="Models that can be evaluated.")


@group.command("ls")
def list_models(form: FormatOption = Format.table) -> None:
    """List the models that can be named, with their parameters."""
    rows = []
    for name in MODELS:
        model = MODELS.get(name)
        parameters = usage(model, name).removeprefix(name).removeprefix("(").removesuffix(")")
        rows.append((name, parameters, summary_of(model)))
    print_table(Table(columns=("model", "parameters", "what it is"), rows=rows), form)


@group.command("show")
def show_model(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="A vector file or a spec.",
            show_default=False,
            autocompletion=complete_models,
        ),
    ],
    form: FormatOption = Format.table,
) -> None:
    """Describe a model: its size and, for a space trained by Lydite, what it was made from."""
    opened = load(model)
    facts: dict[str, Scalar] = {"model": model_spec(opened)}
    if isinstance(opened, Space):
        facts |= {
            "words": len(opened),
            "dimensions": opened.dim,
            "counts": "no" if opened.counts is None else "yes",
            "context vectors": "no" if opened.contexts is None else "yes",
        }
    facts["fingerprint"] = model_fingerprint(opened)
    if Path(model).is_file():
        facts |= dict(_flat(read_provenance(Path(model)) or {}))
    print_table(Table(columns=("of the model", "value"), rows=list(facts.items())), form)


def _flat(value: Plain, name: str = "") -> Iterator[tuple[str, Scalar]]:
    """Write plain data as names and values: ``recipe.dim`` for what is inside ``recipe``."""
    if isinstance(value, Mapping | list):
        inside = value.items() if isinstance(value, Mapping) else enumerate(value, start=1)
        for key, part in inside:
            yield from _flat(part, f"{name}.{key}" if name else str(key))
    else:
        yield name, str(value).lower() if isinstance(value, bool) else value
