from __future__ import annotations

import itertools
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError
from lydite.spaces.formats import text
from lydite.spaces.formats.rows import Reading

Save = Callable[..., Path]
Read = Callable[..., tuple[list[str], list[list[float]]]]

PACKINGS = ["", ".gz", ".xz", ".zst"]
#: Lines at fault: what stands there, the kind that lenient reading counts, the message.
DIRT: dict[str, tuple[bytes, str, str]] = {
    "too few": (b"emu 1", "ragged", "expected 2 numbers after the word, got 1"),
    "word alone": (b"emu", "ragged", "expected 2 numbers after the word, got 0"),
    "too many": (b"emu 0.5 1 2", "ragged", "expected 2 numbers after the word, got 3"),
    "no number": (b"emu 1 x", "not a number", "expected a number, got 'x'"),
    "underscore": (b"emu 1_0 2", "not a number", "expected a number, got '1_0'"),
    "hexadecimal": (b"emu 1 0x10", "not a number", "expected a number, got '0x10'"),
    "long no number": (
        b"emu 1 12345678901234567890x",
        "not a number",
        "expected a number, got '12345678901234567890x'",
    ),
    "wide no number": (
        b"big emu 1 x",
        "ragged",
        "expected 2 numbers after the word, got 3 fields, of which 'emu' is not a number",
    ),
    "nan": (b"emu 1 nan", "not finite", "expected finite numbers, got 'nan'"),
    "infinity": (b"emu -Inf 2", "not finite", "expected finite numbers, got '-Inf'"),
    "overflow": (b"emu 1 1e39", "not finite", "expected finite numbers, got '1e39'"),
    "no word": (b" 1 2", "no word", "expected a word before the 2 numbers, got none"),
    "latin 1": (
        b"caf\xe9 1 2",
        "invalid UTF-8",
        r"expected a word in UTF-8 without NUL, got b'caf\xe9'",
    ),
    "nul": (
        b"a\x00b 1 2",
        "invalid UTF-8",
        r"expected a word in UTF-8 without NUL, got b'a\x00b'",
    ),
}


