"""Groups as White et al. published them: ``phrases.txt`` and ``phrase_groups.csv``."""

from __future__ import annotations

from pathlib import Path

from lydite.corpora.paraphrases.rows import Row, shown, without_text
from lydite.corpora.reading import text_lines
from lydite.corpora.tables import WHOLE_LINES, table_rows
from lydite.errors import FormatError

#: The header of ``phrase_groups.csv``.
INDEX_HEADER = ("phrase_index", "paraphrase_group_index")

_HINT = (
    "a line holds the number of a phrase, from 0 for the first line of phrases.txt, a comma, and"
    " the number of its group"
)


def read_authors(phrases: Path, index: Path) -> list[Row]:
    """Read sentences, one a line, and the table that puts each into a group.

    Parameters
    ----------
    phrases
        ``phrases.txt``.
    index
        ``phrase_groups.csv`` with the header ``phrase_index,paraphrase_group_index``; phrases are
        counted from 0.

    Returns
    -------
    One row for each sentence, in the order of the sentences.
    """
    texts = [line.strip() for _, line in text_lines(phrases, longest=WHOLE_LINES)]
    while texts and not texts[-1]:
        texts.pop()
    groups: dict[int, str] = {}
    for number, fields in list(table_rows(index, ","))[1:]:
        phrase, group = _numbers(fields, index, number)
        if phrase >= len(texts):
            raise FormatError(
                f"expected the number of a phrase, 0 to {len(texts) - 1}, got {phrase}",
                path=index,
                line=number,
                hint=f"{phrases.name} has {len(texts)} lines, the first of which is number 0",
            )
        if phrase in groups:
            raise FormatError(
                f"expected each phrase once, got phrase {phrase} again, in group {group} after"
                f" {groups[phrase]}: {shown(texts[phrase])}",
                path=index,
                line=number,
                hint="take one of the lines out",
            )
        groups[phrase] = str(group)
    return [_row(phrases, place, text, groups, index) for place, text in enumerate(texts)]


def _numbers(fields: list[str], path: Path, line: int) -> tuple[int, int]:
    values = [field.strip() for field in fields]
    if len(values) != len(INDEX_HEADER) or not all(
        value.isascii() and value.isdigit() for value in values
    ):
        raise FormatError(
            f"expected two whole numbers, got {','.join(fields)[:60]!r}",
            path=path,
            line=line,
            hint=_HINT,
        )
    return int(values[0]), int(values[1])


def _row(path: Path, place: int, text: str, groups: dict[int, str], index: Path) -> Row:
    group = groups.get(place)
    if group is None:
        raise FormatError(
            f"expected a group for each phrase, got none for phrase {place}: {shown(text)}",
            path=path,
            line=place + 1,
            hint=f"add the line {place},GROUP to {index.name}",
        )
    if not text:
        raise without_text(group, path, place + 1)
    return Row(group, text, path, place + 1)
