from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.corpora.paraphrases.groups import ParaphraseGroups
from lydite.corpora.paraphrases.load import open_groups, write_groups
from lydite.errors import InputError

GROUPS = ParaphraseGroups(
    texts=('"Yes", he said.', "No, sir.", 'He said "yes".', "Nay — sir."),
    labels=np.array([0, 1, 0, 1]),
    names=("assent", "1,5"),
    changes={"duplicates dropped": 1},
)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_what_is_written_reads_back(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "new" / f"groups.{ending}"
    write_groups(GROUPS, path)
    found = open_groups([path], minimum=2, clean=False)
    assert found.names == GROUPS.names
    assert found.texts == tuple(GROUPS.texts[place] for place in (0, 2, 1, 3))
    assert found.labels.tolist() == [0, 0, 1, 1]


def test_a_group_of_json_is_a_line(tmp_path: Path) -> None:
    path = tmp_path / "groups.jsonl"
    write_groups(GROUPS, path)
    assert path.read_text(encoding="utf-8").splitlines()[1] == (
        '{"group": "1,5", "texts": ["No, sir.", "Nay — sir."]}'
    )


def test_a_row_with_tabs_is_a_line(tmp_path: Path) -> None:
    groups = ParaphraseGroups(texts=("a\nb\tc",), labels=np.array([0]), names=("x",), changes={})
    write_groups(groups, tmp_path / "g.tsv")
    assert (tmp_path / "g.tsv").read_text() == "group\ttext\nx\ta b c\n"


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"groups.txt: expected a name that ends in .* got .txt"):
        write_groups(GROUPS, tmp_path / "groups.txt")
    assert list(tmp_path.iterdir()) == []