def message_of(read: Read, path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("header", [b"", b"3 2\n"])
@pytest.mark.parametrize("name", DIRT)
def test_a_faulty_line_is_named_or_left_out(
    save: Save, read: Read, name: str, header: bytes, packing: str
) -> None:
    line, kind, message = DIRT[name]
    path = save(header + b"cat 1 2\n" + line + b"\ndog 3 4\n", packing=packing)
    number = 2 + bool(header)
    assert message_of(read, path) == (
        f"{path}:{number}: {message}\n"
        "hint: correct the file, or read it with --lenient to leave such rows out"
    )
    reading = Reading(path=path, lenient=True)
    assert read(path, reading) == (["cat", "dog"], [[1, 2], [3, 4]])
    assert reading.problems == {kind: 1}


@pytest.mark.parametrize("pair", list(itertools.combinations(DIRT, 2)), ids="+".join)
def test_faults_together_are_counted_and_the_first_is_named(
    save: Save, read: Read, pair: tuple[str, str]
) -> None:
    dirt = [DIRT[name] for name in pair]
    good = [b"cat 1 2", b"new york 3 4", b"ox 5 6"]
    path = save(b"\r\n".join([good[0], dirt[0][0], good[1], b"", dirt[1][0], good[2]]))
    reading = Reading(path=path, lenient=True)
    assert read(path, reading)[0] == ["cat", "new york", "ox"]
    assert reading.problems == Counter(kind for _, kind, _ in dirt)
    assert message_of(read, path).startswith(f"{path}:2: {dirt[0][2]}")


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize(
    "content",
    [
        b"cat 1 2\nnew york 3 4\n",
        b"cat 1 2\nnew york 3 4",
        b"2 2\ncat 1 2\nnew york 3 4\n",
        b"2 2\r\ncat 1 2\r\nnew york 3 4\r\n",
        b"\xef\xbb\xbfcat 1 2\nnew york 3 4\n",
        b"\xef\xbb\xbf2 2\ncat 1 2\nnew york 3 4\n",
        b"2 2 \ncat 1 2 \nnew york 3 4 \n",
        b"cat\t1\t2\t\nnew york\t3\t4\n",
        b"cat  1 \t 2\nnew york   3 4\n",
        b"\n\ncat 1 2\n\n  \t\r\nnew york 3 4\n\n\n",
        b"\r\n2 2\r\n\r\ncat 1 2\r\nnew york 3 4\r\n\r\n",
    ],
)
def test_harmless_dirt_is_passed_over(save: Save, read: Read, content: bytes, packing: str) -> None:
    path = save(content, packing=packing)
    reading = Reading(path=path)
    assert read(path, reading) == (["cat", "new york"], [[1, 2], [3, 4]])
    assert not reading.problems


def test_words_hold_every_other_kind_of_space(save: Save, read: Read) -> None:
    words = ["a\u00a0b", "\u0085", "\u2028", "x\x0by", "\x1c", "\ufeffbom"]
    path = save("".join(f"{word} 1 2\n" for word in ["first", *words]))
    assert read(path)[0] == ["first", *words]


@pytest.mark.parametrize("word", ["nan", "inf", "2000", "-1.5", "1e5", "3", "...", ". . ."])
def test_words_that_look_like_numbers(save: Save, read: Read, word: str) -> None:
    assert read(save(f"{word} 1 2\ncat 3 4\n"))[0] == [word, "cat"]


def test_one_dimension(save: Save, read: Read) -> None:
    assert read(save("cat 1\ndog 2\n")) == (["cat", "dog"], [[1], [2]])
    assert read(save("2 1\n5 1\n6 2\n")) == (["5", "6"], [[1], [2]])


def test_one_line(save: Save, read: Read) -> None:
    assert read(save("new york 0.5 1.5")) == (["new york"], [[0.5, 1.5]])


def test_a_truncated_last_line_says_so(save: Save, read: Read) -> None:
    path = save("cat 1 2 3\ndog 4 5")
    assert message_of(read, path).startswith(
        f"{path}:2: expected 3 numbers after the word, got 2 "
        "(in the last line: the file may be cut off)"
    )
    reading = Reading(path=path, lenient=True)
    assert read(path, reading)[0] == ["cat"]
    assert reading.problems == {"ragged": 1}


@pytest.mark.parametrize(("promised", "lines"), [(3, 2), (1, 2), (0, 2), (5, 0)])
def test_a_header_with_another_count(save: Save, read: Read, promised: int, lines: int) -> None:
    path = save(f"{promised} 2\n" + "".join(f"w{line} 1 2\n" for line in range(lines)))
    assert message_of(read, path) == (
        f"{path}:1: expected {promised} words, as the header says, got {lines}\n"
        "hint: the file may be cut off; fetch it again, or read it with --lenient"
    )
    reading = Reading(path=path, lenient=True)
    assert len(read(path, reading)[0]) == lines
    assert reading.problems == {"header count": 1}


def test_the_header_counts_faulty_rows_too(save: Save, read: Read) -> None:
    path = save("3 2\ncat 1 2\nemu 1\ndog 3 4\n")
    reading = Reading(path=path, lenient=True)
    read(path, reading)
    assert reading.problems == {"ragged": 1}


@pytest.mark.parametrize("dim", [0, 2_000_000, 10**17])
def test_a_header_with_an_absurd_dimension(save: Save, read: Read, dim: int) -> None:
    path = save(f"2 {dim}\ncat 1 2\ndog 3 4\n")
    assert message_of(read, path).startswith(
        f"{path}:1: expected a header with a dimension from 1 to 1048576, got {dim}\nhint: "
    )


def test_a_header_that_no_row_agrees_with(save: Save, read: Read) -> None:
    path = save("10000 1000000\n" + "cat 1 2\n" * 10_000)
    expected = f"{path}:2: expected 1000000 numbers after the word, got 2\n"
    tracemalloc.start()
    assert message_of(read, path).startswith(expected)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Room for one row, where ten thousand would be 40 GB.
    assert peak < 20_000_000


def test_a_line_without_end_is_refused(
    save: Save, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "LONGEST_LINE", 1 << 16)
    monkeypatch.setattr(text, "_BLOCK", 1 << 12)
    path = save(b"cat 1 2\n" + b"7 " * 2_000_000 + b"\ndog 3 4\n")
    tracemalloc.start()
    with pytest.raises(FormatError):
        read(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The head, a few copies of the longest line, and not the four megabytes of this one.
    assert peak < 2_500_000
    assert message_of(read, path).startswith(
        f"{path}:2: expected a line of at most 65536 bytes, got a longer one\nhint: "
    )
    reading = Reading(path=path, lenient=True)
    assert read(path, reading)[0] == ["cat", "dog"]
    assert reading.problems == {"long line": 1}


def test_a_word_without_end_is_refused(save: Save, read: Read) -> None:
    path = save(b"cat 1 2\n" + b"x" * 70_000 + b" 1 2\n")
    assert message_of(read, path).startswith(
        f"{path}:2: expected a word of 1 to 65536 bytes, got 70000\nhint: "
    )


@pytest.mark.parametrize("size", [1, 7, 64, 1 << 20])
def test_blocks_of_every_size_give_the_same(
    save: Save, read: Read, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(text, "_BLOCK", size)
    path = save("".join(f"größe{i} {i} 0.5\n" for i in range(50)) + "bad 1\nlast 1 2")
    reading = Reading(path=path, lenient=True)
    words, vectors = read(path, reading)
    assert words == [f"größe{i}" for i in range(50)] + ["last"]
    assert vectors == [[i, 0.5] for i in range(50)] + [[1, 2]]
    assert reading.problems == {"ragged": 1}
    assert message_of(read, path).startswith(f"{path}:51: ")


def test_numbers_that_need_python(save: Save, read: Read) -> None:
    numbers = ["1e-45", "1.000000059604644775390625", "3.4028234663852886e38", "1e-60"]
    path = save(f"cat {' '.join(numbers)}\n")
    expected = np.array(numbers, dtype=np.float64).astype(np.float32)
    assert np.array(read(path)[1], dtype=np.float32).tobytes() == expected.tobytes()


def test_progress_reaches_the_size_of_the_file(save: Save, read: Read) -> None:
    path = save("cat 1 2\ndog 3 4\n")
    told: list[tuple[str, int, int | None]] = []
    reading = Reading(
        path=path, progress=lambda what, done, total: told.append((what, done, total))
    )
    read(path, reading)
    assert told == [("reading vectors.txt", 16, None)]
