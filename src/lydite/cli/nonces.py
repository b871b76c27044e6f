"""``lydite nonces``."""

from __future__ import annotations

from typing import Annotated

import typer

from lydite.cli.arguments import (
    Format,
    FormatOption,
    JobsOption,
    OutOption,
    QuietOption,
    SeedOption,
    complete_resources,
)
from lydite.cli.learners import BackgroundOption, LearnersArgument, whole_learner
from lydite.cli.output import Interpretation, answer
from lydite.evaluations.catalogue import make_evaluation
from lydite.evaluations.nonces.section import scores_table
from lydite.suite import Suite, Task

_EXAMPLES = """
Examples:

  lydite nonces additive

  lydite nonces additive 'additive(sample=1e-5)' --data nonce2vec-definitions

  lydite nonces additive --data nonce2vec-chimeras --level L4 --background vectors.txt

  lydite nonces nonce2vec --data my-definitions.txt --background wiki.safetensors
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("nonces", epilog=_EXAMPLES)(nonces)


def nonces(
    learners: LearnersArgument,
    data: Annotated[
        str,
        typer.Option(
            autocompletion=complete_resources,
            metavar="NAME|FILE",
            help="Definitions, or chimeras with probes and ratings.",
        ),
    ] = "starter-definitions",
    task: Annotated[
        str, typer.Option(help="definitions or chimeras; auto: whichever the data are.")
    ] = "auto",
    part: Annotated[str, typer.Option(help="test or train, of data that come in both.")] = "test",
    level: Annotated[
        str, typer.Option(help="L2, L4 or L6: chimeras of so many sentences, if there are several.")
    ] = "L2",
    case: Annotated[
        str, typer.Option(help="fold: try unknown words in lower case; exact: do not.")
    ] = "fold",
    background: BackgroundOption = None,
    form: FormatOption = Format.table,
    seed: SeedOption = 0,
    out: OutOption = None,
    quiet: QuietOption = False,
    jobs: JobsOption = 1,
) -> None:
    """Ask whether a learner places a new word where it belongs, from one or a few sentences.

    Of definitions, the score is the mean reciprocal rank of the defined word among all words of
    the background; of chimeras, the correlation with what people made of the same sentences.
    """
    question = make_evaluation("nonces", task=task, part=part, level=level, case=case)
    models = [whole_learner(each, background=background, quiet=quiet) for each in learners]
    suite = Suite(
        name="nonces",
        models=tuple(models),
        tasks=(Task(evaluation=question.spec, resources=(data,)),),
        seeds=(seed,),
    )
    reading = Interpretation(tables=lambda found, _: [scores_table(found)], instead=True)
    answer(suite, form=form, folder=out, quiet=quiet, jobs=jobs, interpretation=reading)
