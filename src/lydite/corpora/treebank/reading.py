"""Trees from CoNLL-U; what is no tree is refused with its line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lydite.corpora.conllu import (
    FORM,
    HEAD,
    HINT,
    RELATION,
    UPOS,
    Row,
    conllu_sentences,
    wrong,
)
from lydite.corpora.reading import text_lines
from lydite.corpora.tables import WHOLE_LINES
from lydite.corpora.treebank.trees import Trees
from lydite.errors import FormatError


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
    for rows in conllu_sentences(text_lines(path, longest=WHOLE_LINES), path):
        sentence = [_word(row, place, path) for place, row in enumerate(rows, 1)]
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


def _word(row: Row, place: int, path: Path) -> _Word:
    number, columns = row
    head, relation = columns[HEAD], columns[RELATION].strip()
    if int(columns[0]) != place:
        raise wrong(f"{place} in the first column", repr(columns[0][:60]), path, number)
    if not head.isdecimal():
        raise wrong("the number of a head in the seventh column", repr(head[:60]), path, number)
    if not relation or relation == "_":
        raise wrong("a relation in the eighth column", repr(columns[RELATION][:60]), path, number)
    return _Word(number, columns[FORM], int(head), relation, columns[UPOS] == "PUNCT")


def _check_tree(sentence: Sequence[_Word], path: Path) -> None:
    roots = 0
    for place, word in enumerate(sentence, 1):
        if word.head > len(sentence) or word.head == place:
            raise wrong(
                f"another word of this sentence of {len(sentence)}, or 0, as the head of word "
                f"{place}",
                repr(str(word.head)),
                path,
                word.line,
            )
        roots += word.head == 0
        if roots > 1 and word.head == 0:
            raise wrong("one root a sentence", f"a second, {word.form!r}", path, word.line)
    if not roots:
        raise wrong("a word with the head 0", "none", path, sentence[0].line)
    _check_circles(sentence, path)


def _check_circles(sentence: Sequence[_Word], path: Path) -> None:
    # A word leads to the root if its head does: paths are followed up to a word already known.
    known = [True] + [False] * len(sentence)
    for place in range(1, len(sentence) + 1):
        above, seen = place, set()
        while not known[above]:
            if above in seen:
                raise wrong(
                    "heads that lead to the root", f"a circle through word {above}", path,
                    sentence[above - 1].line,
                )  # fmt: skip
            seen.add(above)
            above = sentence[above - 1].head
        for each in seen:
            known[each] = True
