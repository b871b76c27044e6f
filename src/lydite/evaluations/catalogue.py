"""Which evaluations there are, what they share, and how a spec becomes one."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, get_args, get_origin, get_type_hints

from lydite.errors import InputError, SpecError
from lydite.progress import Progress, silent
from lydite.registry import Registry, nearest
from lydite.resources.catalogue import Located
from lydite.results.record import Outcome
from lydite.spec import Spec, Value, parse, write_parameters


class Question(Protocol):
    """What the runner asks of an evaluation."""

    name: ClassVar[str]

    @property
    def spec(self) -> str:
        """The name with all parameters; it parses back and is part of the key of a result."""
        ...

    def run(
        self,
        model: object,
        resources: Sequence[Located],
        *,
        seed: int,
        progress: Progress = silent,
    ) -> Outcome:
        """Put the model to the test."""
        ...


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Base of evaluations: a frozen dataclass whose fields are the parameters.

    Values of fields that are a ``Literal`` or a ``bool`` are checked when one is made.
    """

    name: ClassVar[str]

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for parameter in dataclasses.fields(self):
            hint = hints[parameter.name]
            choices = (True, False) if hint is bool else get_args(hint)
            value = getattr(self, parameter.name)
            if (hint is bool or get_origin(hint) is Literal) and not _is_one_of(value, choices):
                said = ["true", "false"] if hint is bool else [str(choice) for choice in choices]
                close = nearest(str(value), said, most=1)
                raise InputError(
                    f"{self.name}: expected {parameter.name} to be one of {', '.join(said)}, "
                    f"got {value!r}",
                    hint=f"did you mean {close[0]}?" if close else None,
                )

    def _require_whole(self, **least: int) -> None:
        """Refuse a parameter that is no whole number of at least so much."""
        for parameter, bound in least.items():
            value = getattr(self, parameter)
            if type(value) is not int or value < bound:
                raise InputError(
                    f"{self.name}: expected {parameter} to be a whole number from {bound}, "
                    f"got {value!r}"
                )

    @property
    def named_resources(self) -> tuple[Located, ...]:
        """Files that parameters name: their bytes are part of the question."""
        return ()

    @property
    def parameters(self) -> dict[str, Value]:
        """All parameters and their values."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    @property
    def spec(self) -> str:
        """The name with all parameters; it parses back and is part of the key of a result."""
        return write_parameters(self.name, self.parameters)

    @property
    def label(self) -> str:
        """The name with the parameters that are not at their defaults, for people."""
        changed = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }
        return write_parameters(self.name, changed)


def _is_one_of(value: object, choices: tuple[object, ...]) -> bool:
    # 1 == True in Python, but a parameter that takes the one does not take the other.
    return any(type(value) is type(choice) and value == choice for choice in choices)


EVALUATIONS: Registry[Any] = Registry(
    "evaluation", group="lydite.evaluations", hint="'lydite evaluations ls' lists them"
)
EVALUATIONS.register("similarity", "lydite.evaluations.similarity.evaluation:Similarity")
EVALUATIONS.register("subsumption", "lydite.evaluations.subsumption.evaluation:Subsumption")
EVALUATIONS.register("nonces", "lydite.evaluations.nonces.evaluation:Nonces")
EVALUATIONS.register("consistency", "lydite.evaluations.consistency.evaluation:Consistency")
EVALUATIONS.register("localization", "lydite.evaluations.localization.evaluation:Localization")
EVALUATIONS.register("separation", "lydite.evaluations.separation.evaluation:Separation")
EVALUATIONS.register("qvec", "lydite.evaluations.qvec.evaluation:Qvec")
EVALUATIONS.register(
    "classification", "lydite.evaluations.classification.evaluation:Classification"
)
EVALUATIONS.register("tagging", "lydite.evaluations.tagging.evaluation:Tagging")
EVALUATIONS.register("parsing", "lydite.evaluations.parsing.evaluation:Parsing")


def make_evaluation(spec: str | Spec, **parameters: Value) -> Any:  # noqa: ANN401 - a Question
    """Make an evaluation from its spec; keyword parameters are added to those in the spec.

    Examples
    --------
    >>> make_evaluation("qvec(method=qvec)").label
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
                f"{parsed.name}: no parameter is called {key!r}",
                hint=(f"did you mean {close[0]}? " if close else "")
                + f"there are {', '.join(known)}",
            )
    return kind(**given)


def only_resource(name: str, resources: Sequence[Located]) -> Located:
    """Return the one resource of an evaluation that takes one."""
    if len(resources) != 1:
        raise InputError(f"{name} takes one resource at a time, got {len(resources)}")
    return resources[0]
