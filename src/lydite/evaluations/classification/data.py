"""Tasks of text classification from files of any known layout.

References
----------
Tsvetkov, Boytsov, Gershman, Nyberg & Dyer (2014), Metaphor detection with cross-lingual model
transfer.
Lang (1995), NewsWeeder: learning to filter netnews.
Yogatama & Smith (2014), Linguistic structured sparsity in text categorization.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from lydite.corpora.annotated import is_conllu
from lydite.corpora.splits import SPLITS, SplitName, check_tested, split_of_name
from lydite.errors import FormatError, InputError, ResourceError
from lydite.files.archives import Member, members
from lydite.files.lines import WHOLE_LINES, text_lines
from lydite.files.tables import delimiter_of, field, json_objects, named, table_rows
from lydite.types import Indices, Plain

_SHOWN = 8


class Row(NamedTuple):
    """A text as it was found."""

    label: str
    text: str  # may be blank where a reader has taken things out of it
    split: SplitName | None  # None if nothing says which part it belongs to
    # Where it stands; no line where there are none to count.
    path: Path | str
    line: int | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledTexts:
    """Texts, and the class of each, (n,), as a place among the classes of the task."""

    texts: tuple[str, ...]
    labels: Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """Texts to learn from and texts to be tested on."""

    name: str  # empty if the file holds one task only
    classes: tuple[str, ...]  # names, sorted; every one of them stands in ``train``
    place: str  # the file of training texts, for messages
    train: LabelledTexts  # all texts, if there is no ``test``
    # None if the data are not split so.
    development: LabelledTexts | None
    test: LabelledTexts | None


def task_of_rows(rows: Sequence[Row], *, name: str = "") -> Task:
    """Put rows together and refuse what no classifier could learn from.

    Either all rows say their split or none does. Files must agree on the classes; one file with a
    column ``split`` may have rare classes that it does not test.

    >>> train = [Row("b", "x", "train", "file"), Row("a", "y", "train", "file")]
    >>> task = task_of_rows([*train, *(Row("b", text, "test", "file") for text in "zz")])
    >>> task.classes, task.train.labels.tolist(), task.test.labels.tolist()
    (('a', 'b'), [1, 0], [1, 1])
    """
    if len({row.split is None for row in rows}) > 1:
        bare = next(row for row in rows if row.split is None)
        raise FormatError(
            "expected every text to have a split, or none, got one without and others with",
            path=bare.path,
            line=bare.line,
            hint="a column split holds train, dev or test",
        )
    by_split: dict[str, list[Row]] = {"train": [], "development": [], "test": []}
    for row in rows:
        by_split[row.split or "train"].append(row)
    whole = not rows or rows[0].split is None
    _check_parts(by_split, name, whole=whole)
    classes = tuple(sorted({row.label for row in by_split["train"]}))
    _check_classes(by_split, classes, name)
    if not whole:
        tested = by_split["test"]
        where = ": ".join(filter(None, (name, str(tested[0].path))))
        check_tested(len(tested), what="texts", place=where)
    place = {label: i for i, label in enumerate(classes)}

    def part(split: str) -> LabelledTexts:
        chosen = by_split[split]
        labels = np.array([place[row.label] for row in chosen], dtype=np.int64)
        return LabelledTexts(texts=tuple(row.text for row in chosen), labels=labels)

    return Task(
        name=name,
        classes=classes,
        place=str(by_split["train"][0].path),
        train=part("train"),
        development=part("development") if by_split["development"] else None,
        test=None if whole else part("test"),
    )


def _check_parts(by_split: dict[str, list[Row]], name: str, *, whole: bool) -> None:
    counts = ", ".join(f"{len(rows)} {split}" for split, rows in by_split.items())
    for split in ("train",) if whole else ("train", "test"):
        if not by_split[split]:
            raise InputError(
                f"{_prefix(name)}expected {split} texts, got {counts}{_files(by_split)}",
                hint="name files train and test, or give one file with a column split; a single "
                "file without splits is tested in folds",
            )


def _check_classes(by_split: dict[str, list[Row]], classes: Sequence[str], name: str) -> None:
    if len(classes) < 2:
        raise InputError(
            f"{_prefix(name)}expected training texts of at least two classes, got only "
            f"{classes[0]!r}{_files(by_split)}",
            hint="is the label in the right column?",
        )
    files = {row.path for row in by_split["train"]}
    for split in ("development", "test"):
        rows = by_split[split]
        for row in rows:
            if row.label not in classes:
                times = sum(other.label == row.label for other in rows)
                raise FormatError(
                    f"{_prefix(name)}class {row.label!r} has {times} {split} "
                    f"{'text, this one' if times == 1 else 'texts, this one first'}, but none to "
                    f"train on; training has {_listed(classes)}",
                    path=row.path,
                    line=row.line,
                    hint="give all files the same labels, or leave these texts out",
                )
        absent = sorted(set(classes) - {row.label for row in rows})
        if rows and absent and files.isdisjoint(row.path for row in rows):
            raise FormatError(
                f"{_prefix(name)}expected {split} texts of the classes of training, got none of "
                f"{_listed(absent)}",
                path=rows[0].path,
                hint="do the files belong together? if so, put them in one, with a column split",
            )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, names[:_SHOWN])) + more


def _files(by_split: dict[str, list[Row]]) -> str:
    paths = sorted({str(row.path) for rows in by_split.values() for row in rows})
    return f" in {', '.join(paths[:_SHOWN])}" if paths else ""


def _prefix(name: str) -> str:
    return f"{name}: " if name else ""


HINT = (
    "a table with the header label,text or label,text,split; lines of JSON with these fields; or "
    "lines that start with the label: '1 a fine film', '__label__good a fine film'"
)

#: What is said of a file in which nothing is told to be classes.
_OTHER = (
    "; tagged words have a word, a tab and its tag on each line, and a blank line after each "
    "sentence"
)

Layout: TypeAlias = Literal["records", "label lines"]

_LABEL_LINE = re.compile(r"\s*(?:__label__(?P<name>\S+)|\+?(?P<number>-?\d+))\s+(?P<text>\S.*)")
_FIELDS = ("label", "text", "split")
_BEGINNING = 1000


def read_listed(paths: Sequence[Path]) -> Task:
    """Read a task from one file, or from files whose names say which split they hold.

    Files are tables ``label,text[,split]`` divided by commas, semicolons or tabs, lines of JSON
    with these fields, or lines such as ``1 a fine film``; compressed or not. Splits are called
    train, dev (or valid) and test. Where a file does not say them, its name does:
    ``stsa.binary.train``, ``reviews-test.csv``. One file that does neither is one task that is not
    split.
    """
    rows: list[Row] = []
    for path in paths:
        split = split_of_name(path)
        found = list(_rows(path, split, alone=len(paths) == 1))
        if not found:
            raise FormatError("expected labelled texts, got none", path=path, hint=HINT)
        if len(paths) > 1 and found[0].split is None:
            raise InputError(
                f"expected the name of {path} to say train, dev or test, since there are "
                f"{len(paths)} files",
                hint="rename it, or add a column split",
            )
        rows += found
    return task_of_rows(rows)


def layout_of(path: Path) -> Layout | None:
    """Return how labels and texts are laid out, by the first line that is not blank.

    A table is one whose header has ``label``, so that a text with commas is none.
    """
    first = _first_line(path)
    mark = delimiter_of(first)
    header = {name.strip(' "').lower() for name in first.split(mark)} if mark else set()
    if first.lstrip().startswith("{") or "label" in header:
        return "records"
    return "label lines" if _LABEL_LINE.match(first) else None


def has_classes(path: Path) -> bool:
    r"""Tell a file of classes and texts from tagged words, whose first word may be a number.

    Of ``2010\tNUM`` all lines have to start with a number, or some have to have a text of several
    words, for it to be classes.
    """
    layout = layout_of(path)
    if layout != "label lines":
        return layout is not None
    lines = list(islice(_content_lines(path), _BEGINNING))
    texts = (line.partition("\t")[2] if "\t" in line else line for line in lines)
    return all(map(_LABEL_LINE.match, lines)) or any(" " in text.strip() for text in texts)


def _first_line(path: Path) -> str:
    return next(_content_lines(path), "")


def _content_lines(path: Path) -> Iterator[str]:
    """Yield the lines that are neither blank nor comments."""
    for _, line in text_lines(path, longest=WHOLE_LINES):
        if line.strip() and not line.startswith("#"):
            yield line


def _rows(path: Path, split: SplitName | None, *, alone: bool) -> Iterator[Row]:
    layout = layout_of(path)
    if layout == "records":
        yield from _record_rows(path, split)
    elif _is_conllu(path):
        raise FormatError(
            "expected classes and texts, got CoNLL-U",
            path=path,
            hint="it is for tagging and parsing, and says nothing of the class of a text",
        )
    elif layout == "label lines":
        yield from _label_rows(path, split)
    else:
        first = _first_line(path)
        got = f"the line {first.strip()[:60]!r}" if first else "an empty file"
        raise FormatError(
            f"expected classes and texts, got {got}",
            path=path,
            hint=("" if alone else "remove it from the folder if it contains none; otherwise: ")
            + HINT
            + _OTHER,
        )


def _is_conllu(path: Path) -> bool:
    lines = islice(_content_lines(path), _BEGINNING)
    return is_conllu("\n".join(lines).encode("latin-1", "replace"))


def _record_rows(path: Path, split: SplitName | None) -> Iterator[Row]:
    for line, record in _records(path):
        said = record.get("split")
        if said is not None and str(said).strip().lower() not in SPLITS:
            raise FormatError(
                f"expected train, dev or test as 'split', got {said!r}",
                path=path,
                line=line,
                hint=HINT,
            )
        label = named(dict(record), "label", path, line, hint=HINT)
        text = field(record, "text", path, line, hint=HINT)
        _check_characters(label, text, path, line)
        yield Row(label, text, SPLITS[str(said).strip().lower()] if said else split, path, line)


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, Plain]]]:
    """Yield line and record, by the names of its fields in lower case.

    Lines that start with ``#`` are comments before the header alone: behind it they are labels or
    texts, such as those of posts that start with a hashtag.
    """
    first = _first_line(path)
    if first.lstrip().startswith("{"):
        for number, record in json_objects(path, hint=HINT):
            yield number, {name.strip().lower(): value for name, value in record.items()}
        return
    header: list[str] = []
    for number, fields in table_rows(path, delimiter_of(first) or ","):
        if header:
            yield number, _record(header, fields, path, number)
        elif not fields[0].startswith("#"):
            header = [name.strip().lower() for name in fields]
            _check_header(header, path, number)


def _record(header: Sequence[str], fields: Sequence[str], path: Path, line: int) -> dict[str, str]:
    if len(fields) != len(header):
        raise FormatError(
            f"expected {len(header)} fields ({', '.join(header)}), got {len(fields)}",
            path=path,
            line=line,
            hint="a text that holds what divides the fields is quoted",
        )
    return dict(zip(header, fields, strict=True))


def _check_header(header: Sequence[str], path: Path, line: int) -> None:
    for name in _FIELDS:
        if header.count(name) > 1:
            raise FormatError(
                f"expected one column {name!r}, got {header.count(name)} in {', '.join(header)}",
                path=path,
                line=line,
                hint="rename the others",
            )


def _check_characters(label: str, text: str, path: Path, line: int) -> None:
    """Refuse half of a surrogate pair, which JSON can write and no file of results can hold."""
    try:
        f"{label}{text}".encode()
    except UnicodeEncodeError as error:
        raise FormatError(
            f"expected characters, got half of one: {error.object[error.start]!r}",
            path=path,
            line=line,
            hint="it was cut in the middle of an emoji or the like; write the text out again",
        ) from error


def _label_rows(path: Path, split: SplitName | None) -> Iterator[Row]:
    for number, line in text_lines(path, longest=WHOLE_LINES):
        if not line.strip() or line.startswith("#"):
            continue
        found = _LABEL_LINE.fullmatch(line)
        if found is None or found["text"].startswith("__label__"):
            expected = "one label and a text" if found else "a label and a text"
            raise FormatError(
                f"expected {expected}, got {line.strip()[:60]!r}", path=path, line=number, hint=HINT
            )
        yield Row(found["name"] or found["number"], found["text"].strip(), split, path, number)


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
    """Read the adjective-noun part; files of subject-verb-object phrases are skipped."""
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
                    hint="one phrase per line, its words divided by a blank",
                )
            if words:
                rows.append(Row(label, " ".join(words), split, by_name[name], number))
    return task_of_rows(rows)


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

    The rules are those of ``fetch_20newsgroups(remove=...)`` of scikit-learn. Headers, signatures
    and quotations name the group or its regulars, so that a classifier need not read the text.
    """

    headers: Kept = "drop"  # all before the first blank line
    # All from the last line that is blank or has hyphens alone, mostly a signature; a post without
    # such a line stays whole.
    footers: Kept = "drop"
    quotes: Kept = "drop"  # lines that quote another post or say that one is quoted

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

    The archive is read in memory and never unpacked; posts are Latin-1. Headers, footers and quotes
    are dropped by default. A post of which nothing is left stays, as an empty text.
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


TaskName: TypeAlias = Literal["all", "sports", "science", "religion", "computer"]

_ARCHIVES = (".tar.gz", ".tgz", ".tar")


@dataclass(frozen=True, kw_only=True, eq=False)
class Opened:
    """Tasks, and what their texts are like."""

    tasks: tuple[Task, ...]  # one, or the binary tasks of 20 Newsgroups
    phrases: bool  # whether texts are phrases of as many words each, in whose order they differ
    tokenised: bool  # whether blanks already stand between all tokens


def open_tasks(
    paths: Sequence[Path], *, task: TaskName = "all", cleaning: Cleaning | None = None
) -> Opened:
    """Read 20 Newsgroups, metaphors, or any file of classes and texts.

    ``task`` and ``cleaning`` are about 20 Newsgroups alone.
    """
    if task not in get_args(TaskName):
        raise InputError(
            f"there is no task called {task!r}", hint=f"there are {', '.join(get_args(TaskName))}"
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
