"""The parts of a data set: how the names of files tell them, and how what has none is dealt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sized
from pathlib import Path
from typing import Final, Literal, TypeAlias

import numpy as np

from lydite.errors import InputError
from lydite.types import Indices

SplitName: TypeAlias = Literal["train", "development", "test"]

#: What people call the parts of a data set.
SPLITS: Final[dict[str, SplitName]] = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("dev", "development", "valid", "validation", "val"), "development"),
    **dict.fromkeys(("test", "testing"), "test"),
}

#: Of so many sentences one is to tune on and one to test, where files do not say which.
DEALT: Final = 10
#: Of one text or sentence nobody can tell how the score would vary with others.
LEAST_TESTED: Final = 2


def split_of_name(path: Path) -> SplitName | None:
    """Return the split that a file's name speaks of, or None if it speaks of none or several.

    >>> split_of_name(Path("stsa.binary.dev")), split_of_name(Path("latest.csv"))
    ('development', None)
    """
    named = {SPLITS[word] for word in re.split(r"[^a-z]+", path.name.lower()) if word in SPLITS}
    return named.pop() if len(named) == 1 else None


def named_splits(places: Iterable[str]) -> dict[SplitName, list[str]]:
    """Return the files of each split by what their names say.

    Nothing, if all say the same or none says anything: the data are then one part.

    Raises
    ------
    InputError
        If some names say what a file is for and others do not.

    Examples
    --------
    >>> named_splits(["a-test.tsv", "a-train.tsv"])
    {'test': ['a-test.tsv'], 'train': ['a-train.tsv']}
    >>> named_splits(["a-train.tsv"])
    {}
    """
    splits = {place: split_of_name(Path(place)) for place in places}
    if len(set(splits.values())) == 1:
        return {}
    named: dict[SplitName, list[str]] = {}
    for place, split in splits.items():
        if split is None:
            raise InputError(
                f"expected the name of {place} to say train, dev or test, as others do",
                hint="rename it, or leave it out",
            )
        named.setdefault(split, []).append(place)
    return named


def deal(count: int, seed: int, *, place: str = "the data") -> dict[SplitName, Indices]:
    """Deal sentences by chance, about 8 : 1 : 1, at least two to test; each part is in order.

    Raises
    ------
    InputError
        If there is not one to learn from and one to tune on beside those.

    Examples
    --------
    >>> {split: len(places) for split, places in deal(25, seed=0).items()}
    {'train': 21, 'development': 2, 'test': 2}
    """
    least = LEAST_TESTED + 2
    if count < least:
        raise InputError(
            f"{place}: expected at least {least} sentences to deal into training, development and "
            f"test, got {count}",
            hint="give more sentences, or files whose names say train, dev and test",
        )
    order = np.random.default_rng(seed).permutation(count)
    share = max(1, count // DEALT)
    tested = max(LEAST_TESTED, share)
    parts = np.split(order, [tested, tested + share])
    test, development, train = (np.sort(each) for each in parts)
    return {"train": train, "development": development, "test": test}


def check_tested(count: int, *, what: str, place: str) -> None:
    """Refuse fewer than two ``texts`` or ``sentences`` to test: a score would have no interval."""
    if count < LEAST_TESTED:
        raise InputError(
            f"{place}: expected at least two test {what}, got {count}",
            hint="the score of one alone has no interval: put more into the test part",
        )


def dealt_note(parts: Mapping[SplitName, Sized]) -> str:
    """Say in a result that the parts were dealt."""
    counts = ", ".join(f"{len(part):,} {split}" for split, part in parts.items())
    return f"the data are not split: sentences were divided at random, {counts}"


def hold_out(count: int, seed: int, *, one_in: int) -> tuple[Indices, Indices]:
    """Return the places of the sentences that are left, and of one in so many to tune on.

    Raises
    ------
    InputError
        If nothing would be left.

    Examples
    --------
    >>> left, held = hold_out(12, seed=0, one_in=5)
    >>> len(left), len(held)
    (10, 2)
    """
    if count < 2:
        raise InputError(
            f"expected at least 2 training sentences, to hold one out for tuning, got {count}",
            hint="give a file of development sentences, or more training sentences",
        )
    order = np.random.default_rng(seed).permutation(count)
    share = max(1, count // one_in)
    return np.sort(order[share:]), np.sort(order[:share])


def draw(count: int, most: int, seed: int) -> Indices:
    """Return the places of ``most`` of the sentences, drawn by chance, in order; 0 for all.

    >>> draw(4, 0, seed=0).tolist(), len(draw(4, 3, seed=0))
    ([0, 1, 2, 3], 3)
    """
    if not 0 < most < count:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).permutation(count)[:most])


def drawn_note(count: int, kept: Sized) -> list[str]:
    """Say in a result that sentences were drawn; nothing if all are there."""
    if len(kept) == count:
        return []
    return [f"of {count:,} training sentences {len(kept):,} were taken by chance"]
