"""Trees from CoNLL-U; what is no tree is refused with its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lydite.corpora.reading import text_lines
from lydite.corpora.tables import WHOLE_LINES
from lydite.corpora.treebank.trees import Trees
from lydite.errors import FormatError

HINT = (
    "CoNLL-U has ten columns divided by tabs, the head in the seventh and the relation in the "
    "eighth, and a blank line after each sentence"
)

_COLUMNS = 10
_FORM, _UPOS, _HEAD, _RELATION = 1, 3, 6, 7


class _Word(NamedTuple):
    line: int
    form: str
    head: int
    relation: str
    punctuation: bool


def read_trees(path: Path) -> Trees:
    """Read the trees of a file.

    Multiword tokens (2-3) and empty nodes (8.1) are passed over, and so is what the column DEPS
    says.

    Parameters
    ----------
    path
        CoNLL-U in UTF-8, compressed or not.

    Raises
    ------
    FormatError
        If there is no tree, a line is malformed, or a sentence is no tree: a head that is missing
        or not in the sentence, no root, two roots, a circle. With path and line.
    """
    words: list[_Word] = []
    starts = [0]
    for sentence in _sentences(path):
        _check_tree(sentence, path)
        words += sentence
        starts.append(len(words))
    if not words:
        raise FormatError("expected dependency trees, got none", path=path, hint=HINT)
    return Trees(
        words=tuple(word.form for word in words),
        heads=np.array([word.head for word in words], dtype=np.int32),
        relations=tuple(word.relation for word in words),
        punctuation=np.array([word.punctuation for word in words], dtype=np.bool_),
        starts=np.array(starts, dtype=np.int64),
    )


def _sentences(path: Path) -> Iterator[list[_Word]]:
    sentence: list[_Word] = []
    for number, line in text_lines(path, longest=WHOLE_LINES):
        if not line.strip():
            if sentence:
                yield sentence
            sentence = []
        elif not line.startswith("#"):
            columns = line.split("\t")
            if len(columns) != _COLUMNS:
                raise _wrong("10 columns divided by tabs", line, path, number)
            if columns[0].isdecimal():
                sentence.append(_word(columns, len(sentence) + 1, path, number))
            elif not columns[0].replace("-", ".", 1).replace(".", "", 1).isdecimal():
                raise _wrong("1, 2-3 or 8.1 in the first column", columns[0], path, number)
    if sentence:
        yield sentence


def _word(columns: Sequence[str], place: int, path: Path, number: int) -> _Word:
    if int(columns[0]) != place:
        raise _wrong(f"{place} in the first column", columns[0], path, number)
    if not columns[_HEAD].isdecimal():
        raise _wrong("the number of a head in the seventh column", columns[_HEAD], path, number)
    relation = columns[_RELATION].strip()
    if not relation or relation == "_":
        raise _wrong("a relation in the eighth column", columns[_RELATION], path, number)
    return _Word(number, columns[_FORM], int(columns[_HEAD]), relation, columns[_UPOS] == "PUNCT")


def _check_tree(sentence: Sequence[_Word], path: Path) -> None:
    roots = 0
    for place, word in enumerate(sentence, 1):
        if word.head > len(sentence) or word.head == place:
            raise _wrong(
                f"another word of this sentence of {len(sentence)}, or 0, as the head of word "
                f"{place}",
                str(word.head),
                path,
                word.line,
            )
        roots += word.head == 0
        if roots > 1 and word.head == 0:
            raise _wrong("one root a sentence", f"a second, {word.form!r}", path, word.line)
    if not roots:
        raise _wrong("a word with the head 0", "none", path, sentence[0].line)
    _check_circles(sentence, path)


def _check_circles(sentence: Sequence[_Word], path: Path) -> None:
    # A word leads to the root if its head does: paths are followed up to a word already known.
    known = [True] + [False] * len(sentence)
    for place in range(1, len(sentence) + 1):
        above, seen = place, set()
        while not known[above]:
            if above in seen:
                raise _wrong(
                    "heads that lead to the root", f"a circle through word {above}", path,
                    sentence[above - 1].line,
                )  # fmt: skip
            seen.add(above)
            above = sentence[above - 1].head
        for each in seen:
            known[each] = True


def _wrong(expected: str, got: str, path: Path, line: int) -> FormatError:
    shown = got if got.startswith(("a ", "none")) else repr(got[:60])
    return FormatError(f"expected {expected}, got {shown}", path=path, line=line, hint=HINT)
