"""Wordnets in WN-LMF, the XML format of the Global WordNet Association."""

from __future__ import annotations

import importlib
import importlib.util
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from lydite.errors import FormatError, MissingExtraError
from lydite.lexicons.content import read_content
from lydite.lexicons.taxonomies.building import TaxonomyBuilder
from lydite.lexicons.taxonomies.taxonomy import Taxonomy

#: What the parser makes of an element: its attributes, and lists of those inside.
_Element: TypeAlias = dict[str, Any]

#: Relations from a concept to what is above it, and from a whole to what is part of it.
_UPWARD = {
    "hypernym": "is-a",
    "instance_hypernym": "instance",
    "holonym": "part",
    "holo_part": "part",
    "holo_member": "member",
    "holo_substance": "substance",
    "holo_location": "location",
    "holo_portion": "portion",
}
_DOWNWARD = {
    "meronym": "part",
    "mero_part": "part",
    "mero_member": "member",
    "mero_substance": "substance",
    "mero_location": "location",
    "mero_portion": "portion",
}
#: In which the senses of a word come, as in WordNet.
_PARTS = "nvasr"
_HINT = "WN-LMF 1.0 to 1.4 begins with an XML declaration, then a line with its DOCTYPE"
_NO_SYNSET = "sense of a concept that is not described"


class _Label(NamedTuple):
    """A word of a synset, its place among all senses, and the names of its sense and entry."""

    word: str
    rank: int
    identifiers: tuple[str, str]


def read_wn_lmf(path: Path, *, name: str, sha256: str) -> Taxonomy:
    """Read the synsets of a WN-LMF file (extra ``ontology``).

    All lexicons of the file make one taxonomy. The words of a synset come in the order of its
    ``members``, or else of the file; the senses of a word with nouns before verbs, adjectives and
    adverbs, then in the order of its entry. Parents come from ``hypernym``,
    ``instance_hypernym``, ``holo_*`` and, turned round, ``mero_*``; satellite adjectives count as
    adjectives.

    Parameters
    ----------
    path
        The file, which may be compressed.
    name
        What to call the taxonomy.
    sha256
        The sha256 of the file, for its fingerprint.

    Raises
    ------
    FormatError
        If it is not WN-LMF or has no synset.
    MissingExtraError
        If the package ``wn`` is not installed.
    """
    lexicons = _lexicons(path)
    builder = TaxonomyBuilder(name=name, sha256=sha256)
    synsets = [synset for lexicon in lexicons for synset in lexicon.get("synsets", ())]
    if not synsets:
        raise FormatError("expected synsets, got none", path=path, hint=_HINT)
    labels = _labels(lexicons)
    for synset in synsets:
        found = labels.pop(synset["id"], [])
        place = {member: rank for rank, member in enumerate(synset.get("members", ()))}
        found.sort(key=lambda label: min(place.get(i, len(place)) for i in label.identifiers))
        letter = synset.get("partOfSpeech", "")
        builder.add_concept(
            synset["id"],
            [label.word for label in found],
            ranks=[label.rank for label in found],
            part_of_speech="a" if letter == "s" else letter,
        )
    builder.problems[_NO_SYNSET] += sum(map(len, labels.values()))
    # A relation and its inverse are one edge.
    for kind, child, parent in dict.fromkeys(_edges(synsets)):
        builder.add_edge(kind, child, parent)
    return builder.build()


def _lexicons(path: Path) -> list[_Element]:
    """Parse the file; the library's own database is not touched."""
    if importlib.util.find_spec("wn") is None:
        raise MissingExtraError("a wordnet in WN-LMF", extra="ontology")
    content = read_content(path)
    lmf = importlib.import_module("wn.lmf")
    with tempfile.TemporaryDirectory(prefix="lydite-") as folder:
        # The library opens a path, and decompresses nothing.
        plain = Path(folder) / "wordnet.xml"
        plain.write_bytes(content)
        try:
            resource = lmf.load(plain, progress_handler=None)
        except lmf.LMFError as error:
            cause = error.__cause__
            raise FormatError(
                f"expected WN-LMF, but: {cause or error}",
                path=path,
                line=getattr(cause, "lineno", None),
                hint=_HINT,
            ) from error
        except (AssertionError, KeyError, ValueError) as error:
            # It checks attributes by assertions, without a word.
            raise FormatError(
                "expected WN-LMF, got an element without an attribute that it needs",
                path=path,
                hint="the package wn names the fault: python -m wn validate",
            ) from error
    return list(resource["lexicons"])


def _labels(lexicons: list[_Element]) -> dict[str, list[_Label]]:
    """Return the words of each synset."""
    entries = [entry for lexicon in lexicons for entry in lexicon.get("entries", ())]
    # The entries of an extension add senses to words of the lexicon that is extended.
    lemmas = {entry["id"]: entry["lemma"] for entry in entries if _has_form(entry)}
    known = [entry for entry in entries if entry["id"] in lemmas]
    known.sort(key=lambda entry: _part_place(lemmas[entry["id"]]["partOfSpeech"]))
    labels: dict[str, list[_Label]] = {}
    rank = 0
    for entry in known:
        senses = [sense for sense in entry.get("senses", ()) if "synset" in sense]
        for sense in sorted(senses, key=lambda sense: sense.get("n", 0)):
            word = lemmas[entry["id"]]["writtenForm"]
            label = _Label(word, rank, (sense["id"], entry["id"]))
            labels.setdefault(sense["synset"], []).append(label)
            rank += 1
    return labels


def _has_form(entry: _Element) -> bool:
    return "writtenForm" in (entry.get("lemma") or ())


def _part_place(letter: str) -> int:
    return _PARTS.index(letter) if letter in _PARTS else len(_PARTS)


def _edges(synsets: list[_Element]) -> Iterator[tuple[str, str, str]]:
    """Yield kind, child and parent."""
    for synset in synsets:
        for relation in synset.get("relations", ()):
            kind = relation["relType"]
            if kind in _UPWARD:
                yield _UPWARD[kind], synset["id"], relation["target"]
            elif kind in _DOWNWARD:
                yield _DOWNWARD[kind], relation["target"], synset["id"]
