"""One corpus for many models: read once, counted once for each kind of window."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from lydite.corpora.documents import Corpus, open_corpus
from lydite.corpora.preparation import Preparation
from lydite.errors import ResourceError
from lydite.files.arrays import DamagedFolderError, discard, map_arrays, seal, working_folder
from lydite.models.contexts import check_window
from lydite.resources.catalogue import Located
from lydite.spaces.vocabulary import PackedWords
from lydite.storage import cache_dir, sha256_text
from lydite.trained.cooccurrence import CountedCorpus, Windows, count_cooccurrences
from lydite.trained.encoded_corpus import EncodedCorpus, WordRows, encode_sentences, frequent_words
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

    ``facts`` is what it depends on; ``encode`` writes the numbers into a file ``ids``.
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


class SharedCorpus:
    """A corpus that is encoded when it is first asked for, and its counts.

    - ``words``: how many words to take, the first ones; None for all.
    - ``sha256``: of the files. The numbers are kept in the cache under it; None keeps nothing.
    """

    def __init__(
        self, text: Corpus, folder: Path, *, words: int | None = None, sha256: str | None = None
    ) -> None:
        self._text = text
        self._sha256 = sha256
        self._folder = folder
        self._words = words
        self._counted: dict[object, CountedCorpus] = {}
        self._vocabularies: dict[tuple[int, int | None], WordRows] = {}

    @cached_property
    def encoded(self) -> EncodedCorpus:
        """The corpus as numbers."""
        if self._sha256 is None:
            folder = self._folder / "text"
            folder.mkdir()
            return self._encode(folder)
        text = self._text
        facts = [
            self._sha256,
            # The digest of a card's files does not depend on the order in which they are read.
            [file.name for file in text.files],
            dataclasses.asdict(text.preparation),
            text.encoding,
            text.field,
            self._words,
        ]
        return encoded_once(facts, self._encode)

    def _encode(self, folder: Path) -> EncodedCorpus:
        sentences: Iterable[Sequence[str]] = self._text.sentences()
        if self._words is not None:
            sentences = first_words(sentences, self._words)
        return encode_sentences(sentences, folder)

    @property
    def size(self) -> dict[str, int]:
        """How many sentences, tokens and different words there are."""
        return {
            "sentences": len(self.encoded.ids) - self.encoded.tokens,
            "tokens": self.encoded.tokens,
            "words": len(self.encoded.words),
        }

    def vocabulary(self, min_count: int, limit: int | None) -> WordRows:
        """Return the words that are frequent enough."""
        key = min_count, limit
        if key not in self._vocabularies:
            self._vocabularies[key] = frequent_words(self.encoded, min_count=min_count, limit=limit)
        return self._vocabularies[key]

    def counted(self, windows: Windows, min_count: int, limit: int | None) -> CountedCorpus:
        """Return the counts of words beside words, taken once for each kind of window."""
        key = type(windows).__name__, *dataclasses.astuple(windows), min_count, limit
        if key not in self._counted:
            kept = self.vocabulary(min_count, limit)
            check_window(int(kept.counts.sum()), windows.size)
            folder = self._folder / f"counts-{len(self._counted)}"
            contexts = count_cooccurrences(self.encoded, kept.rows, kept.counts, windows, folder)
            self._counted[key] = CountedCorpus(
                words=kept.words, counts=kept.counts, contexts=contexts
            )
        return self._counted[key]

    def sentences(self, kept: WordRows) -> Iterator[list[str]]:
        """Yield the sentences with those of their words alone that are kept."""
        names = np.array(kept.words.to_list(), dtype=object)
        ids = self.encoded.ids
        ends = np.flatnonzero(ids < 0)
        first = 0
        for last in ends.tolist():
            rows = kept.rows[ids[first:last]]
            yield names[rows[rows >= 0]].tolist()
            first = last + 1


def shared_corpus(
    corpora: Sequence[Located],
    preparation: Preparation,
    folder: Path,
    *,
    words: int | None = None,
    encoding: str | None = None,
    field: str = "text",
) -> SharedCorpus:
    """Open corpora as one, which is kept in the cache once it is read; see `open_corpus`."""
    paths = [path for each in corpora for path in each.paths]
    text = open_corpus(paths, preparation, encoding=encoding, field=field)
    digests = sha256_text(" ".join(each.sha256 for each in corpora))
    return SharedCorpus(text, folder, words=words, sha256=digests)


def first_words(sentences: Iterable[Sequence[str]], words: int) -> Iterator[Sequence[str]]:
    """Yield the first so many words of a text; the last sentence may be cut.

    >>> list(first_words([("a", "b"), ("c", "d")], 3))
    [('a', 'b'), ('c',)]
    """
    for sentence in sentences:
        if words <= 0:
            return
        yield sentence[:words]
        words -= len(sentence)
