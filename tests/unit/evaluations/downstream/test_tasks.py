from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import InputError
from lydite.evaluations.downstream.tasks import can_be_asked, tasks_of
from lydite.resources.catalogue import locate

CONLLU = "1\tBirds\tbird\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsing\tsing\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.csv", "label,text\ngood,a fine day\n", ("classification",)),
        ("a.tsv", "label\ttext\ngood\ta fine day\n", ("classification",)),
        ("a.jsonl", '{"label": "good", "text": "a fine day"}\n', ("classification",)),
        ("a.txt", "1 a fine day\n0 a poor one\n", ("classification",)),
        ("a.conllu", CONLLU, ("tagging", "parsing")),
        ("a.tags", "Birds\tNOUN\nsing\tVERB\n\n", ("tagging",)),
        ("number.tags", "2010\tNUM\nsing\tVERB\n\n", ("tagging",)),
        ("numbers.tsv", "1\tfine\n0\tpoor\n", ("classification",)),
        ("fault.tsv", "1\ta fine day\n\ta poor one\n", ("classification",)),
        ("a.mrg", "(S (NP (NNS Birds)) (VP (VBP sing)))\n", ("tagging",)),
    ],
)
def test_a_file_of_ones_own_is_told_by_what_is_in_it(
    tmp_path: Path, name: str, text: str, expected: tuple[str, ...]
) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert tasks_of(locate(path)) == expected


def test_what_is_made_for_another_question_is_refused_with_its_kind() -> None:
    with pytest.raises(InputError, match="got similarity"):
        tasks_of(locate("starter-similarity"))


def test_of_what_is_asked_that_is_kept_which_data_are_made_for(tmp_path: Path) -> None:
    assert can_be_asked(locate("starter-reviews"), ["tagging", "classification"]) == (
        "classification",
    )
    path = tmp_path / "a.conllu"
    path.write_text(CONLLU)
    assert can_be_asked(locate(path), ["classification", "parsing"]) == ("parsing",)
    with pytest.raises(InputError, match=r"a.conllu: expected tagging or parsing.* got class"):
        can_be_asked(locate(path), ["classification"])
    path.write_text("nothing that is known\n")
    assert can_be_asked(locate(path), ["tagging"]) == ("tagging",)
