"""20 Newsgroups by date: posts of 1993, and the binary tasks that are made of them.

References
----------
Lang (1995), NewsWeeder: learning to filter netnews.
Yogatama & Smith (2014), Linguistic structured sparsity in text categorization.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, Literal, TypeAlias

from lydite.corpora.classification.task import Row, Task, task_of_rows
from lydite.corpora.splits import SplitName
from lydite.corpora.tagged.members import Member, members
from lydite.errors import FormatError

Kept: TypeAlias = Literal["drop", "keep"]

#: Two groups that are hard to tell apart, by the name of the task.
BINARY_TASKS: Final[dict[str, tuple[str, str]]] = {
    "sports": ("rec.sport.baseball", "rec.sport.hockey"),
    "science": ("sci.med", "sci.space"),
    "religion": ("alt.atheism", "soc.religion.christian"),
    "computer": ("comp.os.ms-windows.misc", "comp.sys.mac.hardware"),
}

_FOLDERS: Final[dict[str, SplitName]] = {
    "20news-bydate-train": "train",
    "20news-bydate-test": "test",
}
_QUOTED = re.compile(r"(writes in|writes:|wrote:|says:|said:|^In article|^Quoted from|^\||^>)")


@dataclass(frozen=True, kw_only=True)
class Cleaning:
    """What is left of a post.

    Attributes
    ----------
    headers
        All before the first blank line.
    footers
        All from the last line that is blank or has hyphens alone, mostly a signature; a post
        without such a line stays whole.
    quotes
        Lines that quote another post or say that one is quoted.

    Notes
    -----
    The rules are those of ``fetch_20newsgroups(remove=...)`` of scikit-learn. Headers, signatures
    and quotations name the group or its regulars, so that a classifier need not read the text.
    """

    headers: Kept = "drop"
    footers: Kept = "drop"
    quotes: Kept = "drop"

    def of(self, post: str) -> str:
        r"""Return a post without what is dropped.

        >>> Cleaning().of("From: a@b.c\n\n> Who?\nThe Reds.\n--\nAnn")
        'The Reds.'
        """
        if self.headers == "drop":
            post = post.partition("\n\n")[2]
        if self.footers == "drop":
            post = _without_footer(post)
        if self.quotes == "drop":
            post = "\n".join(line for line in post.split("\n") if not _QUOTED.search(line))
        return post


def _without_footer(post: str) -> str:
    lines = post.strip().split("\n")
    for number in range(len(lines) - 1, 0, -1):
        if not lines[number].strip().strip("-"):
            return "\n".join(lines[:number])
    return post


def read_newsgroups(
    path: Path, names: Sequence[str] = tuple(BINARY_TASKS), *, cleaning: Cleaning | None = None
) -> list[Task]:
    """Read binary tasks from the archive ``20news-bydate.tar.gz``.

    Parameters
    ----------
    path
        The archive, which is read in memory and never unpacked; posts are Latin-1.
    names
        Tasks among `BINARY_TASKS`.
    cleaning
        What is dropped of posts; headers, footers and quotes by default. A post of which nothing
        is left stays, as an empty text.

    Raises
    ------
    FormatError
        If the archive lacks the posts of a task.
    """
    cleaning = cleaning or Cleaning()
    wanted = {group for name in names for group in BINARY_TASKS[name]}
    posts: dict[str, list[Row]] = {group: [] for group in wanted}
    for member in members([path]):
        row = _row(member, path, cleaning, wanted)
        if row is not None:
            posts[row.label].append(row)
    for group in sorted(wanted):
        splits = {row.split for row in posts[group]}
        if len(splits) < len(_FOLDERS):
            raise FormatError(
                f"expected training and test posts of {group}, got {len(posts[group])} of "
                f"{', '.join(filter(None, splits)) or 'neither'}",
                path=path,
                hint="the archive is 20news-bydate.tar.gz, with 20news-bydate-{train,test}/GROUP/",
            )
    return [
        task_of_rows([row for group in BINARY_TASKS[name] for row in posts[group]], name=name)
        for name in names
    ]


def _row(member: Member, path: Path, cleaning: Cleaning, wanted: set[str]) -> Row | None:
    parts = PurePosixPath(member.place).parts[-3:]
    if len(parts) < 3 or parts[0] not in _FOLDERS or parts[1] not in wanted:
        return None
    text = member.content.decode("latin-1")
    return Row(parts[1], cleaning.of(text), _FOLDERS[parts[0]], path)
