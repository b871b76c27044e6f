"""The members of a zoo: spaces, each with a spec that says all about it and a name for its file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from lydite.models.background import check_count, check_number
from lydite.models.zoo.families import Family, Parameters, check_kinds, family, uses_window
from lydite.models.zoo.lexicon import Lexicon
from lydite.registry import unknown_name
from lydite.spec import Spec, differing, parse
from lydite.types import PlainMapping

_RETROFITTED = "retrofitted"


@dataclass(frozen=True, kw_only=True)
class Trained:
    """A space that is trained on the corpus.

    Attributes
    ----------
    family
        Of models.
    parameters
        All that the family takes, with their values.
    """

    family: str
    parameters: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, kind: Family, given: Parameters) -> Trained:
        """Return a member with what is given, and all else as usual."""
        parameters = kind.complete(given)
        if not uses_window(parameters):
            parameters["window"] = kind.defaults["window"]
        return cls(family=kind.name, parameters=tuple(parameters.items()))

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - of any kind
        return dict(self.parameters)[name]

    @property
    def slug(self) -> str:
        """The name of its file, without the ending."""
        window = f"-w{self['window']}" if uses_window(dict(self.parameters)) else ""
        return f"{self.family}-{self['dim']}d{window}"

    @property
    def spec(self) -> str:
        """The text that says how it is trained."""
        usual = family(self.family).defaults
        always = ["dim", *(["window"] if uses_window(dict(self.parameters)) else [])]
        rest = {k: (v, usual[k]) for k, v in self.parameters if k not in always}
        params = [(name, self[name]) for name in always]
        return str(Spec(self.family, (), (*params, *differing(rest))))

    @property
    def recipe(self) -> PlainMapping:
        """What its file says of how it was trained."""
        version = family(self.family).version
        return {"architecture": self.family, "version": version, **dict(self.parameters)}


@dataclass(frozen=True, kw_only=True)
class Retrofitting:
    """How vectors are moved, see :func:`lydite.models.retrofitting.retrofit`.

    Attributes
    ----------
    version
        Of what that function computes, to be raised like a `Family`'s.
    """

    version: ClassVar[int] = 1
    iterations: int = 10
    alpha: float = 1.0
    normalise: bool = True

    def __post_init__(self) -> None:
        check_count("iterations", self.iterations, least=1)
        check_number("alpha", self.alpha, least=0)


@dataclass(frozen=True, kw_only=True)
class Retrofitted:
    """A trained space, moved towards a lexicon.

    Attributes
    ----------
    parent
        The space that is moved.
    lexicon
        Where neighbours come from.
    retrofitting
        How.
    """

    parent: Trained
    lexicon: Lexicon
    retrofitting: Retrofitting = Retrofitting()

    @property
    def slug(self) -> str:
        """The name of its file, without the ending."""
        return f"{self.parent.slug}-{self.lexicon.slug}"

    @property
    def spec(self) -> str:
        """The text that says how it is made."""
        usual = dataclasses.asdict(Retrofitting())
        how = dataclasses.asdict(self.retrofitting)
        options = differing({name: (value, usual[name]) for name, value in how.items()})
        lexicon = parse(self.lexicon.spec)
        argument = lexicon if lexicon.args else lexicon.name
        return str(Spec(_RETROFITTED, (parse(self.parent.spec), argument), options))

    @property
    def recipe(self) -> PlainMapping:
        """What its file says of how it was made."""
        return {
            "architecture": _RETROFITTED,
            "version": Retrofitting.version,
            "parent": self.parent.recipe,
            "lexicon": self.lexicon.spec,
            **dataclasses.asdict(self.retrofitting),
        }


Member: TypeAlias = Trained | Retrofitted


def retrofitting_of(given: Mapping[str, Any]) -> Retrofitting:
    """Return how vectors are moved; what is not given is as usual."""
    known = [field.name for field in dataclasses.fields(Retrofitting)]
    for name in given:
        if name not in known:
            raise unknown_name(
                "parameter of retrofitting", name, known, hint=f"there are {', '.join(known)}"
            )
    check_kinds(dataclasses.asdict(Retrofitting()), given)
    return Retrofitting(**given)
