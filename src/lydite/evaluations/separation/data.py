"""Labelled and minimal pairs, sentences of entity pairs, and questions with documents."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from lydite.errors import FormatError, InputError
from lydite.files.archives import members
from lydite.files.lines import text_lines
from lydite.files.tables import field, records, table_rows
from lydite.resources.catalogue import Located
from lydite.types import Floats, Mask, Plain

PAIRS_HINT = (
    "a table with the header left, right, label (H or L), or score (a number) in place of label, "
    "or lines of JSON with these fields"
)

_LABELS = {
    **dict.fromkeys(("h", "1", "true", "similar", "yes"), True),
    **dict.fromkeys(("l", "0", "false", "dissimilar", "no"), False),
}


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """From which score on graded pairs are in H, and up to which in L."""

    similar: float = 4.0
    dissimilar: float = 2.0


USUAL = Thresholds()


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledPairs:
    """Pairs of texts, each once."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    similar: Mask  # (n,): which pairs are in H
    dissimilar: Mask  # (n,): which are in L; of graded pairs some are in neither
    # What each pair is an example of; empty texts if the file does not say.
    phenomena: tuple[str, ...]
    # What pairs have in common that stand or fall together: what the file says is their base, else
    # those that are joined by texts which they share.
    bases: tuple[str, ...]
    # (n,): how similar people found them; None if they only have labels.
    gold: Floats | None = None


class _Pair(NamedTuple):
    line: int
    left: str
    right: str
    label: bool | float  # in H or not, or a score
    phenomenon: str = ""
    base: str = ""


def read_labelled_pairs(path: Path, thresholds: Thresholds = USUAL) -> LabelledPairs:
    """Read pairs with labels or scores, from a table with a header or lines of JSON."""
    return _labelled(
        (
            _Pair(
                line,
                field(record, "left", path, line, hint=PAIRS_HINT),
                field(record, "right", path, line, hint=PAIRS_HINT),
                _grade(record["score"], path, line)
                if "label" not in record and "score" in record
                else _label(record.get("label"), path, line),
                str(record.get("phenomenon") or "").strip(),
                str(record.get("base") or "").strip(),
            )
            for line, record in records(path, hint=PAIRS_HINT)
        ),
        path,
        thresholds,
    )


def read_msrp_pairs(path: Path) -> LabelledPairs:
    """Read the Microsoft Research Paraphrase Corpus as it is distributed: 1 is a paraphrase."""
    hint = "lines of Quality, #1 ID, #2 ID, #1 String, #2 String, divided by tabs"
    found = []
    for line, fields in table_rows(path, "\t", quoted=False):
        if line > 1:
            if len(fields) != 5:
                raise FormatError(
                    f"expected 5 fields, got {len(fields)}", path=path, line=line, hint=hint
                )
            label = _label(fields[0], path, line)
            found.append(_Pair(line, fields[3].strip(), fields[4].strip(), label))
    return _labelled(found, path, USUAL)


_STS_FIELDS = 7


def read_sts_pairs(path: Path, thresholds: Thresholds = USUAL) -> LabelledPairs:
    """Read pairs of the STS benchmark as it is distributed; the genre is what a pair shows."""
    hint = "lines of genre, file, year, id, score, two sentences, divided by tabs"
    found = []
    for line, fields in table_rows(path, "\t", quoted=False):
        if len(fields) < _STS_FIELDS:
            raise FormatError(
                f"expected at least {_STS_FIELDS} fields, got {len(fields)}",
                path=path,
                line=line,
                hint=hint,
            )
        genre, left, right = (fields[place].strip() for place in (0, 5, 6))
        found.append(_Pair(line, left, right, _grade(fields[4], path, line), genre))
    return _labelled(found, path, thresholds)


def _labelled(pairs: Iterable[_Pair], path: Path, thresholds: Thresholds) -> LabelledPairs:
    """Gather pairs, each once in whichever order; two that disagree are an error."""
    known: dict[frozenset[str], list[_Pair]] = {}
    for pair in pairs:
        known.setdefault(frozenset((pair.left, pair.right)), []).append(pair)
    kept = [same[0] for same in known.values()]
    graded = [each for each in kept if not isinstance(each.label, bool)]
    if graded and len(graded) != len(kept):
        raise FormatError(
            "expected a label for every pair or a score for every pair, got both",
            path=path,
            line=graded[0].line,
            hint=PAIRS_HINT,
        )
    if not graded:
        for same in known.values():
            _check_labels(same, path)
    # A pair that was rated twice has the mean of its scores.
    labels = np.array([fmean(each.label for each in same) for same in known.values()])
    return LabelledPairs(
        left=tuple(each.left for each in kept),
        right=tuple(each.right for each in kept),
        similar=labels >= (thresholds.similar if graded else 1),
        dissimilar=labels <= (thresholds.dissimilar if graded else 0),
        phenomena=tuple(each.phenomenon for each in kept),
        bases=_bases(kept),
        gold=labels if graded else None,
    )


