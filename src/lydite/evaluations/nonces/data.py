"""Trials of learning a new word from a few sentences: definitional nonces and chimeras.

Both come with Nonce2Vec (Herbelot and Baroni, "High-risk learning", EMNLP 2017); the chimeras are
those of Lazaridou et al., "Multimodal Word Meaning Induction From Minimal Exposure to Natural
Text", Cognitive Science 41, 2017.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from lydite.corpora.occurrences import MASK, masked_context
from lydite.errors import FormatError, InputError
from lydite.files.lines import text_lines
from lydite.resources.catalogue import Located
from lydite.storage import sha256_file
from lydite.types import LARGEST, Context

_NO_NONCE = "sentences without ___"
_NO_SENTENCE = "trials without a sentence that has ___"


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A word to be learned."""

    name: str  # the word itself, or the number of a chimera
    contexts: tuple[Context, ...]
    probes: tuple[str, ...] = ()  # of a chimera, the words it was compared with
    ratings: tuple[float, ...] = ()  # of a chimera, how similar people found each probe on average


@dataclass(frozen=True, kw_only=True)
class Trials:
    """The trials of a file."""

    name: str
    fingerprint: str
    trials: tuple[Trial, ...]
    # How many sentences and trials were left out, by reason.
    problems: Mapping[str, int] = field(default_factory=dict)


def read_definitions(path: Path) -> Trials:
    """Read definitional nonces: a word, a tab, and a sentence in which it is written ``___``.

    A word that stands twice is two trials. Further uses in a sentence stay ``___``.
    """
    trials, problems = [], Counter[str]()
    for number, line in text_lines(path):
        if not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) != 2 or not fields[0].strip():
            raise FormatError(
                f"expected a word, a tab and a sentence, got {line[:60]!r}", path=path, line=number
            )
        word = fields[0].strip()
        context = masked_context(fields[1].split(), word.split())
        if context is None:
            problems[_NO_SENTENCE] += 1
        else:
            trials.append(Trial(name=word, contexts=(context,)))
    return _trials(path, trials, problems)


def read_chimeras(path: Path) -> Trials:
    """Read chimeras: number, sentences joined by `` @@ ``, probes and ratings, divided by tabs.

    The published files mix encodings: a line that is not UTF-8 is read as Latin-1. Where a lost
    mark has glued the nonce to its neighbor (``that___``), they are parted. Sentences without
    ``___``, in which the nonce stands in the plural, are left out; so is a trial of which no
    sentence is left.
    """
    trials, problems = [], Counter[str]()
    for number, raw in text_lines(path, "latin-1"):
        if not raw.strip():
            continue
        fields = _mended(raw).split("\t")
        if len(fields) != 4:
            raise FormatError(
                f"expected number, sentences, probes and ratings divided by tabs, got"
                f" {len(fields)} fields",
                path=path,
                line=number,
            )
        name, sentences, probes = fields[0].strip(), fields[1].split(" @@ "), _list(fields[2])
        parted = (sentence.replace(MASK, f" {MASK} ").split() for sentence in sentences)
        found = [masked_context(tokens) for tokens in parted]
        contexts = tuple(context for context in found if context is not None)
        problems[_NO_NONCE] += len(found) - len(contexts)
        ratings = _ratings(fields[3], len(probes), path, number)
        if contexts:
            trials.append(Trial(name=name, contexts=contexts, probes=probes, ratings=ratings))
        else:
            problems[_NO_SENTENCE] += 1
    return _trials(path, trials, problems)


def _trials(path: Path, trials: list[Trial], problems: Counter[str]) -> Trials:
    if not trials:
        raise FormatError("expected trials, got none that can be learned from", path=path)
    return Trials(
        name=path.name,
        fingerprint=sha256_file(path),
        trials=tuple(trials),
        problems=dict(+problems),
    )


def _mended(line: str) -> str:
    try:
        return line.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return line


def _list(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(","))


def _ratings(text: str, expected: int, path: Path, line: int) -> tuple[float, ...]:
    try:
        ratings = tuple(map(float, text.split(",")))
    except ValueError:
        ratings = ()
    if len(ratings) != expected or not all(abs(each) <= LARGEST for each in ratings):
        raise FormatError(
            f"expected {expected} ratings, one per probe, got {text.strip()!r}",
            path=path,
            line=line,
        )
    return ratings


Task: TypeAlias = Literal["definitions", "chimeras"]
Part: TypeAlias = Literal["test", "train"]
Level: TypeAlias = Literal["L2", "L4", "L6"]

#: What is taken of a resource of several files if nothing is asked for.
USUAL_PART: Final = "test"
USUAL_LEVEL: Final = "L2"

_LEVELS = {"l2", "l4", "l6"}
_READERS = {"definitions": read_definitions, "chimeras": read_chimeras}
#: Fields a line.
_KINDS: dict[int, Task] = {2: "definitions", 4: "chimeras"}


def read_trials(
    resource: Located, task: Literal["auto"] | Task, part: Part, level: Level
) -> tuple[Task, Trials]:
    """Read the trials of a resource, and say of which kind they are.

    One file, or several as Nonce2Vec has them, with part and level in their names:
    ``nonce.definitions.300.test``, ``chimeras.dataset.l4.tokenised.train.txt``. What one file does
    not have can only be asked for as usual. ``auto`` goes by the first line.
    """
    path = trials_file(resource, part, level)
    kind = kind_of_trials(path) if task == "auto" else task
    return kind, _READERS[kind](path)


def trials_file(resource: Located, part: Part, level: Level) -> Path:
    """Return the file that holds a part, at a level if the files have levels."""
    if len(resource.paths) == 1:
        _check_usual(resource, "part", part, USUAL_PART)
        _check_usual(resource, "level", level, USUAL_LEVEL)
        return resource.paths[0]
    of_part = [path for path in resource.paths if part in _words(path)]
    levelled = [path for path in of_part if _LEVELS & _words(path)]
    if of_part and not levelled:
        _check_usual(resource, "level", level, USUAL_LEVEL)
    found = [path for path in levelled if level.lower() in _words(path)] if levelled else of_part
    if len(found) != 1:
        asked = f"{part}, {level}" if levelled else part
        names = ", ".join(path.name for path in (found or resource.paths)[:8])
        raise InputError(
            f"{resource.name}: expected one file with {asked} in its name, got {len(found)}"
            f" of {len(resource.paths)}: {names}",
            hint="give one file by its path",
        )
    return found[0]


def kind_of_trials(path: Path) -> Task:
    """Tell definitions from chimeras by the fields of the first line."""
    for number, line in text_lines(path, "latin-1"):
        if not line.strip():
            continue
        fields = len(line.split("\t"))
        if fields not in _KINDS:
            raise FormatError(
                "expected a word and its definition, or number, sentences, probes and ratings of "
                f"a chimera, divided by tabs, got {fields} fields",
                path=path,
                line=number,
            )
        return _KINDS[fields]
    raise FormatError("expected trials, got an empty file", path=path)


def _words(path: Path) -> set[str]:
    return set(re.split(r"[^a-z0-9]+", path.name.lower()))


def _check_usual(resource: Located, name: str, value: str, usual: str) -> None:
    if value != usual:
        raise InputError(
            f"{resource.name} has no {name} to choose, but {name}={value} was asked for",
            hint=f"leave {name} out; nonce2vec-chimeras has parts test and train, and levels L2, "
            "L4 and L6; nonce2vec-definitions has the parts",
        )
