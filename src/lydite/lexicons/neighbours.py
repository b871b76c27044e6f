"""Words and their neighbours: paraphrases, words of one frame, synonyms in a taxonomy."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from lydite.errors import FormatError, InputError
from lydite.files.lines import read_content, require_utf8
from lydite.lexicons.taxonomy import Lists, Taxonomy
from lydite.spaces.vocabulary import Vocabulary
from lydite.types import Indices

#: Whether a word that stands on several lines has the neighbours of all of them, or of the last.
Repeats: TypeAlias = Literal["join", "last"]
#: Which words of a taxonomy are neighbours: labels of one concept, of its parents, its children.
Relation: TypeAlias = Literal["synonyms", "hypernyms", "hyponyms"]

_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"\w")


@dataclass(frozen=True, kw_only=True, eq=False)
class Neighbours:
    """Words, and for each those that are near it; it need not be a neighbour of theirs.

    Attributes
    ----------
    words
        n words, each once.
    lists
        n lists of neighbours, as numbers of words; no word is its own, or has one twice.
    """

    words: Vocabulary
    lists: Lists
    name: str
    fingerprint: str

    def __len__(self) -> int:
        return len(self.words)

    def of(self, word: str) -> list[str]:
        """Return the neighbours of a word; none if it is unknown."""
        place = int(self.words.find([word])[0])
        return [] if place < 0 else [self.words[i] for i in self.lists[place].tolist()]


def read_neighbours(
    path: Path,
    *,
    name: str | None = None,
    lower: bool = True,
    plain: bool = False,
    repeats: Repeats = "join",
) -> Neighbours:
    """Read a word and its neighbours a line, with single blanks between, as in PPDB's lists.

    Lines end with LF alone and words with a blank alone, so that other white space and control
    characters may stand inside words. A byte-order mark and compression are seen through. A word
    without neighbours on its line is passed over, and so is one that is named as its own.

    Parameters
    ----------
    lower
        Whether to put words into lower case, as the authors' script does.
    plain
        Whether to leave out words with a digit in them and words without a letter. The authors'
        script replaces them by marks that spaces do not have, which comes to the same.
    repeats
        What to do with a word that has several lines; the authors' script keeps the ``last``.

    Raises
    ------
    FormatError
        If no word has a neighbour, or the file is not in UTF-8.

    References
    ----------
    Faruqui et al. (2015), Retrofitting word vectors to semantic lexicons, NAACL.
    """
    content = read_content(path)
    require_utf8(content, path)
    text = content.decode()
    table: dict[str, dict[str, None]] = {}
    for line in (text.lower() if lower else text).split("\n"):
        words = [word for word in line.removesuffix("\r").split(" ") if word]
        if plain:
            words = [word for word in words if not _DIGIT.search(word) and _LETTER.search(word)]
        if words and repeats == "last":
            table.pop(words[0], None)
        if len(words) > 1:
            table.setdefault(words[0], {}).update(dict.fromkeys(words[1:]))
    found = _of_table(table, name or path.name)
    if not len(found.lists.items):
        raise FormatError(
            "expected words with their neighbours, got none",
            path=path,
            hint="a word and its neighbours a line, with a blank between: happy glad joyful",
        )
    return found


def _of_table(table: dict[str, dict[str, None]], name: str) -> Neighbours:
    number: dict[str, int] = {}
    for word in table:
        number.setdefault(word, len(number))
    pairs = [
        (number[word], number.setdefault(other, len(number)))
        for word, others in table.items()
        for other in others
    ]
    owners, items = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return _neighbours(Vocabulary.of(number), owners, items, name)


def neighbours_in(
    taxonomy: Taxonomy, relations: Sequence[Relation] = ("synonyms", "hypernyms", "hyponyms")
) -> Neighbours:
    """Take the words of a taxonomy for neighbours that it puts near each other.

    Synonyms alone are the authors' WN-syn; with hypernyms and hyponyms, one step up and down, they
    are their WN-all. Words are as the taxonomy writes them, multiword ones with blanks.
    """
    concepts = {"synonyms": None, "hypernyms": "up", "hyponyms": "down"}
    unknown = [relation for relation in relations if relation not in concepts]
    if unknown or not relations:
        raise InputError(
            f"expected relations among {', '.join(concepts)}, got {', '.join(unknown) or 'none'}"
        )
    words, senses = taxonomy.senses.owners(), taxonomy.senses.items.astype(np.int64)
    owners, items = [], []
    for relation in relations:
        who, what = words, senses
        if relation != "synonyms":
            up = taxonomy.upward("hypernymy")
            steps = up if relation == "hypernyms" else up.turned(len(taxonomy))
            place, what = steps.of_all(senses)
            who = words[place]
        place, labels = taxonomy.labels.of_all(what)
        owners.append(who[place])
        items.append(labels)
    name = f"{taxonomy.name} {' '.join(relations)}"
    return _neighbours(taxonomy.words, np.concatenate(owners), np.concatenate(items), name)


def _neighbours(words: Vocabulary, owners: Indices, items: Indices, name: str) -> Neighbours:
    apart = owners != items
    lists = Lists.grouped(owners[apart], items[apart], len(words))
    parts = (words.words.letters, words.words.offsets, lists.offsets, lists.items)
    digest = hashlib.sha256()
    for each in parts:
        digest.update(np.ascontiguousarray(each).data)
    return Neighbours(words=words, lists=lists, name=name, fingerprint=digest.hexdigest())
