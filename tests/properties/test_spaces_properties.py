from __future__ import annotations

import io
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lydite.errors import InputError, LyditeError
from lydite.spaces.cache import open_space, read_beginning
from lydite.spaces.formats.catalogue import read_chunks
from lydite.spaces.formats.rows import Reading
from lydite.spaces.formats.text import Shape, is_decimal, read_text
from lydite.spaces.formats.writing import write_space
from lydite.spaces.neighbours import Ties, cosine_ranks, nearest_words
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import Vocabulary
from lydite.types import Vectors

# No time limit: a slow machine is no failure.
unhurried = settings(deadline=None, max_examples=60)
thorough = settings(deadline=None, max_examples=200)

FORMATS = ["txt", "vec", "bin", "npz", "safetensors"]

DIGITS = st.text("0123456789", max_size=25)
SIGNS = st.sampled_from(["", "+", "-"])
EXPONENTS = st.one_of(
    st.just(""),
    st.builds("{}{}{}".format, st.sampled_from("eE"), SIGNS, st.text("0123456789", min_size=1)),
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
FLOATS32 = st.floats(allow_nan=False, allow_infinity=False, width=32)
#: All that have a next one.
STEPS = st.floats(allow_infinity=False, max_value=float(np.float32(3.4028232e38)), width=32)
WORDS = st.text(min_size=1, max_size=12)


def midpoint(number: float) -> str:
    """Write exactly the number that lies between a float32 and the next."""
    low = np.float32(number)
    high = np.nextafter(low, np.float32(np.inf))
    middle = (Fraction(float(low)) + Fraction(float(high))) / 2
    # A dyadic fraction has as many decimals as its denominator has twos.
    decimals = middle.denominator.bit_length()
    whole = abs(middle.numerator) * 10**decimals // middle.denominator
    digits = str(whole).rjust(decimals + 1, "0")
    return ("-" if middle < 0 else "") + f"{digits[:-decimals]}.{digits[-decimals:]}"


NUMBERS = st.one_of(
    st.builds("{}{}{}{}{}".format, SIGNS, DIGITS, st.sampled_from(["", "."]), DIGITS, EXPONENTS),
    FLOATS.map(repr),
    FLOATS.map("{:.17g}".format),
    FLOATS.map("{:.25e}".format),
    FLOATS32.map("{:.9g}".format),
    st.builds("{:.{}f}".format, st.floats(-1e6, 1e6), st.integers(0, 30)),
    STEPS.map(midpoint),
    st.builds("{}{}".format, STEPS.map(midpoint), st.sampled_from(["0", "1", "0" * 30 + "1"])),
    STEPS.map(lambda number: midpoint(number)[:-1]),
)


def read_numbers(fields: list[str]) -> Vectors | None:
    """Read one row through the text reader; None if a field is refused."""
    line = f"word {' '.join(fields)}\n".encode()
    reading = Reading(path=Path("vectors.txt"), lenient=True)
    shape = Shape(dim=len(fields), promised=None, skip=0, first_line=1)
    (chunk,) = read_text(io.BytesIO(line), reading, shape)
    return chunk.vectors[0] if len(chunk.words) else None


@settings(deadline=None, max_examples=500)
@given(NUMBERS)
@example("1e-45")
@example("+.5")
@example("7.0064923216240853e-46")
@example("0." + "0" * 60 + "1")
@example("1" + "0" * 45 + "e-40")
@example("3.4028235677973366e+38")
@example("3.4028235677973362e+38")
@example(midpoint(3.4028232635611926e38))
@example(midpoint(1.1754944e-38))
@example(midpoint(1e-45))
def test_a_number_is_read_bit_for_bit_as_numpy_reads_it(field: str) -> None:
    # One number a row: the slow path reads a whole row and would hide what the fast one does.
    found = read_numbers([field])
    try:
        with np.errstate(over="ignore"):
            expected = np.array([np.float32(field)])
    except ValueError:
        assert found is None
        return
    if np.isfinite(expected).all():
        assert found is not None
        assert found.tobytes() == expected.tobytes()
    else:
        assert found is None


@unhurried
@given(st.lists(FLOATS32, min_size=1, max_size=20))
def test_rows_with_quick_and_slow_numbers(numbers: list[float]) -> None:
    found = read_numbers(list(map(repr, numbers)))
    assert found is not None
    assert found.tobytes() == np.array(numbers, dtype=np.float32).tobytes()


@thorough
@given(st.text("0123456789+-.eE_xnaif ", min_size=1, max_size=8).filter(lambda t: " " not in t))
def test_a_field_is_a_number_to_the_kernel_if_it_is_one_to_the_rest(field: str) -> None:
    with np.errstate(over="ignore"):
        finite = is_decimal(field.encode()) and bool(np.isfinite(np.float32(field)))
    assert (read_numbers([field]) is not None) == finite


@st.composite
def spaces(draw: st.DrawFn) -> Space:
    words = draw(st.lists(WORDS, min_size=1, max_size=8, unique=True))
    dim = draw(st.integers(1, 4))
    row = st.lists(FLOATS32, min_size=dim, max_size=dim)
    rows = draw(st.lists(row, min_size=len(words), max_size=len(words)))
    counts = draw(st.lists(st.floats(0, 1e15), min_size=len(words), max_size=len(words)))
    contexts = draw(st.lists(row, min_size=len(words), max_size=len(words)))
    beside: dict[str, list[Any]] = {}
    if draw(st.booleans()):
        beside["counts"] = counts
    if draw(st.booleans()):
        beside["contexts"] = contexts
    try:
        return Space.of(dict(zip(words, rows, strict=True)), **beside)
    except UnicodeEncodeError:
        return Space.of({"word": rows[0]}, **{name: each[:1] for name, each in beside.items()})


@unhurried
@given(spaces(), st.sampled_from(FORMATS), st.sampled_from(["", ".gz", ".xz", ".zst"]))
def test_a_space_reads_back_as_it_was_written_or_is_refused(
    space: Space, ending: str, packing: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"vectors.{ending}{packing}"
        try:
            write_space(space, path)
        except InputError:
            assert ending in {"txt", "vec", "bin"} or "\0" in "".join(space.vocabulary)
            return
        again = open_space(Reading(path=path))
        head = read_beginning(Reading(path=path), len(space), None)
    for read in (again, head):
        assert list(read.vocabulary) == list(space.vocabulary)
        assert read.vectors.tobytes() == space.vectors.tobytes()
        assert not read.problems
        if ending == "safetensors":
            assert_same(read.counts, space.counts)
            assert_same(read.contexts, space.contexts)
        else:
            assert read.counts is read.contexts is None


def assert_same(one: NDArray[Any] | None, other: NDArray[Any] | None) -> None:
    if one is None or other is None:
        assert one is other
    else:
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.tobytes() == other.tobytes()


@thorough
@given(st.lists(st.text("ab", max_size=4), max_size=30), st.lists(st.text("ab", max_size=4)))
def test_a_vocabulary_is_a_dictionary_in_which_the_first_wins(
    words: list[str], asked: list[str]
) -> None:
    first: dict[str, int] = {}
    for place, word in enumerate(words):
        first.setdefault(word, place)
    vocabulary = Vocabulary.of(words)
    assert vocabulary.find(asked).tolist() == [first.get(word, -1) for word in asked]
    assert list(vocabulary.distinct()[0]) == list(first)
    assert vocabulary.distinct()[1].tolist() == list(first.values())


LINES = st.sampled_from(
    ["cat 1 2", "dog 3 4", "cat 5 6", "new york 1 2", "emu 1", "gnu 1 x", "", "owl nan 1", "ox 1 1"]
)


@unhurried
@given(st.lists(LINES, min_size=1, max_size=20), st.integers(1, 6))
def test_the_beginning_of_a_file_is_the_head_of_the_whole(lines: list[str], limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.txt"
        words = [line for line in lines if line]
        # The header alone would be a row if all others had one number.
        path.write_text(f"{len(words) + 1} 2\nfirst 1 2\n" + "\n".join(lines) + "\n")
        whole = open_space(Reading(path=path, lenient=True))
        head = read_beginning(Reading(path=path, lenient=True), limit, None)
    assert list(head.vocabulary) == list(whole.vocabulary)[:limit]
    assert head.vectors.tolist() == whole.vectors[:limit].tolist()
    assert len(whole) + sum(whole.problems.values()) == len(words) + 1


def small_files() -> list[bytes]:
    """Return a valid file of every format."""
    space = Space.of({"cat": [1.0, 2.0], "größe": [0.5, -1.0], "dog": [3.0, 1e-3]})
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for ending in [*FORMATS, "txt.gz", "bin.xz", "npz.zst", "txt.zst"]:
            path = Path(folder) / f"vectors.{ending}"
            write_space(space, path)
            contents.append(path.read_bytes())
        more = Space.of(
            {"cat": [1.0, 2.0], "dog": [3.0, 4.0]}, counts=[2, 1], contexts=[[1, 0], [0, 1]]
        )
        path = Path(folder) / "more.safetensors"
        write_space(more, path, provenance={"seed": 0})
        contents.append(path.read_bytes())
        np.save(Path(folder) / "vectors.npy", space.vectors)
        contents.append((Path(folder) / "vectors.npy").read_bytes())
    return contents


FILES = small_files()


@pytest.mark.parametrize("lenient", [False, True])
@thorough
@given(
    st.sampled_from(FILES),
    st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=3), st.integers(0, 3)), max_size=4),
)
def test_damaged_files_are_read_or_refused_but_never_crash(
    lenient: bool, content: bytes, edits: list[tuple[float, bytes, int]]
) -> None:
    for where, new, removed in edits:
        at = int(where * len(content))
        content = content[:at] + new + content[at + removed :]
    read_or_refuse(content, lenient=lenient)


