from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError
from lydite.evaluations.nonces.data import Level, Part, kind_of_trials, read_trials, trials_file
from lydite.resources.catalogue import locate

DEFINITIONS = ("nonce.definitions.300.test", "nonce.definitions.700.train")
CHIMERAS = tuple(
    f"chimeras.dataset.{level}.tokenised.{part}.txt"
    for level in ("l2", "l4", "l6")
    for part in ("test", "train")
)


def folder_of(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_text("1\t___ a\tn,m\t2,1\n" if "chim" in name else "n\t___ a\n")
    return folder


@pytest.mark.parametrize(
    ("names", "part", "level", "expected"),
    [
        (DEFINITIONS, "test", "L2", "nonce.definitions.300.test"),
        (DEFINITIONS, "train", "L2", "nonce.definitions.700.train"),
        ((*CHIMERAS, "README.md"), "test", "L2", "chimeras.dataset.l2.tokenised.test.txt"),
        ((*CHIMERAS, "README.md"), "train", "L6", "chimeras.dataset.l6.tokenised.train.txt"),
    ],
)
def test_a_file_is_chosen_by_its_name(
    names: tuple[str, ...], part: Part, level: Level, expected: str, tmp_path: Path
) -> None:
    assert trials_file(locate(folder_of(tmp_path, *names)), part, level).name == expected


def test_a_single_file_is_taken_whatever_its_name(tmp_path: Path) -> None:
    file = folder_of(tmp_path, "nonce.definitions.700.train") / "nonce.definitions.700.train"
    assert trials_file(locate(file), "test", "L2") == file


@pytest.mark.parametrize(
    ("names", "part", "level", "message"),
    [
        (("mine.txt",), "train", "L2", "has no part to choose, but part=train was asked for"),
        (("mine.txt",), "test", "L4", "has no level to choose, but level=L4 was asked for"),
        (DEFINITIONS, "test", "L4", "has no level to choose, but level=L4 was asked for"),
        (("a.txt", "b.txt"), "test", "L2", "one file with test in its name, got 0 of 2: a.txt"),
        (("a.test", "b.test"), "test", "L2", "one file with test in its name, got 2 of 2: a.test"),
        (CHIMERAS[:2], "test", "L6", "one file with test, L6 in its name, got 0 of 2"),
    ],
)
def test_what_cannot_be_chosen_is_refused(
    names: tuple[str, ...], part: Part, level: Level, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        trials_file(locate(folder_of(tmp_path, *names)), part, level)


def test_the_kind_is_told_by_the_first_line(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, *DEFINITIONS, *CHIMERAS)
    assert kind_of_trials(folder / DEFINITIONS[0]) == "definitions"
    assert kind_of_trials(folder / CHIMERAS[0]) == "chimeras"
    kind, trials = read_trials(locate(folder / CHIMERAS[0]), "auto", "test", "L2")
    assert (kind, trials.trials[0].probes) == ("chimeras", ("n", "m"))


def test_the_kind_that_is_asked_for_must_be_there(tmp_path: Path) -> None:
    file = folder_of(tmp_path, "mine.txt") / "mine.txt"
    with pytest.raises(FormatError, match=r"mine\.txt:1: expected number, sentences, probes"):
        read_trials(locate(file), "chimeras", "test", "L2")


@pytest.mark.parametrize(
    ("content", "message"),
    [("\n\na\tb\tc\n", r":3: expected a word and its definition.* got 3 fields"), ("\n", "empty")],
)
def test_what_is_no_trial_has_no_kind(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.txt"
    file.write_text(content)
    with pytest.raises(FormatError, match=message):
        kind_of_trials(file)


def test_the_published_files_are_chosen_by_part_and_level(shared_data: Path) -> None:
    if not (shared_data / "consistency" / "nonce2vec").is_dir():
        pytest.skip("the data of Nonce2Vec are not at hand")
    definitions, chimeras = locate("nonce2vec-definitions"), locate("nonce2vec-chimeras")
    kind, trials = read_trials(definitions, "auto", "train", "L2")
    assert (kind, len(trials.trials)) == ("definitions", 700)
    kind, trials = read_trials(chimeras, "auto", "test", "L4")
    assert (kind, len(trials.trials)) == ("chimeras", 110)
    assert max(len(trial.contexts) for trial in trials.trials) == 4
