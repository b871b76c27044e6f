"""How often words occur: by a list of the user's, or by wordfreq.

A phrase has no count of its own in a list of single words. By default its count is then 0, so that
a cut-off on the counts of single words leaves phrases out; ``phrases="rarest"`` gives it the count
of its rarest word, which it cannot exceed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, get_args

import numpy as np

from lydite.errors import FormatError, InputError, MissingExtraError
from lydite.files.lines import numbered_lines, read_content
from lydite.spaces.vocabulary import Vocabulary, bounds
from lydite.storage import sha256_file, sha256_text
from lydite.types import Floats

Phrases: TypeAlias = Literal["none", "rarest"]

_HEAD = 1 << 14
_LOOKED_AT = 20
_HINT = "one word a line: word <tab> count, word,count or count word"


class Frequencies(Protocol):
    """Words to counts."""

    @property
    def name(self) -> str: ...  # noqa: D102 - said above
    @property
    def fingerprint(self) -> str: ...  # noqa: D102

    def counts(self, words: Sequence[str]) -> Floats:
        """Return how often each word occurs, (n,); 0 where it is unknown."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class ListedFrequencies:
    """Counts from a list; case is ignored, and what differs in case alone is added up.

    Attributes
    ----------
    words
        The words, in lower case, each once.
    phrases
        What stands for the count of a phrase that is not in the list.

    Examples
    --------
    >>> listed = ListedFrequencies.of({"Turkey": 3, "turkey": 2, "cold": 9})
    >>> listed.counts(["turkey", "emu", "cold turkey"]).tolist()
    [5.0, 0.0, 0.0]
    """

    name: str
    fingerprint: str
    words: Vocabulary
    numbers: Floats
    phrases: Phrases = "none"

    @classmethod
    def of(
        cls,
        counts: Mapping[str, float],
        *,
        name: str = "counts",
        fingerprint: str | None = None,
        phrases: Phrases = "none",
    ) -> ListedFrequencies:
        """Make a list from a mapping, such as the counts that gensim keeps of its words."""
        _check_phrases(phrases)
        total: dict[str, float] = {}
        for word, count in counts.items():
            key = _plain(word)
            total[key] = total.get(key, 0.0) + count
        numbers = np.fromiter(total.values(), np.float64, len(total))
        if not (np.isfinite(numbers).all() and (numbers >= 0).all()):
            raise InputError("expected counts of 0 or more, got negative or infinite ones")
        return cls(
            name=name,
            fingerprint=fingerprint or sha256_text(repr(sorted(total.items()))),
            words=Vocabulary.of(total),
            numbers=numbers,
            phrases=phrases,
        )

    def counts(self, words: Sequence[str]) -> Floats:
        """Return how often each word occurs, (n,); 0 where it is unknown."""
        plain = [_plain(word) for word in words]
        found = self._listed(plain)
        if self.phrases == "rarest":
            missing = [i for i, word in enumerate(plain) if " " in word and not found[i]]
            found[missing] = _rarest([plain[i].split() for i in missing], self._listed)
        return found

    def _listed(self, words: Sequence[str]) -> Floats:
        places = self.words.find(words)
        numbers = np.zeros(len(places))
        numbers[places >= 0] = self.numbers[places[places >= 0]]
        return numbers


@dataclass(frozen=True, kw_only=True)
class WordfreqFrequencies:
    """Counts from the package wordfreq: its relative frequency times the size of a corpus.

    Case is ignored. What wordfreq takes apart, such as ``new york`` and ``ice-cream``, is a phrase;
    its own estimate for phrases, which is below the rarest word's, is not used.

    Attributes
    ----------
    corpus_size
        In words: a count of 5,000 in 10^9 words is 5 in a million. Frequencies below 10^-8 (in the
        smaller lists 10^-6) are not known, and so count 0.
    phrases
        What stands for the count of a phrase.

    References
    ----------
    Speer, "rspeer/wordfreq: v3.0", 2022, doi:10.5281/zenodo.7199437.
    """

    language: str = "en"
    corpus_size: float = 1e9
    phrases: Phrases = "none"

    @property
    def name(self) -> str:
        """Where the counts came from."""
        return "wordfreq"

    @property
    def fingerprint(self) -> str:
        """The version of wordfreq and the parameters."""
        from importlib.metadata import version

        return f"wordfreq {version('wordfreq')} {self.language} {self.corpus_size:g} {self.phrases}"

    def counts(self, words: Sequence[str]) -> Floats:
        """Return how often each word occurs, (n,); 0 where it is unknown."""
        from wordfreq.tokens import lossy_tokenize

        # Some entries are phrases joined by underscores, with counts of that spelling.
        tokens = [lossy_tokenize(word.replace("_", " "), self.language) for word in words]
        found = np.zeros(len(tokens))
        alone = [i for i, each in enumerate(tokens) if len(each) == 1]
        found[alone] = self._known([tokens[i][0] for i in alone])
        if self.phrases == "rarest":
            several = [i for i, each in enumerate(tokens) if len(each) > 1]
            found[several] = _rarest([tokens[i] for i in several], self._known)
        return found

    def _known(self, tokens: Sequence[str]) -> Floats:
        from wordfreq import get_frequency_dict
        from wordfreq.numbers import digit_freq, smash_numbers

        listed = get_frequency_dict(self.language, "best")

        def share(token: str) -> float:
            if token.isalpha():
                return float(listed.get(token, 0.0))
            # Numbers are listed by their shape.
            shape = smash_numbers(token)
            return float(listed.get(shape, 0.0)) * (digit_freq(token) if shape != token else 1.0)

        shares = np.fromiter(map(share, tokens), np.float64, len(tokens))
        return _three_digits(shares) * self.corpus_size


