"""The command of an evaluation, made from its declaration."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from lydite.cli.arguments import (
    EngineOption,
    Format,
    FormatOption,
    JobsOption,
    LenientOption,
    LimitOption,
    OutOption,
    QuietOption,
    SeedOption,
    complete_models,
    with_reading_options,
)
from lydite.cli.console import err, progress_bars, say
from lydite.cli.generate import help_of, make_command, option_of, parameters_of, shared
from lydite.cli.output import answer, print_table
from lydite.declare import fields_of
from lydite.drawing.table import Table, to_rich
from lydite.evaluations import EVALUATIONS
from lydite.evaluations.catalogue import Call, Evaluation, Shown
from lydite.results.record import Result
from lydite.runner import run as run_suite
from lydite.suite import Suite, Task


def evaluation_command(name: str) -> TyperCommand:
    """Make the command of an evaluation: its models, resources, parameters and views."""
    kind = EVALUATIONS.get(name)

    def callback(ctx: typer.Context, **values: Any) -> None:  # noqa: ANN401 - as declared
        _run(kind, _given(ctx), values)

    return make_command(
        name, callback, _parameters(kind), help=help_of(kind), examples=kind.examples
    )


def _parameters(kind: type[Evaluation]) -> Iterator[inspect.Parameter]:
    yield shared("ctx", typer.Context, inspect.Parameter.empty)
    yield shared(
        "models",
        Annotated[
            list[str],
            typer.Argument(
                metavar=kind.models.metavar,
                help=kind.models.help,
                show_default=False,
                autocompletion=complete_models,
            ),
        ],
        inspect.Parameter.empty if kind.needs_models else [],
    )
    yield from map(option_of, kind.slots)
    yield from parameters_of(kind)
    yield from map(option_of, (*kind.options, *kind.views))
    yield shared("form", FormatOption, Format.table)
    yield shared("seed", SeedOption, 0)
    yield shared("out", OutOption, None)
    yield shared("quiet", QuietOption, False)
    yield shared("jobs", JobsOption, 1)
    yield shared("engine", EngineOption, None)
    if kind.reads_vectors:
        yield shared("lenient", LenientOption, False)
        yield shared("limit", LimitOption, None)


def _run(kind: type[Evaluation], given: frozenset[str], values: Mapping[str, Any]) -> None:
    form, quiet, seed = values["form"], values["quiet"], values["seed"]
    options = {each.name: values[each.name] for each in (*kind.options, *kind.views)}
    call = Call(
        models=tuple(values["models"]),
        slots={each.name: _several(values[each.name]) for each in kind.slots},
        parameters={
            each.name: values[each.name] for each in fields_of(kind) if each.name in values
        },
        given=given,
        options=options,
        seed=seed,
        ask=lambda models, question, resource: _ask(models, question, resource, values),
        say=lambda text: say(text, quiet=quiet),
        show=lambda table: _show(table, form, quiet=quiet),
    )
    plan = kind.plan(call)
    if not plan.questions:
        for table in plan.tables:
            print_table(table, form)
        return
    models = with_reading_options(
        plan.models, lenient=values.get("lenient", False), limit=values.get("limit")
    )
    suite = Suite(
        name=kind.name,
        models=tuple(models),
        tasks=tuple(
            Task(evaluation=question, resources=resources) for question, resources in plan.questions
        ),
        seeds=(seed,),
    )
    answer(
        suite,
        form=form,
        folder=values["out"],
        quiet=quiet,
        jobs=_processes(values),
        engine=values["engine"],
        tables=kind.tables,
        shown=Shown(options=options, whole=form is Format.csv),
    )


def _given(ctx: typer.Context) -> frozenset[str]:
    """Return what stands on the command line rather than being at its default."""
    sources = {name: ctx.get_parameter_source(name) for name in ctx.params}
    return frozenset(
        name for name, source in sources.items() if source and source.name == "COMMANDLINE"
    )


def _several(value: str | Sequence[str] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _processes(values: Mapping[str, Any]) -> int | None:
    """Return how many processes to use: of a cluster one per core, unless told."""
    alone = values["jobs"] == 1 and values["engine"] not in {None, "local"}
    return None if alone else values["jobs"]


def _ask(
    models: Sequence[str], question: Evaluation, resource: str, values: Mapping[str, Any]
) -> list[Result]:
    """Ask beside the results, as a search for the best parameters does."""
    suite = Suite(
        name="search",
        models=tuple(models),
        tasks=(Task(evaluation=question, resources=(resource,)),),
        seeds=(values["seed"],),
    )
    with progress_bars(quiet=values["quiet"]) as bars:
        finished = run_suite(
            suite, processes=_processes(values), engine=values["engine"], progress=bars
        )
    return sorted(finished.results, key=lambda result: -result.score)


def _show(table: Table, form: Format, *, quiet: bool) -> None:
    if quiet:
        return
    if form in {Format.json, Format.csv}:
        # What a program reads from standard output is the results alone.
        err.print(to_rich(table))
    else:
        print_table(table, form)
