from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from lydite.trained.cheung_penn import erk_pado, thater
from lydite.trained.parsed.blocks import ParsedBlock


def parse(texts: Sequence[str], *, lemmas: str = "given") -> ParsedBlock:
    """Parse texts of the form: subject verb object; others have no dependencies."""
    assert lemmas == "given"
    words = [text.split() for text in texts]
    names = list(dict.fromkeys(word for line in words for word in line))
    starts = np.cumsum([0, *map(len, words)])
    edges = [
        edge
        for line, start in zip(words, starts.tolist(), strict=False)
        if len(line) == 3
        for edge in ((start + 1, 0, start), (start + 1, 1, start + 2))
    ]
    return ParsedBlock(
        lemmas=tuple(names),
        relations=("nsubj", "dobj"),
        tokens=np.array([names.index(word) for line in words for word in line], dtype=np.int64),
        starts=starts,
        edges=np.array(edges, dtype=np.int64).reshape(-1, 3),
    )


@pytest.fixture
def svo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let models meet texts of three words, without a parser."""
    for model in (erk_pado, thater):
        monkeypatch.setattr(model, "parse_texts", parse)
