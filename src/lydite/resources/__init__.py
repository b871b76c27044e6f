"""Data sets: their cards, their files on this machine, and how to fetch what is missing."""

from lydite.resources.card import Card, CardFile, Citation
from lydite.resources.catalogue import (
    CATALOGUE,
    FileStatus,
    Located,
    citation,
    find,
    locate,
    names,
    verify,
)

__all__ = [
    "CATALOGUE",
    "Card",
    "CardFile",
    "Citation",
    "FileStatus",
    "Located",
    "citation",
    "find",
    "locate",
    "names",
    "verify",
]
