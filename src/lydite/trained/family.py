"""Families of word spaces: their parameters, and how one is trained, alone or in a zoo."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, TypeAlias, cast

import numpy as np

from lydite.corpora.preparation import Preparation
from lydite.declare import Inline, build
from lydite.errors import InputError
from lydite.progress import current_progress
from lydite.recipe import Product, Recipe
from lydite.registry import unknown_name
from lydite.resources.catalogue import Located
from lydite.results.provenance import versions
from lydite.spaces.formats.writing import write_space
from lydite.spaces.space import Space, content_digest
from lydite.spaces.vocabulary import PackedWords, Vocabulary
from lydite.spec import Spec, differing
from lydite.storage import user_path
from lydite.trained.inputs import check_other_file, check_space_file, named, running_text
from lydite.trained.parameters import (
    Encoding,
    JsonField,
    Limit,
    MinCount,
    RunningText,
    SafetensorsFile,
    check_declared,
    check_kinds,
    parameters_by_key,
)
from lydite.trained.zoo.corpus import SharedCorpus, shared_corpus
from lydite.types import Floats, Indices, PlainMapping, Vectors

#: Values of a spec by their names.
Parameters: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class FrequentWords:
    """Which words of a corpus have a vector."""

    min_count: MinCount = 5
    limit: Limit = None

    def __post_init__(self) -> None:
        check_declared(self)


@dataclass(frozen=True, kw_only=True)
class SpaceFamily:
    """A way to train spaces, with all its parameters: a declared dataclass.

    One with its usual values stands for the family.
    """

    #: Whether the first dimensions of a space are the space of so many dimensions.
    factorized: ClassVar[bool] = False
    #: Of what `make` computes. To be raised by one whenever the same parameters and the same corpus
    #: come to give other vectors, rounding aside: through code of the family's own, or through what
    #: it shares with others, such as preparing, counting or factorizing, for all of which it is
    #: then raised. A zoo trains spaces of an older version again, and what was retrofitted of them.
    #: Files that name none were made by version 1.
    version: ClassVar[int] = 1

    @property
    def name(self) -> str:
        """What the family is called."""
        raise NotImplementedError

    def make(self, corpus: SharedCorpus) -> Space:
        """Make a space."""
        raise NotImplementedError

    def train(self, corpus: SharedCorpus) -> Space:
        """Make a space."""
        try:
            return self.make(corpus)
        except MemoryError as error:
            raise InputError(
                f"expected {self.name} of {self['dim']:,} dimensions to fit into memory, "
                f"got: {error}",
                hint="use fewer dimensions, a smaller window, a larger min_count, or a limit",
            ) from error

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - of any kind
        return parameters_by_key(type(self))[name].of(self)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters and their values, the dimensions first."""
        fields = parameters_by_key(type(self))
        return {name: each.of(self) for name, each in fields.items()}

    def completed(self, given: Parameters) -> Self:
        """Return the family with what is given, and all else as it is here."""
        fields = parameters_by_key(type(self))
        for key in given:
            if key not in fields:
                raise unknown_name(
                    f"parameter of {self.name}", key, fields, hint=f"there are {', '.join(fields)}"
                )
        check_kinds(type(self), given)
        made = self._with(given)
        if uses_window(made.parameters):
            return made
        return made._with({"window": self["window"]})

    def _with(self, given: Parameters) -> Self:
        names = {key: each.name for key, each in parameters_by_key(type(self)).items()}
        values = {names[key]: value for key, value in given.items()}
        return cast("Self", build(type(self), values, usual=self))

    @property
    def slug(self) -> str:
        """The name of the file of such a space, without the ending."""
        window = f"-w{self['window']}" if uses_window(self.parameters) else ""
        return f"{self.name}-{self['dim']}d{window}"

    @property
    def usual(self) -> Self:
        """The family with its usual values."""
        return type(self)()

    @property
    def spec(self) -> str:
        """The text that says how a space is trained: its size, and what is not as usual."""
        parameters, usual = self.parameters, self.usual
        always = ["dim", *(["window"] if uses_window(parameters) else [])]
        rest = {k: (v, usual[k]) for k, v in parameters.items() if k not in always}
        params = [(name, parameters[name]) for name in always]
        return str(Spec(self.name, (), (*params, *differing(rest))))

    @property
    def recipe(self) -> PlainMapping:
        """What the file of such a space says of how it was trained."""
        return {"architecture": self.name, "version": self.version, **self.parameters}


def trained_space(
    words: PackedWords, vectors: Vectors, counts: Indices, contexts: Vectors | None, *, spec: str
) -> Space:
    """Put words, their vectors and how often they stand in the corpus together."""
    numbers = counts.astype(np.float64)
    return Space(
        vocabulary=Vocabulary.build(words),
        vectors=vectors,
        counts=numbers,
        contexts=contexts,
        spec=spec,
        fingerprint=content_digest(words, vectors, counts=numbers, contexts=contexts),
    )


def at_length_one(vectors: Floats) -> Floats:
    """Divide vectors by their lengths; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    out: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return out


def uses_window(parameters: Parameters) -> bool:
    """Tell whether a window means anything: not where words are counted in documents."""
    return "window" in parameters and parameters.get("columns", "words") == "words"


def space_examples(name: str, more: str) -> tuple[str, ...]:
    """Return examples of a command that trains one space, one with further options."""
    return (
        f"train {name} --corpus book.txt more.txt.gz --out space.safetensors",
        f"train {name} --corpus wikipedia-2014-20m --out wiki.safetensors {more}",
        "similarity wiki.safetensors --pairs ws-353",
        f"train zoo --corpus book.txt --models {name} --dim 100,200,300 --out zoo",
    )


@dataclass(frozen=True, kw_only=True)
class SpaceRecipe(Recipe):
    """Base of recipes that train one space on running text, as a zoo trains each of its own.

    A subclass says of ``family`` which one, and that its fields are options.
    """

    note: ClassVar[str] = (
        "The file keeps word vectors, counts, context vectors if the model has them, and what it "
        "was made from (lydite models show FILE)."
    )
    parallel: ClassVar[bool] = True

    corpus: RunningText
    out: SafetensorsFile
    family: SpaceFamily
    preparation: Annotated[Preparation, Inline()] = dataclasses.field(default_factory=Preparation)
    encoding: Encoding = None
    field: JsonField = "text"

    def run(self) -> Product:
        """Train the space on the corpus, read once, and write it."""
        located = self.located()
        with tempfile.TemporaryDirectory(prefix="lydite-", ignore_cleanup_errors=True) as work:
            text = shared_corpus(
                located, self.preparation, Path(work), encoding=self.encoding, field=self.field
            )
            space = self.family.train(text)
            about = {
                "recipe": self.family.recipe,
                "spec": self.family.spec,
                "text": text.size,
                "versions": versions(),
            }
        return self.written(space, located, about)

    def located(self) -> list[Located]:
        """Find the corpora; refuse what cannot become a space, before anything is read."""
        check_space_file(self.out)
        located = running_text(self.corpus)
        check_other_file(self.out, located)
        return located

    def written(self, space: Space, located: list[Located], about: PlainMapping) -> Product:
        """Write a space with what it was made from."""
        source = {
            "corpus": named(located),
            **about,
            "preparation": dataclasses.asdict(self.preparation),
        }
        write_space(space, user_path(self.out), provenance=source, progress=current_progress())
        tokens = about["text"]["tokens"]
        size = f"{len(space):,} words of {space.dim} dimensions, from {tokens:,} tokens"
        return Product(line=f"{size}: {self.out}")
