"""Which downstream tasks a resource can be asked for: as its card or its first bytes say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lydite.corpora.annotated import TaggedFormat, survey
from lydite.errors import FormatError, InputError
from lydite.evaluations.classification.data import has_classes
from lydite.resources.catalogue import Located

#: What has tags, and what has heads as well.
_TAGGED: Final = frozenset[TaggedFormat]({"conllu", "columns", "brackets", "slashes"})
_ARCHIVES = (".tar.gz", ".tgz", ".tar", ".zip")


def tasks_of(resource: Located) -> tuple[str, ...]:
    """Return the evaluations that a data set is made for, cheapest first.

    A named data set has a card that tells its kind. A user's own is told by what is in it: trees
    (CoNLL-U) are for tagging and parsing, tags for tagging, and all else that has classes for
    classification.
    """
    if resource.card is not None and resource.card.kind not in {"classification", "treebank"}:
        raise InputError(
            f"{resource.name}: expected classes of texts or tagged words, got {resource.card.kind}",
            hint="`lydite data ls` lists kinds; treebank and classification will do",
        )
    if resource.card is not None and resource.card.kind == "classification":
        return ("classification",)
    kinds = set(_formats(resource.paths).values())
    if "conllu" in kinds:
        return ("tagging", "parsing")
    if resource.card is None and _has_classes(resource.paths):
        return ("classification",)
    return ("tagging",) if kinds & _TAGGED else ("classification",)


def can_be_asked(resource: Located, names: Sequence[str]) -> tuple[str, ...]:
    """Return which of some evaluations a data set can be asked for.

    A file of which nothing is known can be asked for any: its reader will say what is wrong with
    it.
    """
    made_for = tasks_of(resource)
    if resource.card is None and not (_formats(resource.paths) or _has_classes(resource.paths)):
        return tuple(names)
    kept = tuple(name for name in names if name in made_for)
    if not kept:
        raise InputError(
            f"{resource.name}: expected {' or '.join(made_for)}, which it is made for, got "
            f"{', '.join(names)}",
            hint=f"leave --as out, or add --as {made_for[0]}",
        )
    return kept


def _formats(paths: Sequence[Path]) -> dict[str, TaggedFormat]:
    try:
        return survey(paths)
    except FormatError:
        return {}


def _has_classes(paths: Sequence[Path]) -> bool:
    plain = [path for path in paths if not path.name.endswith(_ARCHIVES)]
    return bool(plain) and has_classes(plain[0])
