"""Which words a word is related to by which dependency, with weights, in memory and on disk.

For n lemmas and m related words of theirs, of 2r relations:

========= ============= ======================================================
letters   uint8         the lemmas in UTF-8, end to end
offsets   int64 (n + 1) where each begins in ``letters``
hashes    uint64 (n,)   of the lemmas, sorted
order     int32 (n,)    which lemma has each
starts    int64 (n + 1) where the row of each begins in the next two
columns   int64 (m,)    relation · n + other lemma, ascending in each row
values    float32 (m,)  weights
========= ============= ======================================================

``meta.json`` names the relations, and says how they were made, and from what.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from lydite.files.arrays import check_fit, opened_arrays, rows_fit, seal, words_fit, write_arrays
from lydite.spaces.vocabulary import VOCABULARY_ARRAYS, Vocabulary, bounds, spans
from lydite.storage import sha256_file, sha256_text
from lydite.trained.parsed.blocks import ParsedBlock
from lydite.trained.parsed.triples import Triples
from lydite.types import Floats, Indices, Mask, Plain, PlainMapping, Vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array


#: Ends the name of a relation that is read from dependent to head.
INVERSE: Final = "^-1"

#: What a folder holds of related words; the names of relations are among the facts beside them.
ARRAYS: Final[dict[str, Any]] = {
    **VOCABULARY_ARRAYS,
    "starts": np.int64,
    "columns": np.int64,
    "values": np.float32,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class RelatedWords:
    """For each word the words that it is related to, in compressed rows."""

    lemmas: Vocabulary
    #: 2r names: relations from head to dependent, then the same from dependent to head.
    relations: tuple[str, ...]
    starts: Indices  # (n + 1,): row i is ``starts[i]`` to ``starts[i + 1]`` of the other two
    columns: Indices  # ``relation · n + other word``, ascending in each row
    values: Vectors

    @cached_property
    def used(self) -> Indices:
        """The columns that any row has, (u,), ascending."""
        return np.unique(self.columns)

    @cached_property
    def matrix(self) -> csr_array[np.float32]:
        """All rows over the columns that are used, (n, u)."""
        from scipy.sparse import csr_array

        columns = np.searchsorted(self.used, self.columns)
        shape = (len(self.lemmas), max(1, len(self.used)))
        return csr_array((self.values, columns, self.starts), shape=shape)

    def by(self, words: Indices, kinds: Indices) -> csr_array[np.float32]:
        """Return what each word is related to by the relation beside it, (p, n)."""
        from scipy.sparse import csr_array

        count = len(self.lemmas)
        lengths = self.starts[words + 1] - self.starts[words]
        entries = spans(self.starts[words], lengths)
        owners = np.repeat(np.arange(len(words)), lengths)
        relation, others = np.divmod(self.columns[entries], count)
        kept = relation == kinds[owners]
        starts = bounds(np.bincount(owners[kept], minlength=len(words)))
        chosen = (self.values[entries[kept]], others[kept], starts)
        return csr_array(chosen, shape=(len(words), count))

    def relations_of(self, words: Indices) -> tuple[Indices, Indices]:
        """Return all pairs of one of the words and a relation that it has: places, relations."""
        lengths = self.starts[words + 1] - self.starts[words]
        owners = np.repeat(np.arange(len(words)), lengths)
        kinds = self.columns[spans(self.starts[words], lengths)] // len(self.lemmas)
        pairs = np.unique(owners * len(self.relations) + kinds)
        places, relations = np.divmod(pairs, max(1, len(self.relations)))
        return places, relations

    def has(self, words: Indices) -> Mask:
        """Return which words are related to any; -1 stands for an unknown one."""
        lengths = np.diff(self.starts, append=self.starts[-1:])
        return np.asarray((words >= 0) & (lengths[words] > 0), dtype=np.bool_)

    def joined(self, domain: RelatedWords) -> RelatedWords:
        """Return these rows, and those of another corpus for words that are empty here.

        Words and relations that only the other corpus has come after those of this one.
        """
        new = np.flatnonzero(self.lemmas.find(domain.lemmas) < 0)
        lemmas = Vocabulary.of([*self.lemmas, *(domain.lemmas[i] for i in new.tolist())])
        names = dict.fromkeys(_plain(self.relations) + _plain(domain.relations))
        relations = _directed(tuple(names))
        own = self._renumbered(lemmas, relations)
        other = domain._renumbered(lemmas, relations)
        lacking = ~np.isin(other[0], own[0])
        return _compressed(
            lemmas,
            relations,
            np.concatenate([own[0], other[0][lacking]]),
            np.concatenate([own[1], other[1][lacking]]),
            np.concatenate([own[2], other[2][lacking]]),
        )

    def _renumbered(
        self, lemmas: Vocabulary, relations: tuple[str, ...]
    ) -> tuple[Indices, Indices, Vectors]:
        """Return row, column and value of all entries, numbered by other lists of names."""
        words = lemmas.find(self.lemmas)
        numbers = {name: number for number, name in enumerate(relations)}
        kinds = np.array([numbers[name] for name in self.relations], dtype=np.int64)
        rows = np.repeat(words, np.diff(self.starts))
        kind, other = np.divmod(self.columns, max(1, len(self.lemmas)))
        return rows, kinds[kind] * len(lemmas) + words[other], self.values

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what is to be written into a folder."""
        return {
            **self.lemmas.arrays(),
            "starts": self.starts,
            "columns": self.columns,
            "values": self.values,
        }

    @classmethod
    def of_arrays(cls, arrays: dict[str, NDArray[Any]], relations: tuple[str, ...]) -> RelatedWords:
        """Return related words from the arrays of a folder."""
        return cls(
            lemmas=Vocabulary.of_arrays(arrays),
            relations=relations,
            starts=arrays["starts"],
            columns=arrays["columns"],
            values=arrays["values"],
        )


