"""Counts of concepts as a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lydite.errors import InputError
from lydite.lexicons.taxonomies.taxonomy import Taxonomy
from lydite.storage import atomic_write_text
from lydite.types import Floats


def write_counts(taxonomy: Taxonomy, own: Floats, path: Path) -> None:
    """Write ``concept TAB count`` a line, below a header; concepts with a count of 0 are left out.

    What :func:`lydite.lexicons.information_content.file.read_information_content` makes of the
    file is, bit by bit, what :func:`lydite.lexicons.information_content.counting.collect` makes of
    ``own``. The file appears whole or not at all.

    Parameters
    ----------
    taxonomy
        Whose concepts were counted.
    own
        Shape (n,): how often each concept itself was met, those below it left aside.
    path
        The file.
    """
    met = np.flatnonzero(own)
    names = taxonomy.concepts.words.take(met).to_list()
    lines = ["concept\tcount\n"]
    for name, count in zip(names, own[met].tolist(), strict=True):
        if name != name.strip() or not name or name.startswith("# ") or set(name) & set("\t\n\r"):
            raise InputError(
                f"expected concepts without tabs and line ends, got {name!r}",
                hint="a concept stands on a line of its own, with a tab after it",
            )
        lines.append(f"{name}\t{repr(count).removesuffix('.0')}\n")
    atomic_write_text(path, "".join(lines))
