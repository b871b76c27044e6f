from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from lydite.errors import InputError, UnknownNameError
from lydite.resources.lexicons import open_frequencies
from lydite.storage import sha256_file


def test_a_list_is_given_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text("ice\t5\ncream\t3\n")
    found = open_frequencies(str(file), phrases="rarest")
    assert found.counts(["ice", "ice cream"]).tolist() == [5, 3]
    assert (found.name, found.fingerprint) == (str(file), sha256_file(file))


def test_wordfreq_is_known_by_name() -> None:
    if importlib.util.find_spec("wordfreq") is None:
        pytest.skip("wordfreq is not installed")
    hundredth, whole = (open_frequencies("wordfreq", corpus_size=size) for size in (1e7, 1e9))
    assert whole.counts(["dog"])[0] == pytest.approx(100 * hundredth.counts(["dog"])[0])
    assert whole.counts(["dog"])[0] > 1000


def test_a_misspelt_name_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean wordfreq"):
        open_frequencies("wordfrq")


def test_phrases_are_read_in_two_ways_only(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text("ice\t5\n")
    with pytest.raises(InputError, match="phrases=none or phrases=rarest"):
        open_frequencies(file, phrases="longest")  # type: ignore[arg-type]


def test_a_text_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("The cat saw the dog. The dog ran away from the cat, and the emu slept.\n")
    counts = open_frequencies(path).counts(["the", "cat", "emu", "unicorn"])
    assert counts.tolist() == [5, 2, 1, 0]


def test_a_book_by_its_name_is_counted() -> None:
    assert open_frequencies("starter-treatise").counts(["error"])[0] > 20
