"""Several models as one: ensembles, spaces retrained, hybrids of pair scores, and back-off.

Cheung & Penn (2012, section 4.4) score biomedical sentences with models of newspaper text, "backing
off to word vectors from the GENIA corpus when a word vector could not be found in the
Gigaword-trained model". A model that can be backed off has `BacksOff.with_words_of`, which returns
a model of the same kind and with the same parameters that has what the other knows of those words
that this one lacks, in its own dimensions. `BackedOff` names it, and says which bytes it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Literal,
    Protocol,
    TypeAlias,
    runtime_checkable,
)

import numpy as np

from lydite.declare import Param, State
from lydite.errors import InputError, UnsuitableModelError
from lydite.models.catalogue import Model, load, model_fingerprint, model_spec
from lydite.models.pairwise import cross_scores, pair_scores
from lydite.models.protocols import CrossModel, FittedToTexts, PairModel, TextModel, WordModel
from lydite.models.texts import encode_texts
from lydite.spaces.cosine import unit_rows
from lydite.storage import sha256_text
from lydite.types import Floats, Lookup, Vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array


Joining: TypeAlias = Literal["vote", "scores", "stacked", "concatenation"]


@dataclass(frozen=True)
class Ensemble(Model):
    """Several text models that answer together.

    Its vectors are those of its members, each of length 1, end to end: the meta-embedding CONC of
    Yin & Schütze (2015), with equal weights. It is fitted to texts if one of its members is.

    >>> Ensemble.open("random(2)", "random(3)", by="concatenation").encode(["A cat."]).shape
    (1, 5)
    """

    name: ClassVar[str] = "ensemble"

    members: Annotated[tuple[TextModel, ...], Param("The models, at least two.", key="texts")]
    _: KW_ONLY
    by: Annotated[
        Joining,
        Param(
            "How an evaluation that classifies joins what they say. ``vote``: each classifies, the "
            "most votes win. ``scores``: the scores of their classifiers are added. ``stacked``: "
            "with weights that are learned from training sentences. ``concatenation``: one "
            "classifier of their vectors, joined end to end."
        ),
    ] = "vote"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.members) < 2:
            raise InputError(
                f"an ensemble has at least two models, got {len(self.members)}",
                hint="ensemble(bow, mean(glove-6b-50d))",
            )

    @classmethod
    def open(cls, *texts: object, **parameters: Any) -> Ensemble:  # noqa: ANN401
        """Open the members."""
        members = tuple(_member(each) for each in texts)
        to_fit = any(isinstance(each, FittedToTexts) for each in members)
        return (EnsembleToFit if to_fit else cls)(members, **parameters)

    @property
    def fingerprint(self) -> str | None:
        """The bytes of all members, if all say which they are."""
        return _joint_fingerprint(self.members)

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return the members' vectors, each of length 1, end to end: (n, sum of d).

        A member that has the zero vector for a text keeps it. Cosines are the means of the
        members' cosines where all have a vector.
        """
        parts = [unit_rows(encode_texts(member, texts)) for member in self.members]
        return np.concatenate(parts, axis=1)


class EnsembleToFit(Ensemble):
    """An ensemble with members that are made for the texts they are used on."""

    def fitted_to(self, texts: Sequence[str], /) -> Ensemble:
        """Return the ensemble with these members fitted."""
        members = (
            each.fitted_to(texts) if isinstance(each, FittedToTexts) else each
            for each in self.members
        )
        return replace(self, members=tuple(members))


def _member(texts: object) -> TextModel:
    model = load(texts)
    name = model_spec(model)
    if isinstance(model, Ensemble) and model.by != "concatenation":
        raise UnsuitableModelError(
            f"an ensemble by {model.by} cannot be a member of another one: {name}",
            hint="name its members themselves, or join it by concatenation",
        )
    if isinstance(model, TextModel):
        return model
    raise UnsuitableModelError(
        f"the members of an ensemble give vectors of texts, but {name} gives none",
        hint=f"compose its words: mean({name})"
        if isinstance(model, WordModel)
        else "give it encoders: ensemble(bow, usem3)",
    )


