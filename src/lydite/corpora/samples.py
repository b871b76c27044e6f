"""Samples of the sentences that use a term: drawn, by the halves of a book, or from a file.

Files have one of two layouts. ``masked``, for models that learn from sentences: one term per line,
then its samples, all divided by tabs; the sentences of a sample joined by `` @@ ``, the term
written ``___``. ``marked``, for models that count: one sentence per line, the term and a tab before
its first one; the term bears the number of its sample, ``perch__xx03``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from lydite.corpora.documents import Corpus
from lydite.corpora.halves import find_halves
from lydite.corpora.occurrences import (
    MASK,
    Occurrence,
    Occurrences,
    find_occurrences,
    masked_context,
    term_seed,
)
from lydite.corpora.running_text import RunningText
from lydite.corpora.terms import Term
from lydite.errors import FormatError, InputError
from lydite.files.lines import text_lines
from lydite.storage import sha256_text, write_output
from lydite.types import Context

NEVER = "never occurs"


@dataclass(frozen=True, kw_only=True)
class TermSamples:
    """A term, as a reader knows it, and the sentences of each sample; no sentence is in two."""

    term: str
    samples: tuple[tuple[Context, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Samples:
    """Terms that have all samples.

    Attributes
    ----------
    problems, dropped
        How many terms were left out by reason, and which, with the reason.
    notes
        What a reader of the results should know.
    """

    name: str
    terms: tuple[TermSamples, ...]
    problems: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    dropped: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of terms and samples."""
        parts = [
            f"{each.term}\t{number}\t{context.start}\t{context.stop}\t{' '.join(context.tokens)}"
            for each in self.terms
            for number, sample in enumerate(each.samples)
            for context in sample
        ]
        return sha256_text("\n".join(parts))


def sample_random(
    occurrences: Occurrences,
    *,
    minimum: int = 10,
    samples: int = 5,
    most: int = 10,
    seed: int = 0,
    name: str = "random samples",
) -> Samples:
    """Draw samples that do not overlap from the sentences of each term.

    A term with fewer sentences than would fill all samples has them divided evenly; the sizes of
    its samples then differ by one at most.

    Parameters
    ----------
    minimum
        Terms with fewer sentences are left out.
    most
        The largest number of sentences of a sample.
    seed
        Of the draw; a term's samples do not depend on the other terms.

    References
    ----------
    Bloem et al., "Evaluating the Consistency of Word Embeddings from Small Data", RANLP 2019,
    section 4.
    """
    if samples < 2 or most < 1 or minimum < samples:
        raise InputError(
            f"expected 2 samples or more, of 1 sentence or more, from at least as many sentences;"
            f" got {samples} samples of {most} from {minimum}",
            hint=f"ask for {samples} sentences of a term or more, or for fewer samples",
        )
    few = f"fewer than {_sentences(minimum)}"
    kept, dropped = [], {}
    for term, places in occurrences.found.items():
        if len(places) < minimum:
            dropped[term] = few if places else NEVER
            continue
        drawn = np.random.default_rng(term_seed(term, seed)).permutation(len(places))
        drawn = drawn[: samples * most]
        parts = tuple(
            tuple(places[number].context for number in drawn[first::samples].tolist())
            for first in range(samples)
        )
        kept.append(TermSamples(term=term, samples=parts))
    return Samples(
        name=name, terms=tuple(kept), problems=Counter(dropped.values()), dropped=dropped
    )


def split_halves(
    first: Occurrences, second: Occurrences, *, minimum: int = 2, name: str = "halves"
) -> Samples:
    """Take the sentences of each half of a book for the two samples of a term.

    Parameters
    ----------
    first, second
        The sentences of the same terms in each half. What the second half repeats word by word
        counts for the first alone.
    minimum
        Terms with fewer sentences in one of the halves are left out.

    References
    ----------
    Bloem et al., "Evaluating the Consistency of Word Embeddings from Small Data", RANLP 2019,
    section 4.
    """
    if minimum < 1:
        raise InputError(f"expected a minimum of 1 sentence or more per half, got {minimum}")
    for half, which in ((first, "first"), (second, "second")):
        if not half.sentences:
            raise InputError(
                f"the {which} half has no sentences",
                hint="check where the text is divided, or draw random samples",
            )
    few = f"fewer than {_sentences(minimum)} in a half"
    kept, dropped = [], {}
    for term, places in first.found.items():
        early = {place.context.tokens for place in places}
        later = [each for each in second.found.get(term, ()) if each.context.tokens not in early]
        if min(len(places), len(later)) < minimum:
            dropped[term] = few if places or later else NEVER
        else:
            kept.append(TermSamples(term=term, samples=(_contexts(places), _contexts(later))))
    return Samples(
        name=name, terms=tuple(kept), problems=Counter(dropped.values()), dropped=dropped
    )


def sample_alternately(
    text: RunningText, occurrences: Occurrences, *, minimum: int = 10, name: str = "every other"
) -> Samples:
    """Deal the blocks of each term out to two samples in turn, in the order of the text.

    Nothing is drawn. A block is a paragraph, or what stands for one; terms of a single block and
    those with fewer than ``minimum`` sentences are left out.
    """
    few = f"fewer than {_sentences(minimum)}"
    kept, dropped = [], {}
    for term, places in occurrences.found.items():
        sentence = np.array([place.sentence for place in places], dtype=np.int64)
        block = np.unique(text.blocks(np.zeros_like(sentence), sentence), return_inverse=True)[1]
        if len(places) < minimum:
            dropped[term] = few if places else NEVER
        elif not block.any():
            dropped[term] = "all in one block of text"
        else:
            sides = [[p for p, b in zip(places, block, strict=True) if b % 2 == s] for s in (0, 1)]
            kept.append(TermSamples(term=term, samples=(_contexts(sides[0]), _contexts(sides[1]))))
    return Samples(
        name=name, terms=tuple(kept), problems=Counter(dropped.values()), dropped=dropped
    )


def _contexts(places: Sequence[Occurrence]) -> tuple[Context, ...]:
    return tuple(place.context for place in places)


def _sentences(count: int) -> str:
    return f"{count} sentence{'' if count == 1 else 's'}"


Layout: TypeAlias = Literal["masked", "marked"]

_BETWEEN = " @@ "
_MARK = re.compile(r"(?<!\S)((?>\S*?(?=__xx\d)))__xx(\d{1,9})(\S*+)")
_ABSENT = "sentences without the term"
_EMPTY = "a sample is empty"
_MOST_NAMED = 10
_HINT = (
    "a term, a tab, samples divided by tabs, sentences joined by ' @@ ', ___ for the term; or a"
    " sentence per line, the term and a tab before its first, the term as term__xx00"
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
    write_output(path, "".join(f"{line}\n" for line in lines))


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
            raise FormatError(f"the term {term!r} occurs twice", path=path, line=number)
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


def sample_halves(
    corpus: Corpus, terms: Sequence[Term], *, minimum: int = 2, inflected: bool = False
) -> Samples:
    """Divide a text into halves, as `find_halves` does, and take each half for a sample."""
    halves = find_halves(corpus)
    first, second = (
        find_occurrences(halves.sentences(later=later), terms, inflected=inflected)
        for later in (False, True)
    )
    samples = split_halves(first, second, minimum=minimum, name=f"halves of {halves.name}")
    return replace(samples, notes=(*samples.notes, halves.note))
