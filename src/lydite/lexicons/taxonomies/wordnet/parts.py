"""The parts of speech laid end to end: synsets of all of them are numbered as concepts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lydite.errors import FormatError
from lydite.lexicons.taxonomies.wordnet.synsets import Index, Synsets
from lydite.spaces.vocabulary import Bytes, PackedWords, bounds
from lydite.types import Indices, Mask


@dataclass(frozen=True, kw_only=True, eq=False)
class Parts:
    """Some parts of speech of a WordNet.

    Attributes
    ----------
    letters
        One for each part, in WordNet's order.
    synsets, indexes
        The files of each part.
    """

    letters: str
    synsets: tuple[Synsets, ...]
    indexes: tuple[Index, ...]

    @cached_property
    def starts(self) -> Indices:
        """The number of each part's first concept; the last is the number of all."""
        return bounds(np.array([len(each) for each in self.synsets]))

    def __len__(self) -> int:
        return int(self.starts[-1])

    def joined(self, take: Callable[[Synsets], Indices]) -> Indices:
        """Lay an array of each part end to end."""
        return np.concatenate([take(each) for each in self.synsets])

    def concepts(self, take: Callable[[Synsets], Indices]) -> Indices:
        """Lay arrays of synsets end to end, as concepts."""
        shifted = [take(e) + s for e, s in zip(self.synsets, self.starts[:-1], strict=True)]
        return np.concatenate(shifted)

    @cached_property
    def part_of(self) -> Indices:
        """Shape (n,): the part that each concept belongs to."""
        return np.repeat(np.arange(len(self.letters)), np.diff(self.starts))

    @cached_property
    def satellites(self) -> Mask:
        """Shape (n,): whether a concept is a satellite adjective."""
        return np.concatenate([each.satellites for each in self.synsets])

    @cached_property
    def lemmas(self) -> PackedWords:
        """The k words of all synsets, as they are written."""
        return PackedWords.join([each.lemmas for each in self.synsets])

    @cached_property
    def lemma_concepts(self) -> Indices:
        """Shape (k,): the concept that each word stands in, ascending."""
        return self.concepts(lambda each: each.lemma_synsets)

    @cached_property
    def targets(self) -> Indices:
        """Shape (p,): the concept each pointer leads to; -1 if its part of speech is absent."""
        return np.concatenate([self._targets(each) for each in self.synsets])

    def _targets(self, synsets: Synsets) -> Indices:
        found = np.full(len(synsets.targets), -1)
        letters: Bytes = synsets.target_letters
        self._require_letters(synsets)
        for letter, part, start in zip(self.letters, self.synsets, self.starts[:-1], strict=True):
            satellites = letters == ord("s") if letter == "a" else np.zeros(1, dtype=np.bool_)
            meant = np.flatnonzero((letters == ord(letter)) | satellites)
            places = part.find(synsets.targets[meant])
            nowhere = meant[places < 0]
            if len(nowhere):
                raise _dangling(synsets, int(nowhere[0]), part)
            found[meant] = places + start
        return found

    @staticmethod
    def _require_letters(synsets: Synsets) -> None:
        strange = np.flatnonzero(~np.isin(synsets.target_letters, list(b"nvasr")))
        if len(strange):
            letter = chr(synsets.target_letters[strange[0]])
            raise synsets.fields.fault(
                int(synsets.sources[strange[0]]),
                f"expected the part of speech of a pointer, one of n, v, a, s, r, got {letter!r}",
            )

    def line_of(self, concepts: Iterable[int], message: str) -> FormatError:
        """Build the error for the first of some concepts."""
        concept = next(iter(concepts))
        part = int(self.part_of[concept])
        return self.synsets[part].fields.fault(concept - int(self.starts[part]), message)


def _dangling(synsets: Synsets, pointer: int, part: Synsets) -> FormatError:
    return synsets.fields.fault(
        int(synsets.sources[pointer]),
        f"expected a synset at {synsets.targets[pointer]:08d} of {part.fields.path.name}, "
        "where a pointer leads, got none",
        hint="the files are not of one version, or one was cut short: fetch them anew",
    )
