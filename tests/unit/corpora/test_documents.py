from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from lydite.corpora import documents
from lydite.corpora.documents import Size, open_corpus
from lydite.corpora.preparation import Preparation
from lydite.errors import FormatError, ResourceError

SENTENCES = [("the", "cat", "sat", "down"), ("it", "purred"), ("no", "dog", "came")]
WRAPPED = "The cat sat\ndown. It\npurred.\n\nNo dog\ncame.\n"


def written(tmp_path: Path, content: str | bytes, name: str = "a.txt") -> Path:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def sentences(*paths: Path, preparation: Preparation | None = None) -> list[tuple[str, ...]]:
    return list(open_corpus(paths, preparation).sentences())


@pytest.mark.parametrize(
    "content",
    [
        WRAPPED,
        "The cat sat down. It purred.\nNo dog came.\n",
        "The cat sat down. It purred.\n\nNo dog came.\n",
        "The cat sat down.\nIt purred.\nNo dog came.\n",
        "The cat sat down. It purred. No dog came.",
        '{"text": "The cat sat down. It purred.\\nNo dog came."}\n',
        '\n{"id": 1, "text": "The cat sat down. It purred."}\n\n{"text": "No dog came."}\n',
    ],
    ids=[
        "wrapped",
        "paragraph-a-line",
        "blank-lines",
        "sentence-a-line",
        "one-line",
        "json",
        "jsonl",
    ],
)
def test_every_layout_gives_the_same_sentences(tmp_path: Path, content: str) -> None:
    assert sentences(written(tmp_path, content)) == SENTENCES


@pytest.mark.parametrize(
    "compress",
    [gzip.compress, lzma.compress, lambda data: zstandard.ZstdCompressor().compress(data)],
    ids=["gzip", "xz", "zstd"],
)
def test_compressed_files_are_told_by_their_content(
    tmp_path: Path, compress: Callable[[bytes], bytes]
) -> None:
    assert sentences(written(tmp_path, compress(WRAPPED.encode()))) == SENTENCES


def test_a_corpus_can_be_read_again(tmp_path: Path) -> None:
    corpus = open_corpus([written(tmp_path, WRAPPED)])
    assert list(corpus.sentences()) == list(corpus.sentences()) == SENTENCES
    assert corpus.size() == Size(sentences=3, tokens=9)


def test_folders_are_read_in_the_order_of_names(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    for name, text in [("b.txt", "Two came."), ("a/z.txt", "One came."), (".git/x", "Hidden.")]:
        written(folder, text, name)
    last = written(tmp_path, "Three came.", "c.txt")
    assert sentences(folder, last) == [("one", "came"), ("two", "came"), ("three", "came")]


def test_lines_that_hold_sentences_are_not_cut_further_where_most_hold_one(tmp_path: Path) -> None:
    lines = ["the cat sat ."] * 20 + ["he met Mr . Smith ."]
    assert sentences(written(tmp_path, "\n".join(lines)))[-1] == ("he", "met", "mr", "smith")


def test_lines_can_be_asked_for_and_refused(tmp_path: Path) -> None:
    path = written(tmp_path, WRAPPED)
    lines = sentences(path, preparation=Preparation(sentences="lines"))
    assert lines[:2] == [("the", "cat", "sat"), ("down", "it")]
    single = written(tmp_path, "It is\nso.\n" + "One two three. Four.\n", "b.txt")
    cut = sentences(single, preparation=Preparation(sentences="split"))
    assert ("four",) in cut


def test_another_field_of_json_can_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps({"body": "It is so."}))
    assert list(open_corpus([path], field="body").sentences()) == [("it", "is", "so")]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ('{"title": "x"}', r"a\.txt:3: expected a text in the field 'text', got title"),
        ('{"text": null}', r"a\.txt:3: expected a text in the field 'text'"),
        ("[1]", r"a\.txt:3: expected a text in the field 'text', got list"),
        ('{"text": "cut off', r"a\.txt:3: expected an object of JSON"),
    ],
)
def test_a_bad_line_of_json_is_named(tmp_path: Path, bad: str, message: str) -> None:
    path = written(tmp_path, f'{{"text": "Fine."}}\n\n{bad}\n')
    with pytest.raises(FormatError, match=message):
        sentences(path)


