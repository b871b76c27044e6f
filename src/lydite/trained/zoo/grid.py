"""A grid of spaces: its members, each with a spec and a name, and what is retrofitted to what."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeAlias

from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.models.contexts import check_count, check_number
from lydite.registry import unknown_name
from lydite.spec import Spec, differing, parse
from lydite.trained.lexicons import Lexicon, lexicon_of
from lydite.trained.zoo.families import Engine, Family, Parameters, check_kinds, family, uses_window
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
    """How vectors are moved, see :func:`lydite.trained.retrofitting.retrofit`.

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


#: What the grid says for all families that take it.
_FOR_ALL: Final = ("min_count", "limit", "seed")
#: What it says for those that learn by going through the text.
_FOR_TEXT: Final = ("epochs", "negative", "sample", "alpha", "workers")
#: The table of options of retrofitting, beside those of the families.
RETROFITTING: Final = "retrofitting"


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Which spaces to train on one corpus.

    Attributes
    ----------
    corpus
        Names, files or folders of running text.
    families
        Among skipgram, cbow, structured-skipgram, cwindow, cbow-attention, glove, lsa and ppmi-svd.
    dims, windows
        Each with each. A family to which a window means nothing, LSA of documents, is there once
        for each dimension.
    engine
        What trains skip-gram and CBOW: the project's kernels, as for their relatives, or gensim.
    epochs, negative, sample, alpha, workers
        Of the skip-gram family; see
        :class:`~lydite.trained.skipgram.SkipgramRecipe`. With several workers no two
        trainings of it are equal; all other families give the same bits however many threads.
    min_count, limit, seed
        Of all families that take them.
    words
        How many words of the corpus to take, the first ones; None for all.
    retrofit
        Lexicons: ppdb-xl, framenet, wordnet-3.0, wordnet-3.0(synonyms), or files.
    retrofitted
        Which families are retrofitted to each of them; by default all.
    options
        For a family, parameters that differ from those of the grid: its own, such as ``x_max`` of
        glove, and also ``dim`` and ``window``. Under ``retrofitting``: iterations, alpha,
        normalise.
    preparation
        How running text becomes sentences of tokens.

    Raises
    ------
    InputError
        If nothing is to be trained, a name is unknown, or a parameter makes no sense.

    Examples
    --------
    >>> grid = Grid(corpus=("book.txt",), families=("glove", "lsa"), dims=(50,), windows=(2, 5))
    >>> [member.slug for member in grid.members()]
    ['glove-50d-w2', 'glove-50d-w5', 'lsa-50d']
    """

    corpus: tuple[str, ...]
    families: tuple[str, ...]
    dims: tuple[int, ...] = (100,)
    windows: tuple[int, ...] = (5,)
    engine: Engine = "lydite"
    epochs: int = 5
    negative: int = 5
    sample: float = 1e-3
    alpha: float = 0.025
    workers: int = 1
    min_count: int = 5
    limit: int | None = None
    seed: int = 0
    words: int | None = None
    retrofit: tuple[str, ...] = ()
    retrofitted: tuple[str, ...] = ()
    options: Mapping[str, Parameters] = field(default_factory=dict)
    preparation: Preparation = field(default_factory=Preparation)

    def __post_init__(self) -> None:
        for name in ("corpus", "families", "dims", "windows"):
            if not getattr(self, name):
                raise InputError(
                    f"expected {name} of a grid to be one or more, got none",
                    hint="a grid is every family with every dimension and every window",
                )
        if self.words is not None:
            check_count("words", self.words, least=1)
        for name in self.families:
            family(name)
        self._check_retrofitted()
        self._check_options()
        self._check_names()

    def members(self) -> list[Member]:
        """Return the spaces, those that are retrofitted last."""
        trained = list(
            dict.fromkeys(
                self._trained(name, dim, window)
                for name in self.families
                for dim in self.dims
                for window in self.windows
            )
        )
        how = retrofitting_of(self.options.get(RETROFITTING, {}))
        moved = self.retrofitted or self.families
        return [
            *trained,
            *(
                Retrofitted(parent=member, lexicon=lexicon_of(lexicon), retrofitting=how)
                for lexicon in dict.fromkeys(self.retrofit)
                for member in trained
                if member.family in moved
            ),
        ]

    def _trained(self, name: str, dim: int, window: int) -> Trained:
        kind = family(name)
        given: dict[str, Any] = {"dim": dim}
        options = self.options.get(name, {})
        if uses_window({**kind.defaults, **options}):
            given["window"] = window
        names = _FOR_ALL + (_FOR_TEXT if "negative" in kind.defaults else ())
        given |= {each: getattr(self, each) for each in names if each in kind.defaults}
        if "engine" in kind.defaults:
            given["engine"] = self.engine
        return Trained.of(kind, {**given, **options})

    def _check_retrofitted(self) -> None:
        for name in self.retrofitted:
            if name not in self.families:
                raise InputError(
                    f"expected families to retrofit among those of the grid, "
                    f"{', '.join(self.families)}, got {name!r}",
                    hint="what is retrofitted is trained first",
                )
        if self.retrofitted and not self.retrofit:
            raise InputError(
                "expected a lexicon to retrofit to, got none",
                hint="retrofit = ['ppdb-xl']; --retrofit ppdb-xl",
            )

    def _check_options(self) -> None:
        for name in self.options:
            if name != RETROFITTING and name not in self.families:
                raise InputError(
                    f"expected options of a family of the grid, {', '.join(self.families)}, or of "
                    f"{RETROFITTING}, got {name!r}"
                )

    def _check_names(self) -> None:
        """Refuse two members that one file would have to hold."""
        slug, often = Counter(member.slug for member in self.members()).most_common(1)[0]
        if often > 1:
            raise InputError(
                f"expected a name of its own for each space, got {often} called {slug}",
                hint="rename one of the lexicon files",
            )
