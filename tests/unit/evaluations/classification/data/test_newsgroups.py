from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.evaluations.classification.data import BINARY_TASKS, Cleaning, read_newsgroups
from lydite.resources.catalogue import locate

POST = "From: a@b.c\nSubject: Re: x\n\nAnn writes:\n> Who won?\nThe Reds did.\n\n--\nBob\n"


def packed(path: Path, posts: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in posts.items():
            info = tarfile.TarInfo(f"20news-bydate/20news-bydate-{name}")
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def posts(*groups: str) -> dict[str, bytes]:
    return {
        f"{split}/{group}/{number}": f"From: x\n\n{group} {number}".encode()
        for split in ("train", "test")
        for group in groups
        for number in (1, 2)
    }


@pytest.mark.parametrize(
    ("cleaning", "left"),
    [
        (Cleaning(), "The Reds did.\n"),
        (Cleaning(footers="keep"), "The Reds did.\n\n--\nBob\n"),
        (Cleaning(quotes="keep", footers="keep"), POST.partition("\n\n")[2]),
        (Cleaning(headers="keep", quotes="keep", footers="keep"), POST),
    ],
)
def test_what_is_left_of_a_post(cleaning: Cleaning, left: str) -> None:
    assert cleaning.of(POST) == left


def test_a_post_without_a_footer_stays_whole() -> None:
    assert Cleaning().of("From: x\n\none line") == "one line"


def test_cleaning_is_that_of_scikit_learn() -> None:
    from sklearn.datasets import _twenty_newsgroups as theirs  # type: ignore[import-untyped]

    for post in (POST, "H: x\n\nfirst\n\n  \nlast", "no header", "H: x\n\n", "H\n\n--\nonly"):
        expected = theirs.strip_newsgroup_quoting(
            theirs.strip_newsgroup_footer(theirs.strip_newsgroup_header(post))
        )
        assert Cleaning().of(post) == expected


def test_posts_are_latin_1_and_other_groups_are_passed_over(tmp_path: Path) -> None:
    content = posts(*BINARY_TASKS["sports"], "sci.med")
    content["test/rec.sport.hockey/3"] = b"From: x\n\nMontr\xc3\xa9al \xe9"
    path = packed(tmp_path / "news.tar.gz", content)
    (task,) = read_newsgroups(path, ["sports"])
    assert task.name == "sports"
    assert task.classes == BINARY_TASKS["sports"]
    assert task.train.labels.tolist() == [0, 0, 1, 1]
    assert task.test is not None
    assert task.test.texts[-1] == "Montr\u00c3\u00a9al \u00e9"
    assert len(task.test.texts) == 5
    assert task.development is None


def test_a_missing_group_is_named(tmp_path: Path) -> None:
    path = packed(tmp_path / "news.tar.gz", posts("rec.sport.baseball"))
    with pytest.raises(FormatError, match=r"posts of rec.sport.hockey, got 0 of neither"):
        read_newsgroups(path, ["sports"])


def test_a_group_without_test_posts_is_named(tmp_path: Path) -> None:
    content = posts(*BINARY_TASKS["sports"])
    kept = {name: post for name, post in content.items() if name[:11] != "test/rec.sp"}
    path = packed(tmp_path / "news.tar.gz", kept)
    with pytest.raises(FormatError, match=r"posts of rec.sport.baseball, got 2 of train"):
        read_newsgroups(path, ["sports"])


def test_the_real_archive_has_the_posts_of_its_tasks(shared_data: Path) -> None:
    tasks = read_newsgroups(locate("20news-bydate").single())
    sizes = {
        task.name: (len(task.train.texts), len(task.test.texts)) for task in tasks if task.test
    }
    assert sizes == {
        "sports": (1197, 796),
        "science": (1187, 790),
        "religion": (1079, 717),
        "computer": (1169, 779),
    }
