"""``lydite similarity``."""

from __future__ import annotations

from typing import Annotated

import typer

from lydite.cli.arguments import (
    Format,
    FormatOption,
    JobsOption,
    LenientOption,
    LimitOption,
    ModelsArgument,
    OutOption,
    QuietOption,
    SeedOption,
    complete_resources,
    with_reading_options,
)
from lydite.cli.output import answer
from lydite.evaluations.catalogue import make_evaluation
from lydite.suite import Suite, Task

_EXAMPLES = """
Examples:

  lydite similarity vectors.txt

  lydite similarity vectors.txt glove-6b-50d --pairs simlex-999 men my-pairs.tsv

  lydite similarity vectors.txt --pairs ws-353 --oov mean --format markdown
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("similarity", epilog=_EXAMPLES)(similarity)


def similarity(
    models: ModelsArgument,
    pairs: Annotated[
        list[str] | None,
        typer.Option(
            "--pairs",
            autocompletion=complete_resources,
            metavar="NAME|FILE...",
            help="Rated word pairs: word1, word2, rating a line.  \\[default: starter-similarity]",
        ),
    ] = None,
    metric: Annotated[str, typer.Option(help="spearman or pearson.")] = "spearman",
    oov: Annotated[
        str, typer.Option(help="Pairs with unknown words: skip, zero, mean or error.")
    ] = "skip",
    case: Annotated[
        str, typer.Option(help="fold: try unknown words in lower case; exact: do not.")
    ] = "fold",
    interval: Annotated[
        str, typer.Option(help="dyadic (robust to shared words), bca or percentile.")
    ] = "dyadic",
    form: FormatOption = Format.table,
    seed: SeedOption = 0,
    out: OutOption = None,
    quiet: QuietOption = False,
    jobs: JobsOption = 1,
    lenient: LenientOption = False,
    limit: LimitOption = None,
) -> None:
    """Ask whether a model's similarities order word pairs as people do.

    The score is the correlation of the model's cosines with human ratings, beside what shuffled
    ratings would give.
    """
    question = make_evaluation("similarity", metric=metric, oov=oov, case=case, interval=interval)
    suite = Suite(
        name="similarity",
        models=tuple(with_reading_options(models, lenient=lenient, limit=limit)),
        tasks=(Task(evaluation=question.spec, resources=tuple(pairs or ["starter-similarity"])),),
        seeds=(seed,),
    )
    answer(suite, form=form, folder=out, quiet=quiet, jobs=jobs)
