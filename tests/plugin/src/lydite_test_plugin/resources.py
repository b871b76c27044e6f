"""A resource: a list of words, which tests find through LYDITE_DATA."""

from __future__ import annotations

from lydite.resources.card import Card, CardFile

_SHA256 = "b2d05af15188b809bd11adb2fda68adabe81cc7e0b710e9ea3fd9c359309ac3e"


def cards() -> list[Card]:
    """Return the cards that this plugin adds."""
    return [
        Card(
            name="lydite-test-words",
            title="Three words",
            kind="lexicon",
            format="a word a line",
            licence="CC0",
            redistributable=True,
            citation="none",
            source="this plugin",
            files=(CardFile(path="lydite-test-words.txt", sha256=_SHA256, bytes=12),),
        )
    ]
