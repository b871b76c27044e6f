"""A corpus: files of running text, read sentence by sentence as often as one likes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

from lydite.corpora.books import Book, Passage, chapters, gathered, is_wrapped, strip_gutenberg
from lydite.corpora.hyphens import join_hyphens
from lydite.corpora.languages import AUTO, ENGLISH, check_language, detect_language, language_name
from lydite.corpora.preparation import Preparation, split_sentences
from lydite.engine import current_engine, in_order
from lydite.errors import FormatError, ResourceError
from lydite.files.lines import WHOLE_LINES, text_lines
from lydite.files.plain import parse_json

#: Characters of the longest text that is taken for a book and held in memory.
LONGEST_BOOK = 1 << 24

_SAMPLE = 2000
#: Paragraphs that are cut in another process at a time.
_SENT = 2000
#: So many files are enough to tell the language of a corpus by.
_SAMPLED_FILES = 20


@dataclass(frozen=True, kw_only=True)
class Size:
    """How much text there is."""

    sentences: int
    tokens: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Corpus:
    """Text in one or several files, nothing of which is kept in memory.

    Attributes
    ----------
    encoding
        Of all files; None where each may declare its own, or else is in UTF-8.
    field
        What holds the text in lines of JSON.
    """

    files: tuple[Path, ...]
    preparation: Preparation
    encoding: str | None = None
    field: str = "text"

    def sentences(self) -> Iterator[tuple[str, ...]]:
        """Yield the tokens of one sentence after the other.

        A text with wrapped lines that is no longer than `LONGEST_BOOK` is read as a book: without
        the frame of Project Gutenberg, contents and index. Files that cannot be read as text, or
        hold no sentence all together, are a `FormatError`.
        """
        for passage in self.passages():
            yield from passage.sentences

    def passages(self) -> Iterator[Passage]:
        """Yield one paragraph with its sentences after the other, each chapter with a new number.

        Where a line holds a sentence, a paragraph is no more than that.
        """
        chapters = 0
        for work, path in enumerate(self.files):
            first = chapters
            for passage in self._passages(path):
                yield passage._replace(chapter=first + passage.chapter, work=work)
                chapters = first + passage.chapter + 1
        if not chapters:
            others = f" and {len(self.files) - 1} more" if len(self.files) > 1 else ""
            raise FormatError(
                f"expected running text, found no sentence in this file{others}",
                path=self.files[0],
                hint="the file is empty, or nothing of it is left by the chosen preparation",
            )

    def books(self) -> Iterator[Book]:
        """Yield each file as a book with its chapters; none longer than `LONGEST_BOOK`."""
        for path in self.files:
            if _is_json(self._head(path)):
                raise FormatError(
                    "expected a book, got lines of JSON",
                    path=path,
                    hint="a book is running text with headings; only random samples can be drawn"
                    " from records",
                )
            text = self._short_text(path)
            if text is None:
                raise FormatError(
                    f"expected a book, got more than {LONGEST_BOOK} characters",
                    path=path,
                    hint="random samples can be drawn from a text of any length",
                )
            yield self._book(path, text)

    def notes(self) -> tuple[str, ...]:
        """Return what was done to the text, for readers of results."""
        language = self.preparation.language
        told = [] if language == ENGLISH else [f"the text is in {language_name(language)}"]
        for path in self.files:
            text = self._short_text(path) if is_wrapped(self._head(path)) else None
            told += [] if text is None else self._book(path, text).notes
        return tuple(told)

    def size(self) -> Size:
        """Count sentences and tokens."""
        sentences = tokens = 0
        for sentence in self.sentences():
            sentences += 1
            tokens += len(sentence)
        return Size(sentences=sentences, tokens=tokens)

    def _passages(self, path: Path) -> Iterator[Passage]:
        head = self._head(path)
        if _is_json(head):
            paragraphs = chain.from_iterable(map(_paragraphs, self._records(path)))
            return _cut(paragraphs, self.preparation)
        wrapped = is_wrapped(head)
        text = self._short_text(path) if wrapped else None
        if text is not None:
            return self._book(path, text).passages()
        return _cut(gathered(self._lines(path), wrapped), self._resolved(head, wrapped))

    def _resolved(self, head: Sequence[str], wrapped: bool) -> Preparation:
        """Return the preparation with the cutting of sentences that suits these lines."""
        if self.preparation.sentences != "detect":
            return self.preparation
        single = not wrapped and _hold_sentences(head, self.preparation.language)
        return replace(self.preparation, sentences="lines" if single else "split")

    def _book(self, path: Path, text: str) -> Book:
        lines = text.split("\n")
        wrapped = is_wrapped(lines)
        preparation = self._resolved(lines[:_SAMPLE], wrapped)
        note = ""
        if wrapped:
            whole = join_hyphens(text, preparation.language)
            text, note = whole.text, whole.note
        elif preparation.sentences != "lines":
            text = "\n\n".join(lines)
        text = strip_gutenberg(text)
        return Book(
            name=path.name,
            text=text,
            chapters=tuple(chapters(text)),
            preparation=preparation,
            notes=(f"{path.name}: {note}",) if note else (),
        )

    def sample(self) -> str:
        """Return text from the first lines of some files, spread over all of them."""
        step = -(-len(self.files) // _SAMPLED_FILES)
        heads = (self._head(path) for path in self.files[::step])
        return "\n".join(chain.from_iterable(heads))

    def _lines(self, path: Path) -> Iterator[str]:
        return (line for _, line in text_lines(path, self.encoding))

    def _head(self, path: Path) -> list[str]:
        head = list(islice(self._lines(path), _SAMPLE))
        _check_markup(head, path)
        return head

    def _short_text(self, path: Path) -> str | None:
        """Return the whole text, or nothing if it is longer than a book."""
        lines, length = [], 0
        for line in self._lines(path):
            lines.append(line)
            length += len(line) + 1
            if length > LONGEST_BOOK:
                return None
        return "\n".join(lines)

    def _records(self, path: Path) -> Iterator[str]:
        """Yield the texts of lines of JSON."""
        for number, line in text_lines(path, self.encoding, longest=WHOLE_LINES):
            if line.strip():
                yield _text_of(line, self.field, path, number)


def open_corpus(
    paths: Sequence[Path],
    preparation: Preparation | None = None,
    *,
    encoding: str | None = None,
    field: str = "text",
) -> Corpus:
    """Open running text, in files and in folders with all that is below them.

    A file may be compressed (gzip, xz, zstd) and holds plain text, its paragraphs divided by blank
    lines or one per line; one sentence per line; a text of Project Gutenberg; or one object of JSON
    per line. The content decides which.

    Parameters
    ----------
    paths
        Files and folders; the files of a folder are read in the order of their names, hidden ones
        not at all.
    preparation
        How text becomes tokens; a language that is left to be detected is that of most of it.
    encoding
        Of all files; else each in what it says of itself, or in UTF-8.

    Raises
    ------
    ResourceError
        If there is no such file, or a folder is empty.
    FormatError
        If a file is a page of HTML, or no text.
    InputError
        If the language is none.
    """
    files = tuple(file for path in paths for file in _files(Path(path)))
    corpus = Corpus(
        files=files, preparation=preparation or Preparation(), encoding=encoding, field=field
    )
    if check_language(corpus.preparation.language) != AUTO:
        return corpus
    language = detect_language(corpus.sample()) or ENGLISH
    return replace(corpus, preparation=replace(corpus.preparation, language=language))


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    below = sorted(
        file
        for file in path.rglob("*")
        if file.is_file() and not any(part[0] == "." for part in file.relative_to(path).parts)
    )
    if not below:
        what = "is an empty folder" if path.is_dir() else "does not exist"
        raise ResourceError(f"expected a corpus, but {path} {what}", hint="check the path")
    return below


def _cut(paragraphs: Iterable[str], preparation: Preparation) -> Iterator[Passage]:
    engine = current_engine()
    if engine.elsewhere or engine.width > 1:
        every = iter(paragraphs)
        blocks = iter(lambda: list(islice(every, _SENT)), [])
        cut: Iterator[tuple[tuple[str, ...], ...]]
        cut = chain.from_iterable(in_order(_cut_block, blocks, data=(preparation,)))
    else:
        cut = (tuple(preparation.cut(paragraph)) for paragraph in paragraphs)
    return (Passage(sentences) for sentences in cut if sentences)


def _cut_block(
    paragraphs: list[str], preparation: Preparation
) -> list[tuple[tuple[str, ...], ...]]:
    return [tuple(preparation.cut(paragraph)) for paragraph in paragraphs]


#: Tags as only markup has them: at the end of an element, with attributes, or by themselves.
_TAG = re.compile(
    r"</[A-Za-z][\w:]*\s*>|<[A-Za-z][\w:]*(?:\s+[\w:.-]+\s*=\s*[\"'][^\"'<>]*[\"'])+\s*/?>"
    r"|<[A-Za-z][\w:]*\s*/>|<br>",
)
_PROLOG = re.compile(r"\s*(?:<!DOCTYPE\s|<\?xml\s|<html[\s>])", re.IGNORECASE)
#: One tag in so many lines makes a text a page; a text may write of tags.
_LINES_PER_TAG = 10


def _check_markup(head: Sequence[str], path: Path) -> None:
    """Refuse pages: the names of tags would be words, and the most consistent of all."""
    first = next((line for line in head if line.strip()), "")
    tags = [] if _is_json(head) else [tag for line in head for tag in _TAG.findall(line)]
    full = sum(bool(line.strip()) for line in head)
    if not _PROLOG.match(first) and (len(tags) < 3 or _LINES_PER_TAG * len(tags) < full):
        return
    shown = tags[0] if tags else first.strip()[:40]
    raise FormatError(
        f"expected running text, got HTML or XML: {shown!r}",
        path=path,
        hint="take the text out first: pandoc -t plain page.html -o page.txt, or save the page as "
        "text in a browser; of a book of Project Gutenberg there is a plain text beside it",
    )


def _is_json(head: Sequence[str]) -> bool:
    first = next((line for line in head if line.strip()), "")
    return first.lstrip().startswith('{"')


def _text_of(line: str, field: str, path: Path, number: int) -> str:
    try:
        record = parse_json(line)
    except ValueError as error:
        raise FormatError(
            f"expected an object of JSON, got {line[:40]!r}",
            path=path,
            line=number,
            hint="every line is an object by itself",
        ) from error
    if isinstance(record, dict) and isinstance(record.get(field), str):
        return str(record[field])
    names = ", ".join(record) if isinstance(record, dict) else type(record).__name__
    raise FormatError(
        f"expected a text in the field {field!r}, got {names or 'an empty object'}",
        path=path,
        line=number,
        hint="name the field that holds the text",
    )


def _paragraphs(text: str) -> Iterator[str]:
    lines = text.split("\n")
    return gathered(lines, is_wrapped(lines))


def _hold_sentences(lines: Sequence[str], language: str) -> bool:
    """Tell whether hardly any line has more than one sentence."""
    full = [line for line in lines if line.strip()]
    several = sum(len(split_sentences(line.strip(), language)) > 1 for line in full)
    return 10 * several <= len(full)
