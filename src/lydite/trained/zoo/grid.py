"""A grid of spaces: its members, each with a spec and a name, and what is retrofitted to what."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, TypeAlias

from lydite.corpora.preparation import Preparation
from lydite.declare import Commas, Inline, Option, Param, Slot
from lydite.errors import InputError
from lydite.models.contexts import check_count
from lydite.spec import Spec, differing, parse
from lydite.trained.family import Parameters, SpaceFamily, uses_window
from lydite.trained.lexicons import LEXICON_KINDS, Lexicon, lexicon_of
from lydite.trained.parameters import (
    Alpha,
    Epochs,
    Limit,
    MinCount,
    Negative,
    RunningText,
    Sample,
    Seed,
    Workers,
)
from lydite.trained.retrofitting import Retrofitting, retrofitting_of
from lydite.trained.skipgram import Engine
from lydite.trained.zoo.families import FAMILIES, family
from lydite.types import PlainMapping

_RETROFITTED = "retrofitted"


@dataclass(frozen=True, kw_only=True)
class Retrofitted:
    """A trained space, moved toward a lexicon."""

    parent: SpaceFamily
    lexicon: Lexicon
    retrofitting: Retrofitting = field(default_factory=Retrofitting)

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


Member: TypeAlias = SpaceFamily | Retrofitted


#: What the grid says for all families that take it.
_FOR_ALL: Final = ("min_count", "limit", "seed")
#: What it says for those that learn by going through the text.
_FOR_TEXT: Final = ("epochs", "negative", "sample", "alpha", "workers")
#: The table of options of retrofitting, beside those of the families.
RETROFITTING: Final = "retrofitting"


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Which spaces to train on one corpus: every family with every dimension and every window.

    A family to which a window means nothing, LSA of documents, is there once for each dimension.
    ``epochs`` to ``workers`` are those of the skip-gram family: with several workers no two
    trainings of it are equal, all other families give the same bits however many threads.
    ``min_count``, ``limit`` and ``seed`` are those of all families that take them. ``options`` are,
    for a family, parameters that differ from those of the grid: its own, such as ``x_max`` of
    glove, and also ``dim`` and ``window``; under ``retrofitting`` those of retrofitting.

    >>> grid = Grid(corpus=("book.txt",), families=("glove", "lsa"), dims=(50,), windows=(2, 5))
    >>> [member.slug for member in grid.members()]
    ['glove-50d-w2', 'glove-50d-w5', 'lsa-50d']
    """

    corpus: RunningText
    families: Annotated[
        tuple[str, ...],
        Commas(f"Model families: {', '.join(FAMILIES)}.", metavar="NAME,...", option="models"),
    ]
    dims: Annotated[
        tuple[int, ...],
        Commas(
            "Dimensions, separated by commas; one space for each.", metavar="N,...", option="dim"
        ),
    ] = (100,)
    windows: Annotated[
        tuple[int, ...],
        Commas("Words on either side of a word.", metavar="N,...", option="window"),
    ] = (5,)
    engine: Annotated[
        Engine, Param("What trains skipgram and cbow; gensim: extra train.", option="kernels")
    ] = "lydite"
    epochs: Epochs = 5
    negative: Negative = 5
    sample: Sample = 1e-3
    alpha: Alpha = 0.025
    workers: Workers = 1
    min_count: MinCount = 5
    limit: Limit = None
    seed: Seed = 0
    words: Annotated[int | None, Param("Read only this many words of the corpus.", least=1)] = None
    retrofit: Annotated[
        tuple[str, ...],
        Slot(
            "retrofit",
            "Lexicons to retrofit to: ppdb-xl, framenet, wordnet-3.0, 'wordnet-3.0(synonyms)', or "
            "a file.",
            metavar="NAME|FILE",
            accepts=LEXICON_KINDS,
        ),
    ] = ()
    retrofitted: Annotated[
        tuple[str, ...], Commas("Families to retrofit; by default all.", metavar="NAME,...")
    ] = ()
    options: Annotated[
        Mapping[str, Parameters],
        Option(
            "options",
            "A parameter of one model, as glove.x_max=10, which suits tens of millions of words "
            "(100, for billions, is the default).",
            several=True,
            option="set",
            metavar="MODEL.KEY=VALUE",
        ),
    ] = field(default_factory=dict)
    preparation: Annotated[Preparation, Inline()] = field(default_factory=Preparation)

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
                if member.name in moved
            ),
        ]

    def _trained(self, name: str, dim: int, window: int) -> SpaceFamily:
        usual = family(name)
        known, options = usual.parameters, self.options.get(name, {})
        given: dict[str, Any] = {"dim": dim}
        if uses_window({**known, **options}):
            given["window"] = window
        names = _FOR_ALL + (_FOR_TEXT if "negative" in known else ())
        given |= {each: getattr(self, each) for each in names if each in known}
        if "engine" in known:
            given["engine"] = self.engine
        return usual.completed({**given, **options})

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
