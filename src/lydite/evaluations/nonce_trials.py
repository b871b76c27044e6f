"""Which file of a resource holds the trials that are asked for, and of which kind they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, Literal, TypeAlias

from lydite.corpora.reading import text_lines
from lydite.corpora.trials import Trials, read_chimeras, read_definitions
from lydite.errors import FormatError, InputError
from lydite.resources.catalogue import Located

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

    Parameters
    ----------
    resource
        One file, or several as Nonce2Vec has them, with part and level in their names:
        ``nonce.definitions.300.test``, ``chimeras.dataset.l4.tokenised.train.txt``.
    task
        ``auto`` goes by the first line.
    part, level
        Which of several files. What one file does not have can only be asked for as usual.
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
