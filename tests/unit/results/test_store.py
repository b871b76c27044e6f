import contextlib
import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.errors import FormatError, InputError, ResourceError
from lydite.results.record import SCHEMA, Failure, Items, Provenance, Result
from lydite.results.store import RunStore
from lydite.stats.bootstrap import Interval
from lydite.stats.null import Baseline

ITEMS: Items = {
    "item": ["a\tb", "c\td"],
    "gold": [1.5, 2.0],
    "predicted": [0.5, None],
    "covered": [True, False],
}


def _result(key: str = "k1", **changes: Any) -> Result:  # noqa: ANN401
    result = Result(
        key=key,
        evaluation="similarity",
        model="m",
        resource="r",
        metric="spearman",
        score=0.5,
        interval=Interval(low=0.4, high=0.6, level=0.95, method="bca"),
        baseline=Baseline(kind="shuffled", mean=0.0, low=-0.1, high=0.1, draws=10),
        n_items=2,
        n_covered=1,
        oov="skip",
        statistic="spearman",
        others={},
        details={},
        items=None,
        provenance=Provenance(
            evaluation="similarity",
            parameters={},
            model="m",
            model_sha256=None,
            resource="r",
            resource_sha256="0",
            seed=0,
            versions={},
            wall_seconds=0.0,
            peak_memory_mb=0.0,
            created="",
        ),
    )
    return dataclasses.replace(result, **changes)


def _failure(key: str = "k1") -> Failure:
    return Failure(
        key=key, evaluation="e", model="naïve", resource="r", seed=0, error="E", message="m\nn"
    )


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "runs" / "one")


def test_a_folder_is_made_when_the_first_result_comes(store: RunStore) -> None:
    assert (store.results(), store.failures()) == ([], [])
    assert not store.folder.exists()
    added = store.add(_result(), ITEMS)
    assert added.items == "items/k1.csv"
    assert store.results() == [added]
    assert sorted(path.name for path in store.folder.rglob("*")) == [
        "items",
        "k1.csv",
        "results.jsonl",
    ]


def test_results_come_back_in_the_order_written(store: RunStore) -> None:
    added = [store.add(_result(key), ITEMS) for key in ("b", "a", "c")]
    assert RunStore.existing(store.folder).results() == added


def test_of_one_key_the_later_result_counts(store: RunStore) -> None:
    store.add(_result("a", score=0.1), ITEMS)
    store.add(_result("b"), ITEMS)
    later = store.add(_result("a", score=0.2), {"item": ["z"], "covered": [True]})
    assert [(result.key, result.score) for result in store.results()] == [("a", 0.2), ("b", 0.5)]
    assert store.items(later)["item"].to_list() == ["z"]


def test_a_result_that_cannot_be_written_leaves_nothing(store: RunStore) -> None:
    store.add(_result("a"), ITEMS)
    before = (store.folder / "results.jsonl").read_bytes()
    with pytest.raises(InputError):
        store.add(_result("b", score=float("nan")), ITEMS)
    assert (store.folder / "results.jsonl").read_bytes() == before
    assert [path.name for path in (store.folder / "items").iterdir()] == ["a.csv"]


@pytest.mark.parametrize("cut", [1, 2, 50, 300])
def test_a_line_cut_short_is_dropped_and_the_next_is_whole(cut: int, store: RunStore) -> None:
    first = store.add(_result("a"), ITEMS)
    store.add(_result("b", model="größer" * 2000), ITEMS)
    path = store.folder / "results.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    assert store.results() == [first]
    third = store.add(_result("c"), ITEMS)
    assert store.results() == [first, third]
    assert path.read_bytes().count(b"\n") == 2


@pytest.mark.parametrize("length", [1, 4094, 4095, 4096, 4097, 8191, 8192, 20_000])
def test_a_part_of_any_length_is_dropped(length: int, store: RunStore) -> None:
    # Parts that fill the blocks in which the end of the last whole line is looked for.
    first = store.add(_result("a"), ITEMS)
    with (store.folder / "results.jsonl").open("ab") as stream:
        stream.write(b"x" * length)
    second = store.add(_result("b"), ITEMS)
    assert store.results() == [first, second]


