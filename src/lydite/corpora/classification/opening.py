"""Tasks of text classification from files of any known layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from lydite.corpora.classification.listed import layout_of, read_listed
from lydite.corpora.classification.metaphors import are_metaphors, read_metaphors
from lydite.corpora.classification.newsgroups import BINARY_TASKS, Cleaning, read_newsgroups
from lydite.corpora.classification.task import Task
from lydite.errors import InputError

TaskName: TypeAlias = Literal["all", "sports", "science", "religion", "computer"]

_ARCHIVES = (".tar.gz", ".tgz", ".tar")


@dataclass(frozen=True, kw_only=True, eq=False)
class Opened:
    """Tasks, and what their texts are like.

    Attributes
    ----------
    tasks
        One, or the binary tasks of 20 Newsgroups.
    phrases
        Whether texts are phrases of as many words each, in whose order they differ.
    tokenised
        Whether blanks already stand between all tokens.
    """

    tasks: tuple[Task, ...]
    phrases: bool
    tokenised: bool


def open_tasks(
    paths: Sequence[Path], *, task: TaskName = "all", cleaning: Cleaning | None = None
) -> Opened:
    """Read 20 Newsgroups, metaphors, or any file of classes and texts.

    Parameters
    ----------
    paths
        Files of one data set.
    task
        Of 20 Newsgroups: one of the binary tasks, or all four.
    cleaning
        Of 20 Newsgroups: what is dropped of posts.
    """
    if task not in get_args(TaskName):
        raise InputError(
            f"no task is called {task!r}", hint=f"there are {', '.join(get_args(TaskName))}"
        )
    if len(paths) == 1 and paths[0].name.endswith(_ARCHIVES):
        names = tuple(BINARY_TASKS) if task == "all" else (task,)
        tasks = tuple(read_newsgroups(paths[0], names, cleaning=cleaning))
        return Opened(tasks=tasks, phrases=False, tokenised=False)
    if task != "all":
        raise InputError(
            f"task={task} is of 20 Newsgroups, got {', '.join(path.name for path in paths[:3])}",
            hint="leave task out: the file holds one task",
        )
    if are_metaphors(paths):
        return Opened(tasks=(read_metaphors(paths),), phrases=True, tokenised=True)
    listed = read_listed(paths)
    tokenised = all(layout_of(path) == "label lines" for path in paths)
    return Opened(tasks=(listed,), phrases=False, tokenised=tokenised)
