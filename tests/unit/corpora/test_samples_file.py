from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.occurrences import MASK
from lydite.corpora.samples import Layout, Samples, TermSamples, read_samples, write_samples
from lydite.errors import FormatError, InputError
from lydite.types import Context

LAYOUTS: tuple[Layout, ...] = ("masked", "marked")
SAMPLES = Samples(
    name="two",
    terms=(
        TermSamples(
            term="free will",
            samples=(
                (
                    Context(tokens=("free", "will", "or", MASK), start=0, stop=2),
                    Context(tokens=("on", "free", "will"), start=1, stop=3),
                ),
                (Context(tokens=("no", "free", "will", "here"), start=1, stop=3),),
            ),
        ),
        TermSamples(
            term="time",
            samples=(
                (Context(tokens=("time",), start=0, stop=1),),
                (Context(tokens=("in", "time"), start=1, stop=2),),
            ),
        ),
    ),
)


def _read(text: str, folder: Path) -> Samples:
    path = folder / "samples.txt"
    path.write_text(text, encoding="utf-8")
    return read_samples(path)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_written_is_read_back(layout: Layout, tmp_path: Path) -> None:
    write_samples(SAMPLES, tmp_path / "samples.txt", layout=layout)
    read = read_samples(tmp_path / "samples.txt", name="two")
    assert read == SAMPLES
    assert read.fingerprint == SAMPLES.fingerprint


def test_the_layouts_of_wiki_rnd(tmp_path: Path) -> None:
    path = tmp_path / "samples.txt"
    write_samples(SAMPLES, path)
    assert path.read_text(encoding="utf-8") == (
        "free will\t___ or ___ @@ on ___\tno ___ here\ntime\t___\tin ___\n"
    )
    write_samples(SAMPLES, path, layout="marked")
    assert path.read_text(encoding="utf-8").splitlines() == [
        "free will\tfree_will__xx00 or free_will__xx00",
        "on free_will__xx00",
        "no free_will__xx01 here",
        "time\ttime__xx00",
        "in time__xx01",
    ]


def test_longer_words_that_were_masked_are_made_whole(tmp_path: Path) -> None:
    (term,) = _read("red\tthe conside___ ___\ta ___\n", tmp_path).terms
    assert term.samples[0] == (Context(tokens=("the", "considered", "red"), start=2, stop=3),)


def test_longer_words_that_were_marked_are_made_whole(tmp_path: Path) -> None:
    (term,) = _read("red\tthe hundred__xx00 red__xx00\na red__xx01\n", tmp_path).terms
    assert term.samples[0] == (Context(tokens=("the", "hundred", "red"), start=2, stop=3),)


def test_sentences_without_the_term_are_reported_with_their_lines(tmp_path: Path) -> None:
    samples = _read("a\t___ x @@ none\t___\nb\tnone @@ ___\t___ y\n", tmp_path)
    assert [[len(part) for part in term.samples] for term in samples.terms] == [[1, 1], [1, 1]]
    assert samples.problems == {"sentences without the term": 2}
    assert samples.notes == ("2 sentences without the term were left out, in lines 1, 2",)


def test_a_term_with_an_empty_sample_is_left_out(tmp_path: Path) -> None:
    samples = _read("a\t___ x\t___\nb\tnone\t___ y\n", tmp_path)
    assert [each.term for each in samples.terms] == ["a"]
    assert samples.problems == {"sentences without the term": 1, "a sample is empty": 1}
    assert samples.dropped == {"b": "a sample is empty"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\t___\t___\nb\t___\n", r"samples\.txt:2: expected a term and 2 samples"),
        ("a\t___ x\n", r"samples\.txt:1: expected a term and 2 samples"),
        ("\t___\t___\n", r"samples\.txt:1: expected a term"),
        ("a\t___\t___\n\na\t___\t___\n", r"samples\.txt:3: the term 'a' occurs twice"),
        ("a\ta__xx00\nno mark\n", r"samples\.txt:2: expected a sentence with a term"),
        ("a__xx00 b\n", r"samples\.txt:1: .* before any term"),
        ("some text\n", r"samples\.txt:1: expected samples, got 'some text'"),
        ("\n", r"samples\.txt: expected samples, got none"),
    ],
)
def test_malformed_files_are_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        _read(text, tmp_path)


def test_what_the_layout_cannot_hold_is_refused(tmp_path: Path) -> None:
    context = Context(tokens=("time", "@@"), start=0, stop=1)
    samples = Samples(name="", terms=(TermSamples(term="time", samples=((context,), (context,))),))
    with pytest.raises(InputError, match="divides sentences"):
        write_samples(samples, tmp_path / "samples.txt")
    with pytest.raises(InputError, match="expected the layout masked or marked"):
        write_samples(SAMPLES, tmp_path / "samples.txt", layout="other")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "file", ["nonce_test_sampledsentences1.txt", "nonce_test_randsample_hw.txt"]
)
def test_wiki_rnd(file: str, shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "consistency" / "wiki-rnd" / file
    if not path.is_file():
        pytest.skip(f"{path} is not at hand")
    samples = read_samples(path)
    sizes = [len(sample) for each in samples.terms for sample in each.samples]
    assert (len(samples.terms), len(sizes), sum(sizes)) == (298, 1490, 14_355)
    assert (min(sizes), sizes.count(10)) == (2, 1354)
    for layout in LAYOUTS:
        write_samples(samples, tmp_path / "samples.txt", layout=layout)
        assert read_samples(tmp_path / "samples.txt").terms == samples.terms
