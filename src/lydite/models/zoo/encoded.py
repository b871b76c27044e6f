"""Encoded corpora in the cache: cutting running text into words takes minutes, mapping none."""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from lydite.corpora.cooccurrence.encoding import EncodedCorpus
from lydite.errors import ResourceError
from lydite.spaces.arrays import DamagedFolderError, discard, map_arrays, seal, working_folder
from lydite.spaces.vocabulary import PackedWords
from lydite.storage import cache_dir, sha256_text
from lydite.types import Plain

logger = logging.getLogger(__name__)

_LAYOUT = 1
_ARRAYS: dict[str, Any] = {
    "ids": np.int32,
    "letters": np.uint8,
    "offsets": np.int64,
    "counts": np.int64,
}


def encoded_once(facts: Plain, encode: Callable[[Path], EncodedCorpus]) -> EncodedCorpus:
    """Map an encoded corpus from the cache, where it is put if it is not there.

    Parameters
    ----------
    facts
        What it depends on, in plain data.
    encode
        Encodes it into a folder, the numbers into a file ``ids``.
    """
    folder = cache_dir("encoded", f"v{_LAYOUT}") / sha256_text(json.dumps(facts, sort_keys=True))
    found = _open(folder)
    if found is not None:
        return found
    work = working_folder(folder.parent)
    try:
        corpus = encode(work)
        corpus.words.letters.tofile(work / "letters")
        corpus.words.offsets.tofile(work / "offsets")
        corpus.counts.tofile(work / "counts")
        del corpus
        seal(work, _ARRAYS)
        with contextlib.suppress(OSError):
            # Fails when another process was first; its folder is as good as this one.
            work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    found = _open(folder)
    if found is None:
        raise ResourceError(
            f"{folder}: a corpus cannot be read back after it was written",
            hint="look for room on the disk, or name another folder with LYDITE_CACHE",
        )
    return found


def _open(folder: Path) -> EncodedCorpus | None:
    """Map a folder; None if it is not there, or was damaged and is now gone."""
    try:
        arrays, _ = map_arrays(folder, _ARRAYS)
    except OSError:
        return None
    except DamagedFolderError as error:
        logger.warning("a cached corpus is damaged (%s) and will be read again", error)
        discard(folder)
        return None
    ids = arrays["ids"]
    if len(ids):
        # Compiled code takes no read-only arrays; of this kind nothing is ever written back.
        ids = np.memmap(folder / "ids", dtype=np.int32, mode="c").view(np.ndarray)
    return EncodedCorpus(
        words=PackedWords(letters=arrays["letters"], offsets=arrays["offsets"]),
        counts=arrays["counts"],
        ids=ids,
    )
