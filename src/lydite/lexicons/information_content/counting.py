"""Information content: how much is said by naming a concept.

IC(c) = -ln p(c), where p(c) is how often the concept or one below it is meant, as a share of its
part of speech (Resnik 1995). It comes from a file, from the counts of a corpus, or from the shape
of the taxonomy alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from lydite.lexicons.taxonomies.graph import closure, numbers_below
from lydite.lexicons.taxonomies.meanings import parts_of_speech, word_senses
from lydite.lexicons.taxonomies.taxonomy import Taxonomy
from lydite.storage import sha256_text
from lydite.types import Floats, Indices

Counting: TypeAlias = Literal["resnik", "all"]


@dataclass(frozen=True, kw_only=True, eq=False)
class InformationContent:
    """How much each concept of a taxonomy says.

    Attributes
    ----------
    name
        Where it came from.
    fingerprint
        The sha256 of the content it was read or computed from.
    counts
        Shape (n,): how often each concept or one below it was met; NaN where the source does not
        tell.
    values
        Shape (n,), natural logarithms. Infinite where the source knows the concept but has never
        met it (count 0); NaN where the source does not know the concept.
    """

    name: str
    fingerprint: str
    counts: Floats
    values: Floats


def intrinsic(taxonomy: Taxonomy, *, relation: str = "hypernymy") -> InformationContent:
    """Compute information content from the shape of the taxonomy: what has much below says little.

    IC(c) = 1 - ln(h(c) + 1) / ln N, with h(c) the number of concepts below c and N that of all
    concepts of its part of speech: 0 for a single root, 1 for leaves. Not on the scale of
    information content from a corpus.

    References
    ----------
    Seco, Veale & Hayes, "An intrinsic information content metric for semantic similarity in
    WordNet", ECAI 2004.
    """
    below = numbers_below(taxonomy.upward(relation), np.arange(len(taxonomy)))
    group, groups = _groups(taxonomy)
    sizes = np.bincount(group, minlength=groups)[group]
    # A concept alone is root and leaf; as the root of all there is it says nothing.
    values = np.where(sizes > 1, 1 - np.log(below + 1) / np.log(np.maximum(sizes, 2)), 0.0)
    return InformationContent(
        name="intrinsic",
        fingerprint=sha256_text(f"{taxonomy.fingerprint} {relation} intrinsic"),
        counts=np.full(len(taxonomy), np.nan),
        values=values,
    )


def own_counts(taxonomy: Taxonomy, words: list[str], numbers: Floats, counting: Counting) -> Floats:
    """Return how often each concept itself was met, those below it left aside.

    Each part of speech is a taxonomy of its own: a word counts among its senses of every part of
    speech it has. ``resnik`` divides its count equally among them, ``all`` gives each the whole.
    Words that the taxonomy does not have are ignored; WordNet is asked for their base forms.

    References
    ----------
    Resnik, "Using information content to evaluate semantic similarity in a taxonomy", IJCAI 1995.
    """
    group, groups = _groups(taxonomy)
    whose, senses = word_senses(taxonomy, words)
    keys = whose * groups + group[senses]
    shares = numbers[whose]
    if counting == "resnik":
        shares = shares / np.bincount(keys, minlength=1)[keys]
    return sums(senses, shares, len(taxonomy))


def collect(taxonomy: Taxonomy, own: Floats, relation: str) -> tuple[Floats, Floats]:
    """Return the counts of concepts with all that lies below, and the information content.

    All ancestors of a sense collect its count, once, by however many ways they are reached.

    Examples
    --------
    >>> from lydite.lexicons.taxonomies.building import TaxonomyBuilder
    >>> builder = TaxonomyBuilder(name="pets", sha256="")
    >>> for word in ("animal", "dog", "cat"):
    ...     builder.add_concept(word, [word])
    >>> builder.add_edge("is-a", "dog", "animal")
    >>> builder.add_edge("is-a", "cat", "animal")
    >>> pets = builder.build()
    >>> own = own_counts(pets, ["dog", "cat"], np.array([3.0, 1.0]), "resnik")
    >>> counts, values = collect(pets, own, "hypernymy")
    >>> counts.tolist(), values.round(3).tolist()
    ([4.0, 3.0, 1.0], [0.0, 0.288, 1.386])
    """
    met = np.flatnonzero(own)
    table = closure(taxonomy.upward(relation), met)
    counts = sums(table.ancestor, own[table.concept], len(taxonomy))
    group, groups = _groups(taxonomy)
    totals = sums(group, own, groups)[group]
    return counts, negative_log(counts, totals)


def sums(places: Indices, numbers: Floats, count: int) -> Floats:
    """Add up numbers by place, of which there are ``count``."""
    return np.asarray(np.bincount(places, weights=numbers, minlength=count), dtype=np.float64)


def negative_log(counts: Floats, totals: Floats) -> Floats:
    """Return -ln(count / total), infinite for a count of 0, NaN where the total is 0 too."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = -np.log(counts / totals)
    # A sum in another order may exceed its total by a rounding error, and there is no minus 0.
    return np.where(np.abs(values) < 1e-12, 0.0, values)


def _groups(taxonomy: Taxonomy) -> tuple[Indices, int]:
    """Return the number of each concept's part of speech, and how many there are."""
    letters = parts_of_speech(taxonomy)
    if letters is None:
        return np.zeros(len(taxonomy), dtype=np.int64), 1
    different, group = np.unique(letters, return_inverse=True)
    return group.astype(np.int64), len(different)
