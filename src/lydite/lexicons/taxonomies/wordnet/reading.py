"""The files of WordNet put together into a taxonomy."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lydite.errors import FormatError, ResourceError
from lydite.lexicons.lines import numbered_lines
from lydite.lexicons.oracles.supersenses import LEXICOGRAPHER_FILES
from lydite.lexicons.taxonomies.lists import Lists
from lydite.lexicons.taxonomies.wordnet.database import WordNet
from lydite.lexicons.taxonomies.wordnet.edges import read_parents
from lydite.lexicons.taxonomies.wordnet.fields import WHOLE_COPY, read_fields
from lydite.lexicons.taxonomies.wordnet.morphology import PARTS, read_exceptions
from lydite.lexicons.taxonomies.wordnet.parts import Parts
from lydite.lexicons.taxonomies.wordnet.senses import Senses
from lydite.lexicons.taxonomies.wordnet.spelling import taken
from lydite.lexicons.taxonomies.wordnet.synsets import read_index, read_synsets
from lydite.spaces.vocabulary import Vocabulary, bounds, pack

_OPTIONAL = ("index.sense", "cntlist.rev", "lexnames", *(f"{name}.exc" for name in PARTS.values()))


def read_wordnet(files: Sequence[Path], *, name: str, sha256: str) -> WordNet:
    """Read the database files of WordNet 3.0 or 3.1.

    Parameters
    ----------
    files
        Known by their names: ``data.noun``, ``index.noun`` and the same for ``verb``, ``adj`` and
        ``adv``; ``index.sense``, ``cntlist.rev``, ``lexnames`` and ``noun.exc`` and so on may be
        missing, which ``problems`` says. Other files are passed over.
    name
        What to call it.
    sha256
        Of the content.

    Raises
    ------
    ResourceError
        If the nouns are missing or a file cannot be read.
    FormatError
        If a file is not what it should be, or the files do not belong together.
    """
    found = {path.name: path for path in files}
    parts, problems = _read_parts(found, name)
    problems |= {f"missing file {file}": 1 for file in _OPTIONAL if file not in found}
    senses = Senses.of(parts)
    parents, faults = read_parents(parts)
    order = senses.order()
    keys = Vocabulary.build(taken(senses.keys(), order))
    problems |= faults
    return WordNet(
        name=name,
        fingerprint=sha256,
        concepts=Vocabulary.build(senses.names()),
        words=senses.words,
        senses=Lists(
            offsets=bounds(np.bincount(senses.word_of[order], minlength=len(senses.words))),
            items=parts.lemma_concepts[order].astype(np.int32),
        ),
        labels=Lists.grouped(parts.lemma_concepts, senses.word_of, len(parts)),
        parents=parents,
        problems={kind: count for kind, count in problems.items() if count},
        parts_of_speech=np.array(list(parts.letters))[parts.part_of],
        sense_keys=keys,
        offsets=parts.joined(lambda each: each.offsets),
        lexicographer_files=parts.joined(lambda each: each.files).astype(np.uint8),
        lexicographer_names=_lexicographer_names(found.get("lexnames")),
        sense_counts=_sense_counts(found, keys),
        lemmas=senses.lemmas,
        lemma_words=senses.lemma_words(),
        lemma_parts=senses.lemma_parts("".join(PARTS)).astype(np.uint8),
        exceptions=read_exceptions(_exception_files(found), senses.lemmas),
    )


def _read_parts(found: Mapping[str, Path], name: str) -> tuple[Parts, dict[str, int]]:
    """Read the data and index files of the parts of speech that have both."""
    missing = [
        file
        for part in PARTS.values()
        for file in (f"data.{part}", f"index.{part}")
        if file not in found
    ]
    if "data.noun" in missing or "index.noun" in missing:
        raise ResourceError(
            f"{name}: expected at least data.noun and index.noun, "
            f"got {', '.join(found) or 'no file'}",
            hint="name the folder of the database files, usually called dict",
        )
    letters = [
        letter
        for letter, part in PARTS.items()
        if f"data.{part}" not in missing and f"index.{part}" not in missing
    ]
    parts = Parts(
        letters="".join(letters),
        synsets=tuple(read_synsets(found[f"data.{PARTS[letter]}"]) for letter in letters),
        indexes=tuple(read_index(found[f"index.{PARTS[letter]}"]) for letter in letters),
    )
    for fields in (parts.synsets[0].fields, parts.indexes[0].fields):
        if not len(fields):
            raise FormatError("expected nouns, got none", path=fields.path, hint=WHOLE_COPY)
    return parts, {f"missing file {file}": 1 for file in missing}


def _exception_files(found: Mapping[str, Path]) -> dict[str, Path]:
    files = {letter: f"{part}.exc" for letter, part in PARTS.items()}
    return {letter: found[file] for letter, file in files.items() if file in found}


def _lexicographer_names(path: Path | None) -> tuple[str, ...]:
    """Read number and name a line (lexnames(5WN)); without the file, the usual names."""
    if path is None:
        return LEXICOGRAPHER_FILES
    names: list[str] = []
    for number, line in numbered_lines(path):
        fields = line.split()
        if len(fields) < 2 or not fields[0].isdecimal() or int(fields[0]) != len(names):
            raise FormatError(
                f"expected {len(names):02d} and the name of a file, got {line[:60]!r}",
                path=path,
                line=number,
                hint=WHOLE_COPY,
            )
        names.append(fields[1])
    return tuple(names)


def _sense_counts(found: Mapping[str, Path], keys: Vocabulary) -> NDArray[np.int32]:
    """Return how often each sense was tagged, by ``index.sense`` or else by ``cntlist.rev``."""
    counts = np.zeros(len(keys), dtype=np.int32)
    file, column = ("index.sense", 3) if "index.sense" in found else ("cntlist.rev", 2)
    if file not in found:
        return counts
    fields = read_fields(found[file])
    lines = np.arange(len(fields))
    tagged = fields.integers(lines, column, "how often a sense was tagged")
    lines = lines[tagged > 0]
    listed = fields.words(lines, 0)
    if file == "cntlist.rev":
        # Here the head of a satellite has its marker: above%5:00:00:preceding(a):00.
        listed = pack(re.sub(r"\([a-z]+\):", ":", key) for key in listed.to_list())
    places = keys.find_packed(listed)
    counts[places[places >= 0]] = tagged[lines[places >= 0]]
    # Words of a synset that differ by case alone share a key, which is found at its first place.
    again = keys.repeats()
    counts[again] = counts[keys.find_packed(keys.words.take(again))]
    return counts
