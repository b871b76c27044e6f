"""Sparse vectors of texts from those of their words, and their cosines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lydite.models.composing import Compose
from lydite.models.thater.second_order import Entries
from lydite.types import Floats, Indices

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def composed(words: Entries, texts: Indices, compose: Compose) -> Entries:
    """Compose the vectors of words into those of texts.

    Words first get a length of their own: that of a second-order vector grows with the square of
    how often the word was met, and in context with its cube, so that one word would be all of a
    sentence.

    - ``add``: ``Σ v / |v|``.
    - ``multiply``: ``Π (1 + v / mean(v)) - 1``, with the mean of the components that are there. Two
      words hardly have a dimension in common that a third has too, and words on two sides of a
      relation have none, so the product itself is 0 everywhere. With 1 added to each factor a word
      without a dimension leaves it as it is, and one that no word has stays 0; dimensions that
      words share count the more.

    Parameters
    ----------
    words
        Whose owners are tokens, each dimension of a token once; values above 0.
    texts
        Shape (t,): the text of each token.
    compose
        ``add`` or ``multiply``.

    Returns
    -------
    Entries whose owners are texts, up to a factor a text.

    Examples
    --------
    Two words of one text share the second of three dimensions.

    >>> owners, dimensions = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])
    >>> words = Entries(owners=owners, dimensions=dimensions, values=np.array([3.0, 4, 8, 6]))
    >>> composed(words, np.array([0, 0]), "add").values.round(2).tolist()
    [0.6, 1.6, 0.6]
    """
    if compose == "add":
        lengths = np.sqrt(np.bincount(words.owners, words.values**2))
        return _over_texts(words, texts, words.values / lengths[words.owners])
    sums = np.bincount(words.owners, words.values)
    counts = np.bincount(words.owners)
    scaled = words.values * counts[words.owners] / sums[words.owners]
    found = _over_texts(words, texts, np.log1p(scaled))
    largest = np.zeros(int(found.owners.max(initial=0)) + 1)
    np.maximum.at(largest, found.owners, found.values)
    top = largest[found.owners]
    return Entries(
        owners=found.owners,
        dimensions=found.dimensions,
        # (e^u - 1) / e^top, which does not overflow.
        values=np.exp(found.values - top) - np.exp(-top),
    )


def _over_texts(words: Entries, texts: Indices, values: Floats) -> Entries:
    return Entries(owners=texts[words.owners], dimensions=words.dimensions, values=values).summed()


def unit_rows(entries: Entries, count: int) -> csr_array[np.float64]:
    """Return vectors of length 1, (count, d), over those d dimensions that any of them has.

    Parameters
    ----------
    entries
        Each owner and dimension once, sorted by owners.
    count
        How many rows; those without an entry are 0.
    """
    from scipy.sparse import csr_array

    dimensions, columns = np.unique(entries.dimensions, return_inverse=True)
    lengths = np.sqrt(np.bincount(entries.owners, entries.values**2, minlength=count))
    values = entries.values / lengths[entries.owners]
    return csr_array((values, (entries.owners, columns)), shape=(count, max(1, len(dimensions))))
