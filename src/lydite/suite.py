"""A suite: which models are put to which tests with which data, as a TOML file."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from lydite.engine import check_engine
from lydite.errors import FormatError, InputError, LyditeError, SpecError
from lydite.evaluations.catalogue import Evaluation, make_evaluation
from lydite.files.bounds import read_small
from lydite.files.plain import parse_toml
from lydite.models import RECIPES
from lydite.models.keys import KeyUse, keys_used
from lydite.progress import Progress
from lydite.registry import nearest
from lydite.results.record import Failure, Result
from lydite.spec import Spec, Value, as_argument, parse

_KEYS = {"name", "models", "zoo", "seeds", "evaluations", "engine"}
_EVALUATION_KEYS = {"evaluation", "resources", "models", "wrap"}
#: Stands for a model in what wraps it.
_PLACE = "{}"


class Zoo(Protocol):
    """Spaces that are trained before they are asked, as the recipe ``zoo`` makes them."""

    @property
    def folder(self) -> str:
        """Where they are, as the user wrote it."""

    @property
    def models(self) -> tuple[str, ...]:
        """The paths of the spaces."""

    def to_toml(self) -> str:
        """Write the table ``[zoo]``."""

    def train(self, progress: Progress) -> object:
        """Train what is missing."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """An evaluation and the resources to ask it with.

    Attributes
    ----------
    evaluation
        An evaluation; or a spec, such as ``qvec(method=cca)``, which the run makes one of. What
        cannot be made, for example because it is not installed, stays a spec and fails in the run.
    resources
        Names or paths; ``a+b`` puts two together for evaluations that take several.
    models
        Those that this is asked of, where they are not the suite's: learners of terms cannot be
        asked what spaces of words can.
    wrap
        A spec with ``{}`` for a model, such as ``mean({})``: what is asked instead of each.
    """

    evaluation: Evaluation | str
    resources: tuple[str, ...]
    models: tuple[str, ...] = ()
    wrap: str = ""

    @property
    def spec(self) -> str:
        """The evaluation as a spec."""
        return self.evaluation if isinstance(self.evaluation, str) else self.evaluation.spec


@dataclass(frozen=True, kw_only=True)
class Suite:
    """Models, tasks and seeds; a run asks every model every task with every seed.

    A task with models of its own is asked of these instead. The spaces of a zoo come after the
    models; they are trained first. The engine is where it all runs, unless the caller says.
    """

    name: str
    models: tuple[str, ...]
    tasks: tuple[Task, ...]
    seeds: tuple[int, ...] = (0,)
    zoo: Zoo | None = None
    engine: str = "local"
    #: Whether it was read from a file, which may be a stranger's.
    from_file: bool = field(default=False, compare=False)

    @property
    def own_models(self) -> tuple[str, ...]:
        """The suite's models and the spaces of its zoo."""
        return tuple(dict.fromkeys([*self.models, *(self.zoo.models if self.zoo else ())]))

    @property
    def listed_models(self) -> tuple[str, ...]:
        """The suite's models, then those of its tasks, before anything wraps them."""
        of_tasks = (model for task in self.tasks for model in task.models)
        return tuple(dict.fromkeys([*self.own_models, *of_tasks]))

    def models_of(self, task: Task) -> tuple[str, ...]:
        """Return the models that a task is asked of."""
        models = task.models or self.own_models
        if not task.wrap:
            return models
        wrap = parse(task.wrap)
        return tuple(str(_wrapped(wrap, model)) for model in models)

    @property
    def all_models(self) -> tuple[str, ...]:
        """The suite's models, then those of its tasks, wrapped as they are asked."""
        of_tasks = (model for task in self.tasks for model in self.models_of(task))
        return tuple(dict.fromkeys([*self.own_models, *of_tasks]))

    @property
    def keys(self) -> list[KeyUse]:
        """The keys that its models would send, and where; those that are set."""
        asked = (task.evaluation for task in self.tasks)
        evaluations = [each if isinstance(each, str) else each.to_spec() for each in asked]
        return keys_used([*self.all_models, *evaluations])

    def to_toml(self) -> str:
        """Write the suite; :func:`read_suite` reads it back.

        >>> task = Task(evaluation="similarity", resources=("starter-similarity",))
        >>> print(Suite(name="mine", models=("random(50)",), tasks=(task,)).to_toml())
        name = "mine"
        seeds = [0]
        models = [
          "random(50)",
        ]
        <BLANKLINE>
        [[evaluations]]
        evaluation = "similarity"
        resources = ["starter-similarity"]
        <BLANKLINE>
        """
        lines = [f"name = {_quote(self.name)}", f"seeds = {list(self.seeds)}"]
        lines += [f"engine = {_quote(self.engine)}"] if self.engine != "local" else []
        if self.models:
            lines += ["models = [", *(f"  {_quote(model)}," for model in self.models), "]"]
        lines += ["", *([self.zoo.to_toml()] if self.zoo else [])]
        for task in self.tasks:
            resources = ", ".join(map(_quote, task.resources))
            lines += ["[[evaluations]]", f"evaluation = {_quote(task.spec)}"]
            lines += [f"resources = [{resources}]"]
            if task.models:
                lines += [f"models = [{', '.join(map(_quote, task.models))}]"]
            if task.wrap:
                lines += [f"wrap = {_quote(task.wrap)}"]
            lines += [""]
        return "\n".join(lines)


def read_suite(path: Path) -> Suite:
    """Read a suite from a TOML file."""
    try:
        data = parse_toml(read_small(path).decode())
    except LyditeError:
        raise
    except OSError as error:
        raise InputError(
            f"{path}: the suite cannot be read: {error.strerror}",
            hint="'lydite run' without a suite runs the starter",
        ) from error
    except ValueError as error:
        raise FormatError(f"expected a suite in TOML, got: {error}", path=path) from error
    return dataclasses.replace(_suite(data, path), from_file=True)


