"""The first words of a file, in memory, without reading the rest."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np

from lydite.spaces.folder import no_words
from lydite.spaces.formats.detect import read_chunks
from lydite.spaces.formats.reading import Chunk, Fault, Reading
from lydite.spaces.space import Space, content_digest
from lydite.spaces.vocabulary import PackedWords, Vocabulary
from lydite.types import Indices


def read_beginning(reading: Reading, limit: int, vocabulary: Path | None) -> Space:
    """Read the first words; what is wrong after them is never seen.

    Parameters
    ----------
    reading
        The file, and how to treat faults.
    limit
        How many different words.
    vocabulary
        The word list, for matrices that have none inside.
    """
    chunks: list[Chunk] = []
    late: list[tuple[int, Fault]] = []
    rows, enough = 0, limit
    kept = np.empty(0, dtype=np.int64)
    with contextlib.closing(read_chunks(reading, vocabulary)) as reader:
        for chunk in reader:
            for fault in chunk.faults:
                # Repeated words may put the end of the beginning further off than this.
                if rows + fault.row < limit:
                    reading.report(fault)
                else:
                    late.append((rows + fault.row, fault))
            chunks.append(chunk)
            rows += len(chunk.words)
            if rows >= enough:
                kept = _distinct(chunks)[:limit]
                enough = rows + limit - len(kept)
                if enough == rows:
                    break
        else:
            kept = _distinct(chunks)
    if not len(kept):
        raise no_words(reading)
    end = int(kept[-1]) + 1 if len(kept) == limit else rows
    for place, fault in late:
        if place < end:
            reading.report(fault)
    if end > len(kept):
        reading.problems["repeated word"] += end - len(kept)
    return _space(chunks, kept, dict(reading.problems))


def _distinct(chunks: list[Chunk]) -> Indices:
    if not chunks:
        return np.empty(0, dtype=np.int64)
    return Vocabulary.build(PackedWords.join([chunk.words for chunk in chunks])).distinct()[1]


def _space(chunks: list[Chunk], kept: Indices, problems: dict[str, int]) -> Space:
    words = PackedWords.join([chunk.words for chunk in chunks]).take(kept)
    columns = [chunk.columns() for chunk in chunks]
    joined = {name: np.concatenate([rows[name] for rows in columns])[kept] for name in columns[0]}
    vectors, counts, contexts = joined["vectors"], joined.get("counts"), joined.get("contexts")
    return Space(
        vocabulary=Vocabulary.build(words),
        vectors=vectors,
        fingerprint=content_digest(words, vectors, counts=counts, contexts=contexts),
        problems=problems,
        counts=counts,
        contexts=contexts,
    )
