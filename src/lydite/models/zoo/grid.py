"""A grid of spaces: families x dimensions x windows, and what of it is retrofitted to what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.models.background import check_count
from lydite.models.zoo.families import Engine, Parameters, family, uses_window
from lydite.models.zoo.lexicon import lexicon_of
from lydite.models.zoo.member import Member, Retrofitted, Trained, retrofitting_of

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
        :class:`~lydite.models.skipgram_family.recipe.SkipgramRecipe`. With several workers no two
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
