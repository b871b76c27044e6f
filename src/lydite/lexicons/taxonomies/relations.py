"""The names that sources have for the kinds of edge of a taxonomy."""

from __future__ import annotations

import re

_NAMES: dict[str, tuple[str, ...]] = {
    "is-a": ("is-a", "isa", "hypernym", "hypernymy", "broader", "subclass", "subclass-of"),
    "instance": ("instance", "instance-of", "instance-hypernym"),
    "part": ("part", "part-of", "meronym", "meronymy", "part-meronym"),
    "member": ("member", "member-of", "member-meronym"),
    "substance": ("substance", "substance-of", "substance-meronym"),
}
_KINDS = {name: kind for kind, names in _NAMES.items() for name in names}
_BETWEEN = re.compile(r"[\s_-]+")


def edge_kind(name: str) -> str:
    """Return the kind of edge that a source's relation is; one of its own stays, with hyphens.

    Examples
    --------
    >>> edge_kind("Part_of"), edge_kind("subclass of"), edge_kind("positively_regulates")
    ('part', 'is-a', 'positively-regulates')
    """
    plain = _BETWEEN.sub("-", name.strip()).casefold()
    return _KINDS.get(plain, plain)
