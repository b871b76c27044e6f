from __future__ import annotations

import csv
from collections import Counter

from lydite.resources.catalogue import locate


def test_48_groups_of_5_different_sentences() -> None:
    with locate("starter-groups").single().open(encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    groups = Counter(row["group"] for row in rows)
    assert len(groups) == 48
    assert set(groups.values()) == {5}
    assert len({row["text"].casefold() for row in rows}) == 240
    assert all(5 < len(row["text"].split()) < 26 and row["text"].endswith(".") for row in rows)
