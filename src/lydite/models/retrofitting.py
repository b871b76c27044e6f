"""Retrofitting: vectors moved towards those of their neighbours in a lexicon."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from lydite.errors import InputError
from lydite.lexicons.neighbours import Neighbours
from lydite.lexicons.taxonomies.lists import Lists
from lydite.models.background import check_count, check_number
from lydite.models.retrofitting_kernel import LANES, move_words, unit_rows
from lydite.spaces.space import Space, content_digest
from lydite.spaces.vocabulary import bounds
from lydite.threads import thread_count
from lydite.types import Vectors, current_progress

_ROWS = 1 << 15


@dataclass(frozen=True, kw_only=True, eq=False)
class Retrofitted:
    """A space after retrofitting.

    Attributes
    ----------
    space
        The same words in the same order.
    moved
        How many of them have a neighbour in the space.
    edges
        How many neighbours they have in all.
    """

    space: Space
    moved: int
    edges: int


def retrofit(
    space: Space,
    lexicon: Neighbours,
    *,
    iterations: int = 10,
    alpha: float = 1.0,
    normalise: bool = True,
    threads: int | None = None,
) -> Retrofitted:
    """Move the vectors of a space towards those of their neighbours.

    ``q_i = (alpha · q̂_i + Σ_j β_ij q_j) / (alpha + Σ_j β_ij)``, over the neighbours j of word i,
    with ``β_ij = 1 / degree(i)`` and q̂ the vectors as they were. Words are gone through in the
    order of the space, each with what its neighbours have become by then. Only neighbours in the
    space count; words without stay where they are.

    Parameters
    ----------
    space
        n words. Words of the lexicon are found in it under its own rules of case and of
        multiword terms; those found at one place share their neighbours.
    lexicon
        Who is whose neighbour, in that direction alone.
    iterations
        How often; the authors find 10 enough.
    alpha
        How much the first place of a vector counts against all its neighbours together.
    normalise
        Whether all vectors get the length 1 first, as in the authors' script.
    threads
        How many; by default all cores. Dimensions do not depend on each other, so that threads
        change nothing but the time it takes.

    Returns
    -------
    Retrofitted
        The new space keeps counts and loses contexts, which its vectors no longer go with.

    Raises
    ------
    InputError
        If no word of the space has a neighbour in it, or vectors grow beyond all numbers.

    References
    ----------
    Faruqui, Dodge, Jauhar, Dyer, Hovy & Smith (2015), Retrofitting word vectors to semantic
    lexicons, NAACL, equation 1 and section 2.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from lydite.lexicons.neighbours import read_neighbours
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "lexicon.txt"
    ...     _ = file.write_text("glad happy unknown")
    ...     lexicon = read_neighbours(file)
    >>> space = Space.of({"glad": [1, 0], "happy": [0, 1], "table": [1, 0]})
    >>> retrofit(space, lexicon).space.vectors.tolist()
    [[0.5, 0.5], [0.0, 1.0], [1.0, 0.0]]
    """
    check_count("iterations", iterations, least=1)
    check_number("alpha", alpha, least=0)
    with ThreadPoolExecutor(threads or thread_count()) as pool:
        found = pool.submit(adjacency, space, lexicon)
        vectors = _first(space.vectors, pool, normalise=normalise)
        lists = found.result()
        if not len(lists.items):
            raise InputError(
                f"expected words of {space.spec} with neighbours in it, got none by {lexicon.name}",
                hint="look at the case of words: vectors(FILE, case=fold) finds them in any",
            )
        finite = _move(vectors, lists, pool, float(alpha), iterations)
    if not finite:
        raise InputError(
            f"expected vectors to stay finite, got numbers beyond all of them from {space.spec} "
            f"with alpha={alpha:g}",
            hint="use an alpha of about 1, and normalise vectors that are very long",
        )
    words = space.vocabulary.words
    changed = replace(
        space,
        vectors=vectors,
        contexts=None,
        fingerprint=content_digest(words, vectors, counts=space.counts),
    )
    moved = int(np.count_nonzero(lists.lengths))
    return Retrofitted(space=changed, moved=moved, edges=len(lists.items))


def adjacency(space: Space, lexicon: Neighbours) -> Lists:
    """Return the neighbours of each word of a space, as rows of the space, (n,)."""
    rows = space.find(lexicon.words)
    known = np.flatnonzero(rows >= 0)
    # In the order of the space, since lists are then gathered by it already.
    number = np.full(len(space), -1, dtype=np.int64)
    number[rows[known]] = known
    ordered = number[number >= 0]
    if shared := len(ordered) < len(known):
        ordered = known[np.argsort(rows[known], kind="stable")]
    place, items = lexicon.lists.of_all(ordered)
    owners, items = rows[ordered][place], rows[items]
    kept = (items >= 0) & (owners != items)
    owners, items = owners[kept], items[kept]
    if shared:
        return Lists.grouped(owners, items, len(space))
    lengths = np.bincount(owners, minlength=len(space))
    return Lists(offsets=bounds(lengths), items=items.astype(np.int32))


def _first(vectors: Vectors, pool: ThreadPoolExecutor, *, normalise: bool) -> Vectors:
    """Return vectors to be changed."""
    write = unit_rows if normalise else lambda rows, to: np.copyto(to, rows)
    out = np.empty(vectors.shape, dtype=np.float32)

    def copy(start: int) -> None:
        rows = np.ascontiguousarray(vectors[start : start + _ROWS])
        write(rows, out[start : start + _ROWS])

    list(pool.map(copy, range(0, len(vectors), _ROWS)))
    return out


def _move(
    vectors: Vectors, lists: Lists, pool: ThreadPoolExecutor, alpha: float, iterations: int
) -> bool:
    """Move the words that have neighbours, some dimensions at a time in each thread.

    Returns
    -------
    Whether all numbers are finite.
    """
    moving = np.flatnonzero(lists.lengths)
    staying = np.zeros(len(lists), dtype=np.bool_)
    staying[lists.items] = True
    staying[moving] = False
    rows = np.concatenate([moving, np.flatnonzero(staying)])
    place = np.empty(len(lists), dtype=np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    starts, others = np.append(lists.offsets[moving], len(lists.items)), place[lists.items]

    def move(column: int) -> bool:
        return move_words(starts, others, rows, vectors, column, alpha, iterations)

    dim, finite = vectors.shape[1], True
    columns = range(0, dim, LANES)
    for column, well in zip(columns, pool.map(move, columns), strict=True):
        finite &= well
        current_progress()("retrofitting", min(column + LANES, dim), dim)
    return finite
