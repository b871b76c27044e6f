from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.evaluations.subsumption.data import Sources, files_named, inventory_of, saved_level
from lydite.evaluations.subsumption.inventory import Choices, Inventory, write_inventory
from lydite.lexicons.taxonomy_files import Labels
from lydite.resources.catalogue import Located, locate

EDGES = "sparrow\tbird\nbird\tanimal\nanimal\tthing\noak\ttree\ntree\tplant\n"

#: No corpus is needed: the fewer concepts below, the more information.
SOURCES = Sources(frequencies="wordfreq", corpus_size=1e9, ic="intrinsic", labels=Labels())


def file(folder: Path, name: str, text: str) -> Located:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return locate(path)


def inventory(*resources: Located, sources: Sources = SOURCES, **choices: Any) -> Inventory:  # noqa: ANN401
    return inventory_of(resources, Choices(**choices), sources, seed=1)


def test_a_taxonomy_alone_and_with_pairs(tmp_path: Path) -> None:
    edges = file(tmp_path, "edges.tsv", EDGES)
    pairs = file(tmp_path, "pairs.tsv", "oak\tplant\n")
    # sparrow-animal, sparrow-thing (two), bird-thing; oak-plant.
    assert len(inventory(edges)) == 5
    some = inventory(edges, pairs)
    assert (some.a, some.b, some.c) == (["oak"], ["tree"], ["plant"])
    assert some.provenance["taxonomy_sha256"] == edges.sha256
    assert some.provenance["pairs_sha256"] == pairs.sha256
    assert some.provenance["pairs"] == pairs.name
    assert "pairs" not in inventory(edges).provenance


def test_counts_of_a_list(tmp_path: Path) -> None:
    edges = file(tmp_path, "edges.tsv", EDGES)
    counts = file(tmp_path, "counts.txt", "oak\t9\ntree\t9\nplant\t9\nbird\t9\nsparrow\t4\n")
    sources = replace(SOURCES, frequencies=str(counts.paths[0]))
    found = inventory(edges, sources=sources, min_count=5)
    assert found.a == ["oak"]
    assert found.counts is not None
    assert found.counts.tolist() == [[9, 9, 9]]
    assert found.provenance["frequencies_version"] == counts.sha256
    # They are part of the question only if they matter.
    assert [each.sha256 for each in files_named(sources, Choices(min_count=5))] == [counts.sha256]
    assert files_named(sources, Choices()) == ()
    assert files_named(SOURCES, Choices(min_count=5, min_ic=1)) == ()


def test_intrinsic_information_content(tmp_path: Path) -> None:
    edges = file(tmp_path, "edges.tsv", EDGES)
    everything = inventory(edges)
    found = inventory(edges, min_ic=0.3)
    assert found.information_content is not None
    assert found.information_content.shape == (len(found), 3)
    assert np.all(found.information_content > 0.3)
    assert 0 < len(found) < len(everything)
    assert "ic" in found.provenance


def test_a_saved_inventory_is_opened_as_it_is(tmp_path: Path) -> None:
    made = inventory(file(tmp_path, "edges.tsv", EDGES))
    path = tmp_path / "saved.tsv"
    write_inventory(made, path)
    saved = locate(path)
    again = inventory(saved)
    assert (again.a, again.b, again.c) == (made.a, made.b, made.c)
    assert again.provenance == made.provenance
    # Whoever saved it has chosen how many.
    assert len(inventory(saved, sample=2)) == len(made)
    assert saved_level([saved]) == "word"
    assert saved_level([locate(tmp_path / "edges.tsv")]) is None


@pytest.mark.parametrize(
    "choices",
    [
        {"exclude": ("thing",)},
        {"min_count": 5},
        {"min_ic": 1},
        {"paths": "shortest"},
        {"relation": "meronymy"},
    ],
)
def test_filters_come_too_late_for_a_saved_inventory(
    tmp_path: Path, choices: dict[str, Any]
) -> None:
    path = tmp_path / "saved.tsv"
    write_inventory(inventory(file(tmp_path, "edges.tsv", EDGES)), path)
    with pytest.raises(InputError, match="is already an inventory, so pairs and filters"):
        inventory(locate(path), **choices)


def test_pairs_come_too_late_for_a_saved_inventory(tmp_path: Path) -> None:
    path = tmp_path / "saved.tsv"
    write_inventory(inventory(file(tmp_path, "edges.tsv", EDGES)), path)
    pairs = file(tmp_path, "pairs.tsv", "oak\tplant\n")
    with pytest.raises(InputError, match="already an inventory"):
        inventory(locate(path), pairs)


@pytest.mark.parametrize(("saved", "wanted"), [("word", "sense"), ("sense", "word")])
def test_a_saved_inventory_is_of_words_or_of_senses(
    tmp_path: Path, saved: str, wanted: str
) -> None:
    path = tmp_path / "saved.tsv"
    write_inventory(inventory(file(tmp_path, "edges.tsv", EDGES), level=saved), path)
    assert inventory(locate(path), level=saved).level == saved == saved_level([locate(path)])
    with pytest.raises(InputError, match=f"is an inventory of {saved}s, got level={wanted}"):
        inventory(locate(path), level=wanted)


def test_other_bytes_under_the_same_name_are_read_anew(tmp_path: Path) -> None:
    assert len(inventory(file(tmp_path, "edges.tsv", EDGES))) == 5
    assert len(inventory(file(tmp_path, "edges.tsv", EDGES + "plant\tthing\n"))) == 8


@pytest.mark.parametrize("count", [0, 3])
def test_too_many_and_too_few_resources_are_refused(tmp_path: Path, count: int) -> None:
    edges = file(tmp_path, "edges.tsv", EDGES)
    with pytest.raises(InputError, match=f"expected a taxonomy.*got {count}"):
        inventory(*[edges] * count)
