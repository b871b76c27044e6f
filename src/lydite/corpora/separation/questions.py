"""Questions with a document each, one sentence of which has the answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lydite.corpora.records import field, records
from lydite.corpora.separation.relations import sentence_key
from lydite.corpora.tagged.members import members
from lydite.errors import FormatError, InputError
from lydite.types import Plain

HINT = 'lines of JSON: {"question": "...", "document": ["...", "..."], "answer": 2}'

_JUDGED = "a table with the header question_sha256, file, abstract, sentences, sentence_sha256"
_GENIA_QUESTIONS = "usp_genia/eval/question.{file}.txt"
_GENIA_TEXT = "usp_genia/genia/text/{abstract}.txt"


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question, and the document that answers it.

    Attributes
    ----------
    name
        What it is called in tables.
    text
        The question.
    document
        At least two sentences.
    answers
        The places, from 0, of the sentences that answer; the paper has one.
    form
        How the answer is worded, such as ``passive``; empty if the file does not say.
    domain
        What it is about; empty if the file does not say.
    """

    name: str
    text: str
    document: tuple[str, ...]
    answers: tuple[int, ...]
    form: str = ""
    domain: str = ""


def read_questions(path: Path) -> list[Question]:
    """Read questions with their documents.

    Lines of JSON with ``question``, ``document`` (a list of sentences) and ``answer`` (a place from
    0, or several in a list); or a table with the header question, document, answer, whose documents
    have ``|||`` between sentences.

    Raises
    ------
    FormatError
        If a document has a single sentence or an answer is out of range; with path and line.
    """
    return [_question(record, path, line) for line, record in records(path, hint=HINT)]


def read_genia_questions(archive: Path, judgements: Path) -> list[Question]:
    """Read the questions of Poon & Domingos on GENIA, and judgements that are kept apart.

    Parameters
    ----------
    archive
        ``usp-genia.tar.gz``.
    judgements
        A table with the header ``question_sha256``, ``file``, ``abstract``, ``sentences``,
        ``sentence_sha256``: keys are the first 16 digits of the sha256 of a line without white
        space around it.

    Raises
    ------
    InputError
        If the judgements are of another archive.
    """
    judged = list(records(judgements, hint=_JUDGED))
    wanted = {field(record, "abstract", judgements, line, hint=_JUDGED) for line, record in judged}
    questions = {_GENIA_QUESTIONS.format(file=each) for each in ("obj", "sbj")}
    texts = _members(archive, questions | {_GENIA_TEXT.format(abstract=each) for each in wanted})
    asked = {
        sentence_key(line): line.strip()
        for name in sorted(questions)
        for line in texts[name].splitlines()
        if line.strip()
    }
    return [_judged(record, judgements, line, asked, texts) for line, record in judged]


def _members(archive: Path, names: set[str]) -> dict[str, str]:
    found = {
        name: member.text
        for member in members([archive])
        if (name := member.place.removeprefix(f"{archive}/")) in names
    }
    missing = sorted(names - found.keys())
    if missing:
        raise InputError(
            f"{archive}: expected {missing[0]}, which is not in the archive",
            hint="are the judgements those of this archive?",
        )
    return found


def _judged(
    record: Mapping[str, Plain],
    path: Path,
    line: int,
    asked: Mapping[str, str],
    texts: Mapping[str, str],
) -> Question:
    abstract, asked_key, places, keys = (
        field(record, name, path, line, hint=_JUDGED)
        for name in ("abstract", "question_sha256", "sentences", "sentence_sha256")
    )
    question = asked.get(asked_key)
    lines = texts[_GENIA_TEXT.format(abstract=abstract)].splitlines()
    document = tuple(each.strip() for each in lines if each.strip())
    answers = _answers(places, path, line, hint=_JUDGED)
    found = [sentence_key(document[i]) for i in answers if 0 <= i < len(document)]
    if question is None or found != keys.split("|"):
        raise FormatError(
            f"expected a question and sentences of abstract {abstract}, got keys of others",
            path=path,
            line=line,
            hint="are the judgements those of this archive?",
        )
    _check_answers(question, document, answers, path, line)
    return Question(
        name=f"{abstract} {question}",
        text=question,
        document=document,
        answers=answers,
        form=str(record.get("form") or ""),
        domain="genia",
    )


def _question(record: Mapping[str, Plain], path: Path, line: int) -> Question:
    text = field(record, "question", path, line, hint=HINT)
    document = _document(record.get("document"), path, line)
    answers = _answers(record.get("answer"), path, line, hint=HINT)
    _check_answers(text, document, answers, path, line)
    return Question(
        name=str(record.get("id") or text),
        text=text,
        document=document,
        answers=answers,
        form=str(record.get("form") or ""),
        domain=str(record.get("domain") or ""),
    )


def _check_answers(
    text: str, document: Sequence[str], answers: Sequence[int], path: Path, line: int
) -> None:
    for place in answers:
        if not 0 <= place < len(document):
            raise FormatError(
                f"expected an answer from 0 to {len(document) - 1}, got {place} for {text[:60]!r}",
                path=path,
                line=line,
                hint="the first sentence of a document is 0",
            )
    if len(answers) == len(document):
        raise FormatError(
            f"expected a sentence that does not answer {text[:60]!r}, got none",
            path=path,
            line=line,
            hint="among sentences that all answer nothing can be told apart",
        )


def _document(value: Plain, path: Path, line: int) -> tuple[str, ...]:
    sentences = value.split("|||") if isinstance(value, str) else value
    if not isinstance(sentences, list) or not all(
        isinstance(each, str) and each.strip() for each in sentences
    ):
        raise FormatError(
            f"expected a list of sentences as 'document', got {str(value)[:60]!r}",
            path=path,
            line=line,
            hint=HINT,
        )
    if len(sentences) < 2:
        raise FormatError(
            f"expected a document of at least two sentences, got {len(sentences)}",
            path=path,
            line=line,
            hint="among one sentence nothing can be told apart",
        )
    return tuple(each.strip() for each in sentences)


def _answers(value: Plain, path: Path, line: int, *, hint: str) -> tuple[int, ...]:
    listed = value if isinstance(value, list) else str(value).split("|")
    places = tuple(dict.fromkeys(map(_whole, listed)))
    if not places or None in places:
        raise FormatError(
            f"expected the place of a sentence as 'answer', got {str(value)[:60]!r}",
            path=path,
            line=line,
            hint=hint,
        )
    return tuple(place for place in places if place is not None)


def _whole(value: Plain) -> int | None:
    """Return a whole number, or one written out; None for anything else."""
    if isinstance(value, str):
        return int(value) if re.fullmatch(r"\s*-?[0-9]+\s*", value) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
