"""The parts of a treebank: what is learnt from, tuned on and tested on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lydite.corpora.classification.listed import split_of_name
from lydite.corpora.classification.task import SplitName
from lydite.corpora.tagged.columns import is_conllu
from lydite.corpora.treebank.reading import HINT, read_trees
from lydite.corpora.treebank.trees import Trees, joined
from lydite.errors import FormatError, InputError
from lydite.spaces.formats.compression import DECOMPRESSION_ERRORS, damaged, open_decompressed

_HEAD = 1 << 16
#: One sentence in so many is held out where the files are not split.
HELD_OUT = 10


@dataclass(frozen=True, kw_only=True, eq=False)
class Treebank:
    """Trees in three parts, and what is to be said of how they came about."""

    train: Trees
    development: Trees
    test: Trees
    notes: tuple[str, ...]


def open_treebank(paths: Sequence[Path], *, seed: int) -> Treebank:
    """Read a treebank whose file names say train, dev and test, or one file that is split here.

    Parameters
    ----------
    paths
        Files of CoNLL-U; others among them (a README) are passed over. One file alone is dealt
        8 : 1 : 1; without a development file a tenth of the training sentences is held out.
    seed
        Of the deal, which depends on nothing else but the number of sentences.

    Raises
    ------
    FormatError
        If there is no CoNLL-U, or one that is malformed.
    InputError
        If several files do not say what they are, a part is missing, or a file has too few
        sentences to be split.
    """
    files = [path for path in paths if len(paths) == 1 or _is_trees(path)]
    if not files:
        raise FormatError("expected CoNLL-U, got none", path=paths[0].parent, hint=HINT)
    if len(files) == 1:
        return _dealt(read_trees(files[0]), files[0], seed)
    parts: dict[SplitName, list[Path]] = {"train": [], "development": [], "test": []}
    for path in files:
        split = split_of_name(path)
        if split is None:
            raise InputError(
                f"expected the name of {path} to say train, dev or test, since there are "
                f"{len(files)} files",
                hint="rename it, or give one file alone, which is then split",
            )
        parts[split].append(path)
    for needed in ("train", "test"):
        if not parts[needed]:
            raise InputError(
                f"expected a file of the {needed} part, got {', '.join(p.name for p in files)}",
                hint="name files train, dev and test, or give one file alone",
            )
    train, test = (joined([read_trees(p) for p in parts[split]]) for split in ("train", "test"))
    if parts["development"]:
        tuning = joined([read_trees(path) for path in parts["development"]])
        return Treebank(train=train, development=tuning, test=test, notes=())
    order = _order(len(train), 2, parts["train"][0], seed)
    held = max(1, len(order) // HELD_OUT)
    note = f"there is no development file: {held} training sentences are held out to tune on"
    return Treebank(
        train=train.chosen(np.sort(order[held:])),
        development=train.chosen(np.sort(order[:held])),
        test=test,
        notes=(note,),
    )


def _dealt(trees: Trees, path: Path, seed: int) -> Treebank:
    order = _order(len(trees), 3, path, seed)
    held = max(1, len(order) // HELD_OUT)
    test, tuning, train = np.split(order, [held, 2 * held])
    note = (
        f"{path.name} was split here by the seed: {len(train)} sentences to train on, {held} to "
        f"tune on, {held} to test on"
    )
    return Treebank(
        train=trees.chosen(np.sort(train)),
        development=trees.chosen(np.sort(tuning)),
        test=trees.chosen(np.sort(test)),
        notes=(note,),
    )


def _order(
    count: int, least: int, path: Path, seed: int
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    if count < least:
        raise InputError(
            f"{path}: expected at least {least} sentences to split, got {count}",
            hint="give files of which the names say train, dev and test",
        )
    return np.random.default_rng(seed).permutation(count)


def _is_trees(path: Path) -> bool:
    if ".conllu" in path.name:
        return True
    try:
        with open_decompressed(path) as stream:
            return is_conllu(stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf"))
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
