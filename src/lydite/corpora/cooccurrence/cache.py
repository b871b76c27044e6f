"""The counts of a corpus, which are counted once and then mapped from the cache."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lydite.corpora.cooccurrence.counting import MEMORY, count_cooccurrences
from lydite.corpora.cooccurrence.counts import CountMatrix
from lydite.corpora.cooccurrence.encoding import encode_files, encode_sentences, frequent_words
from lydite.corpora.cooccurrence.windows import Windows
from lydite.corpora.documents import open_corpus
from lydite.corpora.preparation import Preparation
from lydite.errors import LyditeError, ResourceError
from lydite.spaces.arrays import DamagedFolderError, discard, map_arrays, seal, working_folder
from lydite.spaces.vocabulary import PackedWords
from lydite.storage import cache_dir, sha256_text
from lydite.types import Indices

logger = logging.getLogger(__name__)

_LAYOUT = 1
_ARRAYS: dict[str, Any] = {
    "starts": np.int64,
    "columns": np.int32,
    "values": np.uint32,
    "letters": np.uint8,
    "offsets": np.int64,
    "counts": np.int64,
}


@dataclass(frozen=True, kw_only=True)
class Counting:
    """What is counted, and how.

    Attributes
    ----------
    files
        Of running text; or, without a preparation, of words with white space between, a sentence
        or paragraph a line.
    windows
        What is a context.
    min_count
        How often a word has to stand in the corpus to be in the vocabulary.
    limit
        How many words to keep at most.
    preparation
        How running text becomes sentences of tokens.
    """

    files: Sequence[Path]
    windows: Windows
    min_count: int = 100
    limit: int | None = None
    preparation: Preparation | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedCorpus:
    """The vocabulary of a corpus, the most frequent word first, and its counts.

    Attributes
    ----------
    words
        n words.
    counts
        Shape (n,): how often each stands in the corpus.
    contexts
        Shape (n, n), in units of ``1 / windows.scale``: how often each word is a context of each.
    """

    words: PackedWords
    counts: Indices
    contexts: CountMatrix


@contextlib.contextmanager
def counted(
    counting: Counting, *, sha256: str | None = None, memory: int = MEMORY
) -> Iterator[CountedCorpus]:
    """Count a corpus, or map its counts from the cache.

    Parameters
    ----------
    counting
        What to count.
    sha256
        Of the files. Counts that do not depend on a seed are kept under it; None keeps nothing.
    memory
        Bytes to keep to.

    Yields
    ------
    The counts, which are there only inside the ``with``.
    """
    keeps = sha256 is not None and not counting.windows.random
    folder = cache_dir("cooccurrence", f"v{_LAYOUT}") / _key(counting, sha256 or "")
    found = _open(folder) if keeps else None
    if found is not None:
        yield found
        return
    work = working_folder(folder.parent if keeps else None)
    try:
        _write(counting, work, memory)
        found = _open(work)
        if found is None:
            raise ResourceError(
                f"{work}: counts cannot be read back after they were written",
                hint="look for room on the disk",
            )
        if keeps:
            with contextlib.suppress(OSError):
                # Fails when another process was first; its folder is as good as this one.
                work.rename(folder)
        yield found
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _key(counting: Counting, sha256: str) -> str:
    prepared = counting.preparation and dataclasses.asdict(counting.preparation)
    # What is not random does not depend on the seed.
    windows = dataclasses.asdict(counting.windows) | {"seed": None}
    facts = [sha256, windows, counting.min_count, counting.limit, prepared]
    return sha256_text(json.dumps(facts, sort_keys=True))


def _write(counting: Counting, folder: Path, memory: int) -> None:
    """Count the corpus into a folder and seal it."""
    work = folder / "work"
    work.mkdir()
    try:
        if counting.preparation is None:
            corpus = encode_files(counting.files, work)
        else:
            text = open_corpus(counting.files, counting.preparation)
            corpus = encode_sentences(text.sentences(), work)
        kept = frequent_words(corpus, min_count=counting.min_count, limit=counting.limit)
        count_cooccurrences(
            corpus, kept.rows, kept.counts, counting.windows, work / "counts", memory=memory
        )
        for name in ("starts", "columns", "values"):
            (work / "counts" / name).rename(folder / name)
    except LyditeError:
        raise
    except OSError as error:
        raise ResourceError(
            f"{folder}: counting failed: {error}",
            hint="free some space, or name another folder for the cache with LYDITE_CACHE",
        ) from error
    kept.words.letters.tofile(folder / "letters")
    kept.words.offsets.tofile(folder / "offsets")
    kept.counts.tofile(folder / "counts")
    shutil.rmtree(work, ignore_errors=True)
    seal(folder, _ARRAYS)


def _open(folder: Path) -> CountedCorpus | None:
    """Map a folder of counts; None if it is not there, or was damaged and is now gone."""
    try:
        arrays, _ = map_arrays(folder, _ARRAYS)
    except OSError:
        return None
    except DamagedFolderError as error:
        logger.warning("cached counts are damaged (%s) and will be counted again", error)
        discard(folder)
        return None
    return CountedCorpus(
        words=PackedWords(letters=arrays["letters"], offsets=arrays["offsets"]),
        counts=arrays["counts"],
        contexts=CountMatrix(
            starts=arrays["starts"], columns=arrays["columns"], values=arrays["values"]
        ),
    )