def read_or_refuse(content: bytes, *, lenient: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.dat"
        path.write_bytes(content)
        (Path(folder) / "vectors.vocab").write_text("cat\ngröße\ndog\n")
        reading = Reading(path=path, lenient=lenient)
        try:
            chunks = list(reading.settle(read_chunks(reading)))
        except LyditeError:
            return
    for chunk in chunks:
        assert len(chunk.words) == len(chunk.vectors)
        assert all(chunk.words.to_list())
        assert np.isfinite(chunk.vectors).all()


@unhurried
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    read_or_refuse(content, lenient=True)


@st.composite
def small_spaces(draw: st.DrawFn) -> tuple[Vectors, Vectors]:
    """Draw a space and a query of small whole numbers, in which true ties are common."""
    dim = draw(st.integers(1, 4))
    row = st.lists(st.integers(-3, 3), min_size=dim, max_size=dim)
    rows = draw(st.lists(row, min_size=1, max_size=25))
    query = draw(row.filter(any))
    return np.array(rows, dtype=np.float32), np.array(query, dtype=np.float32)


def true_keys(vectors: Vectors, query: Vectors) -> list[Fraction]:
    """Return cos · |cos| · |q|² in exact arithmetic: the order of the true cosines."""
    keys = []
    for vector in vectors.tolist():
        dot = Fraction(sum(x * y for x, y in zip(vector, query.tolist(), strict=True)))
        square = Fraction(sum(x * x for x in vector))
        keys.append(dot * abs(dot) / square if square else Fraction(0))
    return keys


@thorough
@given(small_spaces(), st.sampled_from(["min", "mean", "max"]))
def test_ranks_are_those_of_exact_arithmetic(drawn: tuple[Vectors, Vectors], ties: Ties) -> None:
    vectors, query = drawn
    keys = true_keys(vectors, query)
    n = len(vectors)
    share = {"min": 0.0, "mean": 0.5, "max": 1.0}[ties]
    expected = [
        1 + sum(other > key for other in keys) + share * (sum(o == key for o in keys) - 1)
        for key in keys
    ]
    queries = np.repeat(query[None], n, axis=0)
    assert cosine_ranks(vectors, queries, np.arange(n), ties=ties).tolist() == expected


@thorough
@given(small_spaces(), st.data())
def test_neighbours_are_those_of_exact_arithmetic(
    drawn: tuple[Vectors, Vectors], data: st.DataObject
) -> None:
    vectors, query = drawn
    keys = true_keys(vectors, query)
    k = data.draw(st.integers(1, len(vectors)))
    expected = sorted(range(len(vectors)), key=lambda row: (-keys[row], row))[:k]
    assert nearest_words(vectors, query[None], k).indices[0].tolist() == expected


@unhurried
@given(st.integers(0, 2**32 - 1), st.integers(2, 60), st.integers(1, 40))
def test_order_and_positive_scaling_change_no_rank(seed: int, n: int, dim: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((n, dim)).astype(np.float32)
    vectors[rng.integers(0, n, n // 3)] = vectors[0]
    query = rng.standard_normal(dim).astype(np.float32)
    queries = np.repeat(query[None], n, axis=0)
    plain = cosine_ranks(vectors, queries, np.arange(n))
    # Powers of two leave the direction of a float32 vector exactly as it is.
    scaled = vectors * 2.0 ** rng.integers(-20, 20, (n, 1)).astype(np.float32)
    assert cosine_ranks(scaled, queries * 8, np.arange(n)).tolist() == plain.tolist()
    order = rng.permutation(n)
    assert cosine_ranks(vectors[order], queries, np.arange(n)).tolist() == plain[order].tolist()
    # Every place from 1 to n is given away once, shared where words tie.
    assert plain.sum() == n * (n + 1) / 2