def test_a_first_line_cut_short_is_dropped(store: RunStore) -> None:
    store.add(_result("a"), ITEMS)
    path = store.folder / "results.jsonl"
    path.write_bytes(path.read_bytes()[:100])
    assert store.results() == []
    added = store.add(_result("b"), ITEMS)
    assert store.results() == [added]


_WRITE_FOR_EVER = """
import dataclasses, itertools, sys
from pathlib import Path
from lydite.results.store import RunStore
store = RunStore(Path(sys.argv[1]))
(first,) = store.results()
items = {"item": ["x", "y"], "covered": [True, False]}
for number in itertools.count(1):
    store.add(dataclasses.replace(first, key=f"k{number}", model="m" * 20_000), items)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_a_killed_run_keeps_every_finished_result(store: RunStore) -> None:
    store.add(_result("k0"), ITEMS)
    writer = subprocess.Popen([sys.executable, "-c", _WRITE_FOR_EVER, str(store.folder)])
    seen = 1
    try:
        while seen < 20:
            # A reader beside the writer sees whole results only, and never fewer than before.
            assert writer.poll() is None
            results = store.results()
            assert len(results) >= seen
            seen = len(results)
    finally:
        writer.kill()
        writer.wait()
    results = RunStore.existing(store.folder).results()
    assert [result.key for result in results] == [f"k{number}" for number in range(len(results))]
    assert len(results) >= seen
    assert all(len(store.items(result)) == 2 for result in results)
    store.add(_result("last"), ITEMS)
    assert len(store.results()) == len(results) + 1


_ADD_A_HUNDRED = """
import dataclasses, sys
from pathlib import Path
from lydite.results.store import RunStore
store = RunStore(Path(sys.argv[1]))
first = store.results()[0]
for number in range(100):
    key = f"{sys.argv[2]}-{number}"
    store.add(dataclasses.replace(first, key=key), {"item": [key], "covered": [True]})