@dataclass(frozen=True)
class Retrained(Model):
    """Several spaces of words that were trained alike, such as with other seeds.

    ``stability`` compares the nearest words in each of them. As one space of words, its vectors are
    those of its members, each of length 1, end to end, so that its cosines are the means of theirs;
    it has the words that all members have.

    >>> Retrained.open("random(2, seed=1)", "random(2, seed=2)").lookup(["cat"]).vectors.shape
    (1, 4)
    """

    name: ClassVar[str] = "retrained"

    members: Annotated[
        tuple[WordModel, ...], Param("The spaces, at least two: files or specs.", key="spaces")
    ]

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.members) < 2:
            raise InputError(
                f"expected at least two spaces that were trained alike, got {len(self.members)}",
                hint="train again with another seed: retrained(seed-0.vec, seed-1.vec)",
            )

    @classmethod
    def open(cls, *spaces: object) -> Retrained:
        """Open the spaces."""
        return cls(tuple(_space(each) for each in spaces))

    @property
    def fingerprint(self) -> str | None:
        """The bytes of all members, if all say which they are."""
        return _joint_fingerprint(self.members)

    def lookup(self, words: Sequence[str]) -> Lookup:
        """Return the members' vectors, each of length 1, end to end: (n, sum of d)."""
        found = [member.lookup(words) for member in self.members]
        known = np.logical_and.reduce([each.found for each in found])
        vectors = np.concatenate([unit_rows(each.vectors) for each in found], axis=1)
        vectors[~known] = 0
        return Lookup(vectors=vectors, found=known)


def _space(words: object) -> WordModel:
    model = load(words)
    if isinstance(model, WordModel):
        return model
    raise UnsuitableModelError(
        f"what is retrained are spaces of words, and {model_spec(model)} is none",
        hint="give vector files: retrained(seed-0.vec, seed-1.vec)",
    )


def _joint_fingerprint(models: Iterable[object]) -> str | None:
    """Return which bytes several models are, if all say so."""
    known = [model_fingerprint(model) for model in models]
    return sha256_text("\n".join(map(str, known))) if all(known) else None


@runtime_checkable
class BacksOff(Protocol):
    """A model that takes the words it lacks from another of its kind."""

    def with_words_of(self, domain: Any, /) -> Any:  # noqa: ANN401 - of its own kind
        """Return this model with the words of the other that it lacks, in its dimensions."""


@dataclass(frozen=True, eq=False)
class BackedOff(Model):
    """Words that a general model lacks, from one trained on the domain (Cheung & Penn)."""

    name: ClassVar[str] = "backoff"

    general: Annotated[
        Any,
        Param(
            "A ``mitchell-lapata``, ``erk-pado`` or ``thater`` model; its parameters hold for all "
            "words."
        ),
    ]
    domain: Annotated[Any, Param("A model of the same kind, of whose parameters none matters.")]
    _: KW_ONLY
    joined: Annotated[Any, State]

    @classmethod
    def open(cls, general: object, domain: object) -> BackedOff:
        """Open both models and join their words."""
        first, second = load(general), load(domain)
        if not isinstance(first, BacksOff):
            raise UnsuitableModelError(
                f"expected a model that can take words of another, got {model_spec(first)}",
                hint="mitchell-lapata, erk-pado and thater can",
            )
        if type(first) is not type(second):
            raise InputError(
                f"expected two models of one kind, got {model_spec(first)} and "
                f"{model_spec(second)}",
                hint="train the same kind on both corpora",
            )
        joined = first.with_words_of(second)
        kind = BackedOffTexts if isinstance(joined, TextModel) else BackedOffPairs
        return kind(first, second, joined=joined)

    @property
    def fingerprint(self) -> str | None:
        """The bytes of both models, if they say which they are."""
        return _joint_fingerprint((self.general, self.domain))


class BackedOffTexts(BackedOff):
    """A model of texts whose words are those of two corpora."""

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, (n, d), in the dimensions of the general model."""
        vectors: Vectors = self.joined.encode(texts)
        return vectors


class BackedOffPairs(BackedOff):
    """A model of pairs whose words are those of two corpora."""

    def cross(self, left: Sequence[str], right: Sequence[str], /) -> Floats:
        """Return the score of every left text with every right one, (n, m)."""
        scores: Floats = self.joined.cross(left, right)
        return scores

    def sparse_vectors(self, texts: Sequence[str], /) -> csr_array[np.float64]:
        """Return one vector per text, (n, d)."""
        vectors: csr_array[np.float64] = self.joined.sparse_vectors(texts)
        return vectors

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return one score per pair, (n,)."""
        scores: Floats = self.joined.score(left, right)
        return scores


