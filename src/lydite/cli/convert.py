"""``lydite convert``: a vector file in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.arguments import LenientOption, LimitOption, QuietOption
from lydite.cli.console import progress_bars, say
from lydite.errors import InputError
from lydite.models.catalogue import load, model_spec
from lydite.models.vectors import VectorFile
from lydite.spaces.formats.catalogue import describe_written_suffixes
from lydite.spaces.formats.safetensors import read_provenance
from lydite.spaces.formats.writing import keeps_all, write_space
from lydite.spaces.space import Space

EXAMPLES = """
Examples:

  lydite convert glove.6B.300d.txt glove.safetensors

  lydite convert GoogleNews.bin.gz news.txt.zst --limit 100000

  lydite convert glove-6b-50d glove.bin
"""


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A vector file, or a model's name.")],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help=f"Ends in {describe_written_suffixes()}.",
        ),
    ],
    lenient: LenientOption = False,
    limit: LimitOption = None,
    vocabulary: Annotated[
        str | None, typer.Option(help="The word list of a matrix without words.")
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Write vectors in another format; the extension of OUT selects it."""
    if target.exists() and Path(source).exists() and target.samefile(source):
        raise InputError(
            f"{target}: the output file must not be the input file",
            hint="write to a new name, then rename",
        )
    with progress_bars(quiet=quiet) as bars:
        if Path(source).is_file():
            space = VectorFile.open(source, vocabulary=vocabulary, lenient=lenient, limit=limit)
        else:
            space = load(source)
        if not isinstance(space, Space):
            raise InputError(
                f"expected word vectors, got {model_spec(space)}",
                hint="only a space, with a vocabulary and a matrix, can be written to a file",
            )
        if limit is not None:
            space = space.head(limit)
        provenance = read_provenance(Path(source)) if Path(source).is_file() else None
        write_space(space, target, provenance=provenance, progress=bars)
    lost = [
        what
        for what, there in (
            ("counts", space.counts is not None),
            ("context vectors", space.contexts is not None),
            ("provenance", provenance is not None),
        )
        if there
    ]
    if lost and not keeps_all(target):
        say(f"not written: {', '.join(lost)}, which only .safetensors can store", quiet=quiet)
    say(f"{len(space)} words of {space.dim} dimensions: {target}", quiet=quiet)