def _check_labels(same: Sequence[_Pair], path: Path) -> None:
    first = same[0]
    other = next((each for each in same if each.label != first.label), None)
    if other is not None:
        raise FormatError(
            f"expected one label for a pair, got H and L for {first.left[:60]!r} and "
            f"{first.right[:60]!r}, first in line {first.line}",
            path=path,
            line=other.line,
            hint="decide on one; the order of the two texts makes no difference",
        )


def _bases(pairs: Sequence[_Pair]) -> tuple[str, ...]:
    """Return what each pair is made from; by default what the texts that it shares lead to."""
    leaders: dict[str, str] = {}

    def leader(text: str) -> str:
        while leaders.setdefault(text, text) != text:
            leaders[text] = leaders[leaders[text]]
            text = leaders[text]
        return text

    for pair in pairs:
        if not pair.base:
            leaders[leader(pair.right)] = leader(pair.left)
    return tuple(pair.base or leader(pair.left) for pair in pairs)


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


def _grade(value: object, path: Path, line: int) -> float:
    try:
        score = float(str(value))
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise FormatError(
            f"expected a number as 'score', got {value!r}", path=path, line=line, hint=PAIRS_HINT
        )
    return score


MINIMAL_HINT = (
    "a table with the header sentence, same, other, and as you like phenomenon, source, frame; or "
    "lines of JSON with these fields"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class MinimalPairs:
    """Sentences, each with one that says the same and one that says something else."""

    sentences: tuple[str, ...]
    same: tuple[str, ...]
    other: tuple[str, ...]
    phenomena: tuple[str, ...]  # empty texts if the file does not say
    # What items have in common that were made from the same words; the phenomenon is part of it.
    sources: tuple[str, ...]


def read_minimal_pairs(path: Path) -> MinimalPairs:
    """Read minimal pairs; a sentence without a source is its own."""
    found: dict[tuple[str, str, str], tuple[str, str]] = {}
    for line, record in records(path, hint=MINIMAL_HINT):
        texts = [
            field(record, name, path, line, hint=MINIMAL_HINT)
            for name in ("sentence", "same", "other")
        ]
        sentence, same, other = texts
        if len(set(texts)) < 3 or (sentence, other, same) in found:
            raise FormatError(
                f"expected three different sentences that are not labeled the other way round "
                f"elsewhere, got {sentence[:60]!r}, {same[:60]!r} and {other[:60]!r}",
                path=path,
                line=line,
                hint="same says what sentence says in another form; other says something else",
            )
        phenomenon = str(record.get("phenomenon") or "").strip()
        source = str(record.get("source") or sentence).strip()
        found[sentence, same, other] = phenomenon, f"{phenomenon}: {source}"
    return MinimalPairs(
        sentences=tuple(each[0] for each in found),
        same=tuple(each[1] for each in found),
        other=tuple(each[2] for each in found),
        phenomena=tuple(phenomenon for phenomenon, _ in found.values()),
        sources=tuple(source for _, source in found.values()),
    )


RELATIONS_HINT = (
    "a table with the header relation, left, right, label (E or NE), text, or lines of JSON"
)

_MARK = re.compile(r"(?:(?<!\s)\s++)?</?p[12]>\s*+")
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


_SEMEVAL = "TEST_FILE_FULL.TXT"
_NOMINAL = re.compile(r"</?e[12]>")
#: Sentences of either kind for each relation: all pairs of 2,717 would take minutes.
_SENTENCES = 60


def read_semeval_relations(archive: Path) -> list[EntityPair] | None:
    """Read the test part of SemEval-2010 task 8; None if the archive does not hold it.

    Every relation is a unit of its own: E are sentences that express it, in either direction, NE
    are sentences that express another or none. Of more than 60 those count whose sha256 is least,
    with the name of the relation before it.
    """
    text = next((each.text for each in members([archive]) if each.place.endswith(_SEMEVAL)), None)
    if text is None:
        return None
    lines = [line.strip() for line in text.splitlines()]
    judged = {}
    for line, below in pairwise(lines):
        number, _, quoted = line.partition("\t")
        if number.isdecimal() and quoted:
            sentence = " ".join(_NOMINAL.sub("", quoted).strip().strip('"').split())
            judged[sentence] = below.partition("(")[0]
    relations = sorted(set(judged.values()) - {"Other"})
    found = []
    for relation in relations:
        order = sorted(judged, key=lambda each: sentence_key(f"{relation} {each}"))
        own = [each for each in order if judged[each] == relation][:_SENTENCES]
        others = [each for each in order if judged[each] != relation][:_SENTENCES]
        found.append(
            EntityPair(
                name=relation,
                relation=relation,
                texts=(*own, *others),
                expresses=np.arange(len(own) + len(others)) < len(own),
            )
        )
    return found


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


Kind: TypeAlias = Literal["pairs", "minimal-pairs", "relation", "qa"]

_FIELDS = (
    "left, right, label (or score); or sentence, same, other; or relation, left, right, label, "
    "text; or question, document, answer"
)
_NOT_LABELLED = np.zeros(0, dtype=np.bool_)
_NO_PAIRS = LabelledPairs(
    left=(), right=(), similar=_NOT_LABELLED, dissimilar=_NOT_LABELLED, phenomena=(), bases=()
)
_NO_MINIMAL = MinimalPairs(sentences=(), same=(), other=(), phenomena=(), sources=())


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """Data of one kind; those of the other kinds are empty."""

    kind: Kind
    name: str
    pairs: LabelledPairs = _NO_PAIRS
    minimal: MinimalPairs = _NO_MINIMAL
    relations: Sequence[EntityPair] = ()
    questions: Sequence[Question] = ()


_ARCHIVES = (".tar.gz", ".tgz", ".tar")


def read_task(resources: Sequence[Located], thresholds: Thresholds = USUAL) -> Task:
    """Read data, or texts and the judgments of them that are kept apart.

    Two resources are texts and judgments: ``relations-hlt-naacl08+relations-judgements``,
    ``genia-usp+genia-answers``. Of data in several parts the test part counts.
    """
    name = " + ".join(resource.name for resource in resources)
    if len(resources) == 2:
        texts, labels = (resource.single() for resource in resources)
        if texts.name.endswith(_ARCHIVES):
            questions = read_genia_questions(texts, labels)
            return Task(kind="qa", name=name, questions=questions)
        return Task(kind="relation", name=name, relations=read_marked_relations(texts, labels))
    if len(resources) != 1:
        raise InputError(
            f"separation takes one resource, or texts and their labels, got {len(resources)}"
        )
    located = resources[0]
    tests = [path for path in located.paths if "test" in path.stem.lower()]
    path = tests[0] if len(located.paths) > 1 and len(tests) == 1 else located.single()
    return _of_file(path, name, thresholds)


def _marks_two(line: str, first: str, second: str) -> bool:
    """Tell a line with something between the tags of one entity, then of the other."""
    at = 0
    for entity in (first, second):
        start = line.find(f"<p{entity}>", at)
        stop = line.find(f"</p{entity}>", start + 5)
        if start < 0 or stop < 0:
            return False
        at = stop + 5
    return True


def _of_file(path: Path, name: str, thresholds: Thresholds) -> Task:
    if path.name.endswith(_ARCHIVES):
        relations = read_semeval_relations(path)
        if relations is not None:
            return Task(kind="relation", name=name, relations=relations)
        raise InputError(
            f"{name} has questions but no answers",
            hint="add judgements of them: genia-usp+genia-answers",
        )
    first_line = next((line for _, line in text_lines(path) if line.strip()), "")
    if _marks_two(first_line, "1", "2") or _marks_two(first_line, "2", "1"):
        raise InputError(
            f"{name} has sentences with marked entities but no labels",
            hint="add judgements of them: relations-hlt-naacl08+relations-judgements",
        )
    if first_line.startswith("Quality\t"):
        return Task(kind="pairs", name=name, pairs=read_msrp_pairs(path))
    if _is_sts(first_line):
        return Task(kind="pairs", name=name, pairs=read_sts_pairs(path, thresholds))
    return _of_records(path, name, thresholds)


def _is_sts(line: str) -> bool:
    fields = line.split("\t")
    return len(fields) >= _STS_FIELDS and re.fullmatch(r"[0-9]+(\.[0-9]+)?", fields[4]) is not None


def _of_records(path: Path, name: str, thresholds: Thresholds) -> Task:
    hint = f"the fields {_FIELDS}"
    first = next((record for _, record in records(path, hint=hint)), None)
    if first is None:
        raise FormatError("expected rows below the header, got none", path=path, hint=hint)
    fields = set(first)
    if {"question", "document"} <= fields:
        return Task(kind="qa", name=name, questions=read_questions(path))
    if {"relation", "text"} <= fields:
        return Task(kind="relation", name=name, relations=read_relations(path))
    if {"sentence", "same", "other"} <= fields:
        return Task(kind="minimal-pairs", name=name, minimal=read_minimal_pairs(path))
    if {"left", "right"} <= fields and fields & {"label", "score"}:
        return Task(kind="pairs", name=name, pairs=read_labelled_pairs(path, thresholds))
    raise FormatError(f"expected the fields {_FIELDS}, got {', '.join(first)}", path=path)
