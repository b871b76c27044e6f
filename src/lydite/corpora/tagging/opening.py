"""Tasks of token tagging from tagged corpora of any known format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from lydite.corpora.classification.listed import split_of_name
from lydite.corpora.classification.task import SplitName
from lydite.corpora.tagged.columns import TagColumn
from lydite.corpora.tagged.reading import TaggedFormat, read_tagged, survey
from lydite.corpora.tagged.token import Sentence
from lydite.corpora.tagging.task import TaggingTask, tagging_task
from lydite.errors import InputError
from lydite.stats.seeds import child_seed

#: Of ten sentences of data that are not split, one is to tune on and one to test.
DEALT = 10


def open_tagging(
    paths: Sequence[Path], *, tags: TagColumn = "upos", sentences: int = 0, seed: int
) -> TaggingTask:
    """Read a task of token tagging.

    Parameters
    ----------
    paths
        Files or archives with CoNLL-U, ``word TAB tag`` a line, trees in brackets, ``word/tag`` or
        SemCor, compressed or not; files without tagged text are passed over. Their names say train,
        dev (or valid) and test. If none does, or all say the same, eight of ten sentences are to
        learn from, one to tune on and one to test.
    tags
        Which tag of CoNLL-U.
    sentences
        How many training sentences are taken, by chance; 0 for all.
    seed
        Of the deal and of the choice.

    Raises
    ------
    FormatError
        If no file holds tagged text or one is malformed.
    InputError
        If some names say what a file is for and others do not, and for what `tagging_task` refuses.
    """
    kinds = survey(paths)
    splits = {place: split_of_name(Path(place)) for place in kinds}
    notes: list[str] = []
    if len(set(splits.values())) == 1:
        whole = list(read_tagged(paths, tags=tags, chosen=kinds))
        parts = _dealt(whole, child_seed(seed, "parts"))
        places: dict[SplitName, str] = dict.fromkeys(parts, next(iter(kinds)))
        counts = ", ".join(f"{len(found):,} {name}" for name, found in parts.items())
        notes.append(f"the data are not split: sentences were dealt by chance, {counts}")
    else:
        named = _named(splits)
        places = {split: found[0] for split, found in named.items()}
        parts = {
            split: _read(paths, {place: kinds[place] for place in found}, tags)
            for split, found in named.items()
        }
    if 0 < sentences < len(parts.get("train", ())):
        generator = np.random.default_rng(child_seed(seed, "sentences"))
        kept = np.sort(generator.permutation(len(parts["train"]))[:sentences])
        notes.append(
            f"of {len(parts['train']):,} training sentences {sentences:,} were taken by chance"
        )
        parts["train"] = [parts["train"][i] for i in kept]
    return tagging_task(parts, places=places, notes=notes)


def _named(splits: Mapping[str, SplitName | None]) -> dict[SplitName, list[str]]:
    named: dict[SplitName, list[str]] = {}
    for place, split in splits.items():
        if split is None:
            raise InputError(
                f"expected the name of {place} to say train, dev or test, as others do",
                hint="rename it, or leave it out",
            )
        named.setdefault(split, []).append(place)
    return named


def _read(
    paths: Sequence[Path], chosen: Mapping[str, TaggedFormat], tags: TagColumn
) -> list[Sentence]:
    # What an archive holds is at a place below its path.
    needed = [
        path
        for path in paths
        if any(place == str(path) or place.startswith(f"{path}/") for place in chosen)
    ]
    return list(read_tagged(needed, tags=tags, chosen=chosen))


def _dealt(sentences: Sequence[Sentence], seed: int) -> dict[SplitName, list[Sentence]]:
    order = np.random.default_rng(seed).permutation(len(sentences))
    share = len(sentences) // DEALT
    if not share:
        raise InputError(
            f"expected at least {DEALT} sentences to deal into training, development and test, "
            f"got {len(sentences)}",
            hint="give more sentences, or files whose names say train and test",
        )
    rows: dict[SplitName, np.ndarray[tuple[int], np.dtype[np.int64]]] = {
        "train": order[2 * share :],
        "development": order[share : 2 * share],
        "test": order[:share],
    }
    return {split: [sentences[i] for i in np.sort(found)] for split, found in rows.items()}
