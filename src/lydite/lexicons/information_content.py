"""Information content: how much a concept says; counted, read and written.

IC(c) = -ln p(c), where p(c) is how often the concept or one below it is meant, as a share of its
part of speech (Resnik 1995). It comes from a file, from the counts of a corpus, or from the shape
of the taxonomy alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from lydite.corpora.annotated import read_tagged, survey, tagged_format
from lydite.corpora.occurrences import WordCounter
from lydite.corpora.tokens import BREAK, text_tokens
from lydite.errors import FormatError, InputError
from lydite.files.lines import numbered_lines, read_content
from lydite.lexicons.frequencies import read_frequencies
from lydite.lexicons.meanings import parts_of_speech, word_senses
from lydite.lexicons.taxonomy import Taxonomy, closure, numbers_below
from lydite.lexicons.wordnet.database import WordNet
from lydite.storage import sha256_file, sha256_text, write_output
from lydite.types import Floats, Indices

Counting: TypeAlias = Literal["resnik", "all"]


@dataclass(frozen=True, kw_only=True, eq=False)
class InformationContent:
    """How much each concept of a taxonomy says.

    Attributes
    ----------
    counts
        Shape (n,): how often each concept or one below it was met; NaN where the source does not
        tell.
    values
        Shape (n,), natural logarithms. Infinite where the source knows the concept but has never
        met it (count 0); NaN where the source does not know the concept.
    """

    name: str
    fingerprint: str
    counts: Floats
    values: Floats


def intrinsic(taxonomy: Taxonomy, *, relation: str = "hypernymy") -> InformationContent:
    """Compute information content from the shape of the taxonomy: what has much below says little.

    IC(c) = 1 - ln(h(c) + 1) / ln N, with h(c) the number of concepts below c and N that of all
    concepts of its part of speech: 0 for a single root, 1 for leaves. Not on the scale of
    information content from a corpus.

    References
    ----------
    Seco, Veale & Hayes, "An intrinsic information content metric for semantic similarity in
    WordNet", ECAI 2004.
    """
    below = numbers_below(taxonomy.upward(relation), np.arange(len(taxonomy)))
    group, groups = _groups(taxonomy)
    sizes = np.bincount(group, minlength=groups)[group]
    # A concept alone is root and leaf; as the root of all there is it says nothing.
    values = np.where(sizes > 1, 1 - np.log(below + 1) / np.log(np.maximum(sizes, 2)), 0.0)
    return InformationContent(
        name="intrinsic",
        fingerprint=sha256_text(f"{taxonomy.fingerprint} {relation} intrinsic"),
        counts=np.full(len(taxonomy), np.nan),
        values=values,
    )


def own_counts(taxonomy: Taxonomy, words: list[str], numbers: Floats, counting: Counting) -> Floats:
    """Return how often each concept itself was met, those below it left aside.

    Each part of speech is a taxonomy of its own: a word counts among its senses of every part of
    speech it has. ``resnik`` divides its count equally among them, ``all`` gives each the whole.
    Words that the taxonomy does not have are ignored; in WordNet their base forms count.

    References
    ----------
    Resnik, "Using information content to evaluate semantic similarity in a taxonomy", IJCAI 1995.
    """
    group, groups = _groups(taxonomy)
    whose, senses = word_senses(taxonomy, words)
    keys = whose * groups + group[senses]
    shares = numbers[whose]
    if counting == "resnik":
        shares = shares / np.bincount(keys, minlength=1)[keys]
    return sums(senses, shares, len(taxonomy))


def collect(taxonomy: Taxonomy, own: Floats, relation: str) -> tuple[Floats, Floats]:
    """Return the counts of concepts with all that lies below, and the information content.

    All ancestors of a sense collect its count, once, by however many ways they are reached.

    Examples
    --------
    >>> from lydite.lexicons.taxonomy import TaxonomyBuilder
    >>> builder = TaxonomyBuilder(name="pets", sha256="")
    >>> for word in ("animal", "dog", "cat"):
    ...     builder.add_concept(word, [word])
    >>> builder.add_edge("is-a", "dog", "animal")
    >>> builder.add_edge("is-a", "cat", "animal")
    >>> pets = builder.build()
    >>> own = own_counts(pets, ["dog", "cat"], np.array([3.0, 1.0]), "resnik")
    >>> counts, values = collect(pets, own, "hypernymy")
    >>> counts.tolist(), values.round(3).tolist()
    ([4.0, 3.0, 1.0], [0.0, 0.288, 1.386])
    """
    met = np.flatnonzero(own)
    table = closure(taxonomy.upward(relation), met)
    counts = sums(table.ancestor, own[table.concept], len(taxonomy))
    group, groups = _groups(taxonomy)
    totals = sums(group, own, groups)[group]
    return counts, negative_log(counts, totals)


def sums(places: Indices, numbers: Floats, count: int) -> Floats:
    """Add up numbers by place, of which there are ``count``."""
    return np.asarray(np.bincount(places, weights=numbers, minlength=count), dtype=np.float64)


def negative_log(counts: Floats, totals: Floats) -> Floats:
    """Return -ln(count / total), infinite for a count of 0, NaN where the total is 0 too."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = -np.log(counts / totals)
    # A sum in another order may exceed its total by a rounding error, and there is no minus 0.
    return np.where(np.abs(values) < 1e-12, 0.0, values)


