"""``lydite localization``."""

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
from lydite.drawing.section import ItemsLoader
from lydite.drawing.table import Table
from lydite.errors import InputError
from lydite.evaluations.catalogue import make_evaluation
from lydite.evaluations.localization.section import (
    agreement_table,
    confused_table,
    histogram_table,
    scores_table,
)
from lydite.results.record import Result
from lydite.spec import Spec, as_argument
from lydite.suite import Suite, Task

_EXAMPLES = """
Examples:

  lydite localization usem3 'mean(glove-6b-50d)' bow

  lydite localization usem3 --groups my-groups.csv --confused

  lydite localization bow 'pca(bow, dim=300)' 'mean(vectors.txt)' --groups msrp-grouped

  lydite localization bow usem3 'mean(glove-6b-50d)' --ensemble vote --ensemble stacked

  lydite localization 'pv-dbow(paragraphs.safetensors)' --groups opinosis-grouped --repeats 10
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("localization", epilog=_EXAMPLES)(localization)


def localization(
    models: ModelsArgument,
    groups: Annotated[
        list[str] | None,
        typer.Option(
            "--groups",
            autocompletion=complete_resources,
            metavar="NAME|FILE...",
            help="Paraphrase groups: CSV or JSONL of group and text, the authors' folder, or "
            "paraphrase pairs.  \\[default: starter-groups]",
        ),
    ] = None,
    metric: Annotated[
        str, typer.Option(help="Whose accuracy leads: svm, centroid or neighbour.")
    ] = "svm",
    folds: Annotated[int, typer.Option(min=2, help="Of cross-validation.")] = 3,
    repeats: Annotated[int, typer.Option(min=1, help="Each deals the folds anew.")] = 5,
    C: Annotated[float, typer.Option("--C", help="The price of an error, of the SVMs.")] = 1.0,
    weights: Annotated[
        str, typer.Option(help="Of groups: balanced (by inverse size) or none.")
    ] = "balanced",
    solver: Annotated[
        str, typer.Option(help="newton (exact, fast) or liblinear (scikit-learn's).")
    ] = "newton",
    scale: Annotated[
        str, typer.Option(help="Of vectors, for the SVMs: none, unit or standard.")
    ] = "none",
    minimum: Annotated[int, typer.Option(min=2, help="Leave groups of fewer sentences out.")] = 3,
    most: Annotated[
        int, typer.Option(min=0, help="At most so many groups, drawn at random; 0 for all.")
    ] = 2000,
    mend: Annotated[
        bool,
        typer.Option(help="Mend entities, merge groups that share a sentence, drop duplicates."),
    ] = True,
    seen: Annotated[
        str, typer.Option(help="Models trained on these sentences: refuse or keep.")
    ] = "refuse",
    ensemble: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOW",
            help="Also all models together: vote, scores, stacked or concatenation.",
        ),
    ] = None,
    confused: Annotated[
        bool, typer.Option("--confused", help="Tell which groups are taken for which.")
    ] = False,
    form: FormatOption = Format.table,
    seed: SeedOption = 0,
    out: OutOption = None,
    quiet: QuietOption = False,
    jobs: JobsOption = 1,
    lenient: LenientOption = False,
    limit: LimitOption = None,
) -> None:
    """Ask whether sentences of one meaning live in one place.

    The score is the accuracy of a linear classifier that learns some sentences of every paraphrase
    group and has to tell the group of the others. With several models, it is also told how often
    they make the same mistakes.
    """
    question = make_evaluation(
        "localization",
        metric=metric,
        folds=folds,
        repeats=repeats,
        C=C,
        weights=weights,
        solver=solver,
        scale=scale,
        minimum=minimum,
        most=most,
        mend=mend,
        seen=seen,
    )
    names = with_reading_options(models, lenient=lenient, limit=limit)
    suite = Suite(
        name="localization",
        models=(*names, *_together(names, ensemble or ())),
        tasks=(Task(evaluation=question.spec, resources=tuple(groups or ["starter-groups"])),),
        seeds=(seed,),
    )
    reading = Interpretation(
        tables=lambda found, items: _tables(found, items, confused=confused), instead=True
    )
    answer(suite, form=form, folder=out, quiet=quiet, jobs=jobs, interpretation=reading)


def _together(models: Sequence[str], ways: Sequence[str]) -> list[str]:
    """Return the specs of the ensembles of all models."""
    if ways and len(models) < 2:
        raise InputError(
            f"--ensemble needs at least two models, got {len(models)}", hint="name more models"
        )
    return [str(Spec("ensemble", tuple(map(as_argument, models)), (("by", way),))) for way in ways]


def _tables(results: Sequence[Result], items: ItemsLoader, *, confused: bool) -> list[Table]:
    return [
        scores_table(results),
        *agreement_table(results, items),
        *(confused_table(results, items) if confused else ()),
        *histogram_table(results),
    ]
