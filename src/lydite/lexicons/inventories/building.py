"""How an inventory is made: candidates from a taxonomy, through filters, each triple once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from lydite.errors import InputError
from lydite.lexicons.inventories.candidates import Candidates, Choices, Rows
from lydite.lexicons.inventories.inventory import Inventory, Step
from lydite.lexicons.inventories.word_pairs import WordPairs
from lydite.lexicons.taxonomies.graph import closure, depths, numbers_below
from lydite.lexicons.taxonomies.lists import Lists, distinct
from lydite.lexicons.taxonomies.senses import sense_names
from lydite.lexicons.taxonomies.taxonomy import Taxonomy
from lydite.spaces.vocabulary import Hashes, mix
from lydite.types import Floats, Indices, Mask

#: How often each of some words occurs.
Counting: TypeAlias = Callable[[list[str]], Floats]


def build_inventory(
    taxonomy: Taxonomy,
    pairs: WordPairs | None,
    choices: Choices,
    *,
    counting: Counting | None = None,
    information_content: Floats | None = None,
    seed: int = 0,
) -> Inventory:
    """Make the triples of a taxonomy that a model can be asked.

    Parameters
    ----------
    taxonomy
        Where B is looked for.
    pairs
        Pairs (A, C); None for all pairs of the taxonomy.
    choices
        What counts as a triple.
    counting
        Gives the counts that ``min_count`` is about.
    information_content
        Shape (n concepts,), what ``min_ic`` is about.
    seed
        Of the sample.

    Returns
    -------
    An inventory, which may be empty: its funnel tells at which step the last triple was lost.
    """
    return _Builder(taxonomy, choices, counting, information_content).build(pairs, seed)


class _Builder:
    def __init__(
        self,
        taxonomy: Taxonomy,
        choices: Choices,
        counting: Counting | None,
        information_content: Floats | None,
    ) -> None:
        if choices.min_count > 0 and counting is None:
            raise InputError("a minimum count needs word counts", hint="name some frequencies")
        if choices.min_ic > 0 and information_content is None:
            raise InputError("a minimum information content needs it", hint="name a source of it")
        self.taxonomy = taxonomy
        self.choices = choices
        self.counting = counting
        self.ic = information_content
        # A concept of many lemmas is one concept, known by the preferred one.
        own = replace(choices, lemmas="first") if choices.level == "sense" else choices
        self.candidates = Candidates(taxonomy, own)
        self.funnel: list[Step] = []
        self._counted = np.full(len(taxonomy.words), -1, dtype=np.int8)

    def build(self, pairs: WordPairs | None, seed: int) -> Inventory:
        """Find the candidates and filter them, block by block."""
        look = self.candidates
        blocks = look.of_whole(self._tell) if pairs is None else look.of_pairs(pairs, self._tell)
        left: dict[str, list[Hashes]] = {}
        reservoir = _Reservoir(self.choices, seed)
        for block in blocks:
            rows = block
            for name, rows in self._filtered(block):
                left.setdefault(name, []).append(distinct(rows.triples(self.choices.level)))
            reservoir.add(rows)
        for name, parts in left.items():
            self._tell(name, len(distinct(np.concatenate(parts))), "triples")
        drawn = reservoir.rows()
        if len(drawn) < self.funnel[-1].count:
            self._tell("drawn at random", len(drawn), "triples")
        return self._inventory(drawn, pairs)

    def _tell(self, name: str, count: int, unit: str) -> None:
        self.funnel.append(Step(name=name, count=count, unit=unit))

    def _filtered(self, rows: Rows) -> Iterator[tuple[str, Rows]]:
        """Yield what is left after each filter, with its name."""
        choices = self.choices
        if choices.level == "word":
            # A word between itself and another, by way of another sense, asks nothing.
            a, b, c = rows.words.T
            rows = rows[(a != b) & (b != c) & (a != c)]
        yield "triples", rows
        if choices.exclude:
            rows = rows[_in_all(~np.isin(rows.words, self._excluded()))]
            yield f"without {', '.join(choices.exclude)}", rows
        if self.counting is not None and choices.min_count > 0:
            rows = rows[_in_all(self._frequent(rows.words))]
            yield f"each word at least {choices.min_count:,g} times", rows
        if self.ic is not None and choices.min_ic > 0:
            rows = rows[_in_all(self.ic[rows.concepts] > choices.min_ic)]
            yield f"information content above {choices.min_ic:g}", rows

    def _excluded(self) -> Indices:
        unwanted = {" ".join(w.replace("_", " ").split()).casefold() for w in self.choices.exclude}
        return np.array([i for i, w in enumerate(self._folded) if w in unwanted], dtype=np.int64)

    @cached_property
    def _folded(self) -> list[str]:
        return [word.casefold() for word in self.taxonomy.words]

    def _frequent(self, words: Indices) -> Mask:
        """Tell which words are frequent enough; each is looked up once."""
        asked = distinct(words.ravel())
        asked = asked[self._counted[asked] < 0]
        if len(asked) and self.counting is not None:
            self._counted[asked] = self.counting(self._words(asked)) >= self.choices.min_count
        return np.asarray(self._counted[words] > 0)

    def _words(self, places: Indices) -> list[str]:
        return self.taxonomy.words.words.take(places).to_list()

    def _inventory(self, rows: Rows, pairs: WordPairs | None) -> Inventory:
        a, b, c = (self._words(rows.words[:, column]) for column in range(3))
        names = self.taxonomy.concepts.words.take(rows.concepts.ravel()).to_list()
        low, middle, high = rows.concepts.T
        table = closure(self.candidates.parents, np.unique(rows.concepts[:, :2]))
        steps = [table.distances(low, middle), table.distances(middle, high)]
        return Inventory(
            a=a,
            b=b,
            c=c,
            concepts=list(zip(names[::3], names[1::3], names[2::3], strict=True)),
            keys=self._keys(rows) if self.choices.level == "sense" else {},
            classes=[pairs.classes[i] if pairs else "" for i in rows.pair.tolist()],
            depth=depths(self.candidates.parents)[low],
            below=numbers_below(self.candidates.parents, high),
            steps=np.stack(steps, axis=1),
            information_content=None if self.ic is None else self.ic[rows.concepts],
            counts=self._counts(a, b, c),
            sisters=self._sisters(rows),
            funnel=tuple(self.funnel),
            provenance={
                "taxonomy": self.taxonomy.name,
                "taxonomy_sha256": self.taxonomy.fingerprint,
                "taxonomy_problems": dict(self.taxonomy.problems),
                "choices": asdict(self.choices) | {"exclude": list(self.choices.exclude)},
            },
            level=self.choices.level,
        )

    def _counts(self, *columns: list[str]) -> Floats | None:
        if self.counting is None:
            return None
        each = sorted(set().union(*columns))
        known = dict(zip(each, self.counting(each).tolist(), strict=True))
        return np.array([[known[word] for word in column] for column in columns]).T.reshape(-1, 3)

    def _keys(self, rows: Rows) -> dict[tuple[str, str], tuple[str, ...]]:
        pairs = np.unique(np.stack([rows.words.ravel(), rows.concepts.ravel()], axis=1), axis=0)
        return sense_names(self.taxonomy, pairs[:, 0], pairs[:, 1])

    def _sisters(self, rows: Rows) -> dict[str, tuple[str, ...]]:
        used = distinct(rows.words.ravel())
        senses = self.taxonomy.senses
        whose, concepts = senses.of_all(used)
        kept = self.candidates.allowed[concepts]
        owner, lemma = self.taxonomy.labels.of_all(concepts[kept])
        lists = Lists.grouped(whose[kept][owner], lemma, len(used))
        words = self._words(lists.items.astype(np.int64))
        ends = lists.offsets.tolist()
        return {
            word: tuple(words[ends[i] : ends[i + 1]]) for i, word in enumerate(self._words(used))
        }


class _Reservoir:
    """Keeps each triple once, and of too many a random sample that does not depend on blocks.

    Every triple has a random number of its own; those with the smallest are the sample.
    """

    def __init__(self, choices: Choices, seed: int) -> None:
        self._level = choices.level
        self._most = choices.sample
        self._salt = mix(np.array([seed + 1], dtype=np.uint64))
        self._parts: list[Rows] = []
        self._held = 0
        self._cut = np.iinfo(np.uint64).max

    def add(self, rows: Rows) -> None:
        """Take a block."""
        if self._most:
            rows = rows[self._numbers(rows) <= self._cut]
        self._parts.append(rows)
        self._held += len(rows)
        if 0 < self._most < self._held // 8:
            self._parts = [self.rows()]
            self._held = len(self._parts[0])
            if self._held == self._most:
                self._cut = self._numbers(self._parts[0]).max()

    def rows(self) -> Rows:
        """Return the rows kept, in the order they came in."""
        rows = Rows.join(self._parts)
        first = np.unique(self._numbers(rows), return_index=True)[1]
        return rows[np.sort(first[: self._most] if self._most else first)]

    def _numbers(self, rows: Rows) -> Hashes:
        return mix(rows.triples(self._level) ^ self._salt)


def _in_all(mask: Mask) -> Mask:
    """Tell which rows of a mask (k, 3) hold for A, B and C."""
    return mask[:, 0] & mask[:, 1] & mask[:, 2]
