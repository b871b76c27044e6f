"""Sentences in groups of one meaning, and how groups are cleaned.

White et al. (2015), section 4.2: entities are replaced by what they stand for, groups with an
identical sentence are merged, duplicates removed, and then groups under three are discarded.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html.entities import html5
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from lydite.errors import FormatError, InputError
from lydite.types import Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class ParaphraseGroups:
    """Sentences, each in the one group of those that mean the same.

    Attributes
    ----------
    texts
        n sentences, each once.
    labels
        Shape (n,): the group of each sentence, 0 to k - 1, numbered by first appearance.
    names
        k, what each group is called where it comes from.
    changes
        What was done to the groups as they were found, for people: ``{"duplicates dropped": 9}``.
        What did not happen is left out.

    Examples
    --------
    >>> groups = ParaphraseGroups(
    ...     texts=("Hello.", "Good day.", "Bye."),
    ...     labels=np.array([0, 0, 1]),
    ...     names=("greeting", "parting"),
    ...     changes={},
    ... )
    >>> groups.histogram()
    {1: 1, 2: 1}
    """

    texts: tuple[str, ...]
    labels: Indices
    names: tuple[str, ...]
    changes: Mapping[str, int]

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.texts)

    def sizes(self) -> Indices:
        """Return the number of sentences of each group, shape (k,)."""
        return np.bincount(self.labels, minlength=len(self.names)).astype(np.int64)

    def histogram(self) -> dict[int, int]:
        """Return how many groups there are of each size, the smallest size first."""
        sizes, groups = np.unique(self.sizes(), return_counts=True)
        return dict(zip(sizes.tolist(), groups.tolist(), strict=True))


_SHOWN = 60


class Row(NamedTuple):
    """A sentence as it was found, never blank, and where; no line where there are none to count."""

    group: str
    text: str
    path: Path
    line: int | None = None


def quote(text: str) -> str:
    """Return a sentence as messages quote it.

    >>> quote("Hello.")
    "'Hello.'"
    """
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def without_text(group: str, path: Path, line: int | None) -> FormatError:
    """Build the error for a group with an empty sentence."""
    return FormatError(
        f"expected a sentence of group {group!r}, got an empty text",
        path=path,
        line=line,
        hint="write the sentence, or take the line out",
    )


_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_WORDS = {2: "two", 3: "three", 4: "four", 5: "five"}
#: ``&amp;amp;quot;`` is the most that has been seen of text escaped again and again.
_MOST_ESCAPES = 3


def decode_entities(text: str) -> str:
    """Replace HTML entities by what they stand for, also those escaped twice.

    Only whole ones of a known name are taken, from the ampersand to the semicolon: in running text
    ``AT&T`` and ``R&D;`` are no entities.

    >>> decode_entities("AT&T &amp;amp; R&D; Crossing&apos;s &#8220;plan&#x201D;")
    "AT&T & R&D; Crossing's “plan”"
    """
    for _ in range(_MOST_ESCAPES):
        decoded = _ENTITY.sub(_unescaped, text)
        if decoded == text:
            break
        text = decoded
    return text


#: What to do with a sentence that stands in two groups: ask, make them one, leave it out of both,
#: or keep it in the first.
Shared: TypeAlias = Literal["ask", "merge", "drop", "first"]

#: Marks at the end of a sentence that do not change what it says; a question mark does.
_STOPS = " .!…,;:"
_LIKES = "sentences equal but for case or final marks dropped"


def sentence_key(text: str) -> str:
    """Return what sentences have in common that differ in case, spacing or final marks alone.

    A classifier that has learned one knows the other: they are never on both sides of a test.

    >>> sentence_key("Renew my  Book!") == sentence_key("renew my book")
    True
    >>> sentence_key("It is open.") == sentence_key("It is open?")
    False
    """
    plain = " ".join(text.split()).casefold()
    return plain.rstrip(_STOPS) or plain


def make_groups(
    rows: Sequence[Row],
    *,
    minimum: int,
    clean: bool,
    shared: Shared = "ask",
    strict_size: bool = True,
    notes: Mapping[str, int] = MappingProxyType({}),
) -> ParaphraseGroups:
    """Make groups of the rows.

    Sentences are the same if :func:`sentence_key` is. Of groups that are merged, directly or
    through others, the first gives the name.

    Parameters
    ----------
    minimum
        Sentences that a group has to have.
    clean
        Whether entities are decoded and duplicates dropped, those in two groups as ``shared``
        says. If not, a sentence that occurs twice is an error.
    shared
        What to do with a sentence that stands in two groups; ``ask`` is an error that names it.
    strict_size
        Whether, without cleaning, a group under the minimum is an error. It is dropped otherwise.

    Raises
    ------
    FormatError
        If two groups share a sentence and nothing says what to do about it; if a sentence occurs
        twice or a group is too small, and is not to be cleaned.
    InputError
        If fewer than two groups are left.
    """
    if minimum < 1:
        raise InputError(f"expected a minimum of at least one sentence, got {minimum}")
    if shared not in get_args(Shared):
        raise InputError(
            f"expected shared to be one of {', '.join(get_args(Shared))}, got {shared!r}"
        )
    changes = dict(notes)
    texts = _cleaned(rows, changes) if clean else [row.text.strip() for row in rows]
    names, labels = _numbered(row.group for row in rows)
    first = _first_of_each(texts)
    kept = np.arange(len(rows))
    if clean:
        across = np.flatnonzero(labels != labels[first])
        if len(across) and shared == "ask":
            raise _shared_by_two(rows, first, across)
        if shared == "merge":
            labels = _merged(labels, first, len(names), changes)
        kept = np.flatnonzero(first == kept)
        kept = _without_shared(kept, first[across], shared, changes)
        kept = _without_likes(kept, texts, labels, changes)
        _count_duplicates(texts, labels, first, changes)
    elif strict_size:
        _require_size(rows, labels, minimum)
    kept = _large_enough(kept, labels, minimum, changes)
    if not clean:
        _require_unique(rows, kept, first)
    labels, order = _renumbered(labels[kept])
    _require_several(rows, [names[group] for group in order], minimum)
    return ParaphraseGroups(
        texts=tuple(texts[row] for row in kept.tolist()),
        labels=labels,
        names=tuple(names[group] for group in order),
        changes={what: count for what, count in changes.items() if count},
    )


def _unescaped(found: re.Match[str]) -> str:
    known = found[1].startswith("#") or f"{found[1]};" in html5
    return html.unescape(found[0]) if known else found[0]


def _cleaned(rows: Sequence[Row], changes: dict[str, int]) -> list[str]:
    texts = [row.text.strip() for row in rows]
    changes["entities mended"] = 0
    for place, text in enumerate(texts):
        if "&" in text and (better := decode_entities(text).strip()) != text:
            if not better:
                raise without_text(rows[place].group, rows[place].path, rows[place].line)
            texts[place] = better
            changes["entities mended"] += 1
    return texts


def _numbered(groups: Iterable[str]) -> tuple[list[str], Indices]:
    numbers: dict[str, int] = {}
    labels = [numbers.setdefault(group, len(numbers)) for group in groups]
    return list(numbers), np.array(labels, dtype=np.int64)


def _first_of_each(texts: Sequence[str]) -> Indices:
    """Return, of each text, where the first stands that is the same."""
    places: dict[str, int] = {}
    same = (places.setdefault(sentence_key(text), place) for place, text in enumerate(texts))
    return np.fromiter(same, dtype=np.int64, count=len(texts))


def _without_shared(
    kept: Indices, copied: Indices, shared: Shared, changes: dict[str, int]
) -> Indices:
    """Leave out, or count, the first ones of sentences that have copies in other groups."""
    copied = np.unique(copied)
    if shared == "drop":
        changes["sentences of two groups dropped"] = len(copied)
        return np.setdiff1d(kept, copied)
    if shared == "first":
        changes["sentences of two groups kept in the first"] = len(copied)
    return kept


def _without_likes(
    kept: Indices, texts: Sequence[str], labels: Indices, changes: dict[str, int]
) -> Indices:
    """Leave out what stands in its group already but for a question mark at the end, and count it.

    Between groups that mark counts: *It is open.* and *It is open?* may well be two meanings.
    """
    seen: set[tuple[int, str]] = set()
    distinct = []
    for place in kept.tolist():
        plain = sentence_key(texts[place])
        key = (int(labels[place]), plain.rstrip(f"?{_STOPS}") or plain)
        if key not in seen:
            seen.add(key)
            distinct.append(place)
    changes[_LIKES] = len(kept) - len(distinct)
    return np.array(distinct, dtype=np.int64)


def _count_duplicates(
    texts: Sequence[str], labels: Indices, first: Indices, changes: dict[str, int]
) -> None:
    """Count sentences that stand in their group already: letter by letter, or nearly so."""
    again = [
        (texts[place].split(), texts[earlier].split())
        for place, earlier in enumerate(first.tolist())
        if place != earlier and labels[place] == labels[earlier]
    ]
    same = sum(one == other for one, other in again)
    changes["duplicates dropped"] = same
    changes[_LIKES] = changes.pop(_LIKES, 0) + len(again) - same


def _shared_by_two(rows: Sequence[Row], first: Indices, across: Indices) -> FormatError:
    """Build the error for sentences, the rows ``across``, that stand in another group before."""
    row, before = rows[int(across[0])], rows[int(first[across[0]])]
    others = len(np.unique(first[across])) - 1
    more = f", and {others:,} more like it" if others else ""
    line = "" if before.line is None else f" (line {before.line})"
    as_ = "" if row.text.split() == before.text.split() else f"as {quote(before.text.strip())} "
    return FormatError(
        f"expected each sentence in one group, got {quote(row.text.strip())} in {row.group!r} and"
        f" {as_}in {before.group!r}{line}{more}",
        path=row.path,
        line=row.line,
        hint="say what to do: shared=merge makes one group of the two, shared=drop leaves such "
        "sentences out, shared=first keeps them in the group that comes first",
    )


def _merged(labels: Indices, first: Indices, groups: int, changes: dict[str, int]) -> Indices:
    """Give groups that share a sentence the label of the first of them."""
    other = labels[first]
    across = np.flatnonzero(other != labels)
    if not across.size:
        return labels
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = (np.ones(across.size, dtype=np.int8), (labels[across], other[across]))
    count, component = connected_components(
        coo_array(links, shape=(groups, groups)), directed=False
    )
    changes["groups merged"] = int(groups - count)
    _, earliest = np.unique(component, return_index=True)
    merged: Indices = earliest[component][labels]
    return merged


def _large_enough(kept: Indices, labels: Indices, minimum: int, changes: dict[str, int]) -> Indices:
    sizes = np.bincount(labels[kept])
    small = (sizes > 0) & (sizes < minimum)
    under = f"groups under {_WORDS.get(minimum, str(minimum))} dropped"
    changes[under] = int(np.count_nonzero(small))
    changes["sentences dropped with them"] = int(sizes[small].sum())
    large: Indices = kept[~small[labels[kept]]]
    return large


def _renumbered(labels: Indices) -> tuple[Indices, list[int]]:
    """Return labels numbered by first appearance, and the old number of each new one."""
    old, earliest, inverse = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(earliest)
    new = np.empty(len(old), dtype=np.int64)
    new[order] = np.arange(len(old))
    return new[inverse], old[order].tolist()


def _require_size(rows: Sequence[Row], labels: Indices, minimum: int) -> None:
    sizes = np.bincount(labels)
    small = np.flatnonzero(sizes[labels] < minimum)
    if small.size:
        row, size = rows[int(small[0])], int(sizes[labels[small[0]]])
        raise FormatError(
            f"expected at least {minimum} sentences in each group, got {size} in group"
            f" {row.group!r}: {quote(row.text)}",
            path=row.path,
            line=row.line,
            hint="let the groups be cleaned, which drops such groups, or take a lower minimum",
        )


def _require_unique(rows: Sequence[Row], kept: Indices, first: Indices) -> None:
    met: dict[int, int] = {}
    for place, same in zip(kept.tolist(), first[kept].tolist(), strict=True):
        before = met.setdefault(same, place)
        if before != place:
            raise _twice(rows[before], rows[place])


def _twice(before: Row, row: Row) -> FormatError:
    where = (
        f"twice in group {row.group!r}"
        if before.group == row.group
        else f"in the groups {before.group!r} and {row.group!r}"
    )
    line = "" if before.line is None else f":{before.line}"
    return FormatError(
        f"expected each sentence once, got {quote(row.text)} {where}; first in {before.path}{line}",
        path=row.path,
        line=row.line,
        hint="let the groups be cleaned, which drops duplicates",
    )


def _require_several(rows: Sequence[Row], names: Sequence[str], minimum: int) -> None:
    if len(names) > 1:
        return
    path: Path | None = rows[0].path if rows else None
    left = f"one, {names[0]!r}" if names else "none"
    message = f"expected at least two groups of {minimum} sentences or more, got {left}"
    hint = "give more groups, or ask for a lower minimum"
    raise FormatError(message, path=path, hint=hint) if path else InputError(message, hint=hint)
