"""``lydite consistency``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
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
from lydite.cli.console import say
from lydite.cli.grid import best_of_grid
from lydite.cli.learners import BackgroundOption, LearnersArgument, whole_learner
from lydite.cli.output import Interpretation, answer
from lydite.corpora.samples import write_samples
from lydite.drawing.table import Table
from lydite.errors import InputError
from lydite.evaluations.catalogue import make_evaluation
from lydite.evaluations.consistency.data import needs_terms
from lydite.evaluations.consistency.evaluation import Consistency
from lydite.evaluations.consistency.tables import (
    background_table,
    domain_table,
    funnel_table,
    neighbours_table,
    sizes_table,
    source_notes,
    summary_table,
    term_sizes_table,
    texts,
    trust_table,
)
from lydite.results.record import Result
from lydite.runner import locate_all
from lydite.spec import Value
from lydite.storage import user_path
from lydite.suite import Suite, Task

_EXAMPLES = """
Examples:

  lydite consistency additive --corpus book.txt --terms index --split halves

  lydite consistency additive nonce2vec --samples wiki-rnd --background wiki.safetensors

  lydite consistency 'pooled(usem3)' --corpus book.txt --terms my-terms.txt --sizes 1,2,4,8,all

  lydite consistency ppmi-svd --corpus book.txt --terms keywords --general news.txt.gz

  lydite consistency nonce2vec --samples wiki-rnd --background wiki.safetensors --grid alpha=0.1,1
