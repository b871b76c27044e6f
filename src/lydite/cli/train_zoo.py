"""``lydite train zoo``: a grid of spaces from one corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from lydite.cli.arguments import QuietOption, SeedOption
from lydite.cli.console import progress_bars, say
from lydite.cli.training import (
    AlphaOption,
    CorpusOption,
    EpochsOption,
    LeastOption,
    NegativeOption,
    SampleOption,
    VocabularyOption,
    WorkersOption,
    prepares,
)
from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.results.provenance import versions
from lydite.trained.zoo.families import FAMILIES, Engine
from lydite.trained.zoo.grid import Grid
from lydite.trained.zoo.training import train_zoo

_EXAMPLES = """
Examples:

  lydite train zoo --corpus book.txt --models skipgram,glove,lsa --dim 50,100 --out zoo

  lydite train zoo --corpus wikipedia-2014-20m --models skipgram,cbow,glove --dim 100,200,300
    --workers 2 --retrofit ppdb-xl --retrofitted glove --set glove.x_max=10 --out zoo

  lydite similarity zoo/*.safetensors --pairs ws-353 men simlex-999
"""

_PREPARATION = Preparation()


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("zoo", epilog=_EXAMPLES)(zoo)


@prepares
def zoo(
    corpus: CorpusOption,
    models: Annotated[
        str,
        typer.Option(
            "--models", metavar="NAME,...", help=f"Among {', '.join(FAMILIES)}.", show_default=False
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder of the spaces.")],
    dim: Annotated[
        str, typer.Option("--dim", metavar="N,...", help="Dimensions; a space for each.")
    ] = "100",
    window: Annotated[
        str, typer.Option("--window", metavar="N,...", help="Words on either side of a word.")
    ] = "5",
    engine: Annotated[
        Engine, typer.Option(help="What trains skipgram and cbow; gensim: extra train.")
    ] = "lydite",
    epochs: EpochsOption = 5,
    negative: NegativeOption = 5,
    sample: SampleOption = 1e-3,
    alpha: AlphaOption = 0.025,
    workers: WorkersOption = 1,
    min_count: LeastOption = 5,
    limit: VocabularyOption = None,
    words: Annotated[
        int | None, typer.Option(min=1, help="Read only so many words of the corpus.")
    ] = None,
    retrofit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE",
            help="ppdb-xl, framenet, wordnet-3.0, 'wordnet-3.0(synonyms)', a file; may be given "
            "several times.",
            show_default=False,
        ),
    ] = None,
    retrofitted: Annotated[
        str | None,
        typer.Option(metavar="NAME,...", help="Which of the models; by default all."),
    ] = None,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="MODEL.KEY=VALUE",
            help="A parameter of one model, as glove.x_max=10, which suits tens of millions of "
            "words (100, for billions, is the default); may be given several times.",
            show_default=False,
        ),
    ] = None,
    seed: SeedOption = 0,
    preparation: Preparation = _PREPARATION,
    quiet: QuietOption = False,
) -> None:
    """Train a grid of spaces: every model with every dimension and every window.

    The corpus is read once. What is there already, from the same corpus by the same recipe, is not
    trained again: after an interruption the same command goes on. Epochs, negative samples,
    subsampling, learning rate and threads are those of the skip-gram family; the others take
    theirs by --set.
    """
    grid = Grid(
        corpus=tuple(corpus),
        families=_parts(models),
        dims=_numbers("--dim", dim),
        windows=_numbers("--window", window),
        engine=engine,
        epochs=epochs,
        negative=negative,
        sample=sample,
        alpha=alpha,
        workers=workers,
        min_count=min_count,
        limit=limit,
        seed=seed,
        words=words,
        retrofit=tuple(retrofit or ()),
        retrofitted=_parts(retrofitted or ""),
        options=_options(options or []),
        preparation=preparation,
    )
    with progress_bars(quiet=quiet):
        made = train_zoo(grid, out, about={"versions": versions()})
    kept = len(made.paths) - len(made.trained)
    say(f"{len(made.trained)} spaces trained, {kept} there already: {out}", quiet=quiet)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part for part in map(str.strip, text.split(",")) if part)


def _numbers(option: str, text: str) -> tuple[int, ...]:
    try:
        return tuple(map(int, _parts(text)))
    except ValueError:
        raise InputError(
            f"expected whole numbers with commas between for {option}, got {text!r}",
            hint=f"{option} 100,200,300",
        ) from None


def _options(given: list[str]) -> dict[str, dict[str, Any]]:
    """Read ``glove.x_max=10`` as options of families."""
    found: dict[str, dict[str, Any]] = {}
    for text in given:
        name, equals, value = text.partition("=")
        family, point, key = name.strip().rpartition(".")
        if not (equals and point and family and key):
            raise InputError(
                f"expected MODEL.KEY=VALUE for --set, got {text!r}", hint="--set glove.x_max=10"
            )
        found.setdefault(family, {})[key] = _value(value.strip())
    return found


def _value(text: str) -> Any:  # noqa: ANN401 - whatever was written
    try:
        return json.loads(text)
    except ValueError:
        return text
