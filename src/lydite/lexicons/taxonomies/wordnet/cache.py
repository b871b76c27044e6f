"""WordNet on disk in the form in which it is used: mapped, not parsed."""

from __future__ import annotations

import contextlib
import logging
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lydite.lexicons.taxonomies.lists import Lists
from lydite.lexicons.taxonomies.wordnet.database import WordNet
from lydite.lexicons.taxonomies.wordnet.edges import POINTERS
from lydite.lexicons.taxonomies.wordnet.morphology import Exceptions
from lydite.spaces.arrays import DamagedFolderError, discard, map_arrays, seal, working_folder
from lydite.spaces.vocabulary import PackedWords, Vocabulary
from lydite.storage import cache_dir

logger = logging.getLogger(__name__)

#: To be raised whenever the same files would give other arrays.
_LAYOUT = 1

_VOCABULARY: dict[str, DTypeLike] = {
    "letters": np.uint8,
    "offsets": np.int64,
    "hashes": np.uint64,
    "order": np.int32,
}
_LISTS: dict[str, DTypeLike] = {"offsets": np.int64, "items": np.int32}
_PLAIN: dict[str, DTypeLike] = {
    "parts_of_speech": "<U1",
    "offsets": np.int64,
    "lexicographer_files": np.uint8,
    "sense_counts": np.int32,
    "lemma_parts": np.uint8,
}
_VOCABULARIES = ("concepts", "words", "sense_keys", "lemmas", "inflected")
_ALL_LISTS = ("senses", "labels", "lemma_words", "bases", *POINTERS)
_ARRAYS: dict[str, DTypeLike] = (
    _PLAIN
    | {f"{name}.{part}": kind for name in _VOCABULARIES for part, kind in _VOCABULARY.items()}
    | {f"{name}.{part}": kind for name in _ALL_LISTS for part, kind in _LISTS.items()}
)


def open_wordnet(folder_files: Sequence[Path], *, sha256: str, name: str) -> WordNet:
    """Open WordNet through the cache.

    The first time the files are parsed, later their arrays are mapped. A damaged folder of the
    cache is built again; where the cache cannot be written, the files are parsed each time.

    Parameters
    ----------
    folder_files
        The database files, see :func:`~lydite.lexicons.taxonomies.wordnet.reading.read_wordnet`.
    sha256
        Of their content, which the cache goes by.
    name
        What to call it.

    Raises
    ------
    ResourceError
        If the nouns are missing or a file cannot be read.
    FormatError
        If a file is not what it should be, or the files do not belong together.
    """
    cached = _open_cached(sha256, name)
    if cached is not None:
        return cached
    # The parser is not needed to open what was parsed before.
    from lydite.lexicons.taxonomies.wordnet.reading import read_wordnet

    wordnet = read_wordnet(folder_files, name=name, sha256=sha256)
    try:
        _keep(wordnet)
    except OSError as error:
        logger.warning("the cache cannot be written (%s): %s is parsed each time", error, name)
    return wordnet


def _folder(sha256: str) -> Path:
    return cache_dir("taxonomies", f"wordnet-v{_LAYOUT}") / sha256


def _open_cached(sha256: str, name: str) -> WordNet | None:
    """Map a folder of the cache; None if it is not there, or was damaged and is now gone."""
    try:
        folder = _folder(sha256)
        return _mapped(folder, sha256, name)
    except OSError:
        return None
    except DamagedFolderError as error:
        logger.warning("a cached taxonomy is damaged (%s) and will be built again", error)
        discard(folder)
        return None


def _keep(wordnet: WordNet) -> None:
    """Write the arrays into a new folder of the cache."""
    target = _folder(wordnet.fingerprint)
    work = working_folder(target.parent)
    try:
        for name, array in _arrays(wordnet):
            np.ascontiguousarray(array, dtype=_ARRAYS[name]).tofile(work / name)
        seal(
            work,
            _ARRAYS,
            problems=wordnet.problems,
            lexicographer_names=wordnet.lexicographer_names,
        )
        with contextlib.suppress(OSError):
            # Fails when another process was first; its folder is as good as this one.
            work.rename(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _arrays(wordnet: WordNet) -> Iterator[tuple[str, NDArray[Any]]]:
    for name in _PLAIN:
        yield name, getattr(wordnet, name)
    for name in _VOCABULARIES:
        vocabulary = getattr(wordnet.exceptions if name == "inflected" else wordnet, name)
        yield f"{name}.letters", vocabulary.words.letters
        yield f"{name}.offsets", vocabulary.words.offsets
        yield f"{name}.hashes", vocabulary.hashes
        yield f"{name}.order", vocabulary.order
    for name in _ALL_LISTS:
        lists = (
            wordnet.parents[name]
            if name in POINTERS
            else getattr(wordnet.exceptions if name == "bases" else wordnet, name)
        )
        yield f"{name}.offsets", lists.offsets
        yield f"{name}.items", lists.items


def _mapped(folder: Path, sha256: str, name: str) -> WordNet:
    arrays, facts = map_arrays(folder, _ARRAYS)
    fields: dict[str, Any] = {each: arrays[each] for each in _PLAIN}
    fields |= {each: _vocabulary(arrays, each) for each in _VOCABULARIES}
    fields |= {
        each: Lists(offsets=arrays[f"{each}.offsets"], items=arrays[f"{each}.items"])
        for each in _ALL_LISTS
    }
    try:
        return WordNet(
            name=name,
            fingerprint=sha256,
            parents={kind: fields.pop(kind) for kind in POINTERS},
            problems=dict(facts["problems"]),
            lexicographer_names=tuple(facts["lexicographer_names"]),
            exceptions=Exceptions(inflected=fields.pop("inflected"), bases=fields.pop("bases")),
            **fields,
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFolderError(f"{type(error).__name__}: {error}") from error


def _vocabulary(arrays: dict[str, NDArray[Any]], name: str) -> Vocabulary:
    words = PackedWords(letters=arrays[f"{name}.letters"], offsets=arrays[f"{name}.offsets"])
    return Vocabulary(words=words, hashes=arrays[f"{name}.hashes"], order=arrays[f"{name}.order"])
