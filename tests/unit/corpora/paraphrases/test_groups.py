from __future__ import annotations

import numpy as np

from lydite.corpora.paraphrases.groups import ParaphraseGroups


def test_sizes_and_histogram_count_sentences_and_groups() -> None:
    groups = ParaphraseGroups(
        texts=("a", "b", "c", "d", "e", "f"),
        labels=np.array([0, 1, 0, 2, 2, 2]),
        names=("x", "y", "z"),
        changes={},
    )
    assert len(groups) == 6
    assert groups.sizes().tolist() == [2, 1, 3]
    assert groups.histogram() == {1: 1, 2: 1, 3: 1}
