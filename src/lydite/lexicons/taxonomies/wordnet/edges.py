"""The pointers of WordNet as parents of concepts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lydite.lexicons.taxonomies.graph import on_cycles
from lydite.lexicons.taxonomies.lists import Lists
from lydite.lexicons.taxonomies.problems import ON_CYCLE
from lydite.lexicons.taxonomies.taxonomy import RELATIONS
from lydite.lexicons.taxonomies.wordnet.parts import Parts
from lydite.lexicons.taxonomies.wordnet.synsets import symbol
from lydite.types import Indices

#: The symbols of the pointers up and down for each kind of edge.
POINTERS: Mapping[str, tuple[str, str]] = {
    "is-a": ("@", "~"),
    "instance": ("@i", "~i"),
    "part": ("#p", "%p"),
    "member": ("#m", "%m"),
    "substance": ("#s", "%s"),
}


def read_parents(parts: Parts) -> tuple[dict[str, Lists], dict[str, int]]:
    """Return the parents of each concept by kind of edge, and what is wrong with the pointers.

    Of hypernymy only the pointers upward make parents: in WordNet 3.0 one hyponym pointer has no
    counterpart and would close a cycle. Of meronymy those in both directions do.
    """
    symbols = parts.joined(lambda each: each.symbols)
    sources = parts.concepts(lambda each: each.sources)
    targets = parts.targets
    wanted = np.zeros(1 << 16, dtype=np.bool_)
    wanted[[symbol(text) for pair in POINTERS.values() for text in pair]] = True
    used = wanted[symbols]
    lost = int((used & (targets < 0)).sum())
    kept = np.flatnonzero(used & (targets >= 0))
    symbols, sources, targets = symbols[kept], sources[kept], targets[kept]
    parents, above, below = {}, 0, 0
    for kind, (upward, downward) in POINTERS.items():
        up, down = symbols == symbol(upward), symbols == symbol(downward)
        both = kind in RELATIONS["meronymy"]
        parents[kind] = Lists.grouped(
            np.concatenate([sources[up], targets[down & both]]),
            np.concatenate([targets[up], sources[down & both]]),
            len(parts),
        )
        higher = sources[up] * len(parts) + targets[up]
        lower = targets[down] * len(parts) + sources[down]
        above += _without(higher, lower)
        below += _without(lower, higher)
    found = {
        "pointer upward without its counterpart": above,
        "pointer downward without its counterpart": below,
        "pointer to a part of speech that is missing": lost,
    }
    cyclic = [_on_cycles([parents[kind] for kind in kinds]) for kinds in RELATIONS.values()]
    found[ON_CYCLE] = len(np.unique(np.concatenate(cyclic)))
    return parents, found


def _without(these: Indices, those: Indices) -> int:
    ordered = np.append(np.sort(those), -1)
    return int((ordered[np.searchsorted(ordered[:-1], these)] != these).sum())


def _on_cycles(kinds: Sequence[Lists]) -> Indices:
    owners = np.concatenate([each.owners() for each in kinds])
    items = np.concatenate([each.items for each in kinds])
    return on_cycles(Lists.grouped(owners, items, len(kinds[0])))
