"""``lydite qvec``."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
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
from lydite.cli.output import Interpretation, answer
from lydite.drawing.table import Table
from lydite.evaluations.catalogue import make_evaluation
from lydite.models.catalogue import load
from lydite.results.record import Result
from lydite.runner import locate_all
from lydite.suite import Suite, Task

_EXAMPLES = """
Examples:

  lydite qvec vectors.txt

  lydite qvec vectors.txt --oracle semcor-supersenses --method qvec

  lydite qvec vectors.txt --oracle semcor-supersenses+ptb-pos-tags --interpret
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("qvec", epilog=_EXAMPLES)(qvec)


def qvec(
    models: ModelsArgument,
    oracle: Annotated[
        list[str] | None,
        typer.Option(
            "--oracle",
            autocompletion=complete_resources,
            metavar="NAME|FILE[+FILE...]",
            help="Linguistic features of words; a+b puts two side by side.  "
            "\\[default: starter-supersenses]",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(help="cca (mean of canonical correlations), cca-first or qvec."),
    ] = "cca",
    join: Annotated[
        str, typer.Option(help="Words of several oracles: intersection or union.")
    ] = "intersection",
    normalize: Annotated[
        bool, typer.Option(help="Scale rows to length one before CCA, as the authors do.")
    ] = True,
    interpret: Annotated[
        bool,
        typer.Option("--interpret", help="Name the feature and top words of each dimension."),
    ] = False,
    form: FormatOption = Format.table,
    seed: SeedOption = 0,
    out: OutOption = None,
    quiet: QuietOption = False,
    jobs: JobsOption = 1,
    lenient: LenientOption = False,
    limit: LimitOption = None,
) -> None:
    """Ask how much linguistic knowledge is in the dimensions of a space.

    The vectors are correlated with features that linguists gave to words, beside what a shuffled
    oracle would give.
    """
    question = make_evaluation("qvec", method=method, join=join, normalize=normalize)
    names = with_reading_options(models, lenient=lenient, limit=limit)
    oracles = oracle or ["starter-supersenses"]
    suite = Suite(
        name="qvec",
        models=tuple(names),
        tasks=(Task(evaluation=question.spec, resources=tuple(oracles)),),
        seeds=(seed,),
    )
    reading = Interpretation(complete=_interpreted, tables=lambda r, _: _alignments(r))
    answer(
        suite,
        form=form,
        folder=out,
        quiet=quiet,
        jobs=jobs,
        interpretation=reading if interpret else None,
    )


def _interpreted(result: Result) -> Result:
    """Put the alignment of every dimension into a result, which keeps the clearest alone."""
    question = make_evaluation(result.evaluation)
    details = question.interpret(load(result.model), locate_all(result.resource))
    return dataclasses.replace(result, details={**result.details, **details})


def _alignments(results: Sequence[Result]) -> list[Table]:
    return [_alignment_table(result) for result in results]


def _alignment_table(result: Result) -> Table:
    """Return one row a dimension: the feature it is aligned to, how well, and its top words."""
    rows = [
        (row["dimension"], row["feature"], row["correlation"], " ".join(row["words"]))
        for row in sorted(result.details["dimensions"], key=lambda row: -row["correlation"])
    ]
    return Table(
        columns=("dimension", "feature", "correlation", "top words"),
        rows=rows,
        caption=f"{result.model} on {result.resource}",
    )
