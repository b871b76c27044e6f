"""Adjective-noun metaphors: phrases whose file says whether they are meant literally.

References
----------
Tsvetkov, Boytsov, Gershman, Nyberg & Dyer (2014), Metaphor detection with cross-lingual model
transfer.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lydite.corpora.classification.task import Row, Task, task_of_rows
from lydite.corpora.reading import text_lines
from lydite.corpora.splits import SplitName
from lydite.errors import FormatError, ResourceError

#: Label and split of the phrases of each file.
FILES: Final[dict[str, tuple[str, SplitName]]] = {
    "training_adj_noun_met_en.txt": ("metaphor", "train"),
    "training_adj_noun_nonmet_en.txt": ("literal", "train"),
    "an_mets.txt": ("metaphor", "test"),
    "an_nonmets.txt": ("literal", "test"),
}
_WORDS = 2


def are_metaphors(paths: Sequence[Path]) -> bool:
    """Tell by their names whether files are those of the data set."""
    return any(path.name in FILES for path in paths)


def read_metaphors(paths: Sequence[Path]) -> Task:
    """Read the adjective-noun part; files of subject-verb-object phrases are passed over.

    Raises
    ------
    ResourceError
        If one of the four files is missing.
    FormatError
        If a line is not two words; with path and line.
    """
    by_name = {path.name: path for path in paths}
    missing = [name for name in FILES if name not in by_name]
    if missing:
        raise ResourceError(
            f"expected the files {', '.join(FILES)}, but {', '.join(missing)} are missing",
            hint="give the folder that holds all four",
        )
    rows = []
    for name, (label, split) in FILES.items():
        for number, line in text_lines(by_name[name]):
            words = line.split()
            if words and len(words) != _WORDS:
                raise FormatError(
                    f"expected an adjective and a noun, got {line.strip()[:60]!r}",
                    path=by_name[name],
                    line=number,
                    hint="a phrase a line, its words divided by a blank",
                )
            if words:
                rows.append(Row(label, " ".join(words), split, by_name[name], number))
    return task_of_rows(rows)
