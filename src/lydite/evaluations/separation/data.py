"""Labelled pairs, sentences of entity pairs, and questions with documents."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from lydite.errors import FormatError, InputError
from lydite.files.archives import members
from lydite.files.lines import text_lines
from lydite.files.tables import field, records
from lydite.resources.catalogue import Located
from lydite.types import Mask, Plain

PAIRS_HINT = (
    "a table with the header left, right, label (H or L), or lines of JSON with these fields"
)

_LABELS = {
    **dict.fromkeys(("h", "1", "true", "similar", "yes"), True),
    **dict.fromkeys(("l", "0", "false", "dissimilar", "no"), False),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledPairs:
    """Pairs of texts."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    similar: Mask  # (n,): which pairs are in H; the others are in L
    # What each pair is an example of; empty texts if the file does not say.
    phenomena: tuple[str, ...]
    # What pairs have in common that were made from the same sentence; the left text if the file
    # does not say.
    bases: tuple[str, ...]


def read_labelled_pairs(path: Path) -> LabelledPairs:
    """Read pairs with labels, from a table with a header or lines of JSON."""
    left, right, similar, phenomena, bases = [], [], [], [], []
    for line, record in records(path, hint=PAIRS_HINT):
        left.append(field(record, "left", path, line, hint=PAIRS_HINT))
        right.append(field(record, "right", path, line, hint=PAIRS_HINT))
        similar.append(_label(record.get("label"), path, line))
        phenomena.append(str(record.get("phenomenon") or "").strip())
        bases.append(str(record.get("base") or left[-1]).strip())
    return LabelledPairs(
        left=tuple(left),
        right=tuple(right),
        similar=np.array(similar, dtype=np.bool_),
        phenomena=tuple(phenomena),
        bases=tuple(bases),
    )


def _label(value: object, path: Path, line: int) -> bool:
    name = str(value).strip().lower()
    if name not in _LABELS:
        raise FormatError(
            f"expected H (similar) or L (dissimilar) as 'label', got {value!r}",
            path=path,
            line=line,
            hint=PAIRS_HINT,
        )
    return _LABELS[name]


RELATIONS_HINT = (
    "a table with the header relation, left, right, label (E or NE), text, or lines of JSON"
)

_MARK = re.compile(r"\s*</?p[12]>\s*")
_MARKED = re.compile(r"<p1>.+?</p1>.*<p2>.+?</p2>|<p2>.+?</p2>.*<p1>.+?</p1>")
_RELATION_LABELS = {"e": True, "+": True, "1": True, "ne": False, "-": False, "0": False}
_KEY = 16


@dataclass(frozen=True, kw_only=True, eq=False)
class EntityPair:
    """All sentences about two entities."""

    # Of the entities, and of what may hold between them.
    name: str
    relation: str
    texts: tuple[str, ...]  # n sentences, each once
    expresses: Mask  # (n,): which of them express the relation (E); the others do not (NE)


class _Judged(NamedTuple):
    relation: str
    pair: str
    expresses: bool
    text: str


def read_relations(path: Path) -> list[EntityPair]:
    """Read sentences with labels, from a table with a header or lines of JSON."""
    return _pairs(_listed(path))


def read_marked_relations(sentences: Path, labels: Path) -> list[EntityPair]:
    """Read sentences whose entities are marked, and the labels that are kept apart from them.

    A line of sentences is ``<p1> Google </p1> bought <p2> YouTube </p2>``. Labels are a table with
    the header ``sentence_sha256``, ``relation``, ``pair``, ``label``: the key is the first 16
    digits of the sha256 of the line without white space around it.
    """
    judged: dict[str, list[tuple[str, str, bool]]] = {}
    for key, relation, pair, label in _labels(labels):
        judged.setdefault(key, []).append((relation, pair, label))
    found = [
        _Judged(relation, pair, label, without_marks(line))
        for _, line in text_lines(sentences, "utf-8")
        for relation, pair, label in judged.get(sentence_key(line), ())
    ]
    if not found:
        raise InputError(
            f"none of the {len(judged)} labels in {labels} belongs to a sentence of {sentences}",
            hint="are the labels those of this file?",
        )
    return _pairs(found)