@pytest.mark.parametrize("content", ["", "\n\n", "* * *\n\n---\n", "A\nI\n"])
def test_a_file_without_sentences_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(FormatError, match=r"a\.txt: .*found no sentence"):
        sentences(written(tmp_path, content))


def test_one_empty_file_among_others_is_no_fault(tmp_path: Path) -> None:
    assert sentences(written(tmp_path, "", "a"), written(tmp_path, "It is.", "b")) == [("it", "is")]


def test_binary_and_wrongly_encoded_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a\.txt:1: expected text"):
        sentences(written(tmp_path, b"\x7fELF\x00\x01"))
    latin = written(tmp_path, "One.\nCaf\u00e9.".encode("latin-1"))
    with pytest.raises(FormatError, match=r"a\.txt:2: .*utf-8"):
        sentences(latin)
    asked = open_corpus([latin], encoding="latin-1")
    assert list(asked.sentences()) == [("one",), ("caf\u00e9",)]


def test_missing_files_and_empty_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="does not exist"):
        open_corpus([tmp_path / "none.txt"])
    with pytest.raises(ResourceError, match="is an empty folder"):
        open_corpus([tmp_path])


CHAPTER = "The words of a chapter go on\nand on, as words in any book\nwill do; and then they end."
BOOK = (
    f"A BOOK\n\nCHAPTER I\n\n{CHAPTER}\n\nCHAPTER II\n\n{CHAPTER} So\nit is.\n\nINDEX\n\nword, 1\n"
)


def test_a_book_has_sentences_with_their_chapters(tmp_path: Path) -> None:
    corpus = open_corpus([written(tmp_path, BOOK)])
    (book,) = corpus.books()
    assert [chapter for _, chapter in book.sentences()] == [0, 1, 1]
    assert list(book.sentences())[2] == (("so", "it", "is"), 1)
    assert book.text == BOOK.rstrip("\n")
    assert list(corpus.sentences()) == [tokens for tokens, _ in book.sentences()]


def test_headings_within_a_chapter_are_no_sentences(tmp_path: Path) -> None:
    text = BOOK.replace("CHAPTER II\n", f"FOOTNOTES:\n\n{CHAPTER}\n\nCHAPTER II\n")
    (book,) = open_corpus([written(tmp_path, text)]).books()
    assert [chapter for _, chapter in book.sentences()] == [0, 0, 1, 1]


def test_a_book_may_have_a_paragraph_or_a_sentence_a_line(tmp_path: Path) -> None:
    line = CHAPTER.replace("\n", " ")
    text = f"CHAPTER I\n{line} {line}\nCHAPTER II\n{line} {line}\n"
    (book,) = open_corpus([written(tmp_path, text)]).books()
    assert [chapter for _, chapter in book.sentences()] == [0, 0, 1, 1]


def test_records_and_long_texts_are_no_books(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, BOOK)
    assert len(list(open_corpus([path, path]).books())) == 2
    with pytest.raises(FormatError, match="got lines of JSON"):
        list(open_corpus([written(tmp_path, '{"text": "a"}', "b")]).books())
    monkeypatch.setattr(documents, "LONGEST_BOOK", 100)
    with pytest.raises(FormatError, match="more than 100 characters"):
        list(open_corpus([path]).books())


def test_a_text_that_is_longer_than_a_book_is_streamed_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "LONGEST_BOOK", 100)
    assert ("word",) in sentences(written(tmp_path, BOOK))


