"""Triples of head, relation and dependent, counted over a parsed corpus.

The corpus is read once: the numbers of all triples go to a file while lemmas are counted, for
which lemmas are the most frequent is known only in the end. The file is then cut by heads into
pieces that fit into memory, each of which is sorted by itself; so the triples come out in order.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray

from lydite.errors import InputError
from lydite.files.arrays import working_folder
from lydite.progress import current_progress
from lydite.spaces.vocabulary import Vocabulary
from lydite.trained.parsed.blocks import ParsedBlock
from lydite.trained.parsed.load import ParsedCorpus
from lydite.types import Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class Triples:
    """The triples of a corpus, each once, sorted by head, relation and dependent."""

    #: n lemmas, the most frequent first, of equally frequent ones in the order of the alphabet.
    lemmas: Vocabulary
    lemma_counts: Indices
    relations: tuple[str, ...]  # r names, those with the most triples first
    #: ``heads``, ``kinds``, ``dependents`` (m,): numbers of lemma, relation and lemma.
    heads: NDArray[np.int32]
    kinds: NDArray[np.int32]
    dependents: NDArray[np.int32]
    counts: Indices
    tokens: int
    fingerprint: str

    def __len__(self) -> int:
        return len(self.counts)


#: Bytes that sorting may take beside lemmas and result.
MEMORY: Final = 1 << 29

#: Keys of a piece, their order and a copy.
_BYTES_A_KEY = 32
_CHUNK = 1 << 20
#: Files that are open together.
_MOST_PIECES = 256


def count_triples(
    corpus: ParsedCorpus, *, lemmas: int = 30_000, minimum: int = 1, memory: int = MEMORY
) -> Triples:
    r"""Count how often which lemma depends on which by which relation.

    They depend neither on the order of the sentences nor on the memory.

    - ``lemmas``: how many of the most frequent lemmas to keep, among those with a letter or digit;
      triples with another are left out.
    - ``memory``: bytes to keep to, beside the different lemmas and the result.

    >>> import tempfile
    >>> from lydite.trained.parsed.load import open_parsed
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "two.conllu"
    ...     dogs = "1 Dogs dog NOUN _ _ 2 nsubj _ _\n2 bark bark VERB _ _ 0 root _ _\n\n"
    ...     _ = path.write_text(2 * dogs.replace(" ", "\t"))
    ...     found = count_triples(open_parsed([path]))
    >>> found.lemmas[found.heads[0]], found.relations[0], found.counts.tolist()
    ('bark', 'nsubj', [2])
    """
    if lemmas < 1 or minimum < 1:
        raise InputError(f"expected a lemma and a count of 1 or more, got {lemmas} and {minimum}")
    work = working_folder(None)
    try:
        with (work / "edges").open("wb") as stream:
            met = _Met(stream)
            for block in corpus.blocks():
                met.add(block)
        rows, vocabulary, counts = met.frequent(lemmas)
        relations, order = met.named()
        space = _Keys(lemmas=len(vocabulary), relations=len(relations))
        keys, found = _sorted_counts(work, rows, order, space, minimum, memory)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    heads, kinds, dependents = space.parts(keys)
    return Triples(
        lemmas=vocabulary,
        lemma_counts=counts,
        relations=relations,
        heads=heads,
        kinds=kinds,
        dependents=dependents,
        counts=found,
        tokens=met.tokens,
        fingerprint=corpus.fingerprint,
    )


@dataclass(frozen=True, kw_only=True)
class _Keys:
    """Triples as single numbers, whose order is that of head, relation, dependent."""

    lemmas: int
    relations: int

    def of(self, heads: Indices, kinds: Indices, dependents: Indices) -> Indices:
        return (heads * self.relations + kinds) * self.lemmas + dependents

    def parts(
        self, keys: Indices
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        rest, dependents = np.divmod(keys, self.lemmas)
        heads, kinds = np.divmod(rest, max(1, self.relations))
        return heads.astype(np.int32), kinds.astype(np.int32), dependents.astype(np.int32)


@dataclass(eq=False)
class _Met:
    """Lemmas and relations met so far, and a file of triples of their numbers."""

    stream: IO[bytes]
    lemmas: dict[str, int] = field(default_factory=dict)
    relations: dict[str, int] = field(default_factory=dict)
    counts: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    uses: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    tokens: int = 0

    def add(self, block: ParsedBlock) -> None:
        words = _numbers(self.lemmas, block.lemmas)
        kinds = _numbers(self.relations, block.relations)
        self.counts = _added(self.counts, len(self.lemmas), words, block.tokens)
        self.uses = _added(self.uses, len(self.relations), kinds, block.edges[:, 1])
        edges = np.empty(block.edges.shape, dtype=np.int32)
        edges[:, 0] = words[block.tokens[block.edges[:, 0]]]
        edges[:, 1] = kinds[block.edges[:, 1]]
        edges[:, 2] = words[block.tokens[block.edges[:, 2]]]
        self.stream.write(edges.data)
        self.tokens += len(block.tokens)

    def frequent(self, limit: int) -> tuple[Indices, Vocabulary, Indices]:
        """Return the row of each lemma, -1 if it has none, and the lemmas with their counts."""
        wordlike = [lemma for lemma in self.lemmas if any(map(str.isalnum, lemma))]
        kept = sorted(wordlike, key=lambda lemma: (-self.counts[self.lemmas[lemma]], lemma))
        kept = kept[:limit]
        if not kept:
            raise InputError(
                f"expected lemmas with a letter or digit, got none in {self.tokens} tokens",
                hint="check that this is the corpus you mean",
            )
        numbers = np.array([self.lemmas[lemma] for lemma in kept], dtype=np.int64)
        rows = np.full(len(self.lemmas), -1, dtype=np.int64)
        rows[numbers] = np.arange(len(kept))
        return rows, Vocabulary.of(kept), self.counts[numbers]

    def named(self) -> tuple[tuple[str, ...], Indices]:
        """Return the relations, the most frequent first, and the new number of each."""
        kept = sorted(self.relations, key=lambda name: (-self.uses[self.relations[name]], name))
        order = np.empty(len(kept), dtype=np.int64)
        order[[self.relations[name] for name in kept]] = np.arange(len(kept))
        return tuple(kept), order


def _numbers(known: dict[str, int], words: tuple[str, ...]) -> Indices:
    return np.array([known.setdefault(word, len(known)) for word in words], dtype=np.int64)


def _added(totals: Indices, length: int, numbers: Indices, places: Indices) -> Indices:
    """Return longer totals, raised by how often each number of a block is used in it."""
    if length > len(totals):
        # Twice as long, so that not every block makes a copy.
        longer = np.zeros(2 * length, dtype=np.int64)
        longer[: len(totals)] = totals
        totals = longer
    totals[numbers] += np.bincount(places, minlength=len(numbers))
    return totals


def _chunks(
    path: Path, rows: Indices, order: Indices
) -> Iterator[tuple[Indices, Indices, Indices]]:
    """Yield heads, relations and dependents of the triples whose lemmas both have a row."""
    done, total = 0, path.stat().st_size
    with path.open("rb") as stream:
        while read := stream.read(12 * _CHUNK):
            edges = np.frombuffer(read, dtype=np.int32).reshape(-1, 3)
            heads, dependents = rows[edges[:, 0]], rows[edges[:, 2]]
            kept = np.flatnonzero((heads >= 0) & (dependents >= 0))
            yield heads[kept], order[edges[kept, 1]], dependents[kept]
            done += len(read)
            current_progress()("counting triples", done, total)


def _sorted_counts(
    work: Path, rows: Indices, order: Indices, space: _Keys, minimum: int, memory: int
) -> tuple[Indices, Indices]:
    """Return the keys of all triples in order, and how often each stands in the corpus."""
    sizes = np.zeros(space.lemmas, dtype=np.int64)
    for heads, _, _ in _chunks(work / "edges", rows, order):
        sizes += np.bincount(heads, minlength=space.lemmas)
    ends = np.cumsum(sizes)
    most = max(memory // _BYTES_A_KEY, int(ends[-1]) // _MOST_PIECES + 1)
    # No head is divided: it is in the piece where its last triple would be.
    pieces = np.maximum(ends - 1, 0) // most
    count = int(pieces[-1]) + 1
    files = [(work / f"piece-{number}").open("wb") for number in range(count)]
    try:
        for heads, kinds, dependents in _chunks(work / "edges", rows, order):
            keys = space.of(heads, kinds, dependents)
            for number in np.unique(pieces[heads]).tolist():
                files[number].write(keys[pieces[heads] == number].data)
    finally:
        for file in files:
            file.close()
    found = [_counted(work / f"piece-{number}", minimum) for number in range(count)]
    return np.concatenate([k for k, _ in found]), np.concatenate([c for _, c in found])


def _counted(path: Path, minimum: int) -> tuple[Indices, Indices]:
    keys, counts = np.unique(np.fromfile(path, dtype=np.int64), return_counts=True)
    kept = counts >= minimum
    return keys[kept], counts[kept]