def is_marked(path: Path) -> bool:
    """Tell whether a file has sentences with two marked entities."""
    first = next((line for _, line in text_lines(path) if line.strip()), "")
    return bool(_MARKED.search(first))


def sentence_key(line: str) -> str:
    """Return what a sentence is known by where only its label may be kept."""
    return hashlib.sha256(line.strip().encode()).hexdigest()[:_KEY]


def without_marks(line: str) -> str:
    """Return a sentence without the marks of its entities.

    >>> without_marks("<p1> Google </p1> 's <p2> YouTube </p2> .")
    "Google 's YouTube ."
    """
    return " ".join(_MARK.sub(" ", line).split())


def _listed(path: Path) -> Iterator[_Judged]:
    for line, record in records(path, hint=RELATIONS_HINT):
        left, right = (
            field(record, name, path, line, hint=RELATIONS_HINT) for name in ("left", "right")
        )
        yield _Judged(
            field(record, "relation", path, line, hint=RELATIONS_HINT),
            f"{left} / {right}",
            _relation_label(record, path, line),
            field(record, "text", path, line, hint=RELATIONS_HINT),
        )


def _labels(path: Path) -> Iterator[tuple[str, str, str, bool]]:
    hint = "a table with the header sentence_sha256, relation, pair, label"
    for line, record in records(path, hint=hint):
        yield (
            field(record, "sentence_sha256", path, line, hint=hint),
            field(record, "relation", path, line, hint=hint),
            field(record, "pair", path, line, hint=hint),
            _relation_label(record, path, line),
        )


def _relation_label(record: Mapping[str, object], path: Path, line: int) -> bool:
    name = str(record.get("label", "")).strip().lower()
    if name not in _RELATION_LABELS:
        raise FormatError(
            f"expected E or NE as 'label', got {record.get('label')!r}",
            path=path,
            line=line,
            hint=RELATIONS_HINT,
        )
    return _RELATION_LABELS[name]


def _pairs(judged: Iterable[_Judged]) -> list[EntityPair]:
    """Gather the sentences of each pair; one that stands twice counts once."""
    gathered: dict[tuple[str, str], dict[str, bool]] = {}
    for relation, pair, label, text in judged:
        known = gathered.setdefault((relation, pair), {})
        if known.setdefault(text, label) != label:
            raise InputError(
                f"{pair}: expected one label for a sentence, got E and NE for {text[:80]!r}",
                hint="decide on one",
            )
    return [
        EntityPair(
            name=pair,
            relation=relation,
            texts=tuple(known),
            expresses=np.array(list(known.values()), dtype=np.bool_),
        )
        for (relation, pair), known in gathered.items()
    ]


def usable(
    pairs: Sequence[EntityPair], minimum: int = 3
) -> tuple[list[EntityPair], dict[str, str]]:
    """Part pairs that can be scored from those that cannot, with the reason.

    A pair must have ``minimum`` sentences of either kind; at least 2, since H is made of pairs of
    sentences that express the relation.
    """
    kept, reasons = [], {}
    for pair in pairs:
        positive = int(pair.expresses.sum())
        negative = len(pair.texts) - positive
        if min(positive, negative) < minimum:
            name = pair.name if pair.name not in reasons else f"{pair.name} ({pair.relation})"
            reasons[name] = (
                f"{positive} sentences express {pair.relation} and {negative} do not; "
                f"{minimum} of either are needed"
            )
        else:
            kept.append(pair)
    return kept, reasons


QUESTIONS_HINT = 'lines of JSON: {"question": "...", "document": ["...", "..."], "answer": 2}'

