"""What recipes read and where they write: found, and refused before hours of work."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from lydite.errors import InputError
from lydite.resources.catalogue import Located, locate
from lydite.spaces.formats.writing import keeps_all
from lydite.storage import check_output, user_path


def located_as(names: Iterable[str], kinds: Sequence[str], what: str) -> list[Located]:
    """Find data by name or path; refuse what is known to be of another kind."""
    located = [locate(name) for name in names]
    for source in located:
        if source.card is not None and source.card.kind not in kinds:
            raise InputError(
                f"{source.name}: expected {what}, got data of the kind {source.card.kind}",
                hint=f"`lydite data ls` shows the kinds; accepted are {', '.join(kinds)}",
            )
    return located


def running_text(names: Iterable[str]) -> list[Located]:
    """Find corpora."""
    return located_as(names, ("corpus", "book"), "running text")


def check_other_file(out: Path, located: Iterable[Located]) -> None:
    """Refuse to write over what is read."""
    target = user_path(out)
    if target.exists() and any(target.samefile(path) for path in paths_of(located)):
        raise InputError(
            f"{out}: expected another file to write to than one that is read",
            hint="write to a new name, then rename",
        )
    check_output(target)


def check_space_file(out: Path) -> None:
    """Refuse a file that a trained space could not be written to."""
    target = user_path(out)
    if not keeps_all(target):
        raise InputError(
            f"{out}: expected a name that ends in .safetensors (then .gz, .xz or .zst)",
            hint="the only format that keeps context vectors and counts; lydite convert writes the "
            "others from it",
        )
    if target.is_dir():
        raise InputError(f"{out}: expected the name of a file to write, got a folder")
    above = next(folder for folder in target.absolute().parents if folder.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise InputError(
            f"{out}: expected a writable location, got {above}",
            hint="name a file in another folder",
        )


def check_network_file(out: Path) -> None:
    """Refuse a name that a file of tensors cannot have: it is mapped, so it is not compressed."""
    if out.suffix.lower() != ".safetensors":
        raise InputError(
            f"{out}: expected a name that ends in .safetensors",
            hint="compressed files cannot be mapped into memory",
        )


def paths_of(located: Iterable[Located]) -> list[Path]:
    """Return all files, in order."""
    return [path for source in located for path in source.paths]


def named(located: Iterable[Located]) -> list[dict[str, str]]:
    """Return which data were read, for a file's provenance."""
    return [{"name": each.name, "sha256": each.sha256} for each in located]
