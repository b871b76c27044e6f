"""Where a score comes from: shares by class, depth and generality, and violations in words."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

from lydite.evaluations.subsumption.scoring import Similarities
from lydite.lexicons.inventories.inventory import Inventory
from lydite.types import Floats, Indices, Mask, Plain

#: Generality of C, by how many concepts lie below it.
_BELOW = (0, 10, 100, 1_000, 10_000)
_WORST = 20


def breakdown(
    inventory: Inventory, covered: Mask, kept: Mapping[str, Mask]
) -> dict[str, list[dict[str, Plain]]]:
    """Return the share of triples that keep each condition, by class, depth and generality."""
    groups: dict[str, tuple[list[str], Indices]] = {}
    named = sorted(set(inventory.classes) - {""})
    if named:
        place = {name: i for i, name in enumerate(named)}
        groups["class"] = (named, np.array([place.get(each, -1) for each in inventory.classes]))
    deep = sorted(set(inventory.depth[inventory.depth >= 0].tolist()))
    if len(deep) > 1:
        at = np.searchsorted(deep, inventory.depth)
        groups["depth"] = ([str(d) for d in deep], np.where(inventory.depth >= 0, at, -1))
    if (inventory.below >= 0).all():
        groups["generality"] = (_generality_names(), np.searchsorted(_BELOW, inventory.below) - 1)
    return {
        by: [
            _row(name, (codes == i) & covered, kept)
            for i, name in enumerate(names)
            if ((codes == i) & covered).any()
        ]
        for by, (names, codes) in groups.items()
    }


def _generality_names() -> list[str]:
    ends = [f"{low + 1:,} to {high:,}" for low, high in itertools.pairwise(_BELOW)]
    return [*ends, f"over {_BELOW[-1]:,}"]


def _row(name: str, chosen: Mask, kept: Mapping[str, Mask]) -> dict[str, Plain]:
    shares = {metric: round(float(mask[chosen].mean()), 6) for metric, mask in kept.items()}
    return {"group": name, "n": int(chosen.sum()), **shares}


def worst_violations(
    inventory: Inventory, similarities: Similarities, *, aggregate: bool = False
) -> list[dict[str, Plain]]:
    """Tell in words where C is most too close, the worst first; each sentence once."""
    told = []
    for reverse, near in ((False, similarities.ab), (True, similarities.bc)):
        margin = np.where(similarities.covered, similarities.ac - near, -np.inf)
        for i in np.argsort(-margin, kind="stable")[: 5 * _WORST].tolist():
            if margin[i] > 1e-9:
                told.append(_violation(inventory, i, similarities, near, reverse=reverse))
    told.sort(key=lambda row: -row["margin"])
    once = {row["sentence"]: row for row in reversed(told)}
    worst = sorted(once.values(), key=lambda row: -row["margin"])[:_WORST]
    return [row | {"aggregate": aggregate} for row in worst]


def _violation(
    inventory: Inventory, i: int, similarities: Similarities, near: Floats, *, reverse: bool
) -> dict[str, Plain]:
    a, b, c = inventory.a[i], inventory.b[i], inventory.c[i]
    one, other = (c, a) if reverse else (a, c)
    far = float(similarities.ac[i])
    return {
        "sentence": f"{one} is closer to {other} ({far:.2f}) than to {b} ({near[i]:.2f})",
        "triple": [a, b, c],
        "condition": "reverse" if reverse else "subsumption",
        "margin": round(far - float(near[i]), 6),
    }
