"""Which evaluations there are, what they share, and how a spec becomes one."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pkgutil import resolve_name
from typing import Any, ClassVar

from lydite.declare import Declared, Metric, Option, Slot, View, summary_of
from lydite.drawing.section import ItemsLoader, Section, plain_section
from lydite.drawing.table import Table
from lydite.errors import InputError, LyditeError, SpecError
from lydite.evaluations import EVALUATIONS
from lydite.progress import Progress, silent
from lydite.registry import nearest
from lydite.resources.catalogue import Located
from lydite.results.metrics import declare_metrics, import_evaluations_by
from lydite.results.record import Outcome, Result
from lydite.spec import Spec, Value, parse
from lydite.types import PlainMapping

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Call:
    """What a command was called with, for an evaluation to make its plan of.

    Attributes
    ----------
    models
        Specs or paths, as given.
    slots
        The resources of each slot, as given or by default.
    parameters
        The parameters of the evaluation, all of them.
    given
        The names of parameters, slots and options that were given on the command line.
    options
        The values of the evaluation's further options and views.
    ask
        Asks models a question with a resource and returns the results, best first.
    say
        Tells the user something that is not a result.
    show
        Prints a table beside the results.
    """

    models: tuple[str, ...]
    slots: Mapping[str, tuple[str, ...]]
    parameters: Mapping[str, Any]
    given: frozenset[str] = frozenset()
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    ask: Callable[[Sequence[str], Evaluation, str], Sequence[Result]] = lambda *_: ()
    say: Callable[[str], None] = lambda _: None
    show: Callable[[Table], None] = lambda _: None


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a command is going to ask.

    Attributes
    ----------
    models
        Specs or paths, each of which is asked every question.
    questions
        Evaluations, each with the resources that it is asked with.
    tables
        What is printed where there are no questions.
    """

    models: tuple[str, ...]
    questions: tuple[tuple[Evaluation, tuple[str, ...]], ...]
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Shown:
    """How the results of a command are shown.

    Attributes
    ----------
    options
        The values of the evaluation's views and further options.
    whole
        Nothing is cut: as CSV, for machines, a table has all its rows.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    whole: bool = False


@dataclass(frozen=True, kw_only=True)
class Evaluation(Declared):
    """Base of evaluations: a frozen dataclass whose fields are the parameters.

    The docstring of an evaluation asks its question in the first line; what follows is the help of
    its command. `slots` are the resources that it takes, `views` what can be shown of its results,
    `options` what its command takes beside them, `metrics` its scores.
    """

    #: The resources that it takes; each resource of the first is asked on its own.
    slots: ClassVar[tuple[Slot, ...]] = (Slot("data", "Data to evaluate on."),)
    #: Further options of its command that only show more.
    views: ClassVar[tuple[View, ...]] = ()
    #: Further options of its command, which `plan` turns into models, parameters and resources.
    options: ClassVar[tuple[Option, ...]] = ()
    #: Its scores, the leading one first.
    metrics: ClassVar[tuple[Metric, ...]] = ()
    #: Calls that the help of its command shows, without ``lydite``.
    examples: ClassVar[tuple[str, ...]] = ()
    #: What its models are called in the usage, and what the help says of them.
    models: ClassVar[Option] = Option(
        "models",
        "Vector files or specs, such as glove-6b-50d or 'mean(vectors.txt)'.",
        metavar="MODEL...",
    )
    #: Whether its command always takes a model; if not, its plan says what is asked without one.
    needs_models: ClassVar[bool] = True
    #: Whether vector files are read for it, so that ``--lenient`` and ``--limit`` make sense.
    reads_vectors: ClassVar[bool] = True
    #: Whether it is a task that is built on vectors, rather than a look at the vectors themselves.
    downstream: ClassVar[bool] = False
    #: What makes its section of the report, as ``module:function``: it takes results and items.
    drawn_by: ClassVar[str] = ""
    #: What makes the tables of its command: it takes results, items and how they are shown.
    tabled_by: ClassVar[str] = ""

    def __init_subclass__(cls, **given: Any) -> None:  # noqa: ANN401
        super().__init_subclass__(**given)
        if "name" in vars(cls):
            declare_metrics(cls.name, cls.metrics)

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Put the model to the test."""
        raise NotImplementedError

    @property
    def named_resources(self) -> tuple[Located, ...]:
        """Files that parameters name: their bytes are part of the question."""
        return ()

    @classmethod
    def plan(cls, call: Call) -> Plan:
        """Return what a call of the command asks; by default every resource of the first slot."""
        slot = cls.slots[0]
        resources = call.slots[slot.name]
        if not resources:
            option = f"--{(slot.option or slot.name).replace('_', '-')}"
            raise InputError(f"{cls.name}: expected {option}, got nothing", hint=slot.help)
        return Plan(models=call.models, questions=((cls(**call.parameters), resources),))

    @classmethod
    def tables(
        cls, results: Sequence[Result], items: ItemsLoader, shown: Shown
    ) -> Sequence[Table] | None:
        """Return the tables that its command prints instead of the plain one, if it has any."""
        if not cls.tabled_by:
            return None
        made: Sequence[Table] = resolve_name(cls.tabled_by)(results, items, shown)
        return made

    def more(self, model: object, resources: Sequence[Located], shown: Shown) -> PlainMapping:
        """Return details that a view asks for and that are not kept with every result."""
        return {}

    @classmethod
    def section(cls, results: Sequence[Result], items: ItemsLoader) -> Section:
        """Return what the report says of its results; by default its question and its scores."""
        made: Section
        if cls.drawn_by:
            made = resolve_name(cls.drawn_by)(results, items)
            return made
        made = plain_section(results, items)
        return replace(made, how_to_read=f"{summary_of(cls)} {made.how_to_read}")