_NAMED = ("sum", "standardised", "learnt")


@dataclass(frozen=True)
class Hybrid(Model):
    """Several models of pairs as one, by the sum of their scores.

    >>> pair = Hybrid.open("random(5)", "random(6)", weights="0.5,0.5")
    >>> pair.score(["a cat"], ["a cat"]).round(6).tolist()
    [1.0]
    """

    name: ClassVar[str] = "hybrid"

    parts: Annotated[
        tuple[object, ...],
        Param("At least two models that encode texts or score pairs.", key="models"),
    ]
    _: KW_ONLY
    weights: Annotated[
        str,
        Param(
            "``sum``: scores are added as they are, as in the paper. ``standardised``: those of "
            "each model are first brought to deviation 1 over what is scored together. ``learnt``: "
            "``separation`` learns the weights on data that it does not test on; whatever cannot "
            "learn them refuses it. Or one number per model, separated by commas."
        ),
    ] = "sum"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.parts) < 2:
            raise InputError(
                f"a hybrid has at least two models, got {len(self.parts)}",
                hint="hybrid(overlap, mean(glove-6b-50d))",
            )
        if self.weights not in _NAMED:
            _check_numbers(self.weights, len(self.parts))

    @classmethod
    def open(cls, *models: object, **parameters: Any) -> Hybrid:  # noqa: ANN401
        """Open the models."""
        return cls(tuple(_part(each) for each in models), **parameters)

    @property
    def fingerprint(self) -> str | None:
        """The bytes of all parts, if all say which they are."""
        return _joint_fingerprint(self.parts)

    def cross(self, left: Sequence[str], right: Sequence[str], /) -> Floats:
        """Return the joint score of every left text with every right one, (n, m).

        NaN where no part has anything to say.
        """
        crossed = cross_scores(self, left, right)
        known = np.outer(crossed.left_known, crossed.right_known)
        return np.where(known, crossed.scores, np.nan)

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return one joint score per pair, (n,); NaN where no part has anything to say."""
        scores, known = zip(*(pair_scores(part, left, right) for part in self.parts), strict=True)
        return np.where(np.any(known, axis=0), self.combine(scores), np.nan)

    def combine(self, scores: Sequence[Floats], /) -> Floats:
        """Add up the scores of the parts, all of one shape."""
        if self.weights == "learnt":
            raise UnsuitableModelError(
                f"{model_spec(self)}: weights are learned on labeled data, and there are none here",
                hint="use weights=standardised, or two numbers",
            )
        weights = self.numbers
        if self.weights == "standardised":
            weights = weights / np.array([float(each.std()) or 1.0 for each in scores])
        total: Floats = np.zeros_like(scores[0])
        # One by one: a product of matrices may round equal sums differently, and they have to tie.
        for weight, each in zip(weights, scores, strict=True):
            total = total + weight * each
        return total

    @property
    def numbers(self) -> Floats:
        """The weight of each part, (parts,)."""
        if self.weights in _NAMED:
            return np.ones(len(self.parts))
        return np.array([float(each) for each in self.weights.split(",")])


def _part(model: object) -> object:
    opened = load(model)
    if not isinstance(opened, CrossModel | TextModel | PairModel):
        raise InputError(
            f"a hybrid adds up scores of pairs, and {model_spec(opened)} gives none",
            hint=f"compose its words: 'mean({model_spec(opened)})'",
        )
    return opened


def _check_numbers(weights: str, count: int) -> None:
    try:
        numbers = [float(each) for each in weights.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count or not np.isfinite(numbers).all():
        raise InputError(
            f"expected weights to be {', '.join(_NAMED)} or {count} numbers separated by commas, "
            f"got {weights!r}",
            hint='hybrid(overlap, usem3, weights="0.3,0.7")',
        )
