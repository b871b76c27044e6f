from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np
import pytest

from lydite.errors import FormatError
from lydite.files import compression
from lydite.spaces.cache import read_beginning
from lydite.spaces.formats import arrays, text
from lydite.spaces.formats.rows import Reading

Save = Callable[..., Path]


def words_of(path: Path, limit: int, *, lenient: bool = False) -> tuple[list[str], dict[str, int]]:
    space = read_beginning(Reading(path=path, lenient=lenient), limit, None)
    assert len(space.vectors) == len(space)
    return list(space.vocabulary), dict(space.problems)


def test_what_is_wrong_after_the_limit_is_never_seen(save: Save) -> None:
    path = save("9 2\ncat 1 2\ndog 3 4\nemu 1\ngnu x y\n")
    assert words_of(path, 1) == (["cat"], {})
    assert words_of(path, 2) == (["cat", "dog"], {})
    with pytest.raises(FormatError, match=r":4: expected 2 numbers after the word, got 1"):
        words_of(path, 3)
    assert words_of(path, 2, lenient=True) == (["cat", "dog"], {})


def test_what_is_wrong_before_the_limit_is_counted(save: Save) -> None:
    path = save("5 2\nemu 1\ncat 1 2\nemu 1\ndog 3 4\nemu 1\n")
    with pytest.raises(FormatError, match=r":2: expected 2 numbers"):
        words_of(path, 1)
    assert words_of(path, 1, lenient=True) == (["cat"], {"ragged": 1})
    assert words_of(path, 2, lenient=True) == (["cat", "dog"], {"ragged": 2})
    assert words_of(path, 3, lenient=True) == (["cat", "dog"], {"ragged": 3})


@pytest.mark.parametrize("block", [8, 30, 1 << 20])
def test_repeated_words_do_not_count_towards_the_limit(
    save: Save, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(text, "_BLOCK", block)
    path = save("a 1 2\na 3 4\nb 1 2\na 5 6\nx\nb 7 8\nc 1 2\nd 1 2\n")
    assert words_of(path, 2) == (["a", "b"], {"repeated word": 1})
    with pytest.raises(FormatError, match=r":5: expected 2 numbers"):
        words_of(path, 3)
    expected = {"repeated word": 3, "ragged": 1}
    assert words_of(path, 3, lenient=True) == (["a", "b", "c"], expected)
    assert words_of(path, 9, lenient=True) == (["a", "b", "c", "d"], expected)


def test_a_short_file_is_told_by_its_header_only_if_it_is_read_to_the_end(save: Save) -> None:
    path = save("9 2\ncat 1 2\ndog 3 4\n")
    assert words_of(path, 2) == (["cat", "dog"], {})
    with pytest.raises(FormatError, match="expected 9 words, as the header says, got 2"):
        words_of(path, 3)


def test_a_file_without_words(save: Save) -> None:
    with pytest.raises(FormatError, match="expected word vectors, got none"):
        words_of(save("0 2\n"), 3)


def test_matrices_stop_at_the_limit_too(
    tmp_path: Path, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "_ROWS", 2)
    matrix = np.ones((6, 2), dtype=np.float32)
    matrix[4] = np.nan
    np.save(tmp_path / "v.npy", matrix)
    save("a\nb\nc\nd\ne\nf\n", "v.vocab")
    assert words_of(tmp_path / "v.npy", 4) == (["a", "b", "c", "d"], {})
    with pytest.raises(FormatError, match="row 5: expected finite numbers for 'e'"):
        words_of(tmp_path / "v.npy", 5)


def test_a_limited_read_of_a_long_compressed_file_stops_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "vectors.txt.gz"
    rows = np.random.default_rng(0).integers(0, 10**9, (20_000, 20)).astype(str).tolist()
    lines = "".join(f"w{i} {' '.join(row)}\n" for i, row in enumerate(rows))
    path.write_bytes(gzip.compress(lines.encode(), 1) * 5)
    size = path.stat().st_size
    streams: list[IO[bytes]] = []

    def remember(file: Path) -> IO[bytes]:
        streams.append(file.open("rb"))
        return streams[-1]

    monkeypatch.setattr(compression, "open_file", remember)
    consumed: list[int] = []
    reading = Reading(path=path, progress=lambda *_: consumed.append(streams[-1].tell()))
    assert len(read_beginning(reading, 100, None)) == 100
    for stream in streams:
        stream.close()
    # A few blocks of a megabyte are in flight; the rest is never touched.
    assert size > 8_000_000
    assert consumed[-1] < 4 * text._BLOCK
