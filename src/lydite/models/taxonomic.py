"""Similarity by the places of concepts in a taxonomy: no vectors, only what lies above both.

Terms are words, identifiers of concepts (``dog.n.01``) or keys of senses (``dog%1:05:00::``). A
word stands for all its senses, and two words are as similar as their two most similar senses. A
pair is NaN where a term is unknown, or where no two senses are of one part of speech. All scores
are symmetric, and finite where they are not NaN.

Information content is infinite where the corpus has never met a concept. Such a concept is no use
as a common subsumer, and what is said of it by ``lin`` and ``jiang-conrath`` is NaN, but for its
likeness to itself. Concepts without a common subsumer share what a root above all roots would tell,
an information content of 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.declare import Field, Param, State
from lydite.errors import InputError
from lydite.lexicons.information_content import InformationContent
from lydite.lexicons.meanings import meanings, of_part_of_speech, parts_of_speech
from lydite.lexicons.taxonomy import Closure, Lists, Taxonomy, closure
from lydite.lexicons.taxonomy_files import open_taxonomy
from lydite.models.catalogue import Model
from lydite.resources.catalogue import locate
from lydite.resources.lexicons import open_information_content
from lydite.storage import sha256_text
from lydite.types import Floats, Indices, Mask

#: The highest score of Jiang & Conrath, for a distance of 0 or near it. One occurrence more makes a
#: larger distance in any corpus of fewer than 10^9 words.
_MOST = 1e9

#: How many pairs of senses are compared at once.
_BLOCK = 1 << 16

InTaxonomy: TypeAlias = Annotated[
    Taxonomy, Param("Where concepts are looked for: the name of a resource or a path.")
]
ByRelation: TypeAlias = Annotated[
    str,
    Param("What is above what: ``hypernymy``, ``meronymy`` or a kind of edge of the taxonomy."),
]
OfPartOfSpeech: TypeAlias = Annotated[
    str | None,
    Param(
        "Which senses of words: ``n``, ``v``, ``a``, ``r``, or none for all. Taxonomies without "
        "parts of speech are taken whole."
    ),
]


class TaxonomicSimilarity(Model):
    """A pair model over a taxonomy."""

    taxonomy: Taxonomy
    relation: str
    pos: str | None

    @classmethod
    def open(cls, taxonomy: str, **parameters: Any) -> Self:  # noqa: ANN401
        """Read the taxonomy."""
        located = locate(taxonomy)
        opened = open_taxonomy(located.paths, name=located.name, sha256=located.sha256)
        made: Self = super().open(opened, **parameters)
        of_part_of_speech(opened, made.pos)
        _ = made._parents
        return made

    def spec_value(self, field: Field) -> Any:  # noqa: ANN401
        """Return what the spec says of a field; the taxonomy goes by its name."""
        return self.taxonomy.name if field.name == "taxonomy" else super().spec_value(field)

    @property
    def fingerprint(self) -> str:
        """The bytes of the taxonomy and of what else is known of its concepts."""
        return sha256_text(f"{self.taxonomy.fingerprint}\n")

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return one score per pair, (n,); NaN where the taxonomy has nothing to say."""
        if len(left) != len(right):
            raise InputError(f"expected pairs, got {len(left)} terms and {len(right)}")
        terms = {term: place for place, term in enumerate(dict.fromkeys([*left, *right]))}
        senses = meanings(self.taxonomy, list(terms), self.pos)
        table = closure(self._parents, senses.items)
        scores = np.full(len(left), np.nan)
        a = np.fromiter((terms[term] for term in left), np.int64, len(left))
        b = np.fromiter((terms[term] for term in right), np.int64, len(right))
        for pair, low, high in _crossed(senses, a, b):
            # Unlike the maximum, fmax passes over NaN.
            np.fmax.at(scores, pair, self._compared(low, high, table))
        return scores

    @cached_property
    def _parents(self) -> Lists:
        return self.taxonomy.upward(self.relation)

    @cached_property
    def _letters(self) -> NDArray[np.str_] | None:
        return parts_of_speech(self.taxonomy)

    def _compared(self, a: Indices, b: Indices, table: Closure) -> Floats:
        """Score concepts pair by pair."""
        found = self._measured(a, b, table)
        letters = self._letters
        return found if letters is None else np.where(letters[a] == letters[b], found, np.nan)

    def _measured(self, a: Indices, b: Indices, table: Closure) -> Floats:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class PathSimilarity(TaxonomicSimilarity):
    """Path: 1 / p, with p the number of concepts on the shortest way through one above both.

    Rada et al. (1989), as `path_similarity` of NLTK. p counts both ends, so that a concept and its
    parent have 1/2 and a concept and itself 1; with the number of edges for p the likeness of a
    concept to itself would not exist. The order of pairs is the same either way. Concepts with
    nothing above both have NaN: no root is made up.

    >>> from lydite.lexicons.taxonomy import TaxonomyBuilder
    >>> builder = TaxonomyBuilder(name="pets", sha256="")
    >>> for word in ("animal", "dog", "cat"):
    ...     builder.add_concept(word, [word])
    >>> builder.add_edge("is-a", "dog", "animal")
    >>> builder.add_edge("is-a", "cat", "animal")
    >>> model = PathSimilarity(builder.build())
    >>> model.score(["dog", "dog", "dog"], ["animal", "cat", "emu"]).round(2).tolist()
    [0.5, 0.33, nan]
    """

    name: ClassVar[str] = "path"

    taxonomy: InTaxonomy
    _: KW_ONLY
    relation: ByRelation = "hypernymy"
    pos: OfPartOfSpeech = "n"

    def _measured(self, a: Indices, b: Indices, table: Closure) -> Floats:
        return _path(a, b, table)


