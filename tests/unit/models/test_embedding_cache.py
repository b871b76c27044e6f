from __future__ import annotations

import logging
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.models.embedding_cache import Batch, CachedEncoder, as_texts, assemble
from lydite.types import Vectors


class Counter:
    """Length of the text and its first code point; remembers what it was asked."""

    def __init__(self, *, fingerprint: str = "f", width: int = 2) -> None:
        self.spec = "counter"
        self.fingerprint = fingerprint
        self.width = width
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str], /) -> Vectors:
        self.asked += texts
        rows = [[len(text), ord(text[:1] or "\0")] + [0] * (self.width - 2) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.width)


class Stopping(Counter):
    """Gives one text a batch, backwards, and fails after a number of them."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        for done, at in enumerate(reversed(range(len(texts)))):
            if done == self.after:
                raise RuntimeError("killed")
            yield [at], self.encode([texts[at]])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "embeddings"


def database(folder: Path) -> Path:
    (found,) = folder.glob("*.sqlite")
    return found


def test_vectors_come_back_in_the_order_of_the_texts_and_equal_texts_are_encoded_once() -> None:
    model = Counter()
    got = CachedEncoder(model, "counter").encode(["bb", "a", "bb", "", "a"])
    assert got.tolist() == [[2, 98], [1, 97], [2, 98], [0, 0], [1, 97]]
    assert got.dtype == np.float32
    assert model.asked == ["bb", "a", ""]


def test_what_was_encoded_once_is_not_encoded_again() -> None:
    CachedEncoder(Counter(), "counter").encode(["a", "b"])
    model = Counter()
    assert CachedEncoder(model, "counter").encode(["b", "c"]).tolist() == [[1, 98], [1, 99]]
    assert model.asked == ["c"]


@pytest.mark.parametrize(("identity", "fingerprint"), [("other", "f"), ("counter", "g")])
def test_another_identity_or_fingerprint_shares_nothing(identity: str, fingerprint: str) -> None:
    CachedEncoder(Counter(), "counter").encode(["a"])
    model = Counter(fingerprint=fingerprint)
    CachedEncoder(model, identity).encode(["a"])
    assert model.asked == ["a"]


def test_spec_and_fingerprint_are_the_models() -> None:
    cached = CachedEncoder(Counter(), "identity")
    assert (cached.spec, cached.fingerprint) == ("counter", "f")
    assert repr(cached) == "CachedEncoder(counter)"


def test_making_one_touches_no_disk(folder: Path) -> None:
    CachedEncoder(Counter(), "counter")
    assert not folder.exists()


def test_many_texts_pass_the_limit_of_variables_in_a_query() -> None:
    texts = [str(number) for number in range(2345)]
    first = CachedEncoder(Counter(), "counter").encode(texts)
    model = Counter()
    second = CachedEncoder(model, "counter").encode(texts[::-1])
    assert model.asked == []
    assert np.array_equal(first[::-1], second)


def test_no_texts_have_the_dimension_of_the_cached_ones() -> None:
    cached = CachedEncoder(Counter(width=5), "counter")
    assert cached.encode([]).shape == (0, 5)  # the model's own answer
    cached.encode(["a"])
    other = CachedEncoder(Counter(width=7), "counter")
    assert other.encode([]).shape == (0, 5)


def test_a_run_that_fails_keeps_the_batches_it_has_done() -> None:
    with pytest.raises(RuntimeError, match="killed"):
        CachedEncoder(Stopping(after=3), "counter").encode(list("abcde"))
    model = Stopping(after=9)
    got = CachedEncoder(model, "counter").encode(list("abcde"))
    assert got[:, 1].tolist() == [97, 98, 99, 100, 101]
    assert model.asked == ["b", "a"]


def test_half_a_surrogate_pair_is_read_as_the_replacement_character() -> None:
    model = Counter()
    got = CachedEncoder(model, "counter").encode(["x\ud800", "\ud83d\ude42"])
    assert model.asked == ["x\ufffd", "🙂"]
    assert got[:, 0].tolist() == [2, 1]


def test_a_single_text_in_place_of_a_list_is_refused() -> None:
    with pytest.raises(InputError, match="expected a list of texts, got one text"):
        as_texts("text")
    with pytest.raises(InputError, match="expected texts, got int at position 1"):
        as_texts(["a", 3])  # type: ignore[list-item]


class Wrong(Counter):
    """Gives a fixed answer."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        self.answer = answer

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return np.array(self.answer)


@pytest.mark.parametrize("number", [np.nan, np.inf, 1e39])
def test_a_vector_that_is_not_finite_is_refused_and_not_kept(number: float) -> None:
    with pytest.raises(InputError, match="got NaN or infinity for text 1 of the 2 to encode"):
        CachedEncoder(Wrong([[1.0, 2.0], [0.0, number]]), "counter").encode(["a", "b"])
    model = Counter()
    CachedEncoder(model, "counter").encode(["a", "b"])
    assert model.asked == ["a", "b"]


