"""The terms one by one: what was learnt of each, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lydite.evaluations.consistency.learning import Measured
from lydite.evaluations.consistency.ranks import Ranks
from lydite.results.record import Items
from lydite.types import Context, Floats, Plain


def items_of(
    names: Sequence[str],
    contexts: Sequence[Sequence[Sequence[Context]]],
    measured: Measured,
    ranks: Ranks | None,
    values: Floats,
    background: dict[str, Plain],
) -> Items:
    """Return what was found of each term; None where there is nothing."""
    places, _ = measured.places
    columns: dict[str, Floats] = {
        "value": values,
        "identification": measured.reciprocals,
        "place": places,
        "cosine": measured.by_term(measured.cosines),
    }
    if ranks is not None:
        columns["rank"] = measured.by_term(ranks.pairs)
    items: dict[str, Sequence[Plain]] = {
        "item": list(names),
        "covered": np.isfinite(values).tolist(),
        **{name: _plain(column) for name, column in columns.items()},
        "sentences": [sum(map(len, term)) for term in contexts],
        "context_words": measured.used.round(2).tolist(),
    }
    if "by_term" in background:
        items["background_cosine"] = [background["by_term"].get(name) for name in names]
    return items


def by_trust(items: Items) -> list[dict[str, Plain]]:
    """Return the terms as rows, the most consistent first."""
    columns = [name for name in items if name not in {"covered", "item"}]
    rows = [
        {"term": term, **{name: items[name][i] for name in columns}}
        for i, term in enumerate(items["item"])
    ]
    return sorted(rows, key=lambda row: (row["value"] is None, -(row["value"] or 0.0)))


def _plain(values: Floats) -> list[float | None]:
    return [value if np.isfinite(value) else None for value in values.tolist()]
