from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.errors import FormatError
from lydite.evaluations.subsumption.inventory import (
    Choices,
    Inventory,
    Step,
    build_inventory,
    is_inventory,
    read_inventory,
    write_inventory,
)
from lydite.lexicons.taxonomy import TaxonomyBuilder

TITLE = "# Lydite inventory 1\n"


def built(*, numbers: bool = False, **choices: Any) -> Inventory:  # noqa: ANN401
    builder = TaxonomyBuilder(name="toy", sha256="2" * 64)
    # Labels as strange as they come: the mark between sisters, a backslash, and both.
    builder.add_concept("dog.n.01", ["dog", "a|b", "c\\", "d\\|", "Hündin"], part_of_speech="n")
    builder.add_concept("canine.n.01", ["canine"], part_of_speech="n")
    builder.add_concept("animal.n.01", ["animal", "beast"], part_of_speech="n")
    builder.add_concept("thing.n.01", ["thing"], part_of_speech="n")
    builder.add_edge("is-a", "dog.n.01", "canine.n.01")
    builder.add_edge("is-a", "canine.n.01", "animal.n.01")
    builder.add_edge("is-a", "animal.n.01", "thing.n.01")
    return build_inventory(
        builder.build(),
        None,
        Choices(**choices),
        counting=(lambda words: np.array([len(w) + 1e9 / 3 for w in words])) if numbers else None,
        information_content=np.array([np.inf, 2 / 3, 1e-7, 0.0]) if numbers else None,
    )


def read(folder: Path, text: str) -> Inventory:
    path = folder / "inventory.tsv"
    path.write_bytes(text.encode())
    return read_inventory(path)


@pytest.mark.parametrize("numbers", [True, False])
@pytest.mark.parametrize("level", ["word", "sense"])
def test_what_was_written_is_read_back(tmp_path: Path, level: str, numbers: bool) -> None:
    inventory = built(level=level, numbers=numbers, exclude=("unheard of",))
    path = tmp_path / "inventory.tsv"
    write_inventory(inventory, path)
    assert is_inventory(path)
    again = read_inventory(path)
    for name in ("a", "b", "c", "concepts", "classes", "level", "funnel", "provenance"):
        assert getattr(again, name) == getattr(inventory, name), name
    assert dict(again.sisters) == dict(inventory.sisters)
    assert dict(again.keys) == dict(inventory.keys)
    for name in ("depth", "below", "steps"):
        assert np.array_equal(getattr(again, name), getattr(inventory, name))
        assert getattr(again, name).dtype == np.int64
    for name in ("information_content", "counts"):
        one, other = getattr(again, name), getattr(inventory, name)
        assert (one is None) == (other is None) == (not numbers)
        assert not numbers or one == pytest.approx(other)
    write_inventory(again, tmp_path / "again.tsv")
    assert (tmp_path / "again.tsv").read_bytes() == path.read_bytes()


def test_strange_labels_were_among_them() -> None:
    assert {"a|b", "c\\", "d\\|"} <= set(built().sisters["dog"])


def test_an_empty_inventory_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "inventory.tsv"
    write_inventory(built(exclude=("thing", "animal", "beast")), path)
    again = read_inventory(path)
    assert len(again) == 0
    assert again.funnel[-1].count == 0
    assert again.steps.shape == (0, 2)


def test_three_columns_will_do(tmp_path: Path) -> None:
    text = "a\tb\tc\nsparrow\tbird\tanimal\noak\ttree\tplant\n"
    inventory = read(tmp_path, TITLE + text)
    assert is_inventory(tmp_path / "inventory.tsv")
    assert (inventory.a, inventory.b, inventory.c) == (
        ["sparrow", "oak"],
        ["bird", "tree"],
        ["animal", "plant"],
    )
    assert inventory.sisters["oak"] == ("oak",)
    assert list(inventory.classes) == ["", ""]
    assert inventory.depth.tolist() == inventory.below.tolist() == [-1, -1]
    assert inventory.steps.tolist() == [[-1, -1], [-1, -1]]
    assert inventory.information_content is None
    assert inventory.counts is None
    assert (inventory.level, inventory.provenance) == ("word", {})
    assert inventory.funnel == (Step(name="triples in the file", count=2, unit="triples"),)


def test_columns_in_another_order_and_others_beside_them(tmp_path: Path) -> None:
    text = "note\tc\tclass\tb\ta\nmine\tanimal\tbirds\tbird\tsparrow\n"
    inventory = read(tmp_path, TITLE + text)
    assert (inventory.a, inventory.b, inventory.c) == (["sparrow"], ["bird"], ["animal"])
    assert list(inventory.classes) == ["birds"]


def test_a_spreadsheet_may_have_been_at_it(tmp_path: Path) -> None:
    path = tmp_path / "inventory.tsv"
    write_inventory(built(level="sense"), path)
    lines = path.read_text(encoding="utf-8").splitlines()
    (path.parent / "edited.tsv").write_bytes(("\ufeff" + "\r\n".join(lines)).encode())
    assert is_inventory(path.parent / "edited.tsv")
    plain, edited = read_inventory(path), read_inventory(path.parent / "edited.tsv")
    assert edited.level == plain.level == "sense"
    assert edited.concepts == plain.concepts
    assert dict(edited.keys) == dict(plain.keys)
    assert edited.provenance == plain.provenance


def test_a_line_taken_out_is_told_by_the_funnel(tmp_path: Path) -> None:
    path = tmp_path / "inventory.tsv"
    write_inventory(built(), path)
    lines = path.read_text(encoding="utf-8").splitlines()
    edited = read(tmp_path, "\n".join(lines[:-1]) + "\n")
    assert edited.funnel[:-1] == built().funnel
    assert edited.funnel[-1] == Step(
        name="triples in the file", count=len(built()) - 1, unit="triples"
    )


def test_senses_without_their_names_are_known_by_concept_and_word(tmp_path: Path) -> None:
    text = '# provenance {"level": "sense"}\na\tb\tc\tconcept_a\tconcept_b\tconcept_c\n'
    inventory = read(tmp_path, TITLE + text + "dog\tpet\tthing\tdog.n.01\tpet.n.01\tthing.n.01\n")
    assert inventory.keys["dog", "dog.n.01"] == ("dog.n.01", "dog")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected an inventory, got an empty file"),
        ("a\tb\nx\ty\n", r":2: expected columns a, b and c, got a, b"),
        ("a\tb\tc\nx\ty\tz\nx\ty\n", r":4: expected 3 columns, got 2"),
        ("a\tb\tc\tdepth_a\nx\ty\tz\tdeep\n", "expected numbers in the column depth_a"),
        ("# provenance [1]\na\tb\tc\n", "expected the provenance as JSON"),
        ("# provenance {\na\tb\tc\n", "expected the provenance as JSON"),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(tmp_path, TITLE + text)


def test_other_bytes_than_utf8_are_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "inventory.tsv"
    path.write_bytes(TITLE.encode() + b"a\tb\tc\nx\ty\t\xff\n")
    with pytest.raises(FormatError, match=":3: expected UTF-8"):
        read_inventory(path)


@pytest.mark.parametrize("text", ["", "dog\tanimal\n", "# Lydite starter taxonomy\n", "#\n"])
def test_other_files_are_no_inventories(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.tsv"
    path.write_text(text, encoding="utf-8")
    assert not is_inventory(path)
