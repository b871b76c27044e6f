from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.lexicons.oracle_sources import Annotation, listed_features


def test_features_with_and_without_weights(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text("# a comment\nfish\tanimal, food\n\nrun\tmotion\t0.5\nrun\tact\t1e0\n")
    assert list(listed_features(path)) == [
        Annotation("fish", "animal"),
        Annotation("fish", "food"),
        Annotation("run", "motion", 0.5),
        Annotation("run", "act", 1.0),
    ]


@pytest.mark.parametrize(
    "line",
    ["fish", "fish\t", "\tanimal", "fish\ta,,b", "fish\ta\tmuch", "fish\ta\t-1", "f\ta\t1\t2",
     "fish\ta\tinf"],
)  # fmt: skip
def test_a_faulty_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text(f"ok\tx\n{line}\n")
    with pytest.raises(FormatError, match="expected a word, a tab, features") as caught:
        list(listed_features(path))
    assert caught.value.line == 2
