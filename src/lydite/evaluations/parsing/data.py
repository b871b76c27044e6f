"""Treebanks in three parts, as trees in flat arrays; what is no tree is refused with its line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.annotated import is_conllu
from lydite.corpora.splits import (
    DEALT,
    SplitName,
    check_tested,
    deal,
    dealt_note,
    draw,
    drawn_note,
    hold_out,
    named_splits,
)
from lydite.errors import FormatError, InputError
from lydite.evaluations.downstream.words import places_of, starts_of
from lydite.files.compression import DECOMPRESSION_ERRORS, damaged, open_decompressed
from lydite.files.conllu import FORM, HEAD, HINT, RELATION, UPOS, Row, conllu_sentences, wrong
from lydite.files.lines import WHOLE_LINES, text_lines
from lydite.stats.seeds import child_seed
from lydite.types import Indices, Mask

Int32s: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True, eq=False)
class Trees:
    """n words of m sentences."""

    words: tuple[str, ...]
    # (n,): the place of each word's head in its sentence, counted from 1; 0 for the root, of which
    # every sentence has one.
    heads: Int32s
    relations: tuple[str, ...]  # n names, those of roots among them
    punctuation: Mask  # (n,): whether the universal part of speech is PUNCT
    starts: Indices  # (m + 1,): the first word of each sentence, and in the end n

    def __len__(self) -> int:
        """Return how many sentences there are."""
        return len(self.starts) - 1

    @property
    def lengths(self) -> Indices:
        """Words of each sentence, (m,)."""
        return np.diff(self.starts)

    def text(self, sentence: int) -> str:
        """Return the words of a sentence with blanks between them."""
        return " ".join(self.words[self.starts[sentence] : self.starts[sentence + 1]])

    def chosen(self, sentences: Indices) -> Trees:
        """Return some sentences, in the order given."""
        places = places_of(self.starts, sentences)
        return Trees(
            words=tuple(self.words[i] for i in places),
            heads=self.heads[places],
            relations=tuple(self.relations[i] for i in places),
            punctuation=self.punctuation[places],
            starts=starts_of(self.lengths[sentences]),
        )

    def universal(self) -> Trees:
        """Return the trees with relations cut before their subtype: ``nsubj:pass`` is ``nsubj``.

        >>> joined([]).universal().relations
        ()
        """
        return replace(self, relations=tuple(name.partition(":")[0] for name in self.relations))


def joined(parts: Sequence[Trees]) -> Trees:
    """Put the sentences of several parts one after the other."""
    return Trees(
        words=tuple(word for part in parts for word in part.words),
        heads=np.concatenate([np.empty(0, dtype=np.int32), *(part.heads for part in parts)]),
        relations=tuple(name for part in parts for name in part.relations),
        punctuation=np.concatenate(
            [np.empty(0, dtype=np.bool_), *(part.punctuation for part in parts)]
        ),
        starts=starts_of(np.array([n for part in parts for n in part.lengths], dtype=np.int64)),
    )


class _Word(NamedTuple):
    line: int
    form: str
    head: int
    relation: str
    punctuation: bool


def read_trees(path: Path) -> Trees:
    """Read the trees of a file.

    Multiword tokens (2-3) and empty nodes (8.1) are skipped, and so is what the column DEPS says. A
    sentence that is no tree is refused: a head that is missing or not in the sentence, no root, two
    roots, a circle.
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
            raise wrong("one root per sentence", f"a second, {word.form!r}", path, word.line)
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


_BEGINNING = 1 << 16


@dataclass(frozen=True, kw_only=True, eq=False)
class Treebank:
    """Trees in three parts, and what is to be said of how they came about."""

    train: Trees
    development: Trees
    test: Trees
    notes: tuple[str, ...]


def open_treebank(paths: Sequence[Path], *, sentences: int = 0, seed: int) -> Treebank:
    """Read a treebank.

    Files that are not CoNLL-U (a README) are skipped. Names say train, dev (or valid) and test. If
    none does, or all say the same, eight of ten sentences are to learn from, one to tune on and one
    to test; without a development file a tenth of the training sentences is held out. ``sentences``
    takes so many training sentences by chance; 0 for all.
    """
    files = [path for path in paths if len(paths) == 1 or _is_trees(path)]
    if not files:
        raise FormatError("expected CoNLL-U, got none", path=paths[0].parent, hint=HINT)
    parts, notes = _parts(files, child_seed(seed, "split"))
    train = parts["train"]
    kept = draw(len(train), sentences, child_seed(seed, "sentences"))
    return Treebank(
        train=train.chosen(kept),
        development=parts["development"],
        test=parts["test"],
        notes=(*notes, *drawn_note(len(train), kept)),
    )


def _parts(files: Sequence[Path], seed: int) -> tuple[dict[SplitName, Trees], list[str]]:
    """Return all three parts, and what is to be said of them."""
    named = named_splits(map(str, files))
    if not named:
        whole = joined([read_trees(path) for path in files])
        rows = deal(len(whole), seed, place=str(files[0]))
        dealt = {split: whole.chosen(own) for split, own in rows.items()}
        return dealt, [dealt_note(dealt)]
    needed: tuple[SplitName, ...] = ("train", "test")
    for split in needed:
        if split not in named:
            raise InputError(
                f"expected a file of the {split} part, got {', '.join(p.name for p in files)}",
                hint="name files train, dev and test, or give one file alone",
            )
    parts = {
        split: joined([read_trees(Path(place)) for place in places])
        for split, places in named.items()
    }
    check_tested(len(parts["test"]), what="sentences", place=named["test"][0])
    if "development" in parts:
        return parts, []
    train = parts["train"]
    left, held = hold_out(len(train), seed, one_in=DEALT)
    parts |= {"train": train.chosen(left), "development": train.chosen(held)}
    note = f"there is no development file: {len(held)} training sentences are held out to tune on"
    return parts, [note]


def _is_trees(path: Path) -> bool:
    if ".conllu" in path.name:
        return True
    try:
        with open_decompressed(path) as stream:
            return is_conllu(stream.read(_BEGINNING).removeprefix(b"\xef\xbb\xbf"))
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
