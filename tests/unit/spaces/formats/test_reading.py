from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError
from lydite.spaces.formats.catalogue import read_chunks
from lydite.spaces.formats.rows import (
    Fault,
    Reading,
    complain_of_words,
    numbered_chunk,
    sound_chunk,
)
from lydite.spaces.vocabulary import pack, pack_bytes

Save = Callable[..., Path]


def test_a_fault_is_raised_or_counted() -> None:
    fault = Fault(kind="ragged", message="expected 2, got 1", row=0, line=7)
    with pytest.raises(FormatError) as caught:
        Reading(path=Path("v.txt")).report(fault)
    assert str(caught.value).startswith("v.txt:7: expected 2, got 1\nhint: mend the file")
    assert caught.value.line == 7
    reading = Reading(path=Path("v.txt"), lenient=True)
    reading.report(fault)
    reading.report(fault)
    assert reading.problems == {"ragged": 2}


def test_halves_of_one_character_in_two_words_are_not_utf8() -> None:
    # The two bytes of ö decode only together.
    complaints = complain_of_words(pack_bytes([b"a", b"b\xc3", b"\xb6c", b"d"]))
    assert sorted(complaints) == [1, 2]
    assert complaints[1] == (
        "invalid UTF-8",
        r"expected a word in UTF-8 without NUL, got b'b\xc3'",
    )


def test_lone_surrogates_are_not_utf8() -> None:
    assert complain_of_words(pack(["a", "\ud800"])).keys() == {1}


def test_sound_words_raise_no_complaint() -> None:
    assert complain_of_words(pack(["a", "größe", "日本", "😀", " ", "x" * 65536])) == {}
    assert complain_of_words(pack([])) == {}


def test_faults_know_how_many_good_rows_stand_before_them() -> None:
    words = pack(["a", "b", "c", "d"])
    vectors = np.zeros((4, 1), dtype=np.float32)
    places = np.array([0, 2, 3, 6])
    complaints = {5: ("x", "five"), 1: ("x", "one"), 2: ("x", "two")}
    chunk = sound_chunk(words, vectors, places, complaints, first_line=10)
    assert chunk.words.to_list() == ["a", "c", "d"]
    assert len(chunk.vectors) == 3
    # Good rows are left at the places 0, 3 and 6.
    shown = [(fault.message, fault.row, fault.line) for fault in chunk.faults]
    assert shown == [("one", 1, 11), ("two", 1, 12), ("five", 2, 15)]


def test_rows_without_lines_are_numbered_from_one() -> None:
    vectors = np.array([[1], [np.nan]], dtype=np.float32)
    chunk = numbered_chunk(pack(["a", "b"]), vectors, first_row=100)
    assert chunk.faults[0].message.startswith("row 102: expected finite numbers for 'b', got")


def test_an_abandoned_reading_does_not_wait_for_its_threads(
    save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The garbage collector may close it inside the start of a thread, where joining deadlocks.
    path = save("cat 1 2\n" * 500_000)
    chunks = read_chunks(Reading(path=path))
    next(chunks)

    def joined(thread: threading.Thread, timeout: float | None = None) -> None:
        pytest.fail(f"waited for {thread.name}")

    monkeypatch.setattr(threading.Thread, "join", joined)
    chunks.close()