@dataclass(frozen=True, eq=False)
class InformedSimilarity(TaxonomicSimilarity):
    """A similarity by information content."""

    taxonomy: InTaxonomy
    _: KW_ONLY
    ic: Annotated[
        str,
        Param(
            "The information content: ``brown``, ``brown-resnik``, ``bnc`` or ``semcor``, for "
            "WordNet 3.0; ``intrinsic``, for any taxonomy; or the path of a file."
        ),
    ] = "brown"
    relation: ByRelation = "hypernymy"
    pos: OfPartOfSpeech = "n"
    content: Annotated[InformationContent | None, State] = None

    @classmethod
    def open(cls, taxonomy: str, **parameters: Any) -> Self:  # noqa: ANN401
        """Read the taxonomy and the information content of its concepts."""
        made = super().open(taxonomy, **parameters)
        content = open_information_content(made.ic, made.taxonomy, relation=made.relation)
        return replace(made, content=content)

    @property
    def fingerprint(self) -> str:
        """The bytes of the taxonomy and of the information content."""
        content = "" if self.content is None else self.content.fingerprint
        return sha256_text(f"{self.taxonomy.fingerprint}\n{content}")

    def _measured(self, a: Indices, b: Indices, table: Closure) -> Floats:
        if self.content is None:
            raise InputError(f"{self.name} needs information content, got none")
        values = self.content.values
        shared = _shared_content(a, b, table, values)
        first, second = values[a], values[b]
        known = np.isfinite(first) & np.isfinite(second)
        total = np.where(known, first + second, np.nan)
        # What the corpus has never met is still like itself.
        itself = (a == b) & ~np.isnan(first)
        return self._informed(shared, total, itself)

    def _informed(self, shared: Floats, total: Floats, itself: Mask) -> Floats:
        """Score pairs by what both share, by what both say, and by whether they are the same."""
        raise NotImplementedError


class ResnikSimilarity(InformedSimilarity):
    """Resnik's similarity: the information content of what is most informative above both.

    sim(a, b) = max IC(c) over all c above both (Resnik 1995); 0 if there is none. A c that the
    corpus has never met is left out.
    """

    name: ClassVar[str] = "resnik"

    def _informed(self, shared: Floats, total: Floats, itself: Mask) -> Floats:
        return shared


class LinSimilarity(InformedSimilarity):
    """Lin's similarity: 2 IC(c) / (IC(a) + IC(b)), with c as for `resnik` (Lin 1998).

    From 0 to 1, and 1 for a concept and itself.
    """

    name: ClassVar[str] = "lin"

    def _informed(self, shared: Floats, total: Floats, itself: Mask) -> Floats:
        # Two concepts that both say nothing, as all there is lies below each, do not differ.
        same = itself | (total == 0)
        return np.where(same, 1.0, 2 * shared / np.where(same, 1.0, total))


class JiangConrathSimilarity(InformedSimilarity):
    """Jiang & Conrath (1997): 1 / (IC(a) + IC(b) - 2 IC(c)), with c as for `resnik`.

    A distance of 0, such as that of a concept to itself, gives 10^9, the highest score; NLTK has
    10^300 there, with which no mean can be taken. NLTK gives 0 to all pairs with the root, which
    here follow the formula.
    """

    name: ClassVar[str] = "jiang-conrath"

    def _informed(self, shared: Floats, total: Floats, itself: Mask) -> Floats:
        distance = np.where(itself, 0.0, total - 2 * shared)
        near = distance < 1 / _MOST
        return np.where(near, _MOST, 1 / np.where(near, 1.0, distance))


def _crossed(
    senses: Lists, left: Indices, right: Indices
) -> Iterator[tuple[Indices, Indices, Indices]]:
    """Yield, in blocks, each pair with each sense of its left and of its right term."""
    products = senses.lengths[left] * senses.lengths[right]
    block = np.cumsum(products) // _BLOCK
    for pairs in np.split(np.arange(len(left)), np.flatnonzero(np.diff(block)) + 1):
        at, low = senses.of_all(left[pairs])
        again, high = senses.of_all(right[pairs][at])
        yield pairs[at[again]], low[again], high


def _common(a: Indices, b: Indices, table: Closure) -> tuple[Indices, Indices, Indices]:
    """Return the rows of all above each a, how far above b they stand (-1 if not), and starts."""
    whose, rows = table.rows_of(a)
    far = table.distances(b[whose], table.ancestor[rows])
    return rows, far, np.searchsorted(whose, np.arange(len(a)))


def _path(a: Indices, b: Indices, table: Closure) -> Floats:
    if not len(a):
        return np.empty(0)
    rows, far, starts = _common(a, b, table)
    edges = np.where(far >= 0, table.distance[rows] + far, np.inf)
    shortest = np.minimum.reduceat(edges, starts)
    return np.where(np.isfinite(shortest), 1 / (shortest + 1), np.nan)


def _shared_content(a: Indices, b: Indices, table: Closure, values: Floats) -> Floats:
    """Return the highest finite information content above both; 0 where nothing is above both."""
    if not len(a):
        return np.empty(0)
    rows, far, starts = _common(a, b, table)
    above = values[table.ancestor[rows]]
    usable = (far >= 0) & np.isfinite(above)
    most = np.maximum.reduceat(np.where(usable, above, -np.inf), starts)
    apart = ~np.logical_or.reduceat(far >= 0, starts)
    apart &= ~np.isnan(values[a]) & ~np.isnan(values[b])
    return np.where(np.isfinite(most), most, np.where(apart, 0.0, np.nan))
