"""A term: a word or a phrase whose uses are looked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from lydite.corpora.preparation import Preparation
from lydite.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Term:
    """A word or a phrase, as a reader knows it and as it stands in the sentences of a corpus."""

    text: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Terms from one source.

    Attributes
    ----------
    terms
        The terms, no two with the same tokens.
    problems
        How many were left out, by reason.
    notes
        What a reader of the results should know.
    """

    source: str
    terms: tuple[Term, ...]
    problems: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def gather_terms(
    texts: Iterable[str],
    *,
    source: str,
    preparation: Preparation | None = None,
    notes: Sequence[str] = (),
) -> Terms:
    """Cut texts into tokens as a corpus is cut; of those with the same tokens the first stays.

    >>> gather_terms(["Naive realism", "naive  realism", "?"], source="me").problems
    {'given twice': 1, 'no token is left of it': 1}
    """
    cut = (preparation or Preparation()).tokens
    kept: dict[tuple[str, ...], Term] = {}
    problems = {"given twice": 0, "no token is left of it": 0}
    for text in texts:
        tokens = cut(text)
        if not tokens:
            problems["no token is left of it"] += 1
        elif tokens in kept:
            problems["given twice"] += 1
        else:
            kept[tokens] = Term(text=" ".join(text.split()), tokens=tokens)
    return Terms(
        source=source,
        terms=tuple(kept.values()),
        problems={reason: count for reason, count in problems.items() if count},
        notes=tuple(notes),
    )


def split_terms(
    terms: Sequence[Term], *, train: float = 0.7, seed: int = 0
) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """Divide terms at random into those to tune on and those to test on.

    Parameters
    ----------
    train
        The share of the first part, rounded to whole terms; both parts keep the order.

    References
    ----------
    Bloem et al., "Evaluating the Consistency of Word Embeddings from Small Data", RANLP 2019,
    section 4: 224 terms become 157 and 67.

    Examples
    --------
    >>> terms = [Term(text=text, tokens=(text,)) for text in "abcdefghij"]
    >>> [len(part) for part in split_terms(terms)]
    [7, 3]
    """
    if not 0 < train < 1:
        raise InputError(f"expected a share between 0 and 1 for training terms, got {train}")
    drawn = np.random.default_rng(seed).permutation(len(terms))[: round(train * len(terms))]
    chosen = set(drawn.tolist())
    first = tuple(term for number, term in enumerate(terms) if number in chosen)
    return first, tuple(term for number, term in enumerate(terms) if number not in chosen)
