"""What a call of the command asks: samples or text, learners completed, the best of a grid."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lydite.corpora.samples import write_samples
from lydite.drawing.table import Table
from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.catalogue import Call, Plan
from lydite.evaluations.consistency.data import Recipe, needs_terms
from lydite.evaluations.consistency.evaluation import Consistency
from lydite.evaluations.consistency.plan import Wished
from lydite.evaluations.consistency.tables import planned_table
from lydite.models.learners import complete_learner
from lydite.resources.catalogue import locate_all
from lydite.results.record import Result
from lydite.spec import Spec, Value, parse, read_value
from lydite.storage import user_path

_STARTER = "starter-treatise"
_SHOWN = 10
#: Parameters that say how terms are found: those of saved samples are found already.
_OF_TEXTS = {each.name for each in dataclasses.fields(Recipe)} - {"part", "split"}


def plan(kind: type[Consistency], call: Call) -> Plan:
    """Find samples or text, complete the learners, save samples, search the grid."""
    corpus, saved = call.slots["corpus"], call.slots["saved"]
    if not call.models:
        return Plan(models=(), questions=(), tables=(_planned(call),))
    _check(call, corpus, saved)
    resource = saved[0] if saved else "+".join(corpus or (_STARTER,))
    parameters: dict[str, Any] = {
        name: value for name, value in call.parameters.items() if not (saved and name in _OF_TEXTS)
    }
    question = kind(**parameters)
    options = call.options
    learners = [
        complete_learner(
            each,
            background=options["background"],
            general=options["general"],
            preset="small-data",
            say=call.say,
        )
        for each in call.models
    ]
    if options["save_samples"] is not None:
        _save(question, resource, user_path(options["save_samples"]), call)
    if options["grid"]:
        learners, question = _best_of_grid(learners, question, resource, call)
    return Plan(models=tuple(learners), questions=((question, (resource,)),))


def _planned(call: Call) -> Table:
    """Return how much text is needed, where there is none to learn from."""
    if not call.options["plan"]:
        raise InputError(
            "expected a learner, got none",
            hint="lydite consistency additive --corpus book.txt; before there is a text: "
            "lydite consistency --plan",
        )
    if asked := sorted({"corpus", "saved", "terms"} & call.given):
        raise InputError(
            f"to plan from a text needs a learner, got none beside {' and '.join(asked)}",
            hint="lydite consistency additive --corpus chapter.txt --plan",
        )
    return planned_table(Wished.of(call.options))


def _check(call: Call, corpus: Sequence[str], saved: Sequence[str]) -> None:
    if saved and corpus:
        raise InputError("expected --samples or --corpus, got both")
    if wanted := sorted({"wish", "precision", "r"} & call.given):
        if not call.options["plan"]:
            raise InputError(f"--{wanted[0]} is a part of --plan, which was not asked for")
        if "r" in wanted:
            raise InputError(
                "--r is for a plan without a text, got a learner",
                hint="leave the learner out, or --r: it is estimated from the text",
            )
        Wished.of(call.options)
    asked = call.parameters["sizes"] or call.options["show_neighbours"]
    if call.parameters["term"] and not asked:
        raise InputError(
            "--term is about what --sizes or --neighbours show, got neither",
            hint="--sizes 1,2,4,8,all",
        )
    if saved and needs_terms(locate_all(saved[0])):
        raise InputError(
            f"{saved[0]} holds no samples: expected a term, a tab, and sentences with ___ for it",
            hint="a text is given with --corpus, and its terms with --terms",
        )


def _save(question: Consistency, resource: str, path: Path, call: Call) -> None:
    samples = question.material(locate_all(resource), call.seed).samples
    write_samples(samples, path)
    call.say(f"samples: {len(samples.terms):,} terms in {path}")


def _best_of_grid(
    learners: Sequence[str], question: Consistency, resource: str, call: Call
) -> tuple[list[str], Consistency]:
    """Return the best setting of each learner on training terms, and the question of the test."""
    axes = [_axis(text) for text in call.options["grid"]]
    tuning = dataclasses.replace(
        question,
        part="train",
        controls=False,
        identification=False,
        neighbours=0,
        sizes="",
        domain_difference=False,
        drift="none",
    )
    best = []
    for learner in learners:
        tried = [_with(learner, setting) for setting in itertools.product(*axes)]
        ranked = call.ask(tried, tuning, resource)
        if not ranked:
            raise UndefinedScoreError(f"no setting of {learner} gave a score")
        call.show(_settings_table(ranked, tried=len(tried)))
        best.append(ranked[0].model)
    call.say(f"best setting, tested on the other terms: {', '.join(best)}")
    return best, dataclasses.replace(question, part="test")


def _axis(text: str) -> list[tuple[str, Value]]:
    key, equals, values = text.partition("=")
    parts = [part.strip() for part in values.split(",") if part.strip()]
    if not equals or not key.strip() or not parts:
        raise InputError(
            f"expected a parameter and its values, got {text!r}", hint="--grid alpha=0.1,0.5,1"
        )
    return [(key.strip(), read_value(part)) for part in parts]


def _with(learner: str, setting: tuple[tuple[str, Value], ...]) -> str:
    spec = parse(learner)
    changed = {key for key, _ in setting}
    kept = tuple((key, value) for key, value in spec.params if key not in changed)
    return str(Spec(spec.name, spec.args, (*kept, *setting)))


def _settings_table(ranked: Sequence[Result], *, tried: int) -> Table:
    notes = [f"{len(ranked)} settings on the training terms."]
    notes += [f"{tried - len(ranked)} settings gave no score."] if tried > len(ranked) else []
    return Table(
        columns=["learner", ranked[0].metric, "cosine", "mean rank"],
        rows=[
            [each.model, each.score, each.others.get("cosine"), each.others.get("rank_mean")]
            for each in ranked[:_SHOWN]
        ],
        caption="The best settings",
        notes=notes,
    )
