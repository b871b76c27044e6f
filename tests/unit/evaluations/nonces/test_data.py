from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.occurrences import MASK
from lydite.errors import FormatError
from lydite.evaluations.nonces.data import Trial, read_chimeras, read_definitions
from lydite.types import Context


def _file(folder: Path, content: bytes) -> Path:
    path = folder / "trials.txt"
    path.write_bytes(content)
    return path


def test_definitions(tmp_path: Path) -> None:
    path = _file(tmp_path, b"pride\t___  is a feeling of ___ \nduran\tthe ___\nlost\tno mask\n")
    trials = read_definitions(path)
    assert trials.trials == (
        Trial(
            name="pride",
            contexts=(
                Context(tokens=("pride", "is", "a", "feeling", "of", MASK), start=0, stop=1),
            ),
        ),
        Trial(name="duran", contexts=(Context(tokens=("the", "duran"), start=1, stop=2),)),
    )
    assert trials.problems == {"trials without a sentence that has ___": 1}


def test_chimeras_with_the_defects_of_the_published_files(tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        b"7\ta caf\xe9 ___ @@ bouries grow @@ that___ \tpear,fig\t3,2.5\n"
        b"8\tna\xc3\xafve ___\tpear\t1\n"
        b"9\tbouries\tpear\t1\n",
    )
    first, second = read_chimeras(path).trials
    assert [context.tokens for context in first.contexts] == [("a", "café", MASK), ("that", MASK)]
    assert (first.name, first.probes, first.ratings) == ("7", ("pear", "fig"), (3.0, 2.5))
    assert second.contexts[0].tokens == ("naïve", MASK)
    assert read_chimeras(path).problems == {
        "sentences without ___": 2,
        "trials without a sentence that has ___": 1,
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1\t___\tpear\n", r"trials\.txt:1: expected number, sentences, probes and ratings"),
        (b"1\t___\tpear\t1\n2\t___\tpear,fig\t1\n", r"trials\.txt:2: expected 2 ratings"),
        (b"1\t___\tpear\tmuch\n", r"trials\.txt:1: expected 1 ratings, one per probe, got 'much'"),
        (b"\n", r"trials\.txt: expected trials, got none"),
    ],
)
def test_malformed_chimeras_are_refused(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        read_chimeras(_file(tmp_path, content))


def test_malformed_definitions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"trials\.txt:2: expected a word, a tab"):
        read_definitions(_file(tmp_path, b"a\t___\nb ___\n"))


def test_the_trials_of_nonce2vec(shared_data: Path) -> None:
    folder = shared_data / "consistency" / "nonce2vec"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not at hand")
    definitions = folder / "definitions"
    assert len(read_definitions(definitions / "nonce.definitions.300.test").trials) == 300
    assert len(read_definitions(definitions / "nonce.definitions.700.train").trials) == 700
    files = sorted((folder / "chimeras").glob("*.txt"))
    read = [read_chimeras(file) for file in files]
    assert [len(each.trials) for each in read] == [109, 218, 110, 220, 110, 220]
    # All of them have the nonce in the plural.
    assert sum(each.problems["sentences without ___"] for each in read) == 34