def _import(name: str) -> None:
    """Import an evaluation if there is one; a plugin that fails is somebody else's to report."""
    if name in EVALUATIONS:
        try:
            EVALUATIONS.get(name)
        except LyditeError as error:
            logger.debug("the metrics of %s are not known: %s", name, error)


import_evaluations_by(_import)


def make_evaluation(spec: str | Spec, **parameters: Value) -> Evaluation:
    """Make an evaluation from its spec; keyword parameters are added to those in the spec.

    >>> make_evaluation("qvec(method=qvec)").spec
    'qvec(method=qvec)'
    """
    parsed = parse(spec) if isinstance(spec, str) else spec
    kind = EVALUATIONS.get(parsed.name)
    if parsed.args:
        raise SpecError(f"{parsed}: an evaluation takes key=value parameters only")
    given = dict(parsed.params) | parameters
    known = [field.name for field in dataclasses.fields(kind)]
    for key in given:
        if key not in known:
            close = nearest(key, known, most=1)
            raise SpecError(
                f"{parsed.name}: there is no parameter called {key!r}",
                hint=(f"did you mean {close[0]}? " if close else "")
                + f"there are {', '.join(known)}",
            )
    return kind(**given)


def only_resource(name: str, resources: Sequence[Located]) -> Located:
    """Return the one resource of an evaluation that takes one."""
    if len(resources) != 1:
        raise InputError(f"{name} takes one resource at a time, got {len(resources)}")
    return resources[0]


def make_section(evaluation: str, results: Sequence[Result], items: ItemsLoader) -> Section:
    """Make the section of an evaluation.

    A section that fails must not cost the report of a long run: the plain one takes its place,
    and says so.
    """
    if evaluation not in EVALUATIONS:
        return plain_section(results, items)
    try:
        return EVALUATIONS.get(evaluation).section(results, items)
    except Exception as error:
        logger.warning("the report section of %s could not be made: %s", evaluation, error)
        made = plain_section(results, items)
        return replace(made, notes=[*made.notes, f"The full section could not be made: {error}"])