"""


def test_writers_side_by_side_lose_nothing(store: RunStore) -> None:
    store.add(_result("first"), ITEMS)
    writers = [
        subprocess.Popen([sys.executable, "-c", _ADD_A_HUNDRED, str(store.folder), name])
        for name in "abc"
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    results = store.results()
    assert {result.key for result in results} == {
        "first",
        *(f"{name}-{number}" for name in "abc" for number in range(100)),
    }
    assert all(store.holds(result) for result in results)


def test_one_run_at_a_time_has_the_folder(store: RunStore) -> None:
    with store.alone():
        with (
            pytest.raises(InputError, match="another run is writing to") as caught,
            RunStore(store.folder).alone(),
        ):
            pass
        assert str(store.folder) in caught.value.message
        added = store.add(_result(), ITEMS)
    with RunStore(store.folder).alone():
        assert store.results() == [added]


def test_blank_lines_do_not_matter(store: RunStore) -> None:
    added = store.add(_result(), ITEMS)
    path = store.folder / "results.jsonl"
    path.write_bytes(b"\n" + path.read_bytes() + b"  \r\n")
    assert store.results() == [added]


@pytest.mark.parametrize("line", ["{", "five", "{'a': 1}", "\x00"])
def test_a_line_that_is_no_json_is_named(line: str, store: RunStore) -> None:
    store.add(_result(), ITEMS)
    with (store.folder / "results.jsonl").open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(FormatError) as caught:
        store.results()
    place = f"{store.folder / 'results.jsonl'}:2"
    assert caught.value.message.startswith(f"{place}: expected a record as JSON, got: ")
    assert caught.value.hint == "delete that line; the run will make the result again"


@pytest.mark.parametrize("line", ["5", "[]", "null", "{}", '{"key": "a"}'])
def test_a_line_that_is_no_result_is_named(line: str, store: RunStore) -> None:
    store.folder.mkdir(parents=True)
    (store.folder / "results.jsonl").write_text(line + "\n")
    with pytest.raises(
        FormatError, match=r"results\.jsonl:1: expected the fields of a result"
    ) as c:
        store.results()
    assert c.value.hint == "delete that line; the run will make the result again"


@pytest.mark.parametrize(
    ("whole", "part", "name", "got"),
    [
        ('"score": 0.5', '"score": null', "score", "None"),
        ('"score": 0.5', '"score": "0.5"', "score", "'0.5'"),
        ('"score": 0.5', '"score": NaN', "score", "nan"),
        ('"n_items": 2', '"n_items": null', "n_items", "None"),
        ('"low": 0.4', '"low": null', "low", "None"),
        ('"mean": 0.0', '"mean": true', "mean", "True"),
    ],
)
def test_what_should_be_a_number_is_one(
    whole: str, part: str, name: str, got: str, store: RunStore
) -> None:
    store.add(_result(), ITEMS)
    path = store.folder / "results.jsonl"
    line = path.read_text()
    assert line.count(whole) == 1
    path.write_text("\n" + line.replace(whole, part))
    with pytest.raises(FormatError) as caught:
        store.results()
    assert caught.value.message == f"{path}:2: expected a number as {name}, got {got}"
    assert caught.value.hint == "delete that line; the run will make the result again"


def _write_all_ways(store: RunStore) -> list[Callable[[], object]]:
    return [
        lambda: store.add(_result(), ITEMS),
        lambda: store.write_failures([_failure()]),
        lambda: store.write_suite("name = 'x'"),
        lambda: contextlib.ExitStack().enter_context(store.alone()),
    ]


@pytest.mark.parametrize("below", ["", "run", "a/b"])
def test_a_file_where_the_folder_should_be(below: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    store = RunStore(tmp_path / "file" / below)
    for write in _write_all_ways(store):
        with pytest.raises(InputError) as caught:
            write()
        assert caught.value.message == (
            f"{store.folder}: expected a folder for the run, got a file or a path below one"
        )
        assert caught.value.hint == "name another folder with --out"
    assert (tmp_path / "file").read_text() == "precious"


def test_a_name_too_long_for_the_file_system(tmp_path: Path) -> None:
    store = RunStore(tmp_path / ("x" * 300))
    ways = _write_all_ways(store)
    ways += [store.results, lambda: RunStore.existing(store.folder)]
    for way in ways:
        with pytest.raises(ResourceError) as caught:
            way()
        assert caught.value.message.startswith(str(store.folder))
        assert "the run cannot be read or written" in caught.value.message


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_disk_is_named(store: RunStore) -> None:
    store.folder.mkdir(parents=True)
    (store.folder / "results.jsonl").symlink_to("/dev/full")
    with pytest.raises(ResourceError, match="No space left on device") as caught:
        store.add(_result(), ITEMS)
    assert str(store.folder) in caught.value.message


def test_a_suite_with_a_name_that_is_not_utf_8_is_refused(store: RunStore) -> None:
    with pytest.raises(InputError) as caught:
        store.write_suite('name = "x"\nmodels = [\n  "caf\udce9.txt",\n]\n')
    assert "the name is not UTF-8" in caught.value.message
    assert "caf\\udce9.txt" in caught.value.message
    assert not store.folder.exists()


def test_a_newer_schema_is_refused_with_its_place(store: RunStore) -> None:
    store.add(dataclasses.replace(_result(), schema=SCHEMA + 1), ITEMS)
    with pytest.raises(FormatError, match=r"results\.jsonl:1: expected a result of schema") as c:
        store.results()
    assert c.value.hint == "it was written by a newer Lydite; install that one"


def test_a_folder_without_a_run(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "absent"):
        with pytest.raises(InputError) as caught:
            RunStore.existing(folder)
        assert caught.value.message == (
            f"{folder}: expected the folder of a run (with results.jsonl), got none"
        )
        assert "--out" in str(caught.value.hint)


def test_a_run_in_which_all_failed_is_a_run(store: RunStore) -> None:
    store.write_failures([_failure()])
    opened = RunStore.existing(store.folder)
    assert (opened.results(), opened.failures()) == ([], [_failure()])


def test_failures_are_replaced(store: RunStore) -> None:
    store.write_failures([_failure("a"), _failure("b")])
    assert store.failures() == [_failure("a"), _failure("b")]
    store.write_failures([_failure("c")])
    assert store.failures() == [_failure("c")]
    store.write_failures([])
    assert store.failures() == []


def test_no_failures_make_no_file(store: RunStore) -> None:
    store.write_failures([])
    assert not store.folder.exists()


def test_items_come_back_with_their_types(store: RunStore) -> None:
    table = store.items(store.add(_result(), ITEMS))
    assert table.to_dict(as_series=False) == ITEMS


_WORDS = st.text(max_size=8) | st.sampled_from(
    ["null", "None", "NaN", "2000", "1.0", "true", "", " ", '"', ",", "\n", "\r", "\r\n", "a\r\nb",
     '"a"', "\\", "#", "\ufeff", "\u2028", "=1+1", "日本", "\x00", "<script>"]
)  # fmt: skip
_ROWS = st.lists(
    st.tuples(
        _WORDS,
        _WORDS,
        st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


# Each example writes a run to the disk.
@settings(max_examples=30)
@given(_ROWS)
def test_any_words_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, float | None, bool]]
) -> None:
    left, right, value, covered = (list(column) for column in zip(*rows, strict=True))
    store = RunStore(tmp_path_factory.mktemp("run"))
    items: Items = {"left": left, "right": right, "value": value, "covered": covered}
    assert store.items(store.add(_result(), items)).to_dict(as_series=False) == items


def test_many_rows_with_line_breaks_come_back(store: RunStore) -> None:
    words = [f'{i}\n"{i}",\r\n{i}' for i in range(20_000)]
    table = store.items(store.add(_result(), {"item": words, "covered": [True] * len(words)}))
    assert table["item"].to_list() == words


@pytest.mark.parametrize("path", ["../secret.csv", "/etc/passwd", "items/../../secret.csv"])
def test_items_outside_the_run_are_refused(path: str, store: RunStore) -> None:
    store.add(_result(), ITEMS)
    (store.folder.parent / "secret.csv").write_text("item,covered\nx,true\n")
    with pytest.raises(InputError, match="expected an item table inside the run, got one outside"):
        store.items(_result(items=path))


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_that_leads_out_of_the_run_is_refused(store: RunStore) -> None:
    store.add(_result(), ITEMS)
    secret = store.folder.parent / "secret.csv"
    secret.write_text("item,covered\nx,true\n")
    (store.folder / "items" / "link.csv").symlink_to(secret)
    with pytest.raises(InputError, match="got one outside"):
        store.items(_result(items="items/link.csv"))


def test_a_result_without_items_says_so(store: RunStore) -> None:
    with pytest.raises(InputError, match="the result of m was written without its items"):
        store.items(_result())


@pytest.mark.parametrize(
    "content", [None, "", "item\nx\n", "item,value,covered\nx,high,true\n", "a,covered\n1,2,3\n"]
)
def test_a_damaged_item_table_is_named(content: str | None, store: RunStore) -> None:
    added = store.add(_result(), ITEMS)
    path = store.folder / "items" / "k1.csv"
    path.unlink()
    if content is not None:
        path.write_text(content)
    for result in (added, dataclasses.replace(added, items_sha256=None)):
        with pytest.raises(FormatError) as caught:
            store.items(result)
        assert caught.value.message.startswith(f"{path}: expected an item table, got: ")


def test_a_changed_item_table_is_not_read(store: RunStore) -> None:
    added = store.add(_result(), ITEMS)
    path = store.folder / str(added.items)
    path.write_bytes(path.read_bytes().replace(b"1.5", b"1.6"))
    with pytest.raises(FormatError, match="got: other bytes than were written"):
        store.items(added)


def test_a_result_is_held_while_its_table_is_as_written(store: RunStore) -> None:
    added = store.add(_result(), ITEMS)
    older = dataclasses.replace(added, items_sha256=None)
    path = store.folder / str(added.items)
    assert (store.holds(added), store.holds(older), store.holds(_result())) == (True, True, False)
    path.write_bytes(path.read_bytes()[:-1])
    assert (store.holds(added), store.holds(older)) == (False, True)
    path.unlink()
    assert (store.holds(added), store.holds(older)) == (False, False)


def test_each_line_is_json_that_others_can_read(store: RunStore) -> None:
    store.add(_result(model="caf\udce9 naïve"), ITEMS)
    (line,) = (store.folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["model"] == "caf\udce9 naïve"
