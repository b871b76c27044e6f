from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError
from lydite.evaluations.separation.data import Question, read_genia_questions, read_questions
from lydite.resources.catalogue import locate

RECORD = {"question": "Who came?", "document": ["It rained.", "Ann came."], "answer": 1}

ASKED = "What binds AP-1?"
ABSTRACT = ("Cells grow.", "NFAT binds AP-1.", "AP-1 is bound by NFAT.")
HEADER = "question_sha256\tfile\tabstract\tsentences\tsentence_sha256\tform\n"


def read(path: Path, *rows: object) -> list[Question]:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_questions(path)


def key_of(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()[:16]


def archive_of(folder: Path, abstract: Sequence[str] = ABSTRACT) -> Path:
    files = {
        "usp_genia/eval/question.obj.txt": f"\n{ASKED}\n",
        "usp_genia/eval/question.sbj.txt": "What grows?\n",
        "usp_genia/genia/text/0/1.txt": "\n".join((*abstract, "", "")),
    }
    path = folder / "usp.tar.gz"
    with tarfile.open(path, "w:gz") as packed:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            packed.addfile(info, io.BytesIO(text.encode()))
    return path


def judged(folder: Path, **changed: str) -> Path:
    row = {
        "question_sha256": key_of(ASKED),
        "file": "obj",
        "abstract": "0/1",
        "sentences": "1",
        "sentence_sha256": key_of(ABSTRACT[1]),
        "form": "active",
    }
    path = folder / "answers.tsv"
    path.write_text("# about\n" + HEADER + "\t".join((row | changed).values()) + "\n")
    return path


def test_lines_of_json(tmp_path: Path) -> None:
    more = RECORD | {"answer": [1, 0, 1], "id": "q2", "form": "plain", "domain": "news"}
    more["document"] = ["It rained.", " Ann came. ", "Bob slept."]
    first, second = read(tmp_path / "q", RECORD, more)
    assert first == Question(
        name="Who came?", text="Who came?", document=("It rained.", "Ann came."), answers=(1,)
    )
    assert second == Question(
        name="q2",
        text="Who came?",
        document=("It rained.", "Ann came.", "Bob slept."),
        answers=(1, 0),
        form="plain",
        domain="news",
    )


def test_a_table(tmp_path: Path) -> None:
    path = tmp_path / "q.tsv"
    path.write_text(
        "question\tdocument\tanswer\nWho came?\tIt rained. ||| Ann came.|||Bob slept.\t 1 | 2 \n"
    )
    (question,) = read_questions(path)
    assert question.document == ("It rained.", "Ann came.", "Bob slept.")
    assert question.answers == (1, 2)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"answer": 2}, "expected an answer from 0 to 1, got 2 for 'Who came?'"),
        ({"answer": -1}, "expected an answer from 0 to 1, got -1"),
        ({"answer": [0, 7]}, "expected an answer from 0 to 1, got 7"),
        ({"answer": "two"}, "expected the place of a sentence as 'answer', got 'two'"),
        ({"answer": 1.0}, "expected the place of a sentence as 'answer', got '1.0'"),
        ({"answer": [1.0]}, "expected the place of a sentence as 'answer'"),
        ({"answer": True}, "expected the place of a sentence as 'answer', got 'True'"),
        ({"answer": [True]}, "expected the place of a sentence as 'answer'"),
        ({"answer": None}, "expected the place of a sentence as 'answer', got 'None'"),
        ({"answer": [None]}, "expected the place of a sentence as 'answer'"),
        ({"answer": [[1]]}, "expected the place of a sentence as 'answer'"),
        ({"answer": []}, "expected the place of a sentence as 'answer', got '[]'"),
        ({"answer": {"at": 1}}, "expected the place of a sentence as 'answer'"),
        ({"answer": "0_1"}, "expected the place of a sentence as 'answer'"),
        ({"answer": "²"}, "expected the place of a sentence as 'answer'"),
        ({"answer": [0, 1]}, "expected a sentence that does not answer 'Who came?', got none"),
        ({"document": ["Ann came."], "answer": 0}, "at least two sentences, got 1"),
        ({"document": "Ann came.", "answer": 0}, "at least two sentences, got 1"),
        ({"document": []}, "at least two sentences, got 0"),
        ({"document": None}, "expected a list of sentences as 'document', got 'None'"),
        ({"document": 5}, "expected a list of sentences as 'document', got '5'"),
        ({"document": {"a": 1, "b": 2}}, "expected a list of sentences as 'document'"),
        ({"document": ["a", 5]}, "expected a list of sentences as 'document'"),
        ({"document": ["a", " "]}, "expected a list of sentences as 'document'"),
        ({"question": ""}, "expected a text as 'question'"),
    ],
)
def test_a_wrong_record_is_told_with_path_and_line(
    tmp_path: Path, changed: dict[str, object], said: str
) -> None:
    path = tmp_path / "q.jsonl"
    with pytest.raises(FormatError, match=re.escape(f"{path}:2: ")) as caught:
        read(path, RECORD, RECORD | changed)
    assert said in caught.value.message
    assert caught.value.hint


