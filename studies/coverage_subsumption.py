"""Simulated coverage of the intervals of subsumption, whose triples share words A and words C.

Who shares what is taken from real inventories (the starter taxonomy, BLESS with WordNet, a sample
of WordNet's nouns), whole or of a few words A, and from made ones. Whether a triple keeps a
condition is a threshold of a normal variable, of which words A, words C and pairs of both bring a
share of the variance: none of them, A, C, or both; the share that is kept is .5 to .97.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtri

from lydite.errors import ResourceError
from lydite.evaluations.subsumption.evaluation import Subsumption
from lydite.resources.catalogue import locate
from lydite.stats.crossed import crossed_interval
from lydite.types import Indices
from studies.coverage import Cell

_KEPT = (0.5, 0.7, 0.9, 0.97)
#: Variance of words A, of words C, and of their pairs.
_SHARES = ((0.0, 0.0, 0.0), (0.3, 0.0, 0.1), (0.0, 0.3, 0.1), (0.2, 0.2, 0.1), (0.1, 0.5, 0.1))

Sharing = tuple[Indices, Indices]


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage for each way of sharing, over all shares kept and variances."""
    generator = np.random.default_rng(seed)
    found = []
    for name, (a, c) in _sharings(generator):
        held = [
            _coverage(generator, a, c, kept, shares, samples)
            for kept in _KEPT
            for shares in _SHARES
        ]
        found.append(
            Cell(
                evaluation="subsumption",
                interval="share of triples, crossed",
                setting=name,
                size=f"{len(a):,} triples, {len(np.unique(a)):,} A, {len(np.unique(c)):,} C",
                coverage=round(float(np.mean(held)), 4),
                worst=round(min(held), 4),
                samples=samples * len(held),
            )
        )
    return found


def _sharings(generator: np.random.Generator) -> Iterator[tuple[str, Sharing]]:
    for words_a, words_c, each in ((3, 2, 3), (5, 3, 4), (10, 5, 4), (20, 10, 4), (100, 30, 5)):
        yield "made", _made(generator, words_a, words_c, each)
    for name, resources, choices, few in (
        ("starter taxonomy", ["starter-taxonomy"], {}, (8, 20, None)),
        ("BLESS", ["wordnet-3.0", "bless"], {"min_count": 5000}, (4, 10, 40, None)),
        ("WordNet", ["wordnet-3.0"], {"sample": 2000}, (None,)),
    ):
        try:
            places = [locate(each) for each in resources]
        except ResourceError:  # data that not everybody has
            continue
        made = Subsumption(**choices).inventory(places)  # type: ignore[arg-type]
        a, c = (np.unique(words, return_inverse=True)[1] for words in (made.a, made.c))
        for count in few:
            chosen = np.arange(len(a))
            if count is not None:
                chosen = np.flatnonzero(np.isin(a, generator.permutation(a.max())[:count]))
            yield name, (a[chosen], c[chosen])


def _made(generator: np.random.Generator, words_a: int, words_c: int, each: int) -> Sharing:
    """Give every A some triples; some C are in many, as a taxonomy's general words are."""
    a = np.repeat(np.arange(words_a), generator.integers(1, 2 * each, words_a))
    often = 1 / np.arange(1, words_c + 1)
    return a, generator.choice(words_c, len(a), p=often / often.sum())


def _coverage(
    generator: np.random.Generator,
    a: Indices,
    c: Indices,
    kept: float,
    shares: tuple[float, float, float],
    samples: int,
) -> float:
    groups = [np.unique(each, return_inverse=True)[1] for each in (a, c, a * (c.max() + 1) + c)]
    held = tried = 0
    while tried < samples:
        lean = np.sqrt(1 - sum(shares)) * generator.normal(size=len(a))
        for share, codes in zip(shares, groups, strict=True):
            lean += np.sqrt(share) * generator.normal(size=codes.max() + 1)[codes]
        interval = crossed_interval((lean < ndtri(kept)).astype(float), a, c)
        if interval is None:
            raise ValueError(f"no interval of {len(a)} triples")
        held += interval.low <= kept <= interval.high
        tried += 1
    return held / tried
