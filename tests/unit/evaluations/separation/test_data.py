from __future__ import annotations

import io
import json
import re
import tarfile
from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError
from lydite.evaluations.separation.data import Task, read_task
from lydite.resources.catalogue import locate_all

PAIRS = "left\tright\tlabel\na cat\tthe cat\tH\na cat\tno cat\tL\n"
RELATIONS = "relation\tleft\tright\tlabel\ttext\nbuys\tA\tB\tE\tA buys B\nbuys\tA\tB\tNE\tA, B\n"
QUESTION = {"question": "Who came?", "document": ["It rained.", "Ann came."], "answer": 1}
MARKED = "<p1> Google </p1> buys <p2> YouTube </p2> .\n"


def read(*texts: str, folder: Path, ending: str = "txt") -> Task:
    paths = [folder / f"file{i}.{ending}" for i in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return read_task(locate_all("+".join(map(str, paths))))


def test_the_fields_tell_the_task(tmp_path: Path) -> None:
    task = read(PAIRS, folder=tmp_path)
    assert (task.kind, len(task.pairs.left), task.relations, task.questions) == ("pairs", 2, (), ())
    task = read(RELATIONS, folder=tmp_path)
    assert (task.kind, len(task.relations), len(task.pairs.left)) == ("relation", 1, 0)
    task = read(json.dumps(QUESTION), folder=tmp_path)
    assert (task.kind, len(task.questions)) == ("qa", 1)
    assert task.name == str(tmp_path / "file0.txt")


MINIMAL = "sentence\tsame\tother\nA sees B.\tB is seen by A.\tA is seen by B.\n"
MSRP = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t1\t2\tA b.\tB a.\n"
STS = "main-news\tMSRpar\t2012\t1\t4.5\tA b.\tB a.\n"


def test_pairs_that_people_judged_are_known_by_their_form(tmp_path: Path) -> None:
    task = read(MINIMAL, folder=tmp_path)
    assert (task.kind, task.minimal.same) == ("minimal-pairs", ("B is seen by A.",))
    for text in (MSRP, STS):
        task = read(text, folder=tmp_path)
        assert (task.kind, task.pairs.left, task.pairs.similar.tolist()) == (
            "pairs",
            ("A b.",),
            [True],
        )


def semeval(folder: Path) -> Path:
    lines = []
    for number in range(150):
        label = ("Cause-Effect(e1,e2)", "Cause-Effect(e2,e1)", "Other")[number % 3]
        text = f"<e1>Heat{number}</e1> and <e2>cold</e2>."
        lines += [f'{8001 + number}\t"{text}"', label, "Comment: none", ""]
    path = folder / "task8.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        content = "\r\n".join(lines).encode()
        member = tarfile.TarInfo("task8/keys/TEST_FILE_FULL.TXT")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return path


def test_relations_of_semeval_are_units_whatever_their_direction(tmp_path: Path) -> None:
    task = read_task(locate_all(str(semeval(tmp_path))))
    (unit,) = task.relations
    assert (task.kind, unit.name, unit.relation) == ("relation", *["Cause-Effect"] * 2)
    # At most 60 of a kind: there are 100 in E and 50 in NE.
    assert (int(unit.expresses.sum()), len(unit.texts)) == (60, 110)
    assert unit.texts[0].endswith(" and cold.")
    assert "<e1>" not in unit.texts[0]
    # Numbers 2, 5, 8 and so on are the others.
    numbers = [int(text.removeprefix("Heat").split()[0]) for text in unit.texts]
    assert [number % 3 != 2 for number in numbers] == unit.expresses.tolist()


@pytest.mark.usefixtures("shared_data")
def test_of_several_parts_the_test_part_counts() -> None:
    msrp, sts = (read_task(locate_all(name)).pairs for name in ("msrp-pairs", "sts-benchmark"))
    assert (len(msrp.left), int(msrp.similar.sum())) == (1725, 1147)
    assert (int(sts.similar.sum()), int(sts.dissimilar.sum())) == (338, 532)
    assert sts.gold is not None


def test_marked_sentences_need_labels(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sentences with marked entities but no labels") as caught:
        read(MARKED, folder=tmp_path)
    assert "relations-hlt-naacl08+relations-judgements" in str(caught.value.hint)


@pytest.mark.parametrize("ending", ["tar.gz", "tgz", "tar"])
def test_an_archive_needs_answers(tmp_path: Path, ending: str) -> None:
    with pytest.raises(InputError, match="has questions but no answers") as caught:
        read("whatever", folder=tmp_path, ending=ending)
    assert "genia-usp+genia-answers" in str(caught.value.hint)


def test_labels_of_other_sentences(tmp_path: Path) -> None:
    labels = f"sentence_sha256\trelation\tpair\tlabel\n{'0' * 16}\tbuys\tg y\tE\n"
    with pytest.raises(InputError, match="none of the 1 labels") as caught:
        read(MARKED, labels, folder=tmp_path)
    assert caught.value.hint


def test_labels_and_sentences_exchanged(tmp_path: Path) -> None:
    labels = f"sentence_sha256\trelation\tpair\tlabel\n{'0' * 16}\tbuys\tg y\tE\n"
    with pytest.raises(FormatError) as caught:
        read(labels, MARKED, folder=tmp_path)
    assert "sentence_sha256, relation, pair, label" in str(caught.value.hint)


def test_more_than_two_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one resource, or texts and their labels, got 3"):
        read(PAIRS, PAIRS, PAIRS, folder=tmp_path)


@pytest.mark.parametrize("text", ["word\tgold\ncat\t3\n", '{"left": "a", "right": "b"}\n'])
def test_other_fields_are_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError, match="expected the fields left, right, label ") as caught:
        read(text, folder=tmp_path)
    assert "got " in caught.value.message


@pytest.mark.parametrize("header", [PAIRS, RELATIONS])
def test_a_header_alone_is_told(tmp_path: Path, header: str) -> None:
    with pytest.raises(FormatError, match="expected rows below the header, got none"):
        read(header.splitlines()[0] + "\n", folder=tmp_path)


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="got an empty file"):
        read("", folder=tmp_path)


def test_a_broken_line_is_told_with_path_and_line(tmp_path: Path) -> None:
    path = tmp_path / "file0.txt"
    with pytest.raises(FormatError, match=re.escape(f"{path}:2: expected an object of JSON")):
        read(f'{json.dumps(QUESTION)}\n{{"question"\n', folder=tmp_path)


def test_real_data_of_both_tasks(shared_data: Path) -> None:
    relations = read_task(locate_all("relations-hlt-naacl08+relations-judgements"))
    assert shared_data.exists()
    assert (relations.kind, len(relations.relations)) == ("relation", 11)
    answers = read_task(locate_all("genia-usp+genia-answers"))
    assert (answers.kind, len(answers.questions)) == ("qa", 184)
    assert answers.name == "genia-usp + genia-answers"


@pytest.mark.parametrize("first", ["relations-hlt-naacl08", "genia-usp"])
def test_real_texts_with_the_judgements_of_the_others(first: str, shared_data: Path) -> None:
    other = {"relations-hlt-naacl08": "genia-answers", "genia-usp": "relations-judgements"}[first]
    assert shared_data.exists()
    with pytest.raises(FormatError, match="expected a text as") as caught:
        read_task(locate_all(f"{first}+{other}"))
    assert "sha256" in str(caught.value.hint)
