"""Pairs of sentences that differ in form alone or in meaning alone, made from templates.

Every sentence is compared with two others: one that says the same in another form (H, to be scored
high) and one that says something else (L, to be scored low) in nearly the same words. What words
two sentences share therefore tells a model little; for most phenomena H and L are made of the very
same words. The templates and the words are in ``minimal_pairs.toml``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal

Label = Literal["H", "L"]

_Pair = tuple[str, Label, str, str, str]


@dataclass(frozen=True, kw_only=True)
class MinimalPairs:
    """Pairs of sentences, in parallel tuples.

    Attributes
    ----------
    phenomena
        What the pair is about, such as ``passive``; each has as many H as L.
    labels
        H where both sentences mean the same, L where they do not.
    left, right
        The sentences.
    changes
        What was done to the left sentence, such as ``active to passive with swapped roles``.
    """

    phenomena: tuple[str, ...]
    labels: tuple[Label, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]
    changes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.labels)


def minimal_pairs() -> MinimalPairs:
    """Make all pairs, always the same ones in the same order: an H pair, then its L pair.

    Examples
    --------
    >>> pairs = minimal_pairs()
    >>> for number in (0, 1):
    ...     print(pairs.labels[number], pairs.left[number], pairs.right[number])
    H The nurse thanked the baker. The baker was thanked by the nurse.
    L The nurse thanked the baker. The nurse was thanked by the baker.
    """
    source = Path(__file__).with_suffix(".toml")
    lists = tomllib.loads(source.read_text(encoding="utf-8"))
    people = lists["people"].split()
    pairs = (_fill(frame, number, people) for number, frame in enumerate(lists["frames"]))
    phenomena, labels, left, right, changes = zip(*chain.from_iterable(pairs), strict=True)
    return MinimalPairs(phenomena=phenomena, labels=labels, left=left, right=right, changes=changes)


def _fill(frame: Mapping[str, str], number: int, people: Sequence[str]) -> Iterator[_Pair]:
    slots = frame["slots"].split()
    base = frame["base"]
    for index, row in enumerate(frame["rows"].strip().split("\n")):
        words = dict(zip(slots, row.split(" / "), strict=True))
        first = 5 * number + index
        # The distance changes with row and frame, so that the same two people seldom meet again.
        second = first + 3 + (index + 2 * number) % (len(people) - 8)
        words |= {"a": people[first % len(people)], "b": people[second % len(people)]}
        yield (
            frame["phenomenon"],
            "H",
            _sentence(base, words),
            _sentence(frame["same"], words),
            frame["form"],
        )
        yield (
            frame["phenomenon"],
            "L",
            _sentence(frame.get("other_base", base), words),
            _sentence(frame["other"], words),
            frame["meaning"],
        )


def _sentence(template: str, words: Mapping[str, str]) -> str:
    text = template.format_map(words)
    return text[0].upper() + text[1:]
