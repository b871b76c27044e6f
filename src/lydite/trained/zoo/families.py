"""The families of a zoo: which parameters each takes, and how it is trained on a shared corpus."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, TypeVar, get_args

import numpy as np

from lydite.errors import InputError
from lydite.models.contexts import check_count, check_number, check_seed
from lydite.registry import unknown_name
from lydite.spaces.space import Space, content_digest
from lydite.spaces.vocabulary import Vocabulary
from lydite.spec import Value
from lydite.trained.cooccurrence import Dynamics, Windows
from lydite.trained.gensim_engine import Word2VecRecipe, train_word2vec
from lydite.trained.glove import GloveRecipe, HarmonicWindows, glove_space
from lydite.trained.lsa import LsaRecipe, count_in_documents, count_in_windows, lsa_space
from lydite.trained.ppmi_svd import Factors, ppmi_svd_space
from lydite.trained.skipgram import (
    ARCHITECTURES,
    PLAIN,
    Architecture,
    SkipgramRecipe,
    train_skipgram_family,
)
from lydite.trained.zoo.corpus import SharedCorpus
from lydite.types import Vectors


def lsa(
    corpus: SharedCorpus,
    recipe: LsaRecipe,
    windows: Windows,
    *,
    min_count: int,
    limit: int | None,
) -> Space:
    """Make a space by latent semantic analysis of documents, or of windows."""
    if recipe.columns == "documents":
        kept = corpus.vocabulary(min_count, limit)
        counts = count_in_documents(corpus.encoded, kept, span=recipe.span)
        return lsa_space(counts, kept.words, kept.counts, recipe)
    counted = corpus.counted(windows, min_count, limit)
    return lsa_space(count_in_windows(counted, windows), counted.words, counted.counts, recipe)


def ppmi_svd(
    corpus: SharedCorpus,
    factors: Factors,
    windows: Windows,
    *,
    min_count: int,
    limit: int | None,
) -> Space:
    """Make a space by counting, PPMI and singular values."""
    return ppmi_svd_space(corpus.counted(windows, min_count, limit), factors)


def first_dimensions(space: Space, dim: int, *, normalise: bool) -> Space:
    """Return the space that a factorisation to fewer dimensions gives.

    Singular vectors stand in the order of their values, and each is what it is however many
    others are asked for, up to the rounding of the solver: 1e-6 of the largest number in a column,
    where no two values are equal.

    Parameters
    ----------
    space
        Of singular vectors, scaled each by itself.
    dim
        How many to keep.
    normalise
        Whether the vectors of the space have the length 1, which is then restored.
    """
    if dim == space.dim:
        return space
    vectors = _first(space.vectors, dim, normalise=normalise)
    # A word of which the first dimensions say nothing has no vector.
    kept = np.flatnonzero(vectors.any(axis=1))
    words, vectors = space.vocabulary.words.take(kept), vectors[kept]
    counts = None if space.counts is None else space.counts[kept]
    contexts = None
    if space.contexts is not None:
        contexts = _first(space.contexts, dim, normalise=normalise)[kept]
    return replace(
        space,
        vocabulary=Vocabulary.build(words),
        vectors=vectors,
        counts=counts,
        contexts=contexts,
        fingerprint=content_digest(words, vectors, counts=counts, contexts=contexts),
    )


def _first(vectors: Vectors, dim: int, *, normalise: bool) -> Vectors:
    cut = np.ascontiguousarray(vectors[:, :dim])
    if not normalise:
        return cut
    lengths = np.linalg.norm(cut.astype(np.float64), axis=1, keepdims=True)
    scaled = np.divide(cut, lengths, out=np.zeros(cut.shape), where=lengths > 0)
    return np.asarray(scaled, dtype=np.float32)


#: What trains skip-gram and CBOW: the project's own kernels, or gensim.
Engine: TypeAlias = Literal["lydite", "gensim"]
#: Values of a spec by their names.
Parameters: TypeAlias = Mapping[str, Any]

_Made = TypeVar("_Made")
#: What a kind of value is called, and what will do for it.
_KINDS: Final[Mapping[type, tuple[str, tuple[type, ...]]]] = {
    bool: ("true or false", (bool,)),
    int: ("a whole number", (int,)),
    float: ("a number", (float, int)),
    str: ("a text", (str,)),
}
#: The kinds of parameters that usually are not given.
_OPTIONAL: Final[Mapping[str, type]] = {"limit": int, "dynamic": bool}
#: Fields of recipes that are no parameters: what the family is, or what ``window`` stands for.
_GIVEN = {"architecture", "size", "harmonic"}


@dataclass(frozen=True, kw_only=True)
class Family:
    """A way to train spaces.

    Attributes
    ----------
    name
        What it is called.
    defaults
        All parameters, each with its usual value.
    check
        Raises `InputError` for parameters that make no sense.
    make
        Makes a space of parameters, all of which are given, and a corpus.
    factorised
        Whether the first dimensions of a space are the space of so many dimensions.
    version
        Of what `make` computes. To be raised by one whenever the same parameters and the same
        corpus come to give other vectors, rounding aside: through code of the family's own, or
        through what it shares with others, such as preparing, counting or factorising, for all of
        which it is then raised. A zoo trains spaces of an older version again, and what was
        retrofitted of them. Files that name none were made by version 1.
    """

    name: str
    defaults: Parameters
    check: Callable[[Parameters], object]
    make: Callable[[Parameters, SharedCorpus], Space]
    factorised: bool = False
    version: int = 1

    def complete(self, given: Parameters) -> dict[str, Value]:
        """Return all parameters, checked.

        Raises
        ------
        InputError
            If one is unknown or makes no sense.
        """
        for key in given:
            if key not in self.defaults:
                raise unknown_name(
                    f"parameter of {self.name}",
                    key,
                    self.defaults,
                    hint=f"there are {', '.join(self.defaults)}",
                )
        parameters = {**self.defaults, **given}
        check_kinds(self.defaults, parameters)
        self.check(parameters)
        return parameters

    def train(self, parameters: Parameters, corpus: SharedCorpus) -> Space:
        """Make a space of parameters, all of which are given, and a corpus.

        Raises
        ------
        InputError
            If the corpus is too small for them, or the memory.
        """
        try:
            return self.make(parameters, corpus)
        except MemoryError as error:
            raise InputError(
                f"expected {self.name} of {parameters['dim']:,} dimensions to fit into memory, "
                f"got: {error}",
                hint="use fewer dimensions, a smaller window, a larger min_count, or a limit",
            ) from error


def family(name: str) -> Family:
    """Return a family by its name; an unknown one is told the nearest.

    >>> family("glove").defaults["window"]
    10
    """
    if name not in FAMILIES:
        raise unknown_name("family of models", name, FAMILIES, hint=f"there are {_LISTED}")
    return FAMILIES[name]


def uses_window(parameters: Parameters) -> bool:
    """Tell whether a window means anything: not where words are counted in documents."""
    return "window" in parameters and parameters.get("columns", "words") == "words"


def check_kinds(usual: Parameters, given: Parameters) -> None:
    """Refuse a value of another kind than the usual one, such as a text for a number.

    >>> check_kinds({"window": 5}, {"window": 2.5})
    Traceback (most recent call last):
    lydite.errors.InputError: expected window to be a whole number, got 2.5
    """
    for name, value in given.items():
        if value is None and usual[name] is None:
            continue
        kind = _OPTIONAL[name] if usual[name] is None else type(usual[name])
        what, kinds = _KINDS[kind]
        if type(value) not in kinds:
            raise InputError(f"expected {name} to be {what}, got {value!r}")


def _fields(*kinds: Any, **more: Value) -> dict[str, Any]:  # noqa: ANN401 - dataclasses
    found: dict[str, Any] = {
        field.name: field.default
        for kind in kinds
        for field in dataclasses.fields(kind)
        if field.name not in _GIVEN
    }
    return {"dim": found["dim"], **found, **more}


def _made(kind: Callable[..., _Made], parameters: Parameters, **given: Value) -> _Made:
    names = {field.name for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    taken = {name: value for name, value in parameters.items() if name in names}
    return kind(**{**taken, **given})


def _check_vocabulary(parameters: Parameters) -> None:
    check_count("min_count", parameters["min_count"], least=1)
    if parameters["limit"] is not None:
        check_count("limit", parameters["limit"], least=2)


def _windows(parameters: Parameters) -> Windows:
    check_seed(parameters["seed"])
    if parameters["dynamic"] not in get_args(Dynamics):
        raise InputError(
            f"expected dynamic among {', '.join(get_args(Dynamics))}, got {parameters['dynamic']!r}"
        )
    return _made(Windows, parameters, size=parameters["window"])


def _skipgram(architecture: Architecture) -> Family:
    defaults = _fields(SkipgramRecipe)
    if architecture in PLAIN:
        defaults["engine"] = "lydite"

    def check(parameters: Parameters) -> None:
        engine = parameters.get("engine", "lydite")
        if engine not in get_args(Engine):
            raise InputError(f"expected engine to be lydite or gensim, got {engine!r}")
        _made(SkipgramRecipe, parameters, architecture=architecture)
        if engine == "gensim":
            _gensim_recipe(parameters)

    def train(parameters: Parameters, corpus: SharedCorpus) -> Space:
        if parameters.get("engine") == "gensim":
            recipe = _gensim_recipe(parameters)
            kept = corpus.vocabulary(recipe.min_count, parameters["limit"])
            return train_word2vec(corpus.sentences(kept), recipe).space
        return train_skipgram_family(
            corpus.encoded, _made(SkipgramRecipe, parameters, architecture=architecture)
        )

    def _gensim_recipe(parameters: Parameters) -> Word2VecRecipe:
        if parameters["dynamic"] not in {None, True}:
            raise InputError("gensim always draws the size of windows, got dynamic=false")
        return _made(Word2VecRecipe, parameters, architecture=architecture)

    return Family(name=architecture, defaults=defaults, check=check, make=train)


def _glove() -> Family:
    defaults = _fields(GloveRecipe, HarmonicWindows, window=10, min_count=5, limit=None)
    del defaults["dynamic"]

    def windows_of(parameters: Parameters) -> HarmonicWindows:
        return _made(HarmonicWindows, parameters, size=parameters["window"])

    def check(parameters: Parameters) -> None:
        _check_vocabulary(parameters)
        windows_of(parameters)
        _made(GloveRecipe, parameters)

    def train(parameters: Parameters, corpus: SharedCorpus) -> Space:
        windows = windows_of(parameters)
        counts = corpus.counted(windows, parameters["min_count"], parameters["limit"])
        return glove_space(counts, windows, _made(GloveRecipe, parameters))

    return Family(name="glove", defaults=defaults, check=check, make=train)


def _lsa() -> Family:
    defaults = _fields(LsaRecipe, Windows, window=5, min_count=5, limit=None)

    def check(parameters: Parameters) -> None:
        _check_vocabulary(parameters)
        _windows(parameters)
        _made(LsaRecipe, parameters)

    def train(parameters: Parameters, corpus: SharedCorpus) -> Space:
        return lsa(
            corpus,
            _made(LsaRecipe, parameters),
            _windows(parameters),
            min_count=parameters["min_count"],
            limit=parameters["limit"],
        )

    return Family(name="lsa", defaults=defaults, check=check, make=train, factorised=True)


def _ppmi_svd() -> Family:
    defaults = _fields(Factors, Windows, window=5, min_count=100, limit=None)

    def check(parameters: Parameters) -> None:
        _check_vocabulary(parameters)
        _windows(parameters)
        _made(Factors, parameters)
        # Weighing refuses them as well, but only once the corpus is counted.
        check_number("shift", parameters["shift"], least=0, above=True)
        if not 0 <= parameters["cds"] <= 1:
            raise InputError(f"expected cds from 0 to 1, got {parameters['cds']!r}")

    def train(parameters: Parameters, corpus: SharedCorpus) -> Space:
        return ppmi_svd(
            corpus,
            _made(Factors, parameters),
            _windows(parameters),
            min_count=parameters["min_count"],
            limit=parameters["limit"],
        )

    return Family(name="ppmi-svd", defaults=defaults, check=check, make=train, factorised=True)


FAMILIES: Final[Mapping[str, Family]] = {
    each.name: each for each in (*map(_skipgram, ARCHITECTURES), _glove(), _lsa(), _ppmi_svd())
}
_LISTED = ", ".join(FAMILIES)
