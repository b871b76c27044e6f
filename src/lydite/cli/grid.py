"""Grid search: the best parameters of a learner on training terms, tested on the others."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

from lydite.cli.arguments import Format
from lydite.cli.console import err, progress_bars, say
from lydite.cli.output import print_table
from lydite.drawing.table import Table, to_rich
from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.consistency.evaluation import Consistency
from lydite.results.record import Result
from lydite.runner import run as run_suite
from lydite.spec import Spec, Value, parse
from lydite.suite import Suite, Task

_SHOWN = 10


def best_of_grid(
    models: Sequence[str],
    question: Consistency,
    resource: str,
    grid: Sequence[str],
    *,
    form: Format,
    seed: int,
    quiet: bool,
) -> tuple[list[str], Consistency]:
    """Return the best setting of each learner, and the question to test it with.

    Parameters
    ----------
    models
        Learners, as specs.
    question
        What is asked; with training terms here, with the test terms afterwards.
    resource
        Where the terms are.
    grid
        ``key=value,value`` a parameter.
    form
        How the best settings are printed.
    """
    axes = [_axis(text) for text in grid]
    tuning = dataclasses.replace(
        question, part="train", controls=False, neighbours=0, sizes="", domain_difference=False
    )
    best = []
    for model in models:
        tried = [_with(model, setting) for setting in _settings(axes)]
        suite = Suite(
            name="grid",
            models=tuple(tried),
            tasks=(Task(evaluation=tuning.spec, resources=(resource,)),),
            seeds=(seed,),
        )
        with progress_bars(quiet=quiet) as bars:
            finished = run_suite(suite, processes=1, progress=bars)
        if not finished.results:
            raise UndefinedScoreError(
                f"no setting of {model} gave a score: {finished.failures[0].message}"
            )
        ranked = sorted(finished.results, key=lambda result: -result.score)
        if not quiet:
            _show(ranked, form, failed=len(finished.failures))
        best.append(ranked[0].model)
    say(f"tested on the other terms: {', '.join(best)}", quiet=quiet)
    return best, dataclasses.replace(question, part="test")


def _axis(text: str) -> list[tuple[str, Value]]:
    key, equals, values = text.partition("=")
    parts = [part.strip() for part in values.split(",") if part.strip()]
    if not equals or not key.strip() or not parts:
        raise InputError(
            f"expected a parameter and its values, got {text!r}", hint="--grid alpha=0.1,0.5,1"
        )
    return [(key.strip(), dict(parse(f"x(v={part})").params)["v"]) for part in parts]


def _settings(axes: Sequence[list[tuple[str, Value]]]) -> list[tuple[tuple[str, Value], ...]]:
    return list(itertools.product(*axes))


def _with(model: str, setting: tuple[tuple[str, Value], ...]) -> str:
    spec = parse(model)
    changed = {key for key, _ in setting}
    kept = tuple((key, value) for key, value in spec.params if key not in changed)
    return str(Spec(spec.name, spec.args, (*kept, *setting)))


def _show(ranked: Sequence[Result], form: Format, *, failed: int) -> None:
    notes = [f"{len(ranked)} settings on the training terms."]
    notes += [f"{failed} settings gave no score."] if failed else []
    rows = [
        [result.model, result.score, result.others.get("cosine"), result.others.get("rank_mean")]
        for result in ranked[:_SHOWN]
    ]
    table = Table(
        columns=["learner", ranked[0].metric, "cosine", "mean rank"],
        rows=rows,
        caption="The best settings",
        notes=notes,
    )
    if form in {Format.json, Format.csv}:
        # What a program reads from standard output is the results alone.
        err.print(to_rich(table))
    else:
        print_table(table, form)
