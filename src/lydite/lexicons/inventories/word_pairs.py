"""Pairs of words that stand in a relation: the specific word and the general one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from lydite.errors import FormatError, InputError
from lydite.lexicons.lines import numbered_lines

_HINT = "one pair a line: specific word <tab> general word [<tab> class]"

#: What BLESS calls the relations.
_BLESS = {"hypernymy": "hyper", "meronymy": "mero"}
_BLESS_WORD = re.compile(r"(.+)-[nvj]")
#: What the two columns may be called. `child` alone may also be the first word of the list.
_SPECIFIC = {"a", "word", "specific", "child", "hyponym", "part", "term"}
_GENERAL = {"b", "c", "general", "parent", "hypernym", "whole", "broader", "category"}


@dataclass(frozen=True, kw_only=True)
class WordPairs:
    """Pairs of a specific and a general word.

    Attributes
    ----------
    specific, general
        n words each: hyponym and hypernym, or part and whole.
    classes
        For each pair the class it is reported under; empty where there is none.
    """

    specific: tuple[str, ...]
    general: tuple[str, ...]
    classes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.specific)


def read_word_pairs(path: Path, relation: str) -> WordPairs:
    """Read pairs from BLESS, or from a file of the user's with two or three columns.

    Parameters
    ----------
    path
        BLESS (``alligator-n TAB amphibian_reptile TAB hyper TAB animal-n``), of which the tuples of
        the relation are taken, or ``specific TAB general [TAB class]``, with commas if there are
        no tabs; a header is passed over.
    relation
        ``hypernymy`` or ``meronymy``. BLESS gives the parts of its concepts, so that with
        meronymy the relatum is the specific word.
    """
    rows = [(number, _fields(line)) for number, line in numbered_lines(path)]
    if not rows:
        raise FormatError("expected pairs of words, got none", path=path, hint=_HINT)
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
            hint=_HINT,
        )
    return fields[0], fields[1], fields[2] if len(fields) == 3 else ""


def _pairs(rows: list[tuple[str, str, str]]) -> WordPairs:
    specific, general, classes = zip(*rows, strict=True) if rows else ((), (), ())
    return WordPairs(specific=specific, general=general, classes=classes)