def related_words(triples: Triples, values: Floats) -> RelatedWords:
    """Turn weighted triples into rows, each into that of its head and that of its dependent.

    Triples with a weight of 0 or less are left out.
    """
    kept = np.flatnonzero(values > 0)
    heads, kinds, dependents = (
        part[kept].astype(np.int64) for part in (triples.heads, triples.kinds, triples.dependents)
    )
    count = len(triples.lemmas)
    inverse = (kinds + len(triples.relations)) * count + heads
    return _compressed(
        triples.lemmas,
        _directed(triples.relations),
        np.concatenate([heads, dependents]),
        np.concatenate([kinds * count + dependents, inverse]),
        np.tile(values[kept].astype(np.float32), 2),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Neighbours:
    """The dependencies of some texts as each of the two words sees them."""

    #: ``tokens``, ``kinds``, ``others`` (2e,): a place among the tokens of the block, the
    #: number of the relation from there, and the place of the other word. Relations that are not
    #: known are left out.
    tokens: Indices
    kinds: Indices
    others: Indices


def neighbours(block: ParsedBlock, relations: tuple[str, ...]) -> Neighbours:
    """Read each dependency from both its ends.

    ``relations`` are the names that relations are numbered by, as those of `RelatedWords`.
    """
    half = len(relations) // 2
    numbers = {name: number for number, name in enumerate(relations[:half])}
    known = np.array([numbers.get(name, -1) for name in block.relations], dtype=np.int64)
    heads, names, dependents = block.edges.T
    kinds = known[names] if len(known) else names
    kept = kinds >= 0
    heads, kinds, dependents = heads[kept], kinds[kept], dependents[kept]
    return Neighbours(
        tokens=np.concatenate([heads, dependents]),
        kinds=np.concatenate([kinds, kinds + half]),
        others=np.concatenate([dependents, heads]),
    )


def inverted(kinds: Indices, relations: tuple[str, ...]) -> Indices:
    """Return the numbers of the same relations, read from the other end.

    >>> inverted(np.array([0, 3]), ("nsubj", "dobj", "nsubj^-1", "dobj^-1")).tolist()
    [2, 1]
    """
    half = len(relations) // 2
    return np.where(kinds < half, kinds + half, kinds - half)


def _plain(relations: tuple[str, ...]) -> tuple[str, ...]:
    return relations[: len(relations) // 2]


def _directed(relations: tuple[str, ...]) -> tuple[str, ...]:
    return (*relations, *(f"{name}{INVERSE}" for name in relations))


def _compressed(
    lemmas: Vocabulary,
    relations: tuple[str, ...],
    rows: Indices,
    columns: Indices,
    values: Vectors,
) -> RelatedWords:
    order = np.lexsort((columns, rows))
    return RelatedWords(
        lemmas=lemmas,
        relations=relations,
        starts=bounds(np.bincount(rows, minlength=len(lemmas))),
        columns=columns[order],
        values=values[order],
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class RelatedFolder:
    """What a folder holds."""

    related: RelatedWords
    lemmas: str
    fingerprint: str
    provenance: PlainMapping


def write_related(
    related: RelatedWords, folder: Path, *, kind: str, lemmas: str, **facts: Plain
) -> None:
    """Write related words into a folder that is there, and seal it."""
    write_arrays(folder, related.arrays(), ARRAYS)
    sums = "\n".join(sha256_file(folder / name) for name in ARRAYS)
    relations = list(related.relations)
    about = {**facts, "kind": kind, "lemmas": lemmas, "relations": relations}
    seal(folder, ARRAYS, **about, sha256=sha256_text("\n".join((sums, *relations))))


def open_related(folder: Path, *, kind: str) -> RelatedFolder:
    """Map the related words of a folder."""
    hint = f"lydite train {kind} writes such folders"
    what = f"a trained {kind}"
    with opened_arrays(folder, ARRAYS, what=what, hint=hint, kind=kind) as (arrays, facts):
        check_fit(arrays, words_fit(arrays))
        related = RelatedWords.of_arrays(arrays, tuple(facts.pop("relations")))
        if len(related.relations) % 2:
            raise ValueError("expected each relation in both directions, got an odd number")
        # A column is a word of a relation.
        rows = len(related.lemmas)
        check_fit(arrays, rows_fit(arrays, rows=rows, width=rows * len(related.relations)))
        return RelatedFolder(
            related=related,
            lemmas=str(facts["lemmas"]),
            fingerprint=str(facts["sha256"]),
            provenance=facts,
        )
