"""Stanford dependencies in files of their own, with words and lemmas, as GENIA has them for USP.

A text has three files of the same name: ``.dep`` with one relation per line, ``nn(resistance-2,
Glucocorticoid-1)``; ``.input`` with one word and its tag per line, ``resistance_NN``; ``.morph``
with one lemma per line. In all three a blank line ends a sentence, so that in ``.dep`` a sentence
without relations is two of them. Without ``.input`` the words are those of ``.txt``, one sentence
per line.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from lydite.corpora.lemmas import GIVEN, lemmatizer
from lydite.errors import FormatError
from lydite.files.archives import Member, members
from lydite.spaces.vocabulary import bounds
from lydite.trained.parsed.blocks import ParsedBlock, stanford_name

ENDING: Final = ".dep"

PARTS: Final = (ENDING, ".input", ".morph", ".txt")
#: ``name(head-3, dependent-4)``; a stroke after a number is a copy of that word.
_NAME = re.compile(r"[^\s()]++\(")
_FIRST = re.compile(r"-(\d{1,9})'*+, ")
_SECOND = re.compile(r"(?<=.)-(\d{1,9})'*+\)\Z")
_BLOCK_TOKENS = 1 << 16

_Parts: TypeAlias = dict[str, Member]


class _Sentence(NamedTuple):
    lemmas: list[str]
    edges: list[tuple[int, str, int]]


def stanford_blocks(
    paths: Iterable[Path], *, lemmas: str, problems: Counter[str]
) -> Iterator[ParsedBlock]:
    """Yield the parsed sentences of files and archives.

    Each path holds all parts of its texts. ``problems`` counts what does not fit together and is
    left out.
    """
    sentences = itertools.chain.from_iterable(
        _sentences(parts, lemmas, problems) for parts in _texts(paths, problems)
    )
    held: list[_Sentence] = []
    tokens = 0
    for sentence in sentences:
        held.append(sentence)
        tokens += len(sentence.lemmas)
        if tokens >= _BLOCK_TOKENS:
            yield _block(held)
            held, tokens = [], 0
    if held:
        yield _block(held)


def _texts(paths: Iterable[Path], problems: Counter[str]) -> Iterator[_Parts]:
    """Yield the parts of each text as soon as all are there."""
    waiting: dict[tuple[str, str], _Parts] = {}
    for member in members(list(paths)):
        path = PurePosixPath(member.place)
        if path.suffix not in PARTS:
            continue
        key = (path.parent.name, path.stem)
        parts = waiting.setdefault(key, {})
        parts[path.suffix] = member
        if len(parts) == len(PARTS):
            yield waiting.pop(key)
    for _, parts in sorted(waiting.items()):
        if ENDING in parts:
            yield parts
        elif ".morph" in parts or ".input" in parts:
            problems["text without dependencies"] += 1


def _sentences(parts: _Parts, lemmas: str, problems: Counter[str]) -> Iterator[_Sentence]:
    words = _words(parts)
    lemma_lists = _lemmas(parts, words, lemmas)
    if not words or len(words) != len(lemma_lists):
        problems["text whose words or lemmas are missing or of another number of sentences"] += 1
        return
    trees = list(_trees(parts[ENDING]))
    at = 0
    for number, (own_words, own_lemmas) in enumerate(zip(words, lemma_lists, strict=True)):
        if len(own_words) != len(own_lemmas):
            problems["sentence with another number of lemmas than of words"] += 1
            at += len(trees) == len(words)
            continue
        tree: list[_Edge] = []
        if len(trees) == len(words):
            tree = trees[number]
        elif at < len(trees) and all(edge.fits(own_words) for edge in trees[at]):
            # Where trees are missing the words tell whose tree this is.
            tree, at = trees[at], at + 1
        else:
            problems["sentence without dependencies that fit"] += 1
        fitting = [edge for edge in tree if edge.fits(own_words)]
        problems["relation between other words than the text has"] += len(tree) - len(fitting)
        yield _Sentence(
            own_lemmas,
            [(e.head - 1, e.name, e.dependent - 1) for e in fitting if e.head != e.dependent],
        )
    if len(trees) != len(words):
        problems["dependencies of no sentence"] += len(trees) - at


class _Edge(NamedTuple):
    name: str
    head: int
    dependent: int
    words: tuple[str, str]

    def fits(self, words: list[str]) -> bool:
        """Tell whether the words stand where the relation says."""
        return all(
            0 < place <= len(words) and words[place - 1] == word
            for place, word in zip((self.head, self.dependent), self.words, strict=True)
        )


def _trees(member: Member) -> Iterator[list[_Edge]]:
    """Yield the relations of each sentence, two line breaks after each."""
    number = 1
    for lines in member.text.replace("\r\n", "\n").removesuffix("\n\n").split("\n\n"):
        places = enumerate(lines.split("\n"), number)
        found = [_edge(line, member, place) for place, line in places if line.strip()]
        yield [edge for edge in found if edge is not None]
        number += lines.count("\n") + 2


def _edge(line: str, member: Member, number: int) -> _Edge | None:
    parts = _edge_parts(line.strip())
    if parts is None:
        raise FormatError(
            f"expected a relation such as nn(resistance-2, Glucocorticoid-1), got {line[:80]!r}",
            path=member.place,
            line=number,
            hint="one relation per line, a blank line after each sentence",
        )
    relation, head, dependent = parts
    name = stanford_name(relation)
    if name is None:
        return None
    return _Edge(name, head[1], dependent[1], (head[0], dependent[0]))


def _edge_parts(line: str) -> tuple[str, tuple[str, int], tuple[str, int]] | None:
    """Take a relation apart; of several places where the head may end, the last counts.

    >>> _edge_parts("nn(resistance-2, Glucocorticoid-1)")
    ('nn', ('resistance', 2), ('Glucocorticoid', 1))
    """
    name = _NAME.match(line)
    end = line.rfind("-")
    second = _SECOND.match(line, end) if name and end > name.end() else None
    if name is None or second is None:
        return None
    firsts = _FIRST.finditer(line, name.end() + 1, end - 1)
    first = max(firsts, key=lambda found: found.end(), default=None)
    if first is None:
        return None
    head = (line[name.end() : first.start()], int(first[1]))
    return name[0][:-1], head, (line[first.end() : end], int(second[1]))


def _words(parts: _Parts) -> list[list[str]]:
    if ".input" in parts:
        return [[line.rpartition("_")[0] for line in lines] for lines in _groups(parts[".input"])]
    if ".txt" in parts:
        return [line.split() for line in parts[".txt"].text.split("\n") if line.strip()]
    return []


def _lemmas(parts: _Parts, words: list[list[str]], lemmas: str) -> list[list[str]]:
    if lemmas != GIVEN:
        return [lemmatizer(lemmas)(sentence) for sentence in words]
    groups = _groups(parts[".morph"]) if ".morph" in parts else []
    return [[line.strip().lower() for line in lines] for lines in groups]


def _groups(member: Member) -> list[list[str]]:
    """Return the lines of each sentence."""
    grouped = itertools.groupby(member.text.split("\n"), key=lambda line: bool(line.strip()))
    return [list(lines) for full, lines in grouped if full]


def _block(sentences: list[_Sentence]) -> ParsedBlock:
    lemmas: dict[str, int] = {}
    relations: dict[str, int] = {}
    tokens: list[int] = []
    edges: list[tuple[int, int, int]] = []
    for sentence in sentences:
        first = len(tokens)
        tokens += [lemmas.setdefault(lemma, len(lemmas)) for lemma in sentence.lemmas]
        edges += [
            (first + head, relations.setdefault(name, len(relations)), first + dependent)
            for head, name, dependent in sentence.edges
        ]
    lengths = np.array([len(sentence.lemmas) for sentence in sentences], dtype=np.int64)
    return ParsedBlock(
        lemmas=tuple(lemmas),
        relations=tuple(relations),
        tokens=np.array(tokens, dtype=np.int64),
        starts=bounds(lengths),
        edges=np.array(edges, dtype=np.int64).reshape(-1, 3),
    )