def test_a_gutenberg_text_has_no_licence_and_no_contents(shared_data: Path) -> None:
    path = shared_data / "books" / "enquiry_human_understanding_9662.txt"
    met = {token for sentence in sentences(path) for token in sentence}
    assert not met & {"gutenberg-tm", "ebook", "proofreaders"}
    # The header declares Latin-1, which the accents are written in.
    assert {"understanding", "miracles", "connexion", "abbé", "curés"} <= met


def test_the_large_corpus_is_streamed_from_its_lines(shared_data: Path) -> None:
    corpus = open_corpus([shared_data / "corpora" / "wikipedia-2014-20m.txt.gz"])
    stream = corpus.sentences()
    first = [next(stream) for _ in range(2000)]
    lengths = sorted(map(len, first))
    assert 10 < lengths[1000] < 30


PAGE = """<!DOCTYPE html>
<html lang="en"><head><title>A page</title></head>
<body><h1>On time</h1>
<p>Time is <em>not</em> a thing.</p>
</body></html>
"""


@pytest.mark.parametrize(
    "content",
    [
        PAGE,
        PAGE.split("\n", 1)[1],
        "<p>Time is not a thing.</p>\n<p>Space is<br/>another.</p>\n<p>So is this.</p>\n",
        '<?xml version="1.0"?>\n<TEI><text><p>Time is not a thing.</p></text></TEI>\n',
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.html"])
def test_markup_is_refused_with_a_way_out(tmp_path: Path, content: str, name: str) -> None:
    with pytest.raises(FormatError, match="expected running text, got HTML or XML") as error:
        open_corpus([written(tmp_path, content, name)])
    assert "pandoc -t plain" in str(error.value.hint)


def test_a_text_may_write_of_tags_and_signs(tmp_path: Path) -> None:
    text = "A page starts with <html> and has a <body>. If a < b and b > c, then so it is.\n" * 3
    assert len(sentences(written(tmp_path, text))) == 6
    quoted = "The tag </p> closes a paragraph.\n" + "A line without any of that.\n" * 30
    assert len(sentences(written(tmp_path, quoted))) == 31


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("faust_de.txt", "de"),
        ("swann_fr.txt", "fr"),
        ("pragmatism_5116.txt", "en"),
        ("enquiry_human_understanding_9662.txt", "en"),
    ],
)
def test_the_language_of_a_book_is_detected(shared_data: Path, name: str, language: str) -> None:
    corpus = open_corpus([shared_data / "books" / name])
    assert corpus.preparation.language == language


def test_a_language_that_is_given_is_not_asked_about(shared_data: Path) -> None:
    path = shared_data / "books" / "faust_de.txt"
    assert open_corpus([path], Preparation(language="nl")).preparation.language == "nl"


def test_a_short_text_counts_as_english(tmp_path: Path) -> None:
    assert open_corpus([written(tmp_path, "Ja. Nein.")]).preparation.language == "en"


def test_a_french_book_has_words_not_elisions(shared_data: Path) -> None:
    met = {token for each in sentences(shared_data / "books" / "swann_fr.txt") for token in each}
    assert {"amour", "église", "aujourd'hui", "rendez-vous"} <= met
    assert not met & {"l'amour", "d'amour", "qu'il", "dit-il", "l'église"}


def test_words_that_were_broken_are_whole_and_a_note_says_so(tmp_path: Path) -> None:
    text = """\
The remarkable idea of a well-known man was too hard to under-
stand for all of those who, by that time, had never met any-
thing that was as hard to believe, as novel, and as remark-
able, as is this idea of his; and nobody in that well-
known circle of friends could understand or explain to any
of the others what it meant, although anything can be made
clear to those who want to hear it.
"""
    corpus = open_corpus([written(tmp_path, text)])
    met = {token for sentence in corpus.sentences() for token in sentence}
    assert {"understand", "anything", "remarkable", "well-known"} <= met
    assert not met & {"under", "stand", "remark", "able", "well", "known", "thing"}
    assert corpus.notes() == (
        "a.txt: 4 words were broken at the end of a line: 3 were joined, 1 keep their hyphen",
    )
