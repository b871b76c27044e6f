"""Query inventories: triples <A, B, C> where B lies between A and C in a taxonomy (Seyed 2016).

A candidate is a row of numbers: a pair, three words, three concepts. Those of a whole taxonomy come
in blocks, since WordNet's nouns alone give twenty million.
"""

from __future__ import annotations

import json
import math
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar

import numpy as np

from lydite.errors import FormatError, InputError
from lydite.files.bounds import open_file
from lydite.files.lines import numbered_lines
from lydite.files.plain import parse_json
from lydite.lexicons.meanings import find_words, of_part_of_speech
from lydite.lexicons.taxonomy import (
    Lists,
    Taxonomy,
    closure,
    depths,
    distinct,
    numbers_below,
    on_cycles,
    problem_examples,
)
from lydite.progress import current_progress
from lydite.results.details import Details
from lydite.spaces.vocabulary import Hashes, mix, spans
from lydite.storage import write_output
from lydite.types import Floats, Indices, Mask, PlainMapping

#: What sense-level spaces call parts of speech: sense2vec's ``bank|NOUN``.
_TAGS = {"n": "NOUN", "v": "VERB", "a": "ADJ", "s": "ADJ", "r": "ADV"}


def sense_names(
    taxonomy: Taxonomy, words: Indices, concepts: Indices
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return, for words in senses, the names to look for in a space, best first.

    They are the concept's identifier (``bank.n.01``), the key of the sense
    (``bank%1:17:01::``), and the word with its part of speech (``bank|NOUN``).
    """
    labels = taxonomy.words.words.take(words).to_list()
    identifiers = taxonomy.concepts.words.take(concepts).to_list()
    keys = _keys(taxonomy, words, concepts)
    letters = [""] * len(labels)
    if taxonomy.parts_of_speech is not None:
        letters = taxonomy.parts_of_speech[concepts].tolist()
    names = {}
    for label, identifier, key, letter in zip(labels, identifiers, keys, letters, strict=True):
        joined = label.replace(" ", "_")
        tagged = (f"{joined}|{_TAGS[letter]}",) if letter in _TAGS else ()
        names[label, identifier] = (identifier, *((key,) if key else ()), *tagged)
    return names


def _keys(taxonomy: Taxonomy, words: Indices, concepts: Indices) -> list[str]:
    if taxonomy.sense_keys is None or not len(words):
        return [""] * len(words)
    starts = taxonomy.senses.offsets[words]
    lengths = taxonomy.senses.offsets[words + 1] - starts
    places = spans(starts, lengths)
    same = taxonomy.senses.items[places] == np.repeat(concepts, lengths)
    whose = np.repeat(np.arange(len(words)), lengths)[same]
    keys = [""] * len(words)
    found = taxonomy.sense_keys.words.take(places[same]).to_list()
    for owner, key in zip(whose.tolist(), found, strict=True):
        keys[owner] = keys[owner] or key
    return keys


_PAIRS_HINT = "one pair a line: specific word <tab> general word [<tab> class]"

#: What BLESS calls the relations.
_BLESS = {"hypernymy": "hyper", "meronymy": "mero"}
_BLESS_WORD = re.compile(r"(.+)-[nvj]")
#: What the two columns may be called. `child` alone may also be the first word of the list.
_SPECIFIC = {"a", "word", "specific", "child", "hyponym", "part", "term"}
_GENERAL = {"b", "c", "general", "parent", "hypernym", "whole", "broader", "category"}


@dataclass(frozen=True, kw_only=True)
class WordPairs:
    """Pairs of a specific and a general word."""

    # n words each: hyponym and hypernym, or part and whole.
    specific: tuple[str, ...]
    general: tuple[str, ...]
    # For each pair the class it is reported under; empty where there is none.
    classes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.specific)


def read_word_pairs(path: Path, relation: str) -> WordPairs:
    """Read pairs from BLESS, or from a file of the user's with two or three columns.

    Of BLESS (``alligator-n TAB amphibian_reptile TAB hyper TAB animal-n``) the tuples of the
    relation are taken; since it gives the parts of its concepts, with meronymy the relatum is the
    specific word. Other files are ``specific TAB general [TAB class]``, with commas if there are no
    tabs; a header is skipped.
    """
    rows = [(number, _fields(line)) for number, line in numbered_lines(path)]
    if not rows:
        raise FormatError("expected pairs of words, got none", path=path, hint=_PAIRS_HINT)
    if _is_bless(rows[0][1]):
        return _bless(path, rows, relation)
    if _is_header(rows[0][1]) and len(rows) > 1:
        rows = rows[1:]
    return _pairs([_own(path, number, fields) for number, fields in rows])


def _fields(line: str) -> list[str]:
    return [field.strip() for field in line.split("\t" if "\t" in line else ",")]


def _is_header(fields: list[str]) -> bool:
    names = [field.casefold() for field in fields[:2]]
    return len(names) == 2 and names[0] in _SPECIFIC and names[1] in _GENERAL


def _is_bless(fields: list[str]) -> bool:
    return len(fields) == 4 and _BLESS_WORD.fullmatch(fields[0]) is not None


def _bless(path: Path, rows: list[tuple[int, list[str]]], relation: str) -> WordPairs:
    if relation not in _BLESS:
        raise InputError(
            f"BLESS has pairs of hypernymy and meronymy, got {relation!r}",
            hint="use --relation hypernymy or --relation meronymy",
        )
    found = []
    for number, fields in rows:
        if len(fields) != 4:
            raise FormatError(
                f"expected the four columns of BLESS, got {len(fields)}", path=path, line=number
            )
        concept, kind, related, relatum = fields
        if related == _BLESS[relation]:
            pair = (_bare(concept), _bare(relatum))
            found.append((*(pair if relation == "hypernymy" else pair[::-1]), kind))
    return _pairs(found)


def _bare(word: str) -> str:
    match = _BLESS_WORD.fullmatch(word)
    return match[1] if match else word


def _own(path: Path, number: int, fields: list[str]) -> tuple[str, str, str]:
    if not 2 <= len(fields) <= 3 or not (fields[0] and fields[1]):
        raise FormatError(
            f"expected two words, got {' | '.join(fields)[:60]!r}",
            path=path,
            line=number,
            hint=_PAIRS_HINT,
        )
    return fields[0], fields[1], fields[2] if len(fields) == 3 else ""


def _pairs(rows: list[tuple[str, str, str]]) -> WordPairs:
    specific, general, classes = zip(*rows, strict=True) if rows else ((), (), ())
    return WordPairs(specific=specific, general=general, classes=classes)


Level: TypeAlias = Literal["word", "sense"]

#: Told how many are left, and of what, after each step.
Tell: TypeAlias = Callable[[str, int, str], None]

#: Pairs of concepts per block; with all lemmas of WordNet a pair has some thirty triples.
_BLOCK = 1 << 14


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What the paper leaves open, and its filters: parameters of the evaluation.

    Taxonomies without parts of speech are taken whole. At level ``word`` a triple is one of words,
    at ``sense`` one of concepts.
    """

    relation: str = "hypernymy"
    part_of_speech: str = "n"
    senses: Literal["all", "first"] = "all"
    lemmas: Literal["all", "first"] = "all"
    paths: Literal["all", "shortest"] = "all"
    inferred: Literal["sense", "word", "any"] = "sense"
    exclude: tuple[str, ...] = ()
    min_count: float = 0
    min_ic: float = 0
    sample: int = 0
    level: Level = "word"
    sisters: Literal["exact", "fold"] = "exact"


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """Candidates: ``pair`` (k,), ``words`` (k, 3) and ``concepts`` (k, 3) of A, B and C."""

    pair: Indices
    words: Indices
    concepts: Indices

    def __len__(self) -> int:
        return len(self.pair)

    def __getitem__(self, kept: Mask | Indices) -> Rows:
        return Rows(pair=self.pair[kept], words=self.words[kept], concepts=self.concepts[kept])

    @classmethod
    def join(cls, parts: list[Rows]) -> Rows:
        """Return the rows of several blocks, one after the other."""
        return cls(
            pair=np.concatenate([part.pair for part in parts]),
            words=np.concatenate([part.words for part in parts]),
            concepts=np.concatenate([part.concepts for part in parts]),
        )

    def triples(self, level: Level) -> Hashes:
        """Return a number for each row that is the same for the same triple."""
        a, b, c = (self.words if level == "word" else self.concepts).astype(np.uint64).T
        # Each step is a bijection of 64 bits, so that two triples hardly ever share a number.
        return mix(mix(mix(a + np.uint64(1)) ^ b) ^ c)


class Candidates:
    """Where triples are looked for."""

    def __init__(self, taxonomy: Taxonomy, choices: Choices) -> None:
        self.taxonomy = taxonomy
        self.choices = choices
        self.parents = taxonomy.upward(choices.relation)
        self.allowed = of_part_of_speech(taxonomy, choices.part_of_speech or None)
        self.cyclic = len(on_cycles(self.parents)) > 0

    def of_pairs(self, pairs: WordPairs, tell: Tell) -> Iterator[Rows]:
        """Find all paths between senses of the words of pairs."""
        tell("pairs", len(pairs), "pairs")
        left, right = (find_words(self.taxonomy, w) for w in (pairs.specific, pairs.general))
        pair, low, high = _crossed(self._senses(), left, right)
        tell("with senses", len(np.unique(pair)), "pairs")
        distance = closure(self.parents, low).distances(low, high)
        linked = distance > 0
        tell("with a path", len(np.unique(pair[linked])), "pairs")
        kept = linked & self._inferred(pair, distance)
        pair, low, high = pair[kept], low[kept], high[kept]
        tell("inferred, not asserted", len(np.unique(pair)), "pairs")
        at, between = self._between(low, high)
        tell("with something between", len(np.unique(pair[at])), "pairs")
        labelled, lemma = self._lemmas(between)
        at, between = at[labelled], between[labelled]
        yield Rows(
            pair=pair[at],
            words=np.stack([left[pair[at]], lemma, right[pair[at]]], axis=1),
            concepts=np.stack([low[at], between, high[at]], axis=1),
        )

    def of_whole(self, tell: Tell) -> Iterator[Rows]:
        """Find all paths between concepts of the taxonomy, and label them."""
        concepts = np.flatnonzero(self.allowed)
        tell("concepts", len(concepts), "concepts")
        table = closure(self.parents, concepts)
        far = (table.distance > 0) & self.allowed[table.ancestor]
        tell("with a path", int(far.sum()), "pairs")
        far &= self._inferred(np.arange(len(far)), table.distance)
        low, high = table.concept[far], table.ancestor[far]
        tell("inferred, not asserted", len(low), "pairs")
        progress = current_progress()
        for start in range(0, max(len(low), 1), _BLOCK):
            yield self._labelled(low[start : start + _BLOCK], high[start : start + _BLOCK])
            progress("finding triples", min(start + _BLOCK, len(low)), len(low))

    def _labelled(self, low: Indices, high: Indices) -> Rows:
        at, between = self._between(low, high)
        concepts = np.stack([low[at], between, high[at]], axis=1)
        words = concepts
        for column in range(3):
            labelled, lemma = self._lemmas(concepts[:, column])
            words, concepts = words[labelled].copy(), concepts[labelled]
            words[:, column] = lemma
        rows = Rows(pair=np.zeros(len(words), dtype=np.int64), words=words, concepts=concepts)
        return rows[self._meant(rows)]

    def _meant(self, rows: Rows) -> Mask:
        """Tell where the words A and C are used as `senses` and `inferred` wish."""
        meant = np.ones(len(rows), dtype=np.bool_)
        if self.choices.senses == "first":
            ends = self._first[rows.words[:, [0, 2]]] == rows.concepts[:, [0, 2]]
            meant &= ends[:, 0] & ends[:, 1]
        if self.choices.inferred == "word":
            ends = rows.words[:, 0] * len(self.taxonomy.words) + rows.words[:, 2]
            meant &= ~np.isin(ends, self._asserted)
        return meant

    @cached_property
    def _first(self) -> Indices:
        """Shape (words,): the first sense of each word, -1 where none may be used."""
        senses = self._senses()
        first = np.full(len(senses), -1, dtype=np.int64)
        filled = np.flatnonzero(senses.lengths)
        first[filled] = senses.items[senses.offsets[filled]]
        return first

    @cached_property
    def _asserted(self) -> Indices:
        """Pairs of words, as numbers, that some senses of theirs have an edge between."""
        labels = self.taxonomy.labels
        at, low = labels.of_all(self.parents.owners())
        again, high = labels.of_all(self.parents.items[at])
        return np.unique(low[again] * len(self.taxonomy.words) + high)

    def _senses(self) -> Lists:
        """Return the senses of each word that may be used."""
        senses = self.taxonomy.senses
        kept = self.allowed[senses.items]
        lists = Lists.grouped(senses.owners()[kept], senses.items[kept], len(senses))
        if self.choices.senses == "all":
            return lists
        filled = np.flatnonzero(lists.lengths)
        return Lists.grouped(filled, lists.items[lists.offsets[filled]], len(senses))

    def _inferred(self, pair: Indices, distance: Indices) -> Mask:
        if self.choices.inferred == "any":
            return np.ones(len(pair), dtype=np.bool_)
        asserted: Mask = distance == 1
        if self.choices.inferred == "word":
            asserted = np.isin(pair, pair[asserted])
        return ~asserted

    def _between(self, low: Indices, high: Indices) -> tuple[Indices, Indices]:
        """Return all concepts strictly between pairs: a place in the pairs, and the concept."""
        above = closure(self.parents, low)
        table = closure(self.parents, above.ancestor)
        at, rows = table.rows_of(low)
        middle = table.ancestor[rows]
        rest = table.distances(middle, high[at])
        kept = (rest > 0) & (middle != low[at]) & self.allowed[middle]
        if self.cyclic:
            # Of concepts that lie above each other, none is between.
            kept &= table.distances(middle, low[at]) < 0
            kept &= table.distances(high[at], middle) < 0
        if self.choices.paths == "shortest":
            whole = table.distances(low, high)[at]
            kept &= table.distance[rows] + rest == whole
        return at[kept], middle[kept]

    def _lemmas(self, concepts: Indices) -> tuple[Indices, Indices]:
        """Return the labels of concepts: a place in ``concepts``, and the word."""
        labels = self.taxonomy.labels
        if self.choices.lemmas == "all":
            return labels.of_all(concepts)
        filled = np.flatnonzero(labels.lengths[concepts])
        return filled, labels.items[labels.offsets[concepts[filled]]].astype(np.int64)


def _crossed(senses: Lists, left: Indices, right: Indices) -> tuple[Indices, Indices, Indices]:
    """Return each pair with each sense of its left and of its right word."""
    known = np.flatnonzero((left >= 0) & (right >= 0))
    at, low = senses.of_all(left[known])
    again, high = senses.of_all(right[known][at])
    return known[at[again]], low[again], high


@dataclass(frozen=True, kw_only=True)
class Step(Details):
    """How many are left after one step of the funnel, and of what."""

    name: str = ""
    count: int = 0
    unit: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Inventory:
    """Triples, with what is known of them."""

    # n words each, from specific to general.
    a: Sequence[str]
    b: Sequence[str]
    c: Sequence[str]
    # n triples of concept identifiers: the senses on whose path the triple was found first.
    concepts: Sequence[tuple[str, str, str]]
    # For each word and concept of the triples, the names that a sense-level space may have for it,
    # best first.
    keys: Mapping[tuple[str, str], tuple[str, ...]]
    classes: Sequence[str]  # for each triple the class of its pair; empty where there is none
    depth: Indices  # (n,): edges from the nearest root down to A, -1 where there is no root
    below: Indices  # (n,): how many concepts lie below C, its generality
    steps: Indices  # (n, 2): edges from A up to B and from B up to C
    # (n, 3), of A, B and C, where they were asked for.
    information_content: Floats | None
    counts: Floats | None
    # For each word of the triples all lemmas of all its senses, itself included.
    sisters: Mapping[str, tuple[str, ...]]
    funnel: tuple[Step, ...]
    provenance: PlainMapping = field(default_factory=dict)
    # ``word``: a triple of words stands once; ``sense``: a triple of concepts stands once.
    level: Level = "word"

    def __len__(self) -> int:
        return len(self.a)


_TITLE = "# Lydite inventory 1"
_ABOUT = "# provenance "
_SEPARATOR = "|"
_COLUMNS = ("a", "b", "c", "concept_a", "concept_b", "concept_c", "class", "depth_a", "below_c")
_STEPS = ("steps_ab", "steps_bc")
_IC = ("ic_a", "ic_b", "ic_c")
_COUNTS = ("count_a", "count_b", "count_c")
_SISTERS = ("sisters_a", "sisters_b", "sisters_c")
_KEYS = ("keys_a", "keys_b", "keys_c")
_Owner = TypeVar("_Owner", str, tuple[str, str])
_FILE_HINT = "'lydite subsumption ... --save-inventory FILE' writes such a file"


def is_inventory(path: Path) -> bool:
    """Tell whether a file is an inventory, by its first line."""
    with open_file(path) as file:
        return file.readline(200).removeprefix(BOM_UTF8).rstrip() == _TITLE.encode()


def write_inventory(inventory: Inventory, path: Path) -> None:
    r"""Write an inventory: three lines of what it is, a header, and one line per triple.

    Sister lemmas, and the names of senses, are joined by ``|``, whose own occurrences are written
    ``\|``.
    """
    about = {
        **inventory.provenance,
        "level": inventory.level,
        "funnel": [asdict(step) for step in inventory.funnel],
    }
    said = json.dumps(about, ensure_ascii=False)
    names = [*_COLUMNS, *_STEPS]
    names += _IC if inventory.information_content is not None else ()
    names += _COUNTS if inventory.counts is not None else ()
    names += _SISTERS + (_KEYS if inventory.level == "sense" else ())
    lines = [_TITLE, _ABOUT + said, "\t".join(names)]
    lines += ["\t".join(row) for row in _rows(inventory)]
    write_output(path, "\n".join(lines) + "\n")


def _rows(inventory: Inventory) -> Iterator[list[str]]:
    words = list(zip(inventory.a, inventory.b, inventory.c, strict=True))
    numbers = np.column_stack([inventory.depth, inventory.below, inventory.steps]).tolist()
    for i, triple in enumerate(words):
        row = [*triple, *inventory.concepts[i], inventory.classes[i], *map(str, numbers[i])]
        for values in (inventory.information_content, inventory.counts):
            row += [] if values is None else [f"{value:.10g}" for value in values[i]]
        row += [_join(inventory.sisters[word]) for word in triple]
        if inventory.level == "sense":
            senses = zip(triple, inventory.concepts[i], strict=True)
            row += [_join(inventory.keys[sense]) for sense in senses]
        yield row


def _join(words: Sequence[str]) -> str:
    return _SEPARATOR.join(word.replace("\\", "\\\\").replace("|", "\\|") for word in words)


def _split(text: str) -> tuple[str, ...]:
    if "\\" not in text:
        return tuple(text.split(_SEPARATOR)) if text else ()
    marked = text.replace("\\\\", "\0").replace("\\|", "\1").split(_SEPARATOR)
    return tuple(part.replace("\1", "|").replace("\0", "\\") for part in marked)


def read_inventory(path: Path) -> Inventory:
    """Read an inventory that was written by :func:`write_inventory`, or edited since."""
    lines = numbered_lines(path)
    about = _about(path)
    try:
        number, header = next(lines)
    except StopIteration:
        raise FormatError(
            "expected an inventory, got an empty file", path=path, hint=_FILE_HINT
        ) from None
    names = header.split("\t")
    missing = [name for name in ("a", "b", "c") if name not in names]
    if missing:
        raise FormatError(
            f"expected columns a, b and c, got {', '.join(names)[:80]}",
            path=path,
            line=number,
            hint=_FILE_HINT,
        )
    table: dict[str, list[str]] = {name: [] for name in names}
    for number, line in lines:
        fields = line.split("\t")
        if len(fields) != len(names):
            raise FormatError(
                f"expected {len(names)} columns, got {len(fields)}", path=path, line=number
            )
        for name, value in zip(names, fields, strict=True):
            table[name].append(value)
    return _from_table(path, table, about)


def _about(path: Path) -> dict[str, object]:
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for line in file:
            if not line.startswith("# "):
                break
            if line.startswith(_ABOUT):
                try:
                    about = parse_json(line.removeprefix(_ABOUT))
                except ValueError:
                    about = None
                if not isinstance(about, dict):
                    raise FormatError("expected the provenance as JSON", path=path, hint=_FILE_HINT)
                return about
    return {}


def _from_table(path: Path, table: dict[str, list[str]], about: dict[str, object]) -> Inventory:
    words = list(zip(table["a"], table["b"], table["c"], strict=True))
    blank = [""] * len(words)
    concepts = list(zip(*(table.get(f"concept_{x}", blank) for x in "abc"), strict=True))
    senses = [pair for w, c in zip(words, concepts, strict=True) for pair in zip(w, c, strict=True)]
    level: Level = "sense" if about.get("level") == "sense" else "word"
    funnel = about.get("funnel")
    numbers = _Numbers(path, table, len(words))
    return Inventory(
        a=table["a"],
        b=table["b"],
        c=table["c"],
        concepts=concepts,
        keys=_collected(senses, table, _KEYS) if level == "sense" else {},
        classes=table.get("class", blank),
        depth=numbers.columns("depth_a", missing=-1)[:, 0].astype(np.int64),
        below=numbers.columns("below_c", missing=-1)[:, 0].astype(np.int64),
        steps=numbers.columns(*_STEPS, missing=-1).astype(np.int64),
        information_content=numbers.columns(*_IC) if set(_IC) <= table.keys() else None,
        counts=numbers.columns(*_COUNTS) if set(_COUNTS) <= table.keys() else None,
        sisters=_collected([w for triple in words for w in triple], table, _SISTERS),
        funnel=_steps(funnel, len(words)),
        provenance={k: v for k, v in about.items() if k not in {"level", "funnel"}},
        level=level,
    )


def _steps(funnel: object, count: int) -> tuple[Step, ...]:
    steps = []
    if isinstance(funnel, list) and all(isinstance(step, dict) for step in funnel):
        steps = [
            Step(name=str(s.get("name")), count=int(s.get("count", 0)), unit=str(s.get("unit")))
            for s in funnel
        ]
    if not steps or steps[-1].count != count:
        # Written by hand, or edited: what is in the file is what counts.
        steps.append(Step(name="triples in the file", count=count, unit="triples"))
    return tuple(steps)


def _collected(
    owners: Sequence[_Owner], table: Mapping[str, list[str]], columns: Sequence[str]
) -> dict[_Owner, tuple[str, ...]]:
    """Return the lists of the three columns by their owner, a word or a word in a sense.

    Where a file has no such columns, a word is its only sister, and a sense is known by its names.
    """
    if not set(columns) <= table.keys():
        return {owner: (owner,) if isinstance(owner, str) else owner[::-1] for owner in owners}
    cells = [cell for row in zip(*(table[name] for name in columns), strict=True) for cell in row]
    return {owner: _split(cell) for owner, cell in zip(owners, cells, strict=True)}


class _Numbers:
    def __init__(self, path: Path, table: Mapping[str, list[str]], count: int) -> None:
        self.path, self.table, self.count = path, table, count

    def columns(self, *names: str, missing: float = math.nan) -> Floats:
        values = np.full((self.count, len(names)), missing)
        for column, name in enumerate(names):
            if name not in self.table:
                continue
            try:
                values[:, column] = [float(cell) for cell in self.table[name]]
            except ValueError as error:
                raise FormatError(
                    f"expected numbers in the column {name}: {error}", path=self.path
                ) from error
        return values


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

    Without pairs (A, C), all pairs of the taxonomy count. ``counting`` gives the counts that
    ``min_count`` is about, ``information_content``, (n concepts,), what ``min_ic`` is about. The
    inventory may be empty: its funnel tells at which step the last triple was lost.
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
        sisters = self._sisters(rows)
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
            sisters=sisters.of,
            funnel=tuple(self.funnel),
            provenance={
                "taxonomy": self.taxonomy.name,
                "taxonomy_sha256": self.taxonomy.fingerprint,
                "taxonomy_problems": dict(self.taxonomy.problems),
                "taxonomy_examples": {
                    kind: list(named) for kind, named in problem_examples(self.taxonomy).items()
                },
                "sisters": dict(sisters.about),
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

    def _sisters(self, rows: Rows) -> _Sisters:
        used = distinct(rows.words.ravel())
        written = self._words(used)
        alike: dict[str, list[int]] = {word.casefold(): [] for word in written}
        for place, word in enumerate(self._folded):
            if word in alike:
                alike[word].append(place)
        forms = Lists.of([alike[word.casefold()] for word in written])
        exact = self._lemmas_of(np.arange(len(used)), used, len(used))
        fold = self._lemmas_of(forms.owners(), forms.items.astype(np.int64), len(used))
        lists = fold if self.choices.sisters == "fold" else exact
        words = self._words(lists.items.astype(np.int64))
        ends = lists.offsets.tolist()
        return _Sisters(
            of={word: tuple(words[ends[i] : ends[i + 1]]) for i, word in enumerate(written)},
            about={
                "words": len(used),
                "lemmas": len(exact.items),
                "words_in_another_case": int((fold.lengths > exact.lengths).sum()),
                "lemmas_in_another_case": len(fold.items) - len(exact.items),
            },
        )

    def _lemmas_of(self, whose: Indices, forms: Indices, count: int) -> Lists:
        """Return all lemmas of all senses of some forms, by whose form it is."""
        at, concepts = self.taxonomy.senses.of_all(forms)
        kept = self.candidates.allowed[concepts]
        owner, lemma = self.taxonomy.labels.of_all(concepts[kept])
        return Lists.grouped(whose[at][kept][owner], lemma, count)


@dataclass(frozen=True, kw_only=True)
class _Sisters:
    """The sister lemmas of each word, and what another spelling in capitals would add."""

    of: Mapping[str, tuple[str, ...]]
    about: Mapping[str, int]


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
