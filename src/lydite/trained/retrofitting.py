"""Retrofitting: vectors moved toward those of their neighbors in a lexicon."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import compiled, intrinsic_part
from lydite.declare import Inline, ModelSlot, Param, Slot
from lydite.errors import InputError
from lydite.lexicons.neighbours import Neighbours
from lydite.lexicons.taxonomy import Lists
from lydite.models.contexts import background_space
from lydite.progress import current_progress
from lydite.recipe import Product, Recipe
from lydite.registry import unknown_name
from lydite.results.provenance import versions
from lydite.spaces.formats.writing import write_space
from lydite.spaces.space import Space, content_digest
from lydite.spaces.vocabulary import bounds
from lydite.spec import Spec
from lydite.storage import user_path
from lydite.threads import thread_count
from lydite.trained.inputs import check_space_file, named
from lydite.trained.lexicons import LEXICON_KINDS, Lexicon, joined, lexicon_of
from lydite.trained.parameters import (
    SafetensorsFile,
    check_declared,
    check_kinds,
    parameters_by_key,
)
from lydite.types import Vectors

Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Singles: TypeAlias = NDArray[np.float32]
#: What Numba hands over while it compiles: types, values, a builder; it has no types for them.
Stage: TypeAlias = Any

#: Dimensions that are moved together: as many as a line of the processor's cache has room for.
LANES = 16

_LARGEST = np.finfo(np.float32).max


# Read-only, because perhaps mapped from disk.
@compiled(lambda t: t.void(t.Array(t.f4, 2, "C", readonly=True), t.f4[:, ::1]), error_model="numpy")
def unit_rows(vectors: Singles, out: Singles) -> None:
    """Write vectors (n, d), each divided by its length; zeros stay zeros.

    The same as :func:`lydite.spaces.cosine.unit_rows`, in one pass and without copies.
    """
    for row in range(vectors.shape[0]):
        total = 0.0
        for k in range(vectors.shape[1]):
            total += np.float64(vectors[row, k]) * np.float64(vectors[row, k])
        scale = 1.0 / np.sqrt(total) if total > 0 else 0.0
        for k in range(vectors.shape[1]):
            out[row, k] = vectors[row, k] * scale


@intrinsic_part
def _move(
    _: Stage,
    moved: Stage,
    first: Stage,
    word: Stage,
    near: Stage,
    begin: Stage,
    end: Stage,
    own: Stage,
    scale: Stage,
) -> Stage:
    """Set ``moved[word] = (own · first[word] + Σ moved[near[begin:end]]) · scale``.

    All lanes at once and the sum in registers: from a loop over them Numba makes one number at a
    time, or one that goes through memory, and takes twice to four times as long.
    """
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import types
    from numba.core import cgutils

    lanes = ir.VectorType(ir.FloatType(), LANES)

    def generate(context: Stage, builder: Stage, signature: Stage, arguments: Stage) -> Stage:
        def pointer(which: int, index: Stage) -> Stage:
            kind = signature.args[which]
            held = context.make_array(kind)(context, builder, arguments[which])
            element: Stage = cgutils.get_item_pointer
            place = [index, index.type(0)][: kind.ndim]
            return element(context, builder, kind, held, place, wraparound=False)

        def row(which: int, index: Stage) -> Stage:
            return builder.bitcast(pointer(which, index), lanes.as_pointer())

        def spread(number: Stage) -> Stage:
            one = builder.insert_element(lanes(ir.Undefined), number, ir.IntType(32)(0))
            zeros = ir.VectorType(ir.IntType(32), LANES)(None)
            return builder.shuffle_vector(one, lanes(ir.Undefined), zeros)

        _, _, word, _, begin, end, own, scale = arguments
        variable: Stage = cgutils.alloca_once_value
        total = variable(builder, builder.fmul(builder.load(row(1, word), align=4), spread(own)))
        with cgutils.for_range_slice(builder, begin, end, word.type(1)) as (at, _):
            other = builder.sext(builder.load(pointer(3, at)), word.type)
            added = builder.fadd(builder.load(total), builder.load(row(0, other), align=4))
            builder.store(added, total)
        builder.store(builder.fmul(builder.load(total), spread(scale)), row(0, word), align=4)
        return context.get_dummy_value()

    numbers = (types.intp, types.intp, types.float32, types.float32)
    return types.none(moved, first, types.intp, near, *numbers), generate


@compiled(
    lambda t: t.b1(t.i8[::1], t.i4[::1], t.i8[::1], t.f4[:, ::1], t.i8, t.f4, t.i8),
    error_model="numpy",
)
def move_words(
    starts: Int64s,
    others: Int32s,
    rows: Int64s,
    vectors: Singles,
    column: int,
    alpha: float,
    iterations: int,
) -> bool:
    """Move each vector toward those of its neighbors, in order, in place.

    - ``starts``, ``others``: the neighbors of n words, numbers below m; no word is its own.
    - ``rows`` (m,): where the words stand among the vectors, the first n of them to be
      moved.
    - ``alpha``: how much the first place of a vector counts, against 1 for all its neighbors
      together.

    Returns whether all numbers are finite.
    """
    count, width = starts.shape[0] - 1, min(LANES, vectors.shape[1] - column)
    moved = np.zeros((rows.shape[0], LANES), np.float32)
    for word in range(rows.shape[0]):
        here, there = moved[word], vectors[rows[word], column : column + width]
        for k in range(width):
            here[k] = there[k]
    first = moved[:count].copy()
    for _ in range(iterations):
        for word in range(count):
            begin, end = starts[word], starts[word + 1]
            own = alpha * np.float32(end - begin)
            scale = np.float32(1.0) / (own + np.float32(end - begin))
            _move(moved, first, word, others, begin, end, own, scale)  # type: ignore[call-arg]
    finite = True
    for word in range(count):
        here, there = moved[word], vectors[rows[word], column : column + width]
        for k in range(width):
            there[k] = here[k]
            finite &= abs(here[k]) <= _LARGEST
    return finite


_ROWS = 1 << 15


@dataclass(frozen=True, kw_only=True, eq=False)
class Retrofitted:
    """A space after retrofitting."""

    space: Space
    moved: int  # How many words have a neighbor in the space
    edges: int  # How many neighbors they have in all


def retrofit(
    space: Space,
    lexicon: Neighbours,
    *,
    iterations: int = 10,
    alpha: float = 1.0,
    normalise: bool = True,
    threads: int | None = None,
) -> Retrofitted:
    """Move the vectors of a space toward those of their neighbors.

    ``q_i = (alpha · q̂_i + Σ_j β_ij q_j) / (alpha + Σ_j β_ij)``, over the neighbors j of word i,
    with ``β_ij = 1 / degree(i)`` and q̂ the vectors as they were. Words are gone through in the
    order of the space, each with what its neighbors have become by then. Only neighbors in the
    space count; words without stay where they are.

    The new space keeps counts and loses contexts, which its vectors no longer go with. Threads
    change nothing but the time it takes: dimensions do not depend on each other.

    - ``space``: n words. Words of the lexicon are found in it under its own rules of case and of
      multiword terms; those found at one place share their neighbors.
    - ``lexicon``: who is whose neighbor, in that direction alone.
    - ``normalise``: whether all vectors get the length 1 first, as in the authors' script.

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
    Retrofitting(iterations=iterations, alpha=alpha, normalise=normalise)  # checks them
    with ThreadPoolExecutor(threads or thread_count()) as pool:
        found = pool.submit(adjacency, space, lexicon)
        vectors = _first(space.vectors, pool, normalise=normalise)
        lists = found.result()
        if not len(lists.items):
            raise InputError(
                f"expected words of {space.spec} with neighbours in it, got none by {lexicon.name}",
                hint="look at the case of words: vectors(FILE, case=fold) finds them in any",
            )
        finite = _move_words(vectors, lists, pool, float(alpha), iterations)
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
    """Return the neighbors of each word of a space, as rows of the space, (n,)."""
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


