"""Keywords: what a text uses more often than the language at large."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from lydite.corpora.terms.term import Term, Terms
from lydite.errors import InputError
from lydite.types import Floats


class Background(Protocol):
    """How often words occur in the language at large."""

    @property
    def name(self) -> str: ...  # noqa: D102 - where the counts come from

    def counts(self, words: Sequence[str]) -> Floats:
        """Return how often each word occurs, (n,); 0 where it is unknown."""
        ...


@dataclass(frozen=True, kw_only=True)
class Keyness:
    """How the counts of a word in two texts are compared.

    Parameters
    ----------
    background_size
        Words of the corpus that the background's counts are of.
    prior
        Words that the prior is worth: how much evidence it takes to move from the frequency of
        both texts together.
    unknown_share
        The share of a word that the background does not know. Without any, no count in the text
        would be evidence enough.
    function_share
        Words with a larger share of the background are function words: neither keywords nor parts
        of one.
    """

    background_size: float = 1e9
    prior: float = 1000.0
    unknown_share: float = 1e-8
    function_share: float = 5e-4


def log_odds(
    counts: Floats, size: float, other: Floats, other_size: float, *, prior: float = 1000.0
) -> Floats:
    r"""Compare how often words occur in two texts.

    The log-odds ratio with an informative Dirichlet prior, in standard deviations:

    .. math::

        \hat\delta_w = \log\frac{y_w + \alpha_w}{n + \alpha_0 - y_w - \alpha_w}
                      - \log\frac{y'_w + \alpha_w}{n' + \alpha_0 - y'_w - \alpha_w},
        \qquad z_w = \hat\delta_w \Big/
            \sqrt{\frac{1}{y_w + \alpha_w} + \frac{1}{y'_w + \alpha_w}}

    where the prior :math:`\alpha_w` is ``prior`` times the share of the word in both texts.

    Parameters
    ----------
    counts, other
        Shape (n,): how often each word occurs in the text, and in the other.
    size, other_size
        Words of each text.
    prior
        :math:`\alpha_0`, in words.

    Returns
    -------
    Shape (n,): large where the first text has more of the word; 0 where neither has it.

    References
    ----------
    Monroe, Colaresi and Quinn, "Fightin' Words", Political Analysis 16(4), 2008.

    Examples
    --------
    >>> log_odds(np.array([10.0, 10.0]), 100, np.array([10.0, 1.0]), 100).round(2).tolist()
    [0.0, 0.86]
    """
    alpha = prior * (counts + other) / (size + other_size)
    first, second = counts + alpha, other + alpha
    used = alpha > 0
    first, second = np.where(used, first, 1.0), np.where(used, second, 1.0)
    delta = np.log(first / (size + prior - first)) - np.log(second / (other_size + prior - second))
    return np.asarray(np.where(used, delta / np.sqrt(1 / first + 1 / second), 0.0))


def keyword_terms(
    sentences: Iterable[Sequence[str]],
    background: Background,
    *,
    most: int = 100,
    least: int = 10,
    keyness: Keyness | None = None,
) -> Terms:
    """Take the words and pairs of words for terms that most set a text apart.

    Words are compared with the background by :func:`log_odds`. A background of single words does
    not know how often two stand together; at most as often as the rarer of the two, and that is
    taken.

    Parameters
    ----------
    sentences
        The tokens of each sentence.
    background
        How often words occur in the language at large.
    most
        How many terms to take.
    least
        What occurs less often in the text is no keyword.
    keyness
        How they are compared.

    Returns
    -------
    Terms, the most typical first.
    """
    how = keyness or Keyness()
    _check(most, least, how)
    counts, size = _counted(sentences)
    singles = [each for each in counts if len(each) == 1]
    known = dict(zip(singles, background.counts([word for (word,) in singles]), strict=True))
    limit = how.function_share * how.background_size
    candidates = [
        each
        for each, count in counts.items()
        if count >= least
        and all(word.replace("-", "").isalpha() and known[(word,)] <= limit for word in each)
    ]
    here = np.array([counts[each] for each in candidates], dtype=np.float64)
    rarest = np.array([min(known[(word,)] for word in each) for each in candidates])
    there = np.maximum(rarest, how.unknown_share * how.background_size)
    scores = log_odds(here, size, there, how.background_size, prior=how.prior)
    order = np.argsort(-scores, kind="stable")[:most].tolist()
    chosen = [candidates[place] for place in order if scores[place] > 0]
    if not chosen:
        raise InputError(
            f"no word that occurs {least} times or more is more frequent than in {background.name}",
            hint="ask for fewer uses, or give a list of terms",
        )
    return Terms(
        source=f"keywords against {background.name}",
        terms=tuple(Term(text=" ".join(each), tokens=each) for each in chosen),
        notes=(f"of {len(candidates)} words and pairs of words",),
    )


def _check(most: int, least: int, how: Keyness) -> None:
    numbers = {"terms": most, "uses": least, "words": how.background_size, "prior": how.prior}
    wrong = [f"{number:g} {what}" for what, number in numbers.items() if number <= 0]
    if wrong:
        raise InputError(f"expected more than 0 of everything, got {', '.join(wrong)}")


def _counted(sentences: Iterable[Sequence[str]]) -> tuple[Counter[tuple[str, ...]], int]:
    """Count words and pairs of neighbours."""
    counts: Counter[tuple[str, ...]] = Counter()
    size = 0
    for tokens in sentences:
        counts.update((token,) for token in tokens)
        counts.update(itertools.pairwise(tokens))
        size += len(tokens)
    return counts, size
