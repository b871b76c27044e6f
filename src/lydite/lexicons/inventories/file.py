"""Inventories on disk: a TSV file with its provenance, for people and other tools."""

from __future__ import annotations

import json
import math
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import numpy as np

from lydite.errors import FormatError
from lydite.lexicons.inventories.candidates import Level
from lydite.lexicons.inventories.inventory import Inventory, Step
from lydite.lexicons.lines import numbered_lines
from lydite.storage import atomic_write_text
from lydite.types import Floats

_TITLE = "# Lydite inventory 1"
_ABOUT = "# provenance "
_SEPARATOR = "|"
_COLUMNS = ("a", "b", "c", "concept_a", "concept_b", "concept_c", "class", "depth_a", "below_c")
_STEPS = ("steps_ab", "steps_bc")
_IC = ("ic_a", "ic_b", "ic_c")
_COUNTS = ("count_a", "count_b", "count_c")
_SISTERS = ("sisters_a", "sisters_b", "sisters_c")
_KEYS = ("keys_a", "keys_b", "keys_c")
_Owner = TypeVar("_Owner", str, tuple[str, str])
_HINT = "'lydite subsumption ... --save-inventory FILE' writes such a file"


def is_inventory(path: Path) -> bool:
    """Tell whether a file is an inventory, by its first line."""
    with path.open("rb") as file:
        return file.readline(200).removeprefix(BOM_UTF8).rstrip() == _TITLE.encode()


def write_inventory(inventory: Inventory, path: Path) -> None:
    r"""Write an inventory: three lines of what it is, a header, and one line a triple.

    Sister lemmas, and the names of senses, are joined by ``|``, whose own occurrences are written
    ``\|``.
    """
    about = {
        **inventory.provenance,
        "level": inventory.level,
        "funnel": [asdict(step) for step in inventory.funnel],
    }
    said = json.dumps(about, ensure_ascii=False)
    names = [*_COLUMNS, *_STEPS]
    names += _IC if inventory.information_content is not None else ()
    names += _COUNTS if inventory.counts is not None else ()
    names += _SISTERS + (_KEYS if inventory.level == "sense" else ())
    lines = [_TITLE, _ABOUT + said, "\t".join(names)]
    lines += ["\t".join(row) for row in _rows(inventory)]
    atomic_write_text(path, "\n".join(lines) + "\n")


def _rows(inventory: Inventory) -> Iterator[list[str]]:
    words = list(zip(inventory.a, inventory.b, inventory.c, strict=True))
    numbers = np.column_stack([inventory.depth, inventory.below, inventory.steps]).tolist()
    for i, triple in enumerate(words):
        row = [*triple, *inventory.concepts[i], inventory.classes[i], *map(str, numbers[i])]
        for values in (inventory.information_content, inventory.counts):
            row += [] if values is None else [f"{value:.10g}" for value in values[i]]
        row += [_join(inventory.sisters[word]) for word in triple]
        if inventory.level == "sense":
            senses = zip(triple, inventory.concepts[i], strict=True)
            row += [_join(inventory.keys[sense]) for sense in senses]
        yield row


def _join(words: Sequence[str]) -> str:
    return _SEPARATOR.join(word.replace("\\", "\\\\").replace("|", "\\|") for word in words)


def _split(text: str) -> tuple[str, ...]:
    if "\\" not in text:
        return tuple(text.split(_SEPARATOR)) if text else ()
    marked = text.replace("\\\\", "\0").replace("\\|", "\1").split(_SEPARATOR)
    return tuple(part.replace("\1", "|").replace("\0", "\\") for part in marked)


def read_inventory(path: Path) -> Inventory:
    """Read an inventory that was written by :func:`write_inventory`, or edited since."""
    lines = numbered_lines(path)
    about = _about(path)
    try:
        number, header = next(lines)
    except StopIteration:
        raise FormatError(
            "expected an inventory, got an empty file", path=path, hint=_HINT
        ) from None
    names = header.split("\t")
    missing = [name for name in ("a", "b", "c") if name not in names]
    if missing:
        raise FormatError(
            f"expected columns a, b and c, got {', '.join(names)[:80]}",
            path=path,
            line=number,
            hint=_HINT,
        )
    table: dict[str, list[str]] = {name: [] for name in names}
    for number, line in lines:
        fields = line.split("\t")
        if len(fields) != len(names):
            raise FormatError(
                f"expected {len(names)} columns, got {len(fields)}", path=path, line=number
            )
        for name, field in zip(names, fields, strict=True):
            table[name].append(field)
    return _from_table(path, table, about)


