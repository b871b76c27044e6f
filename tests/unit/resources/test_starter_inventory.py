from __future__ import annotations

from pathlib import Path

from lydite.evaluations.subsumption.evaluation import Subsumption
from lydite.evaluations.subsumption.inventory import write_inventory
from lydite.resources.catalogue import locate


def test_it_is_what_the_starter_taxonomy_gives(tmp_path: Path) -> None:
    made = Subsumption().inventory([locate("starter-taxonomy")])
    write_inventory(made, tmp_path / "inventory.tsv")
    kept = locate("starter-inventory").single()
    assert (tmp_path / "inventory.tsv").read_bytes() == kept.read_bytes()
