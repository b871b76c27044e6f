"""Tasks of token tagging from tagged corpora of any known format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from lydite.corpora.splits import deal, dealt_note, draw, drawn_note, named_splits
from lydite.corpora.tagged.columns import TagColumn
from lydite.corpora.tagged.reading import TaggedFormat, read_tagged, survey
from lydite.corpora.tagged.token import Sentence
from lydite.corpora.tagging.task import TaggingTask, tagging_task
from lydite.stats.seeds import child_seed


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
    named = named_splits(kinds)
    if named:
        parts = {
            split: _read(paths, {place: kinds[place] for place in found}, tags)
            for split, found in named.items()
        }
        places = {split: found[0] for split, found in named.items()}
        notes: list[str] = []
    else:
        whole = list(read_tagged(paths, tags=tags, chosen=kinds))
        dealt = deal(len(whole), child_seed(seed, "parts"), place=next(iter(kinds)))
        parts = {split: [whole[i] for i in rows] for split, rows in dealt.items()}
        places = dict.fromkeys(parts, next(iter(kinds)))
        notes = [dealt_note(parts)]
    train = parts.get("train", [])
    kept = draw(len(train), sentences, child_seed(seed, "sentences"))
    parts["train"] = [train[i] for i in kept]
    return tagging_task(parts, places=places, notes=[*notes, *drawn_note(len(train), kept)])


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