def _about(path: Path) -> dict[str, object]:
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for line in file:
            if not line.startswith("# "):
                break
            if line.startswith(_ABOUT):
                try:
                    about = json.loads(line.removeprefix(_ABOUT))
                except ValueError:
                    about = None
                if not isinstance(about, dict):
                    raise FormatError("expected the provenance as JSON", path=path, hint=_HINT)
                return about
    return {}


def _from_table(path: Path, table: dict[str, list[str]], about: dict[str, object]) -> Inventory:
    words = list(zip(table["a"], table["b"], table["c"], strict=True))
    blank = [""] * len(words)
    concepts = list(zip(*(table.get(f"concept_{x}", blank) for x in "abc"), strict=True))
    senses = [pair for w, c in zip(words, concepts, strict=True) for pair in zip(w, c, strict=True)]
    level: Level = "sense" if about.get("level") == "sense" else "word"
    funnel = about.get("funnel")
    numbers = _Numbers(path, table, len(words))
    return Inventory(
        a=table["a"],
        b=table["b"],
        c=table["c"],
        concepts=concepts,
        keys=_collected(senses, table, _KEYS) if level == "sense" else {},
        classes=table.get("class", blank),
        depth=numbers.columns("depth_a", missing=-1)[:, 0].astype(np.int64),
        below=numbers.columns("below_c", missing=-1)[:, 0].astype(np.int64),
        steps=numbers.columns(*_STEPS, missing=-1).astype(np.int64),
        information_content=numbers.columns(*_IC) if set(_IC) <= table.keys() else None,
        counts=numbers.columns(*_COUNTS) if set(_COUNTS) <= table.keys() else None,
        sisters=_collected([w for triple in words for w in triple], table, _SISTERS),
        funnel=_steps(funnel, len(words)),
        provenance={k: v for k, v in about.items() if k not in {"level", "funnel"}},
        level=level,
    )


def _steps(funnel: object, count: int) -> tuple[Step, ...]:
    steps = []
    if isinstance(funnel, list) and all(isinstance(step, dict) for step in funnel):
        steps = [
            Step(name=str(s.get("name")), count=int(s.get("count", 0)), unit=str(s.get("unit")))
            for s in funnel
        ]
    if not steps or steps[-1].count != count:
        # Written by hand, or edited: what is in the file is what counts.
        steps.append(Step(name="triples in the file", count=count, unit="triples"))
    return tuple(steps)


def _collected(
    owners: Sequence[_Owner], table: Mapping[str, list[str]], columns: Sequence[str]
) -> dict[_Owner, tuple[str, ...]]:
    """Return the lists of the three columns by their owner, a word or a word in a sense.

    Where a file has no such columns, a word is its only sister, and a sense is known by its names.
    """
    if not set(columns) <= table.keys():
        return {owner: (owner,) if isinstance(owner, str) else owner[::-1] for owner in owners}
    cells = [cell for row in zip(*(table[name] for name in columns), strict=True) for cell in row]
    return {owner: _split(cell) for owner, cell in zip(owners, cells, strict=True)}


class _Numbers:
    def __init__(self, path: Path, table: Mapping[str, list[str]], count: int) -> None:
        self.path, self.table, self.count = path, table, count

    def columns(self, *names: str, missing: float = math.nan) -> Floats:
        values = np.full((self.count, len(names)), missing)
        for column, name in enumerate(names):
            if name not in self.table:
                continue
            try:
                values[:, column] = [float(cell) for cell in self.table[name]]
            except ValueError as error:
                raise FormatError(
                    f"expected numbers in the column {name}: {error}", path=self.path
                ) from error
        return values