_JUDGED = "a table with the header question_sha256, file, abstract, sentences, sentence_sha256"
_GENIA_QUESTIONS = "usp_genia/eval/question.{file}.txt"
_GENIA_TEXT = "usp_genia/genia/text/{abstract}.txt"


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question, and the document that answers it."""

    name: str
    text: str
    document: tuple[str, ...]  # at least two sentences
    answers: tuple[int, ...]  # the places, from 0, of the sentences that answer; the paper has one
    form: str = ""  # how the answer is worded, such as ``passive``; empty if the file does not say
    domain: str = ""  # what it is about; empty if the file does not say


def read_questions(path: Path) -> list[Question]:
    """Read questions with their documents.

    Lines of JSON with ``question``, ``document`` (a list of sentences) and ``answer`` (a place from
    0, or several in a list); or a table with the header question, document, answer, whose documents
    have ``|||`` between sentences.
    """
    return [_question(record, path, line) for line, record in records(path, hint=QUESTIONS_HINT)]


def read_genia_questions(archive: Path, judgements: Path) -> list[Question]:
    """Read the questions of Poon & Domingos on GENIA, and judgments that are kept apart.

    Judgments are a table with the header ``question_sha256``, ``file``, ``abstract``,
    ``sentences``, ``sentence_sha256``: keys are the first 16 digits of the sha256 of a line without
    white space around it.
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
    text = field(record, "question", path, line, hint=QUESTIONS_HINT)
    document = _document(record.get("document"), path, line)
    answers = _answers(record.get("answer"), path, line, hint=QUESTIONS_HINT)
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
            hint=QUESTIONS_HINT,
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


Kind: TypeAlias = Literal["pairs", "relation", "qa"]

_FIELDS = "left, right, label; or relation, left, right, label, text; or question, document, answer"
_NONE = LabelledPairs(
    left=(), right=(), similar=np.zeros(0, dtype=np.bool_), phenomena=(), bases=()
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """Data of one kind; those of the other kinds are empty."""

    kind: Kind
    name: str
    pairs: LabelledPairs = _NONE
    relations: Sequence[EntityPair] = ()
    questions: Sequence[Question] = ()


def read_task(resources: Sequence[Located]) -> Task:
    """Read data, or texts and the judgments of them that are kept apart.

    Two resources are texts and judgments: ``relations-hlt-naacl08+relations-judgements``,
    ``genia-usp+genia-answers``.
    """
    name = " + ".join(resource.name for resource in resources)
    if len(resources) == 2:
        texts, labels = (resource.single() for resource in resources)
        if texts.name.endswith((".tar.gz", ".tgz", ".tar")):
            questions = read_genia_questions(texts, labels)
            return Task(kind="qa", name=name, questions=questions)
        return Task(kind="relation", name=name, relations=read_marked_relations(texts, labels))
    if len(resources) != 1:
        raise InputError(
            f"separation takes one resource, or texts and their labels, got {len(resources)}"
        )
    path = resources[0].single()
    return _of_file(path, name)


def _of_file(path: Path, name: str) -> Task:
    if path.name.endswith((".tar.gz", ".tgz", ".tar")):
        raise InputError(
            f"{name} has questions but no answers",
            hint="add judgements of them: genia-usp+genia-answers",
        )
    if is_marked(path):
        raise InputError(
            f"{name} has sentences with marked entities but no labels",
            hint="add judgements of them: relations-hlt-naacl08+relations-judgements",
        )
    hint = f"the fields {_FIELDS}"
    first = next((record for _, record in records(path, hint=hint)), None)
    if first is None:
        raise FormatError("expected rows below the header, got none", path=path, hint=hint)
    fields = set(first)
    if {"question", "document"} <= fields:
        return Task(kind="qa", name=name, questions=read_questions(path))
    if {"relation", "text"} <= fields:
        return Task(kind="relation", name=name, relations=read_relations(path))
    if {"left", "right", "label"} <= fields:
        return Task(kind="pairs", name=name, pairs=read_labelled_pairs(path))
    raise FormatError(f"expected the fields {_FIELDS}, got {', '.join(first)}", path=path)