def _move_words(
    vectors: Vectors, lists: Lists, pool: ThreadPoolExecutor, alpha: float, iterations: int
) -> bool:
    """Move words, some dimensions at a time in each thread; tell whether all numbers are finite."""
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


@dataclass(frozen=True, kw_only=True)
class Retrofitting:
    """How vectors are moved, see `retrofit`."""

    #: Of what that function computes, to be raised like that of a family of spaces.
    version: ClassVar[int] = 1
    iterations: Annotated[int, Param("Passes over the words.", least=1)] = 10
    alpha: Annotated[
        float,
        Param("Weight of a vector's original position relative to its neighbors.", least=0),
    ] = 1.0
    normalise: Annotated[bool, Param("Scale vectors to length 1 first.")] = True

    def __post_init__(self) -> None:
        check_declared(self)


def retrofitting_of(given: Mapping[str, Any]) -> Retrofitting:
    """Return how vectors are moved; what is not given is as usual."""
    known = parameters_by_key(Retrofitting)
    for name in given:
        if name not in known:
            raise unknown_name(
                "parameter of retrofitting", name, known, hint=f"there are {', '.join(known)}"
            )
    check_kinds(Retrofitting, given)
    return Retrofitting(**given)


@dataclass(frozen=True)
class RetrofitTraining(Recipe):
    """Move the vectors of a space toward those of their neighbors in lexicons.

    A lexicon is a list with a word and its neighbors on each line, or a taxonomy such as WordNet.
    Neighbors from several lexicons are combined. Words without neighbors stay as they are.
    """

    name: ClassVar[str] = "retrofit"
    examples: ClassVar[tuple[str, ...]] = (
        "train retrofit glove-6b-50d --lexicon ppdb-xl --out glove-ppdb.safetensors",
        "train retrofit vectors.txt --lexicon wordnet-3.0 --relation synonyms "
        "--out synonyms.safetensors",
        "train retrofit vectors.txt --lexicon ppdb-xl my-synonyms.txt --out both.safetensors",
        "similarity glove-6b-50d glove-ppdb.safetensors --pairs simlex-999",
    )

    space: Annotated[
        str, ModelSlot("space", "A vector file, or the spec of a space.", metavar="SPACE")
    ]
    _: KW_ONLY
    lexicon: Annotated[
        tuple[str, ...],
        Slot(
            "lexicon",
            "Words and their neighbors, such as ppdb-xl, or a taxonomy.",
            accepts=LEXICON_KINDS,
        ),
    ]
    out: SafetensorsFile
    relation: Annotated[
        tuple[str, ...],
        Param(
            "Which words of a taxonomy are neighbors: synonyms, hypernyms, hyponyms.",
            metavar="NAME",
            default="all three",
        ),
    ] = ()
    how: Annotated[Retrofitting, Inline()] = Retrofitting()

    def run(self) -> Product:
        """Read the lexicons, then the space; move it and write it."""
        check_space_file(self.out)
        target = user_path(self.out)
        if target.exists() and Path(self.space).exists() and target.samefile(self.space):
            raise InputError(
                f"{self.out}: expected another file to write to than the space that is read",
                hint="write to a new name, then rename",
            )
        lexicons = [_with_relations(lexicon_of(text), self.relation) for text in self.lexicon]
        how, located = dataclasses.asdict(self.how), [each.locate() for each in lexicons]
        neighbours = joined([each.open() for each in lexicons])
        parent = background_space(self.name, self.space)
        moved = retrofit(parent, neighbours, **how)
        about = {
            "recipe": {
                "architecture": "retrofitted",
                "version": Retrofitting.version,
                "parent": parent.spec,
                "lexicons": [each.spec for each in lexicons],
                **how,
            },
            "parent_sha256": parent.fingerprint,
            "lexicons": named(located),
            "moved": moved.moved,
            "edges": moved.edges,
            "versions": versions(),
        }
        write_space(moved.space, target, provenance=about, progress=current_progress())
        return Product(line=f"{moved.moved:,} of {len(parent):,} words moved: {self.out}")


def _with_relations(lexicon: Lexicon, relations: tuple[str, ...]) -> Lexicon:
    if not relations:
        return lexicon
    if lexicon.relations:
        raise InputError(
            f"expected relations once, got them in {lexicon.spec} and by --relation",
            hint=f"--lexicon {lexicon.source} --relation {' --relation '.join(relations)}",
        )
    return lexicon_of(str(Spec(lexicon.source, relations)))