def _three_digits(shares: Floats) -> Floats:
    """Round as wordfreq does, whose lists are no more precise."""
    known = shares > 0
    scale = 10.0 ** (np.floor(-np.log10(shares, where=known, out=np.zeros_like(shares))) + 3)
    return np.where(known, np.round(shares * scale) / scale, 0.0)


def wordfreq_frequencies(
    language: str = "en", *, corpus_size: float = 1e9, phrases: Phrases = "none"
) -> WordfreqFrequencies:
    """Take counts from wordfreq (extra ``frequencies``), a list of 321,180 English words."""
    _check_phrases(phrases)
    if not (math.isfinite(corpus_size) and corpus_size > 0):
        raise InputError(f"expected a corpus of more than 0 words, got {corpus_size}")
    try:
        from wordfreq import available_languages
    except ImportError:
        raise MissingExtraError("word frequencies", extra="frequencies") from None
    known = available_languages()
    if language not in known:
        raise InputError(
            f"wordfreq has no words of the language {language!r}",
            hint=f"there are {', '.join(sorted(known))}",
        )
    return WordfreqFrequencies(language=language, corpus_size=corpus_size, phrases=phrases)


def read_frequencies(
    path: Path, *, name: str | None = None, sha256: str | None = None, phrases: Phrases = "none"
) -> ListedFrequencies:
    """Read a list of words with counts, such as word2vec's ``-save-vocab`` writes.

    Parameters
    ----------
    path
        ``word TAB count``, ``word,count``, ``word count``, or the count first. With tabs or commas
        a word may hold blanks, and so it may after a count. A first line without a number is a
        header. One layout has to fit all lines; where several do, the count comes last.
    phrases
        What stands for the count of a phrase that is not in the list.
    """
    lines = list(numbered_lines(path))
    if lines and not any(_cut(lines[0][1], layout) for layout in _LAYOUTS):
        lines = lines[1:]
    if not lines:
        raise FormatError("expected words and counts, got none", path=path, hint=_HINT)
    counts: dict[str, float] = {}
    for word, count in _rows(path, lines):
        counts[word] = counts.get(word, 0.0) + count
    return ListedFrequencies.of(
        counts, name=name or str(path), fingerprint=sha256 or sha256_file(path), phrases=phrases
    )


def is_listed(path: Path) -> bool:
    """Tell whether a file is a list of words with counts, rather than running text."""
    head = read_content(path, _HEAD).decode("utf-8", "replace")
    lines = [line for line in head.split("\n")[:_LOOKED_AT] if line.strip()]
    fitting = sum(any(_cut(line, layout) for layout in _LAYOUTS) for line in lines)
    return fitting >= len(lines) / 2


#: What stands between the two fields (None for blanks), and whether the count comes first.
_LAYOUTS: tuple[tuple[str | None, bool], ...] = (
    ("\t", False),
    ("\t", True),
    (None, False),
    (None, True),
    (",", False),
    (",", True),
)


def _rows(path: Path, lines: list[tuple[int, str]]) -> list[tuple[str, float]]:
    """Read all lines in the one layout that fits them all."""
    best: list[tuple[str, float]] = []
    for layout in _LAYOUTS:
        rows = []
        for _, line in lines:
            row = _cut(line, layout)
            if row is None:
                break
            rows.append(row)
        if len(rows) == len(lines):
            return rows
        best = max(best, rows, key=len)
    number, line = lines[len(best)]
    raise FormatError(
        f"expected a word and a count, got {line[:60]!r}", path=path, line=number, hint=_HINT
    )


def _cut(line: str, layout: tuple[str | None, bool]) -> tuple[str, float] | None:
    mark, count_first = layout
    fields = [f.strip() for f in (line.split(mark, 1) if count_first else line.rsplit(mark, 1))]
    if len(fields) != 2:
        return None
    count, word = fields if count_first else fields[::-1]
    quoted = mark == "," and len(word) > 2 and word[0] == word[-1] == '"'
    word = word[1:-1] if quoted else word
    try:
        number = float(count)
    except ValueError:
        return None
    return (word, number) if word and "\t" not in word and 0 <= number < math.inf else None


def _rarest(phrases: list[list[str]], count: Callable[[list[str]], Floats]) -> Floats:
    """Return the count of the rarest word of each phrase."""
    if not phrases:
        return np.zeros(0)
    lengths = np.array([len(each) for each in phrases])
    counts = count([word for each in phrases for word in each])
    return np.asarray(np.minimum.reduceat(counts, bounds(lengths)[:-1]), dtype=np.float64)


def _plain(word: str) -> str:
    return " ".join(word.replace("_", " ").split()).casefold() or word


def _check_phrases(phrases: str) -> None:
    if phrases not in get_args(Phrases):
        raise InputError(f"expected phrases=none or phrases=rarest, got {phrases!r}")