def starter_suite() -> Suite:
    """Return the suite that runs on what is installed, without any data of the user's."""
    text = (files("lydite.resources") / "starter" / "suite.toml").read_text("utf-8")
    return _suite(parse_toml(text), Path("starter/suite.toml"))


def suite_of(results: Sequence[Result], failures: Sequence[Failure], *, name: str) -> Suite:
    """Return a suite that asks again what these results are the answers to."""
    asked = [(r.evaluation, r.model, r.resource, r.provenance.seed) for r in results]
    asked += [(f.evaluation, f.model, f.resource, f.seed) for f in failures]
    tasks: dict[tuple[str, tuple[str, ...]], dict[str, None]] = {}
    for evaluation, _, resource, _ in asked:
        models = dict.fromkeys(m for e, m, r, _ in asked if (e, r) == (evaluation, resource))
        tasks.setdefault((evaluation, tuple(models)), {})[resource] = None
    groups = [models for _, models in tasks]
    shared = max(groups, key=lambda models: (groups.count(models), len(models)), default=())
    return Suite(
        name=name,
        models=shared,
        tasks=tuple(
            Task(evaluation=e, resources=tuple(r), models=() if models == shared else models)
            for (e, models), r in tasks.items()
        ),
        seeds=tuple(sorted({seed for *_, seed in asked})) or (0,),
    )


def _suite(data: dict[str, Any], path: Path) -> Suite:
    _only(data, _KEYS, path, "the suite")
    tasks = []
    for number, entry in enumerate(_list(data, "evaluations", dict, path), 1):
        _only(entry, _EVALUATION_KEYS, path, f"evaluation {number}")
        if not isinstance(entry.get("evaluation"), str):
            raise FormatError(
                f"expected evaluation {number} to name its evaluation",
                path=path,
                hint='[[evaluations]] evaluation = "similarity" resources = ["simlex-999"]',
            )
        resources = tuple(_list(entry, "resources", str, path))
        models = tuple(_list(entry, "models", str, path)) if "models" in entry else ()
        wrap = _wrap(entry, path) if "wrap" in entry else ""
        question = _evaluation(entry["evaluation"])
        tasks.append(Task(evaluation=question, resources=resources, models=models, wrap=wrap))
    seeds = tuple(_list(data, "seeds", int, path)) if "seeds" in data else (0,)
    zoo = _zoo(data["zoo"], path) if "zoo" in data else None
    if min(seeds) < 0:
        raise FormatError(f"expected seeds of 0 or more, got {min(seeds)}", path=path)
    return Suite(
        name=str(data.get("name", path.stem)),
        # A zoo is models enough.
        models=() if zoo and "models" not in data else tuple(_list(data, "models", str, path)),
        tasks=tuple(tasks),
        seeds=seeds,
        zoo=zoo,
        engine=_engine(data.get("engine", "local"), path),
    )


def _evaluation(spec: str) -> Evaluation | str:
    try:
        return make_evaluation(spec)
    except LyditeError:
        # The run says why, and goes on with the others.
        return spec


def _engine(name: object, path: Path) -> str:
    try:
        return check_engine(str(name))
    except InputError as error:
        raise FormatError(error.message, path=path, hint=error.hint) from error


def _zoo(table: object, path: Path) -> Zoo:
    if not isinstance(table, dict):
        raise FormatError(f"expected [zoo] to be a table, got {table!r}", path=path)
    try:
        zoo: Zoo = RECIPES.get("zoo").of_table(table)
    except InputError as error:
        raise FormatError(error.message, path=path, hint=error.hint) from error
    return zoo


def _wrap(entry: dict[str, Any], path: Path) -> str:
    wrap = entry["wrap"]
    if not isinstance(wrap, str) or _PLACE not in wrap:
        raise FormatError(
            f"expected 'wrap' to be a spec with {_PLACE} for a model, got {wrap!r}",
            path=path,
            hint=f'wrap = "mean({_PLACE})"',
        )
    try:
        parse(wrap)
    except SpecError as error:
        raise FormatError(f"'wrap': {error.message}", path=path, hint=error.hint) from error
    return wrap


def _wrapped(wrap: Spec, model: str) -> Spec:
    """Put a model in its place in a spec, however deep."""
    if wrap == Spec(_PLACE):
        alone = as_argument(model)
        return alone if isinstance(alone, Spec) else Spec(str(alone))

    def put(value: Value) -> Value:
        if isinstance(value, Spec):
            return _wrapped(value, model)
        if not isinstance(value, str):
            return value
        return as_argument(model) if value == _PLACE else value.replace(_PLACE, model)

    return Spec(
        wrap.name.replace(_PLACE, model),
        tuple(put(value) for value in wrap.args),
        tuple((key, put(value)) for key, value in wrap.params),
    )


def _only(table: dict[str, Any], known: set[str], path: Path, what: str) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        close = nearest(unknown[0], known, most=1)
        raise FormatError(
            f"{what} has an unknown key {unknown[0]!r}",
            path=path,
            hint=(f"did you mean {close[0]}? " if close else "")
            + f"there are {', '.join(sorted(known))}",
        )


def _list(table: dict[str, Any], key: str, kind: type, path: Path) -> list[Any]:
    values = table.get(key)
    if not isinstance(values, list) or not values or not all(type(v) is kind for v in values):
        raise FormatError(
            f"expected {key!r} to be a list of at least one {_NAMES[kind]}, got {values!r}",
            path=path,
        )
    return values


_NAMES = {str: "text", int: "whole number", dict: "table"}


def _quote(text: str) -> str:
    # A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