"""

_SHOWN_TERMS = 30


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("consistency", epilog=_EXAMPLES)(consistency)


def consistency(
    learners: LearnersArgument,
    samples: Annotated[
        str | None,
        typer.Option(
            autocompletion=complete_resources,
            metavar="NAME|FILE",
            help="Terms with saved samples of their sentences, such as wiki-rnd.",
        ),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            "--corpus",
            autocompletion=complete_resources,
            metavar="NAME|FILE...",
            help="Text to look the terms up in: a book, several, or a folder.  "
            "\\[default: starter-treatise]",
        ),
    ] = None,
    terms: Annotated[
        str,
        typer.Option(
            metavar="index|keywords|random|titles|FILE",
            help="Which terms: of the book's own index, and so on; or a list.",
        ),
    ] = "index",
    split: Annotated[
        str, typer.Option(help="random samples of sentences, or the halves of a book.")
    ] = "random",
    background: BackgroundOption = None,
    general: Annotated[
        str | None,
        typer.Option(
            autocompletion=complete_resources,
            metavar="NAME|FILE",
            help="The general corpus of ppmi-svd.  \\[default: wikipedia-2014-20m]",
        ),
    ] = None,
    metric: Annotated[
        str, typer.Option(help="Which score leads: identification, cosine or rank.")
    ] = "identification",
    part: Annotated[
        str, typer.Option(help="all terms, the 70 % to train on, or the 30 % to test on.")
    ] = "all",
    minimum: Annotated[
        int,
        typer.Option(min=0, help="Sentences a term must have; 0: 10, or 2 in each half."),
    ] = 0,
    sample_count: Annotated[
        int, typer.Option("--sample-count", min=2, help="Random samples a term.")
    ] = 5,
    most: Annotated[int, typer.Option(min=1, help="Sentences a random sample at most.")] = 10,
    inflected: Annotated[
        bool, typer.Option("--inflected", help="Plurals and possessives are uses of a term.")
    ] = False,
    names: Annotated[bool, typer.Option(help="Keep the proper names of an index.")] = True,
    sizes: Annotated[
        str, typer.Option(metavar="1,2,4,8,all", help="Measure with so few sentences as well.")
    ] = "",
    term: Annotated[
        str | None,
        typer.Option(help="Print what --sizes and --neighbours tell of this term as well."),
    ] = None,
    domain_difference: Annotated[
        bool,
        typer.Option(
            "--domain-difference", help="Compare with the background, by frequency in both."
        ),
    ] = False,
    to_background: Annotated[
        bool,
        typer.Option("--to-background", help="Print how near terms stay to the background."),
    ] = False,
    neighbours: Annotated[
        bool, typer.Option("--neighbours", help="Print nearest words of both vectors.")
    ] = False,
    controls: Annotated[
        bool, typer.Option(help="Measure size-matched and shuffled text as well.")
    ] = True,
    grid: Annotated[
        list[str] | None,
        typer.Option(
            "--grid",
            metavar="KEY=V,V",
            help="Try these parameters on training terms, and test with the best.",
        ),
    ] = None,
    save_samples: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the samples in the layout of Wiki-rnd."),
    ] = None,
    form: FormatOption = Format.table,
    seed: SeedOption = 0,
    out: OutOption = None,
    quiet: QuietOption = False,
    jobs: JobsOption = 1,
) -> None:
    """Ask whether the vectors of a term, learnt from different sentences, are the same.

    For texts without a gold standard: a term that is learnt twice from one book and not recognised
    had better not be argued from. The first table says which terms to trust.
    """
    if samples is not None and corpus:
        raise InputError("expected --samples or --corpus, got both")
    if term is not None and not (sizes or neighbours):
        raise InputError(
            "--term is about what --sizes or --neighbours tell, got neither",
            hint="--sizes 1,2,4,8,all",
        )
    resource = samples or "+".join(corpus or ["starter-treatise"])
    if samples is not None and needs_terms(locate_all(samples)):
        raise InputError(
            f"{samples} holds no samples: expected a term, a tab, and sentences with ___ for it",
            hint="a text is given with --corpus, and its terms with --terms",
        )
    parameters: dict[str, Value] = {
        "metric": metric,
        "part": part,
        "sizes": sizes,
        "controls": controls,
        "domain_difference": domain_difference,
        "term": term or "",
    }
    if samples is None:
        parameters |= {
            "terms": terms,
            "split": split,
            "minimum": minimum,
            "samples": sample_count,
            "most": most,
            "inflected": inflected,
            "names": names,
        }
    question = make_evaluation("consistency", **parameters)
    models = [
        whole_learner(
            each, background=background, general=general, preset="small-data", quiet=quiet
        )
        for each in learners
    ]
    if save_samples is not None:
        _save(question, resource, user_path(save_samples), seed=seed, quiet=quiet)
    if grid:
        models, question = best_of_grid(
            models, question, resource, grid, form=form, seed=seed, quiet=quiet
        )
    suite = Suite(
        name="consistency",
        models=tuple(models),
        tasks=(Task(evaluation=question.spec, resources=(resource,)),),
        seeds=(seed,),
    )
    reading = Interpretation(
        tables=lambda found, _: _tables(
            found,
            most=None if form is Format.csv else _SHOWN_TERMS,
            term=term,
            asked={"neighbours": neighbours, "background": to_background},
        ),
        instead=True,
    )
    answer(suite, form=form, folder=out, quiet=quiet, jobs=jobs, interpretation=reading)


def _save(question: Consistency, resource: str, path: Path, *, seed: int, quiet: bool) -> None:
    samples = question.material(locate_all(resource), seed).samples
    write_samples(samples, path)
    say(f"samples: {len(samples.terms):,} terms in {path}", quiet=quiet)


def _tables(
    results: Sequence[Result], *, most: int | None, term: str | None, asked: dict[str, bool]
) -> list[Table]:
    tables = [*trust_table(results, most=most), summary_table(results), *sizes_table(results)]
    if term is not None and any(result.details.get("sizes") for result in results):
        tables += term_sizes_table(results, term)
    tables += domain_table(results)
    if asked["background"]:
        tables += background_table(results)
    if asked["neighbours"]:
        tables += neighbours_table(results)
    funnels = funnel_table(results)
    if funnels:
        notes = [note for text in texts(results) for note in source_notes(text)]
        funnels[-1] = replace(funnels[-1], notes=notes)
    return [*tables, *funnels]
