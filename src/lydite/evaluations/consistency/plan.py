"""How much text a term takes: what is usual in a book, and what follows for each of its terms.

A term with few sentences says little of its own reliability, and the other words of the book say
what to expect. r of a word is taken for a draw from a gamma distribution, which is fitted to the
words of the book; what was measured of a term then moves it away from that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lydite.errors import InputError
from lydite.evaluations.consistency.reliability import EVEN, SHOWN, Blocks, Reliability
from lydite.types import Floats

#: Words with fewer blocks say too little of r to fit anything to.
FITTED_BLOCKS: Final = 8
#: With fewer words nothing is fitted, and what was usual in nine books is taken.
_LEAST_WORDS: Final = 20

#: The shares of words that are no better than those a plan tells of.
SHARES: Final = {
    "a good word (upper quarter)": 0.75,
    "a middling word": 0.5,
    "a poor word (lower quarter)": 0.25,
}
#: Sentences with a term per effective paragraph: the median of nine books, where it is 1.4 to 2.2.
SENTENCES: Final = 1.7

_GRID: Final = np.geomspace(1e-4, 0.95, 240)
_SHAPES: Final = np.geomspace(0.2, 8.0, 24)
_MEANS: Final = np.geomspace(0.002, 0.6, 48)


@dataclass(frozen=True, kw_only=True)
class Wished:
    """What text is planned for: reliabilities, half the width of an interval, r of paragraphs."""

    reliabilities: tuple[float, ...] = (0.5, 0.7, 0.8, 0.9)
    precision: float = 0.1
    of_paragraphs: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        told = {"--wish": self.reliabilities, "--precision": (self.precision,)}
        for option, values in {**told, "--r": self.of_paragraphs}.items():
            for value in values:
                if not 0 < value < 1:
                    raise InputError(
                        f"expected a number between 0 and 1 for {option}, got {value:g}",
                        hint=f"{option} {0.1 if option == '--precision' else 0.8:g}"
                        if option != "--r"
                        else "r of one paragraph is about 0.01 to 0.1 in philosophy",
                    )

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Wished:
        """Read the options of a command."""
        return cls(
            reliabilities=tuple(options.get("wish") or ()) or cls.reliabilities,
            precision=options.get("precision") or cls.precision,
            of_paragraphs=tuple(options.get("r") or ()),
        )


@dataclass(frozen=True, kw_only=True)
class Usual:
    """What r is usual in a text, and how r varies from sample to sample.

    The defaults are the means of nine books of English philosophy.
    """

    mean: float = 0.06
    shape: float = 1.2
    #: tr(C)² / tr(C²) of the noise C of blocks: in how many directions it is spread.
    directions: float = 14.0
    #: The share of noise along the direction of a term, d'Cd / tr(C) with |d| = 1.
    along: float = 0.08

    def variance(self, r: Floats, k: Floats) -> Floats:
        """Return the variance of an estimate of r from k effective blocks."""
        return np.asarray(2 / (k**2 * self.directions) + 4 * r * (1 - r) ** 2 * self.along / k)

    def shrunk(self, r: Floats, k: Floats) -> Floats:
        """Return the expected r of terms, given what was measured of them; NaN becomes the mean."""
        known = np.isfinite(r) & (k > 1)
        expected = np.full(len(r), self.mean)
        if known.any():
            weights = _likelihood(r[known], k[known], self) * _prior(self.shape, self.mean)
            totals = weights.sum(axis=1)
            # So far from everything that is usual, the measurement stands by itself.
            far = totals <= 0
            mean = weights @ _GRID / np.where(far, 1, totals)
            expected[known] = np.where(far, np.clip(r[known], _GRID[0], _GRID[-1]), mean)
        return expected

    def quantiles(self, shares: tuple[float, ...]) -> list[float]:
        """Return the r below which these shares of the words of the text lie."""
        prior = _prior(self.shape, self.mean)
        below = np.cumsum(prior)
        return [float(np.interp(share, below, _GRID)) for share in shares]


def usual_in(blocks: Blocks, found: Reliability) -> Usual:
    """Fit what is usual to the words of a text, by likelihood."""
    kept = found.known & (found.blocks >= FITTED_BLOCKS)
    if kept.sum() < _LEAST_WORDS:
        return Usual()
    directions, along = _noise(blocks, kept)
    start = Usual(directions=directions, along=along)
    likelihood = _likelihood(found.block[kept], found.effective[kept], start)
    pairs = [(shape, mean) for shape in _SHAPES.tolist() for mean in _MEANS.tolist()]
    priors = np.stack([_prior(shape, mean) for shape, mean in pairs])
    fit = np.log(np.maximum(likelihood @ priors.T, 1e-300)).sum(axis=0)
    shape, mean = pairs[int(np.argmax(fit))]
    return Usual(mean=mean, shape=shape, directions=directions, along=along)


def _prior(shape: float, mean: float) -> Floats:
    """Return the weights of a gamma distribution on the grid."""
    log = shape * np.log(_GRID) - shape * _GRID / mean  # the grid is even in log r
    weights = np.exp(log - log.max())
    return np.asarray(weights / weights.sum())


def _likelihood(r: Floats, k: Floats, usual: Usual) -> Floats:
    """Return how likely measured r, (n,), are at each r of the grid, (n, grid)."""
    variance = usual.variance(_GRID[None], k[:, None])
    return np.asarray(np.exp(-((r[:, None] - _GRID) ** 2) / (2 * variance)) / np.sqrt(variance))


def _noise(blocks: Blocks, kept: np.ndarray) -> tuple[float, float]:
    """Return in how many directions the noise of blocks is spread, and its share along terms."""
    sums = np.zeros((blocks.terms, blocks.sums.shape[1]))
    np.add.at(sums, blocks.term, blocks.sums)
    sentences = np.bincount(blocks.term, blocks.sentences, blocks.terms)
    means = sums / np.maximum(sentences, 1)[:, None]
    chosen = kept[blocks.term]
    rest = (blocks.sums - blocks.sentences[:, None] * means[blocks.term])[chosen]
    covariance = rest.T @ rest
    trace = float(np.trace(covariance))
    directions = trace**2 / float((covariance**2).sum())
    of_terms = means[kept]
    along = np.einsum("td,de,te->t", of_terms, covariance, of_terms)
    squares = np.maximum(np.einsum("td,td->t", of_terms, of_terms), 1e-300)
    return directions, float((along / squares).mean() / trace)


def blocks_for(r: Floats, wish: float = EVEN) -> Floats:
    """Return the effective blocks that two vectors of reliability ``wish`` take each.

    >>> blocks_for(np.array([0.2]), 0.5).round(6).tolist()
    [4.0]
    """
    return np.asarray(wish / (1 - wish) * (1 - r) / r)


def sentences_to_decide(expected: Floats, found: Reliability) -> Floats:
    """Return how many sentences in all would show consistency in about four of five cases."""
    share = SHOWN * blocks_for(expected) / np.minimum(found.effective, found.sentences)
    return np.asarray(found.sentences * share ** (1 / found.growth))


def precision(usual: Usual, r: Floats, k: Floats) -> Floats:
    """Return the standard error of R(k) to be expected at r."""
    slope = k / (1 + (k - 1) * r) ** 2
    return np.asarray(slope * np.sqrt(usual.variance(r, k)))


def blocks_for_precision(usual: Usual, r: float, wish: float) -> float:
    """Return from how many effective blocks on the standard error of R(k) is at most ``wish``.

    It rises before it falls: with hardly any text R is sure to be small.
    """
    k = np.geomspace(2, 1e6, 2000)
    wide = np.flatnonzero(precision(usual, np.full(len(k), r), k) > wish)
    return float(k[min(wide[-1] + 1, len(k) - 1)]) if len(wide) else float(k[0])


def needed_for(r: float, usual: Usual, wished: Wished) -> list[float]:
    """Return the effective blocks that each wish takes, then to be decided, then the precision.

    >>> wished = Wished(reliabilities=(0.5, 0.8))
    >>> [round(k, 6) for k in needed_for(0.2, Usual(), wished)[:3]]
    [4.0, 16.0, 16.0]
    """
    blocks = [float(blocks_for(np.array([r]), wish)[0]) for wish in (*wished.reliabilities, EVEN)]
    return [*blocks[:-1], SHOWN * blocks[-1], blocks_for_precision(usual, r, wished.precision / 2)]
