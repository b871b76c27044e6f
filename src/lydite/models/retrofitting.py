"""Retrofitting: vectors moved towards those of their neighbours in a lexicon."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lydite.errors import InputError
from lydite.lexicons.neighbours import Neighbours
from lydite.lexicons.taxonomies.lists import Lists
from lydite.models.background import check_count, check_number
from lydite.spaces.space import Space, content_digest
from lydite.spaces.vocabulary import bounds, spans
from lydite.threads import thread_count
from lydite.types import Indices, Vectors, current_progress

#: Dimensions that the processor adds at once, and how many of them are moved at a time: so few
#: that the vectors of all words stay in its cache.
_LANES, _WIDTH = 8, 32
_ROWS = 1 << 13


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
    vectors, lists = moved_vectors(
        space,
        lexicon,
        iterations=iterations,
        alpha=alpha,
        normalise=normalise,
        threads=threads,
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


def moved_vectors(
    space: Space,
    lexicon: Neighbours,
    *,
    iterations: int = 10,
    alpha: float = 1.0,
    normalise: bool = True,
    threads: int | None = None,
) -> tuple[Vectors, Lists]:
    """Return the vectors of `retrofit`, (n, d), and the neighbours of each word of the space."""
    check_count("iterations", iterations, least=1)
    check_number("alpha", alpha, least=0)
    lists = adjacency(space, lexicon)
    moving = np.flatnonzero(lists.lengths)
    if not len(moving):
        raise InputError(
            f"expected words of {space.spec} with neighbours in it, got none by {lexicon.name}",
            hint="look at the case of words: vectors(FILE, case=fold) finds them in any",
        )
    job = _Job(moving=moving, lists=lists, iterations=iterations, alpha=float(alpha))
    workers = threads or thread_count()
    with ThreadPoolExecutor(workers) as pool:
        vectors = _first(space.vectors, pool, normalise=normalise)
        _move(vectors, job, pool, workers)
    if not np.isfinite(vectors[moving]).all():
        raise InputError(
            f"expected vectors to stay finite, got numbers beyond all of them from {space.spec} "
            f"with alpha={alpha:g}",
            hint="use an alpha of about 1, and normalise vectors that are very long",
        )
    return vectors, lists


def adjacency(space: Space, lexicon: Neighbours) -> Lists:
    """Return the neighbours of each word of a space, as rows of the space, (n,)."""
    rows = space.find(lexicon.words)
    known = np.flatnonzero(rows >= 0)
    # In the order of the space, since lists are then gathered by it already.
    known = known[np.argsort(rows[known], kind="stable")]
    place, items = lexicon.lists.of_all(known)
    owners, items = rows[known][place], rows[items]
    kept = (items >= 0) & (owners != items)
    owners, items = owners[kept], items[kept]
    if (np.diff(rows[known]) == 0).any():
        return Lists.grouped(owners, items, len(space))
    lengths = np.bincount(owners, minlength=len(space))
    return Lists(offsets=bounds(lengths), items=items.astype(np.int32))


def _first(vectors: Vectors, pool: ThreadPoolExecutor, *, normalise: bool) -> Vectors:
    """Return vectors to be changed."""
    from lydite.models.retrofitting_kernel import unit_rows

    write = unit_rows if normalise else lambda rows, to: np.copyto(to, rows)
    out = np.empty(vectors.shape, dtype=np.float32)

    def copy(start: int) -> None:
        rows = np.ascontiguousarray(vectors[start : start + _ROWS])
        write(rows, out[start : start + _ROWS])

    list(pool.map(copy, range(0, len(vectors), _ROWS)))
    return out


class _Job(NamedTuple):
    """What all threads share."""

    moving: Indices
    lists: Lists
    iterations: int
    alpha: float


def _move(vectors: Vectors, job: _Job, pool: ThreadPoolExecutor, workers: int) -> None:
    """Move the words that have neighbours, some dimensions at a time in each thread."""
    from lydite.models.retrofitting_kernel import move_words

    rows, starts, others = _arranged(job.lists, job.moving)

    def move(first: int) -> None:
        columns = vectors[:, first : first + step]
        move_words(starts, others, rows, columns, job.alpha, job.iterations)

    dim = vectors.shape[1]
    step = min(_WIDTH, _LANES * -(-dim // (_LANES * workers)))
    firsts = range(0, dim, step)
    for first, _ in zip(firsts, pool.map(move, firsts), strict=True):
        current_progress()("retrofitting", min(first + step, dim), dim)


def _arranged(lists: Lists, moving: Indices) -> tuple[Indices, Indices, NDArray[np.int32]]:
    """Arrange words in memory so that neighbours are close.

    Returns
    -------
    Which rows of the space there are, first those to be moved in an order that gives the same as
    that of the space, then those that stay; and the neighbours of the former, as places there.
    """
    from lydite.models.retrofitting_kernel import order_words, turn_lists

    seen = np.zeros(len(lists), dtype=np.bool_)
    seen[lists.items] = True
    seen[moving] = False
    rows = np.concatenate([moving, np.flatnonzero(seen)])
    place = np.empty(len(lists), dtype=np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    others = place[lists.items]
    starts = np.append(lists.offsets[moving], np.full(len(rows) - len(moving) + 1, len(others)))
    ends = bounds(np.bincount(others, minlength=len(rows)))[:-1]
    owners = np.empty(len(others), dtype=np.int32)
    turn_lists(starts, others, ends, owners)
    order = order_words(starts, others, ends, owners)
    # Those that stay have to come last, whatever their neighbours.
    order = order[np.argsort(order >= len(moving), kind="stable")]
    place[rows[order]] = np.arange(len(rows), dtype=np.int32)
    lengths = np.diff(starts)[order[: len(moving)]]
    taken = spans(starts[order[: len(moving)]], lengths)
    return rows[order], bounds(lengths), place[lists.items[taken]]
