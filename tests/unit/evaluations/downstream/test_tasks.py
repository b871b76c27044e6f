from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import InputError
from lydite.evaluations.downstream.tasks import tasks_of
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
