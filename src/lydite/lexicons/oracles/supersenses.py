"""Supersenses: the lexicographer files of WordNet, as broad classes of nouns and verbs."""

from __future__ import annotations

from typing import Literal, TypeAlias

#: Of the senses of a word: all alike, or as often as each was met in a tagged corpus.
SenseWeights: TypeAlias = Literal["uniform", "counts"]

_NOUNS = (
    "Tops act animal artifact attribute body cognition communication event feeling food group "
    "location motive object person phenomenon plant possession process quantity relation shape "
    "state substance time"
)
_VERBS = (
    "body change cognition communication competition consumption contact creation emotion motion "
    "perception possession social stative weather"
)

#: The lexicographer files in the order of their numbers, which are the same since WordNet 1.5.
LEXICOGRAPHER_FILES: tuple[str, ...] = (
    "adj.all",
    "adj.pert",
    "adv.all",
    *(f"noun.{name}" for name in _NOUNS.split()),
    *(f"verb.{name}" for name in _VERBS.split()),
    "adj.ppl",
)

#: The 26 of nouns and 15 of verbs.
SUPERSENSES: frozenset[str] = frozenset(
    name for name in LEXICOGRAPHER_FILES if name.startswith(("noun.", "verb."))
)


def supersense(key: str) -> str | None:
    """Return the supersense in the key of a sense, or None for an adjective or adverb.

    Parameters
    ----------
    key
        What follows the ``%``: kind of synset, number of the lexicographer file, and so on.

    Examples
    --------
    >>> supersense("2:32:00::")
    'verb.communication'
    >>> supersense("4:02:00::") is None
    True
    """
    number = int(key.split(":")[1])
    name = LEXICOGRAPHER_FILES[number] if number < len(LEXICOGRAPHER_FILES) else ""
    return name if name in SUPERSENSES else None
