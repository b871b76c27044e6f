"""Tasks of token tagging from tagged corpora of any known format."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from lydite.corpora.annotated import Sentence, TagColumn, TaggedFormat, read_tagged, survey
from lydite.corpora.splits import (
    SplitName,
    check_tested,
    deal,
    dealt_note,
    draw,
    drawn_note,
    named_splits,
)
from lydite.errors import FormatError, InputError
from lydite.evaluations.downstream.words import places_of, starts_of
from lydite.stats.seeds import child_seed
from lydite.types import Indices

logger = logging.getLogger(__name__)

#: The tag of a word whose tag training does not have: nothing can be right about it.
UNSEEN: Final = -1

#: A part whose tags are unseen in more than this share of its words has another set of tags.
MOST_UNSEEN = 0.5

_SHOWN = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class TaggedWords:
    """Sentences, one after the other."""

    # (n,): places among the words and tags of the task; a tag that training does not have is
    # `UNSEEN`.
    words: Indices
    tags: Indices
    # (s + 1,): sentence i is ``starts[i]`` to ``starts[i + 1]`` of them; none is empty.
    starts: Indices

    @property
    def lengths(self) -> Indices:
        """The number of words of each sentence, (s,)."""
        return np.diff(self.starts)

    def chosen(self, sentences: Indices) -> TaggedWords:
        """Return some of the sentences, by their places."""
        places = places_of(self.starts, sentences)
        return TaggedWords(
            words=self.words[places],
            tags=self.tags[places],
            starts=starts_of(self.lengths[sentences]),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class TaggingTask:
    """Tagged sentences to learn from and to be tested on."""

    words: tuple[str, ...]  # different words of all parts, as they are written
    tags: tuple[str, ...]  # names, sorted; every one of them stands in ``train``
    train: TaggedWords
    development: TaggedWords | None  # None if the data have none
    test: TaggedWords
    notes: tuple[str, ...] = field(default=())  # what a reader of the score should know of the data

    @property
    def parts(self) -> tuple[TaggedWords, ...]:
        """Training, development if there is any, test."""
        return (self.train, *([self.development] if self.development else []), self.test)

    @property
    def times(self) -> Indices:
        """How often each word occurs in all parts, (v,)."""
        places = np.concatenate([part.words for part in self.parts])
        return np.bincount(places, minlength=len(self.words))


def tagging_task(
    parts: Mapping[SplitName, Sequence[Sentence]],
    *,
    places: Mapping[SplitName, str] | None = None,
    notes: Sequence[str] = (),
) -> TaggingTask:
    """Put tagged sentences together and refuse what no tagger could learn from.

    ``train`` and ``test`` are needed; empty sentences are left out. Up to half of the words of a
    part may have tags that training lacks: they count as wrong, whatever a tagger says, with a
    warning.

    >>> from lydite.corpora.annotated import Token
    >>> train = [[Token("a", "DT"), Token("cat", "NN")]]
    >>> task = tagging_task({"train": train, "test": [[Token("cat", "NN")], [Token("a", "DT")]]})
    >>> task.words, task.tags, task.test.words.tolist(), task.test.tags.tolist()
    (('a', 'cat'), ('DT', 'NN'), [1, 0], [1, 0])
    """
    kept = {split: [each for each in parts.get(split, ()) if each] for split in _NEEDED}
    places = places or {}
    for split, needed in _NEEDED.items():
        if needed and not kept[split]:
            counts = ", ".join(f"{len(found)} {name}" for name, found in kept.items())
            raise InputError(
                f"expected {split} sentences, got {counts}",
                hint="name files train, dev and test, or give one file alone",
            )
    tags = tuple(sorted({token.tag for sentence in kept["train"] for token in sentence}))
    if len(tags) < 2:
        raise InputError(
            f"{places.get('train', 'the data')}: expected training sentences with at least two "
            f"tags, got only {tags[0]!r}",
            hint="is the tag in the second column? of CoNLL-U, tags=xpos reads the other one",
        )
    said = [*notes]
    for split in ("development", "test"):
        said += _unseen(kept[split], tags, split, places.get(split, "the data"))
    check_tested(len(kept["test"]), what="sentences", place=places.get("test", "the data"))
    words: dict[str, int] = {}
    numbers = {tag: i for i, tag in enumerate(tags)}
    encoded = {split: _encoded(found, words, numbers) for split, found in kept.items()}
    return TaggingTask(
        words=tuple(words),
        tags=tags,
        train=encoded["train"],
        development=encoded["development"] if kept["development"] else None,
        test=encoded["test"],
        notes=tuple(said),
    )


#: The splits, and whether they are needed.
_NEEDED: Final[dict[SplitName, bool]] = {"train": True, "development": False, "test": True}


def _encoded(
    sentences: Sequence[Sentence], words: dict[str, int], numbers: Mapping[str, int]
) -> TaggedWords:
    tokens = [token for sentence in sentences for token in sentence]
    places = [words.setdefault(token.form, len(words)) for token in tokens]
    return TaggedWords(
        words=np.array(places, dtype=np.int64),
        tags=np.array([numbers.get(token.tag, UNSEEN) for token in tokens], dtype=np.int64),
        starts=starts_of(np.array([len(each) for each in sentences], dtype=np.int64)),
    )


def _unseen(
    sentences: Sequence[Sentence], tags: Sequence[str], split: str, place: str
) -> list[str]:
    """Return what to say of tags that training does not have."""
    counts = Counter(token.tag for sentence in sentences for token in sentence)
    known = set(tags)
    unseen = Counter({tag: times for tag, times in counts.items() if tag not in known})
    if not unseen:
        return []
    total, lost = sum(counts.values()), unseen.total()
    named = ", ".join(f"{tag} ({times:,})" for tag, times in unseen.most_common(_SHOWN))
    more = f" and {len(unseen) - _SHOWN} more" if len(unseen) > _SHOWN else ""
    if lost > MOST_UNSEEN * total:
        raise FormatError(
            f"{lost:,} of {total:,} {split} words have tags that training lacks: {named}{more}; "
            f"training has {', '.join(tags[:_SHOWN])}{', ...' if len(tags) > _SHOWN else ''}",
            path=place,
            hint="give all files the same set of tags; of CoNLL-U, choose upos or xpos",
        )
    said = (
        f"{lost:,} of {total:,} {split} words have tags that do not occur in training, and count "
        f"as wrong: {named}{more}"
    )
    logger.warning("%s", said)
    return [said]


def open_tagging(
    paths: Sequence[Path], *, tags: TagColumn = "upos", sentences: int = 0, seed: int
) -> TaggingTask:
    """Read a task of token tagging.

    Files or archives have CoNLL-U, ``word TAB tag`` lines, trees in brackets, ``word/tag`` or
    SemCor, compressed or not; files without tagged text are skipped. Names say train, dev (or
    valid) and test. If none does, or all say the same, eight of ten sentences are to learn from,
    one to tune on and one to test. ``sentences`` takes so many training sentences by chance; 0 for
    all.
    """
    kinds = survey(paths)
    named = named_splits(kinds)
    if named:
        parts = {
            split: _read(paths, {place: kinds[place] for place in found}, tags)
            for split, found in named.items()
        }
        places = {split: found[0] for split, found in named.items()}
        notes: list[str] = []
    else:
        whole = list(read_tagged(paths, tags=tags, chosen=kinds))
        dealt = deal(len(whole), child_seed(seed, "parts"), place=next(iter(kinds)))
        parts = {split: [whole[i] for i in rows] for split, rows in dealt.items()}
        places = dict.fromkeys(parts, next(iter(kinds)))
        notes = [dealt_note(parts)]
    train = parts.get("train", [])
    kept = draw(len(train), sentences, child_seed(seed, "sentences"))
    parts["train"] = [train[i] for i in kept]
    return tagging_task(parts, places=places, notes=[*notes, *drawn_note(len(train), kept)])


def _read(
    paths: Sequence[Path], chosen: Mapping[str, TaggedFormat], tags: TagColumn
) -> list[Sentence]:
    # What an archive holds is at a place below its path.
    needed = [
        path
        for path in paths
        if any(place == str(path) or place.startswith(f"{path}/") for place in chosen)
    ]
    return list(read_tagged(needed, tags=tags, chosen=chosen))
