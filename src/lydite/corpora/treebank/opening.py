"""Treebanks in three parts: what is learnt from, tuned on and tested on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lydite.corpora.conllu import HINT
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
from lydite.corpora.tagged.columns import is_conllu
from lydite.corpora.treebank.reading import read_trees
from lydite.corpora.treebank.trees import Trees, joined
from lydite.errors import FormatError, InputError
from lydite.spaces.formats.compression import DECOMPRESSION_ERRORS, damaged, open_decompressed
from lydite.stats.seeds import child_seed

_HEAD = 1 << 16


@dataclass(frozen=True, kw_only=True, eq=False)
class Treebank:
    """Trees in three parts, and what is to be said of how they came about."""

    train: Trees
    development: Trees
    test: Trees
    notes: tuple[str, ...]


def open_treebank(paths: Sequence[Path], *, sentences: int = 0, seed: int) -> Treebank:
    """Read a treebank.

    Parameters
    ----------
    paths
        Files of CoNLL-U; others among them (a README) are passed over. Their names say train, dev
        (or valid) and test. If none does, or all say the same, eight of ten sentences are to learn
        from, one to tune on and one to test; without a development file a tenth of the training
        sentences is held out.
    sentences
        How many training sentences are taken, by chance; 0 for all.
    seed
        Of the deal and of the choice.

    Raises
    ------
    FormatError
        If there is no CoNLL-U, or one that is malformed.
    InputError
        If some names say what a file is for and others do not, a part is missing, or there are too
        few sentences to be dealt or fewer than two to be tested.
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
            return is_conllu(stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf"))
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
