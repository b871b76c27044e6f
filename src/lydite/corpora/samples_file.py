"""Samples in the two layouts of Wiki-rnd.

``masked``, for models that learn from sentences: a term a line, then its samples, all divided by
tabs; the sentences of a sample joined by `` @@ ``, the term written ``___``.

``marked``, for models that count: a sentence a line, the term and a tab before its first one; the
term bears the number of its sample, ``perch__xx03``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, get_args

from lydite.corpora.contexts import MASK, masked_context
from lydite.corpora.reading import text_lines
from lydite.corpora.samples import Samples, TermSamples
from lydite.errors import FormatError, InputError
from lydite.storage import atomic_write_text
from lydite.types import Context

Layout: TypeAlias = Literal["masked", "marked"]

_BETWEEN = " @@ "
_MARK = re.compile(r"(\S*?)__xx(\d+)(\S*)")
_ABSENT = "sentences without the term"
_EMPTY = "a sample is empty"
_MOST_NAMED = 10
_HINT = (
    "a term, a tab, samples divided by tabs, sentences joined by ' @@ ', ___ for the term; or a"
    " sentence a line, the term and a tab before its first, the term as term__xx00"
)


class _Row(NamedTuple):
    """One sentence of a file; the term stands as MASK in it."""

    line: int
    term: str
    sample: int
    tokens: list[str]


def read_samples(path: Path, *, name: str | None = None) -> Samples:
    """Read samples in either layout.

    The first use of the term in a sentence becomes the term, further ones stay ``___``. Wiki-rnd
    also masked the term within longer words (``conside___`` of ``red``); those are made whole.

    Parameters
    ----------
    path
        A text in UTF-8, compressed or not.
    name
        What the samples are called in tables; the name of the file if none is given.

    Returns
    -------
    Samples whose problems count the sentences without the term, which are left out, and the terms
    with an empty sample, which are left out as well.
    """
    grouped: dict[str, dict[int, list[Context]]] = {}
    absent: list[int] = []
    for row in _rows(path):
        samples = grouped.setdefault(row.term, {})
        sample = samples.setdefault(row.sample, [])
        context = masked_context(row.tokens, row.term.split())
        if context is None:
            absent.append(row.line)
        else:
            sample.append(context)
    if not grouped:
        raise FormatError("expected samples, got none", path=path, hint=_HINT)
    count = max(map(len, grouped.values()))
    whole = {
        term: samples
        for term, samples in grouped.items()
        if len(samples) == count and all(samples.values())
    }
    problems = {_ABSENT: len(absent), _EMPTY: len(grouped) - len(whole)}
    return Samples(
        name=name or path.stem,
        terms=tuple(
            TermSamples(term=term, samples=tuple(tuple(samples[n]) for n in sorted(samples)))
            for term, samples in whole.items()
        ),
        problems={reason: number for reason, number in problems.items() if number},
        notes=_notes(absent),
        dropped={term: _EMPTY for term in grouped if term not in whole},
    )


def write_samples(samples: Samples, path: Path, *, layout: Layout = "masked") -> None:
    """Write samples in a layout that :func:`read_samples` reads.

    A sentence then has the term as it is called in tables, whatever form it had in the corpus.
    """
    if layout not in get_args(Layout):
        raise InputError(f"expected the layout masked or marked, got {layout!r}")
    lines = _masked_lines(samples.terms) if layout == "masked" else _marked_lines(samples.terms)
    atomic_write_text(path, "".join(f"{line}\n" for line in lines))


def _notes(absent: Sequence[int]) -> tuple[str, ...]:
    if not absent:
        return ()
    more = ", …" if len(absent) > _MOST_NAMED else ""
    lines = ", ".join(map(str, absent[:_MOST_NAMED]))
    return (f"{len(absent)} sentences without the term were left out, in lines {lines}{more}",)


def _rows(path: Path) -> Iterator[_Row]:
    """Read the sentences of a file, whose first line decides the layout."""
    lines = ((number, line) for number, line in text_lines(path) if line.strip())
    first = next(lines, None)
    if first is None:
        return
    everything = _chained(first, lines)
    if MASK in first[1].replace(_BETWEEN, " ").split():
        yield from _masked_rows(everything, path)
    elif _MARK.search(first[1]):
        yield from _marked_rows(everything, path)
    else:
        raise FormatError(
            f"expected samples, got {first[1][:60]!r}", path=path, line=first[0], hint=_HINT
        )


def _chained(first: tuple[int, str], rest: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    yield first
    yield from rest


def _masked_rows(lines: Iterable[tuple[int, str]], path: Path) -> Iterator[_Row]:
    expected, met = 0, set()
    for number, line in lines:
        term, *samples = line.split("\t")
        expected = expected or len(samples)
        if not term.strip() or len(samples) < 2 or len(samples) != expected:
            raise FormatError(
                f"expected a term and {max(expected, 2)} samples divided by tabs, got"
                f" {len(samples)} samples after {term[:40]!r}",
                path=path,
                line=number,
                hint=_HINT,
            )
        if term in met:
            raise FormatError(f"the term {term!r} stands twice", path=path, line=number)
        met.add(term)
        whole = "_".join(term.split())
        for sample, text in enumerate(samples):
            for sentence in text.split(_BETWEEN):
                tokens = sentence.split()
                if sentence.count(MASK) != tokens.count(MASK):
                    tokens = [
                        token if token == MASK else token.replace(MASK, whole) for token in tokens
                    ]
                yield _Row(number, term, sample, tokens)


def _marked_rows(lines: Iterable[tuple[int, str]], path: Path) -> Iterator[_Row]:
    term, joined = "", ""
    for number, line in lines:
        before, tab, sentence = line.rpartition("\t")
        if tab:
            term, joined = before.strip(), "_".join(before.split())
        found = [_MARK.fullmatch(token) or token for token in sentence.split()]
        marks = [each for each in found if not isinstance(each, str)]
        if not term or not marks:
            raise FormatError(
                "expected a sentence with a term such as perch__xx03, got"
                f" {line[:60]!r}{'' if term else ' before any term'}",
                path=path,
                line=number,
                hint=_HINT,
            )
        tokens = [each if isinstance(each, str) else _unmarked(each, joined) for each in found]
        yield _Row(number, term, int(marks[0][2]), tokens)


def _unmarked(mark: re.Match[str], term: str) -> str:
    """Return what a marked token stands for: the term, or a longer word that holds it."""
    word = mark[1] + mark[3]
    return MASK if word == term else word


def _masked_lines(terms: Iterable[TermSamples]) -> Iterator[str]:
    for each in terms:
        samples = (
            _BETWEEN.join(" ".join(_with_term(context, MASK)) for context in sample)
            for sample in each.samples
        )
        yield "\t".join([each.term, *samples])


def _marked_lines(terms: Iterable[TermSamples]) -> Iterator[str]:
    for each in terms:
        before = f"{each.term}\t"
        for number, sample in enumerate(each.samples):
            mark = f"{'_'.join(each.term.split())}__xx{number:02d}"
            for context in sample:
                yield before + " ".join(_with_term(context, mark))
                before = ""


def _with_term(context: Context, mark: str) -> list[str]:
    tokens = context.tokens
    if _BETWEEN.strip() in tokens:
        raise InputError(
            f"a sentence holds the token {_BETWEEN.strip()!r}, which divides sentences in this"
            " layout",
            hint="leave punctuation out of the corpus",
        )
    written = [*tokens[: context.start], MASK, *tokens[context.stop :]]
    return [mark if token == MASK else token for token in written]