def _groups(taxonomy: Taxonomy) -> tuple[Indices, int]:
    """Return the number of each concept's part of speech, and how many there are."""
    letters = parts_of_speech(taxonomy)
    if letters is None:
        return np.zeros(len(taxonomy), dtype=np.int64), 1
    different, group = np.unique(letters, return_inverse=True)
    return group.astype(np.int64), len(different)


def write_counts(taxonomy: Taxonomy, own: Floats, path: Path) -> None:
    """Write ``concept TAB count`` lines below a header; concepts with a count of 0 are left out.

    ``own`` is how often each concept itself was met, (n,), those below it left aside. What
    `read_information_content` makes of the file is, bit by bit, what `collect` makes of ``own``.
    The file appears whole or not at all.
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
    write_output(path, "".join(lines))


_SIMILARITY = "wnver::"
_HINT = (
    "one concept per line: concept <tab> number, below a header 'concept <tab> count' or 'value'"
)


def read_information_content(
    path: Path,
    taxonomy: Taxonomy,
    *,
    relation: str = "hypernymy",
    name: str | None = None,
    sha256: str | None = None,
) -> InformationContent:
    """Read information content from a file; its content decides the format.

    - WordNet-Similarity's files: a first line ``wnver::...``, then ``1740n 128767 ROOT``, the
      synset's offset with its part of speech, the count of all that lies below, and a mark on
      roots. As in NLTK the counts of all roots of a part of speech together are its total. A
      synset that the file leaves out has NaN, where NLTK takes it for a count of 0. Needs WordNet
      in the version the file was made from.
    - ``concept TAB number`` for any taxonomy. Below a header whose second field is ``count`` the
      numbers say how often the concept itself was met, and every ancestor collects them; a
      concept that the file leaves out then has the count 0. Else the numbers are the information
      content itself.

    References
    ----------
    Pedersen, Patwardhan & Michelizzi, "WordNet::Similarity: measuring the relatedness of
    concepts", HLT-NAACL 2004.
    """
    rows = list(numbered_lines(path))
    if not rows:
        raise FormatError("expected information content, got nothing", path=path, hint=_HINT)
    if rows[0][1].startswith(_SIMILARITY):
        counts, values = _from_similarity(path, rows[1:], taxonomy)
    else:
        counts, values = _from_table(path, rows, taxonomy, relation)
    return InformationContent(
        name=name or str(path),
        fingerprint=sha256 or sha256_file(path),
        counts=counts,
        values=values,
    )


def _from_similarity(
    path: Path, rows: list[tuple[int, str]], taxonomy: Taxonomy
) -> tuple[Floats, Floats]:
    letters = parts_of_speech(taxonomy)
    if not isinstance(taxonomy, WordNet) or letters is None:
        raise InputError(
            f"{path} is about the synsets of WordNet, but {taxonomy.name} is not read from its "
            "database files",
            hint="use wordnet-3.0, a file 'concept <tab> value', or the information content "
            "'intrinsic'",
        )
    synsets = zip(taxonomy.offsets.tolist(), letters.tolist(), strict=True)
    known = {synset: place for place, synset in enumerate(synsets)}
    counts = np.full(len(taxonomy), np.nan)
    totals: dict[str, float] = {}
    unknown = 0
    for number, line in rows:
        synset, count, is_root = _similarity_row(path, number, line)
        totals[synset[1]] = totals.get(synset[1], 0.0) + count * is_root
        place = known.get(synset)
        if place is None:
            unknown += 1
        else:
            counts[place] = count
    if unknown:
        raise FormatError(
            f"expected synsets of {taxonomy.name}, got {unknown} others",
            path=path,
            hint="the file was made from another version of WordNet",
        )
    of_all = np.array([totals.get(letter, 0.0) for letter in letters.tolist()])
    return counts, negative_log(counts, of_all)


def _similarity_row(path: Path, number: int, line: str) -> tuple[tuple[int, str], float, bool]:
    fields = line.split()
    try:
        synset, count = (int(fields[0][:-1]), fields[0][-1]), float(fields[1])
    except (IndexError, ValueError):
        synset, count = (0, ""), math.nan
    if not (math.isfinite(count) and count >= 0):
        raise FormatError(
            f"expected offset with part of speech, and count, got {line[:60]!r}",
            path=path,
            line=number,
            hint="such as 1740n 128767 ROOT",
        )
    return synset, count, fields[2:] == ["ROOT"]


def _from_table(
    path: Path, rows: list[tuple[int, str]], taxonomy: Taxonomy, relation: str
) -> tuple[Floats, Floats]:
    kind = _header(rows[0][1])
    if kind:
        rows = rows[1:]
    if not rows:
        raise FormatError("expected information content, got none", path=path, hint=_HINT)
    pairs = [_table_row(path, number, line) for number, line in rows]
    places = taxonomy.concepts.find([concept for concept, _ in pairs])
    absent = np.flatnonzero(places < 0)
    if len(absent):
        more = f", nor {len(absent) - 1} more" if len(absent) > 1 else ""
        raise FormatError(
            f"{taxonomy.name} has no concept {pairs[absent[0]][0]!r}{more}",
            path=path,
            line=rows[absent[0]][0],
            hint="the first field is the identifier of a concept",
        )
    numbers = np.array([value for _, value in pairs], dtype=np.float64)
    if kind == "count":
        _check_counts(path, rows, numbers)
        return collect(taxonomy, sums(places, numbers, len(taxonomy)), relation)
    _check_once(path, rows, places)
    values = np.full(len(taxonomy), np.nan)
    values[places] = numbers
    return np.full(len(taxonomy), np.nan), values


def _check_counts(path: Path, rows: list[tuple[int, str]], counts: Floats) -> None:
    endless = np.flatnonzero(~np.isfinite(counts))
    if len(endless):
        number, line = rows[endless[0]]
        raise FormatError(
            f"expected a finite count, got {line[:60]!r}", path=path, line=number, hint=_HINT
        )
    if not counts.any():
        raise FormatError("expected counts, but every count is 0", path=path, hint=_HINT)


def _check_once(path: Path, rows: list[tuple[int, str]], places: Indices) -> None:
    _, first = np.unique(places, return_index=True)
    again = np.setdiff1d(np.arange(len(places)), first)
    if len(again):
        number, line = rows[again[0]]
        raise FormatError(
            f"expected each concept once, got {line[:60]!r} again",
            path=path,
            line=number,
            hint="below a header 'concept <tab> count' numbers are added up",
        )


def _header(line: str) -> str:
    """Return what the header says of the numbers; empty if the line is no header."""
    second = line.rpartition("\t")[2].strip().casefold()
    return second if second in {"count", "value", "ic"} else ""


def _table_row(path: Path, number: int, line: str) -> tuple[str, float]:
    fields = [field.strip() for field in line.split("\t")]
    try:
        value = float(fields[1])
    except (IndexError, ValueError):
        value = math.nan
    if len(fields) != 2 or not fields[0] or not value >= 0:
        raise FormatError(
            f"expected a concept and a number of 0 or more, got {line[:60]!r}",
            path=path,
            line=number,
            hint=_HINT,
        )
    return fields[0], value


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
    tokens
        How many words the corpus has, punctuation left out; a phrase of the taxonomy is one.
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
    return _met(_as_labeled(counts, taxonomy), taxonomy, kind, counting)


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


def _as_labeled(counts: Sequence[tuple[str, float]], taxonomy: Taxonomy) -> dict[str, float]:
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
