from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.lexicons.information_content import collect, read_information_content, write_counts
from lydite.lexicons.taxonomy import Taxonomy, TaxonomyBuilder


def tree(*leaves: str) -> Taxonomy:
    builder = TaxonomyBuilder(name="tree", sha256="")
    builder.add_concept("top", ["top"])
    for leaf in leaves:
        builder.add_concept(leaf, [leaf])
        builder.add_edge("is-a", leaf, "top")
    return builder.build()


def test_what_is_read_back_has_the_same_bits(tmp_path: Path) -> None:
    taxonomy = tree(*(f"leaf {i}" for i in range(50)))
    own = np.random.default_rng(0).exponential(size=51) / 3
    own[[4, 7]] = 0, 12
    write_counts(taxonomy, own, tmp_path / "ic.tsv")
    lines = (tmp_path / "ic.tsv").read_text().splitlines()
    # The header, and all but the concept that was never met.
    assert (len(lines), lines[0], lines[7]) == (51, "concept\tcount", "leaf 6\t12")
    counts, values = collect(taxonomy, own, "hypernymy")
    found = read_information_content(tmp_path / "ic.tsv", taxonomy)
    assert found.counts.tolist() == counts.tolist()
    assert found.values.tolist() == values.tolist()


@pytest.mark.parametrize("name", ["a\tb", "# a", "a\rb", " a"])
def test_a_name_that_would_not_be_read_back_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected concepts without tabs"):
        write_counts(tree(name), np.ones(2), tmp_path / "ic.tsv")
    assert not list(tmp_path.iterdir())
