"""How often the words of a corpus mean the concepts of a taxonomy, whatever form the corpus has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from lydite.corpora.counting import WordCounter
from lydite.corpora.tagged.reading import read_tagged, survey, tagged_format
from lydite.corpora.text import BREAK, text_tokens
from lydite.errors import InputError
from lydite.lexicons.content import read_content
from lydite.lexicons.frequencies import read_frequencies
from lydite.lexicons.information_content.counting import Counting, own_counts
from lydite.lexicons.taxonomies.meanings import word_senses
from lydite.lexicons.taxonomies.taxonomy import Taxonomy
from lydite.types import Floats

#: Running text, a tagged corpus, or a list of words with counts.
CorpusKind: TypeAlias = Literal["text", "tagged", "list"]

_HEAD = 1 << 14
_BLOCK = 1 << 17  # tokens
_ARCHIVES = (b"PK\x03\x04",)
_TAR_MAGIC = slice(257, 262)


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelCounts:
    """How often the concepts of a taxonomy were met in a corpus.

    Attributes
    ----------
    kind
        What the corpus is.
    tokens
        How many words the corpus has, punctuation left out; a phrase of the taxonomy is one.
    words
        How many different ones.
    known
        How many of these have a meaning in the taxonomy, and ``known_tokens`` how often they occur.
    own
        Shape (n,): how often each concept itself was met, those below it left aside.
    """

    kind: CorpusKind
    tokens: float
    words: int
    known: int
    known_tokens: float
    own: Floats


def count_labels(
    paths: Sequence[Path], taxonomy: Taxonomy, *, counting: Counting = "resnik"
) -> LabelCounts:
    """Count the words and phrases of a corpus that a taxonomy has.

    Parameters
    ----------
    paths
        Plain text in UTF-8, compressed or not; the files or archives of a tagged corpus; or a list
        of words with counts, as :func:`lydite.lexicons.frequencies.read_frequencies` reads it. The
        content decides which.
    taxonomy
        Whose labels are counted. Labels of several words are counted as phrases, longest first.
    counting
        ``resnik`` divides a word's count equally among its senses, ``all`` gives each sense the
        whole.

    Raises
    ------
    InputError
        If the taxonomy has none of the words.
    """
    kind = _kind(paths)
    if kind == "list":
        listed = [read_frequencies(path) for path in paths]
        counts = [row for each in listed for row in zip(each.words, each.numbers, strict=True)]
    else:
        counts = list(_counted(paths, taxonomy, kind).items())
    return _met(_as_labelled(counts, taxonomy), taxonomy, kind, counting)


def _kind(paths: Sequence[Path]) -> CorpusKind:
    kinds = {_kind_of(read_content(path, _HEAD)) for path in paths}
    if "list" in kinds and len(kinds) > 1:
        raise InputError(
            f"expected files of one kind, got {' and '.join(sorted(kinds))}",
            hint="name lists and texts one by one",
        )
    # What describes a tagged corpus, and lies beside it, is text.
    return "tagged" if "tagged" in kinds else kinds.pop()


def _kind_of(head: bytes) -> CorpusKind:
    if head.startswith(_ARCHIVES) or head[_TAR_MAGIC] == b"ustar":
        return "tagged"
    text = head.decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("# ")]
    # The last may be cut off.
    if _is_list([_columns(line) for line in (lines[:-1] if len(head) == _HEAD else lines)]):
        return "list"
    return "tagged" if tagged_format(head) else "text"


def _columns(line: str) -> list[str]:
    mark = next((mark for mark in ("\t", ",") if mark in line), None)
    return [column.strip() for column in line.split(mark)]


def _is_list(rows: list[list[str]]) -> bool:
    """Tell words with counts, perhaps below a header, from other text."""
    counted = [any(each.replace(".", "", 1).isdecimal() for each in row) for row in rows]
    return bool(rows) and all(len(row) == 2 for row in rows) and all(counted[1:] or counted)


def _counted(paths: Sequence[Path], taxonomy: Taxonomy, kind: CorpusKind) -> dict[str, float]:
    counter = WordCounter(taxonomy.words.words.to_list())
    for tokens in _tagged_tokens(paths) if kind == "tagged" else _plain_tokens(paths):
        counter.add(tokens)
    return counter.counts()


def _plain_tokens(paths: Sequence[Path]) -> Iterator[list[str]]:
    for path in paths:
        yield from text_tokens(path)
        yield [BREAK]


def _tagged_tokens(paths: Sequence[Path]) -> Iterator[list[str]]:
    tokens: list[str] = []
    for sentence in read_tagged(paths, chosen=survey(paths)):
        tokens += [token.form for token in sentence]
        tokens.append(BREAK)
        if len(tokens) > _BLOCK:
            yield tokens
            tokens = []
    yield tokens


def _as_labelled(counts: Sequence[tuple[str, float]], taxonomy: Taxonomy) -> dict[str, float]:
    """Keep the case of words that are labels as written, and add up the others without it."""
    words, numbers = zip(*counts, strict=True) if counts else ((), ())
    written = taxonomy.words.find(words) >= 0
    total: dict[str, float] = {}
    for word, count, is_label in zip(words, numbers, written.tolist(), strict=True):
        name = word if is_label else word.casefold()
        total[name] = total.get(name, 0.0) + float(count)
    return total


def _met(
    counts: dict[str, float], taxonomy: Taxonomy, kind: CorpusKind, counting: Counting
) -> LabelCounts:
    words = [word for word in counts if any(map(str.isalnum, word))]
    numbers = np.array([counts[word] for word in words])
    whose, _ = word_senses(taxonomy, words)
    known = np.unique(whose)
    if not numbers[known].any():
        raise InputError(
            f"none of the {len(words)} words counted is a label of {taxonomy.name}",
            hint="check that corpus and taxonomy are of one language",
        )
    return LabelCounts(
        kind=kind,
        tokens=float(numbers.sum()),
        words=len(words),
        known=len(known),
        known_tokens=float(numbers[known].sum()),
        own=own_counts(taxonomy, [words[i] for i in known.tolist()], numbers[known], counting),
    )
