"""What training with gensim needs: text, a sentence a line, its words counted, and progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from lydite.errors import InputError
from lydite.types import current_progress

#: gensim passes over what follows in a longer line.
LONGEST_LINE: Final = 10_000


class Written(NamedTuple):
    """What was written: how often each word, how many sentences, on how many lines."""

    counts: Counter[str]
    sentences: int
    lines: int


def write_lines(sentences: Iterable[Sequence[str]], path: Path) -> Written:
    """Write a sentence a line, or several lines if it is longer than `LONGEST_LINE` words."""
    counts: Counter[str] = Counter()
    number = lines = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for sentence in sentences:
            number += 1
            counts.update(sentence)
            for start in range(0, len(sentence), LONGEST_LINE):
                file.write(" ".join(sentence[start : start + LONGEST_LINE]) + "\n")
                lines += 1
    return Written(counts, number, lines)


def frequent_words(counts: Counter[str], least: int) -> dict[str, int]:
    """Return the words that occur often enough, the most frequent first, then by the alphabet.

    Raises
    ------
    InputError
        If there are fewer than two.

    Examples
    --------
    >>> frequent_words(Counter("banana"), 2)
    {'a': 3, 'n': 2}
    """
    if not counts:
        raise InputError("expected sentences to train on, got none", hint="check the corpus")
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    frequent = {word: count for word, count in ranked if count >= least}
    if len(frequent) < 2:
        word, most = ranked[0]
        raise InputError(
            f"expected at least 2 words that occur {least} times or more, got {len(frequent)}: of "
            f"{counts.total():,} tokens and {len(counts):,} words, the most frequent, {word!r}, "
            f"occurs {most} times",
            hint="lower --min-count (min_count), or train on more text",
        )
    return frequent


class Epochs:
    """Tells how many epochs are done; gensim asks for these four methods."""

    def __init__(self, architecture: str, epochs: int) -> None:
        self._progress = current_progress()
        self._what = f"epochs of {architecture}"
        self._total = epochs
        self._done = 0

    def on_train_begin(self, model: object) -> None:
        """Tell that none is done."""
        self._progress(self._what, 0, self._total)

    def on_epoch_begin(self, model: object) -> None:
        """Tell nothing."""

    def on_epoch_end(self, model: object) -> None:
        """Tell that one more is done."""
        self._done += 1
        self._progress(self._what, self._done, self._total)

    def on_train_end(self, model: object) -> None:
        """Tell nothing."""