@pytest.mark.parametrize("answer", [[[1.0, 2.0]], [1.0, 2.0], [[], []], [[[1.0]], [[2.0]]]])
def test_an_answer_of_another_shape_is_refused(answer: object) -> None:
    with pytest.raises(InputError, match="expected 2 vectors for as many texts, got an array of"):
        CachedEncoder(Wrong(answer), "counter").encode(["a", "b"])


def test_a_dimension_that_changed_is_refused_though_no_asked_text_was_cached(folder: Path) -> None:
    CachedEncoder(Counter(width=4), "counter").encode(["a"])
    with pytest.raises(
        InputError, match="expected vectors of 4 numbers as before, got 3"
    ) as caught:
        CachedEncoder(Counter(width=3), "counter").encode(["b"])
    assert str(database(folder)) in str(caught.value.hint)


def test_assemble_refuses_gaps() -> None:
    with pytest.raises(InputError, match="expected vectors for 2 texts, got 1"):
        assemble([([1], np.zeros((1, 3), dtype=np.float32))], count=2, spec="x")


def test_texts_themselves_are_not_on_disk(folder: Path) -> None:
    CachedEncoder(Counter(), "counter").encode(["a private sentence"])
    assert all(b"private" not in path.read_bytes() for path in folder.iterdir())


def overwrite_start(path: Path) -> None:
    path.write_bytes(b"this is no database" * 100)


def overwrite_middle(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[16384:] = b"\xff" * (len(content) - 16384)
    path.write_bytes(content)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def other_tables(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE vectors (something TEXT)")
    connection.close()


def short_vector(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE vectors SET vector = x'0000'")
    connection.close()


@pytest.mark.parametrize(
    "damage", [overwrite_start, overwrite_middle, cut_short, other_tables, short_vector]
)
def test_a_damaged_database_is_set_aside_with_a_warning_and_rebuilt(
    damage: object, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    texts = [f"text {number}" for number in range(600)]
    expected = CachedEncoder(Counter(), "counter").encode(texts)
    assert callable(damage)
    damage(database(folder))
    with caplog.at_level(logging.WARNING):
        assert np.array_equal(CachedEncoder(Counter(), "counter").encode(texts), expected)
    assert "is damaged" in caplog.text
    assert "set aside" in caplog.text
    aside = [path.name for path in folder.glob("*.damaged-*")]
    assert len([name for name in aside if not name.endswith(("-wal", "-shm"))]) == 1
    model = Counter()
    assert np.array_equal(CachedEncoder(model, "counter").encode(texts), expected)
    assert model.asked == []


def test_a_flipped_bit_that_makes_a_number_infinite_is_encoded_anew(folder: Path) -> None:
    CachedEncoder(Counter(), "counter").encode(["a"])
    with sqlite3.connect(database(folder)) as connection:
        connection.execute("UPDATE vectors SET vector = x'0000807f0000807f'")
    connection.close()
    assert CachedEncoder(Counter(), "counter").encode(["a"]).tolist() == [[1, 97]]


def test_a_cache_that_cannot_be_written_costs_a_warning_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "file"))
    assert CachedEncoder(Counter(), "counter").encode(["a"]).tolist() == [[1, 97]]
    assert [record.message for record in caplog.records if "left unused" in record.message]


WORKER = """
import sys
import numpy as np
from lydite.models.embedding_cache import CachedEncoder

class Model:
    spec = fingerprint = "shared"
    def batches(self, texts):
        for at, text in enumerate(texts):
            if text == sys.argv[2]:
                print("waiting", flush=True)
                sys.stdin.readline()
            yield [at], np.float32([[int(text), 1]])
    def encode(self, texts, /):
        raise AssertionError

texts = [str(number) for number in range(int(sys.argv[1]))]
got = CachedEncoder(Model(), "shared").encode(texts)
assert got[:, 0].tolist() == list(range(len(texts)))
"""


def start(count: int, stop_at: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, str(count), stop_at],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )


def test_several_processes_share_one_cache(folder: Path) -> None:
    workers = [start(150, stop_at="0") for _ in range(4)]
    for worker in workers:  # all have found the cache empty before the first one writes
        assert worker.stdout is not None
        assert worker.stdout.readline() == "waiting\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("\n")
        worker.stdin.flush()
    answers = [worker.communicate() for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * 4, answers
    assert [errors for _, errors in answers] == [""] * 4  # no warning was logged
    connection = sqlite3.connect(database(folder))
    assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (150,)
    assert connection.execute("SELECT dimension FROM about").fetchall() == [(2,)]
    connection.close()


def test_a_killed_process_leaves_its_finished_batches(folder: Path) -> None:
    worker = start(10, stop_at="7")
    assert worker.stdout is not None
    assert worker.stdout.readline() == "waiting\n"
    worker.send_signal(signal.SIGKILL)
    worker.communicate()
    connection = sqlite3.connect(database(folder))
    assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (7,)
    connection.close()