def test_a_broken_line_of_json_is_told_with_path_and_line(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(f'{json.dumps(RECORD)}\n{{"question": "Who\n')
    with pytest.raises(FormatError, match=re.escape(f"{path}:2: expected an object of JSON")):
        read_questions(path)


def test_questions_of_an_archive_meet_answers_that_are_kept_apart(tmp_path: Path) -> None:
    keys = f"{key_of(ABSTRACT[2])}|{key_of(ABSTRACT[1])}"
    answers = judged(tmp_path, sentences="2|1", sentence_sha256=keys)
    (question,) = read_genia_questions(archive_of(tmp_path), answers)
    assert question.text == ASKED
    assert question.document == ABSTRACT
    assert question.answers == (2, 1)
    assert (question.form, question.domain) == ("active", "genia")


@pytest.mark.parametrize(
    "changed",
    [
        {"question_sha256": "0" * 16},
        {"sentence_sha256": "0" * 16},
        {"sentences": "2"},
        {"sentences": "3"},
        # From the end it would be the right one.
        {"sentences": "-2"},
        {"sentences": "1|2"},
        {"sentence_sha256": f"{key_of(ABSTRACT[1])}|{key_of(ABSTRACT[2])}"},
    ],
)
def test_answers_of_another_archive(tmp_path: Path, changed: Mapping[str, str]) -> None:
    answers = judged(tmp_path, **changed)
    with pytest.raises(FormatError, match=re.escape(f"{answers}:3: ")) as caught:
        read_genia_questions(archive_of(tmp_path), answers)
    assert "got keys of others" in caught.value.message
    assert caught.value.hint == "are the judgements those of this archive?"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sentences": "one"}, "expected the place of a sentence"),
        ({"sentences": ""}, "expected a text as 'sentences'"),
        ({"abstract": ""}, "expected a text as 'abstract'"),
    ],
)
def test_a_broken_row_of_answers(tmp_path: Path, changed: Mapping[str, str], said: str) -> None:
    answers = judged(tmp_path, **changed)
    with pytest.raises(FormatError, match=re.escape(f"{answers}:3: ")) as caught:
        read_genia_questions(archive_of(tmp_path), answers)
    assert said in caught.value.message


def test_an_archive_without_the_abstract(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected usp_genia/genia/text/0/2.txt, which is not"):
        read_genia_questions(archive_of(tmp_path), judged(tmp_path, abstract="0/2"))


def test_an_abstract_of_a_single_sentence(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, ABSTRACT[1:2])
    with pytest.raises(FormatError, match="expected a sentence that does not answer"):
        read_genia_questions(archive, judged(tmp_path, sentences="0"))


@pytest.mark.parametrize("content", [b"no archive", b"\x1f\x8b\x08\x00 broken"])
def test_a_broken_archive(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "usp.tar.gz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(str(path))):
        read_genia_questions(path, judged(tmp_path))


def test_real_questions_and_their_answers(shared_data: Path) -> None:
    archive = locate("genia-usp").single()
    assert archive.is_relative_to(shared_data)
    questions = read_genia_questions(archive, locate("genia-answers").single())
    assert len(questions) == 184
    assert len({each.document for each in questions}) == 169
    assert sum(len(each.answers) > 1 for each in questions) == 41
    for each in questions:
        assert each.text.startswith("What ")
        assert len(each.document) > len(each.answers)
        assert all(0 <= place < len(each.document) for place in each.answers)
