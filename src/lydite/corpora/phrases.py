"""Find phrases in a stream of tokens: the longest at each place, from left to right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from lydite.types import Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class Phrases:
    """Phrases as a trie in flat arrays, followed for all places of a text at once.

    Attributes
    ----------
    parts
        The tokens that stand in phrases, numbered from 1.
    keys, targets
        Shape (k,): the edges, each as one number made of state and part, ascending, and the states
        they lead to.
    ending
        For each state the phrase that ends there, -1 if none does.
    longest
        Tokens of the longest phrase, 1 where there is none.
    """

    parts: dict[str, int]
    keys: Indices
    targets: Indices
    ending: Indices
    longest: int

    @classmethod
    def of(cls, phrases: Iterable[Sequence[str]]) -> Phrases:
        """Gather phrases; of equal ones the first is found, an empty one never."""
        parts: dict[str, int] = {}
        edges: dict[tuple[int, int], int] = {}
        ends: dict[int, int] = {}
        longest = 1
        for number, phrase in enumerate(phrases):
            state = 0
            for token in phrase:
                part = parts.setdefault(token, len(parts) + 1)
                state = edges.setdefault((state, part), len(edges) + 1)
            if state:
                ends.setdefault(state, number)
            longest = max(longest, len(phrase))
        rows = np.array([(*key, target) for key, target in edges.items()], dtype=np.int64)
        states, tokens, targets = rows.reshape(-1, 3).T
        keys = states * (len(parts) + 1) + tokens
        order = np.argsort(keys)
        ending = np.full(len(edges) + 1, -1, dtype=np.int64)
        ending[list(ends)] = list(ends.values())
        return cls(
            parts=parts,
            keys=keys[order],
            targets=targets[order],
            ending=ending,
            longest=longest,
        )

    def find(self, text: Indices) -> tuple[Indices, Indices, Indices]:
        """Find phrases in a text that do not overlap.

        Parameters
        ----------
        text
            Shape (n,): the tokens as numbers of ``parts``, 0 for all others.

        Returns
        -------
        Three arrays of one length: where a phrase starts, how many tokens it has, and which it is.

        Examples
        --------
        >>> phrases = Phrases.of([["new", "york"], ["york", "city"], ["new", "york", "times"]])
        >>> text = "a new york city and the new york times"
        >>> numbers = np.array([phrases.parts.get(token, 0) for token in text.split()])
        >>> [each.tolist() for each in phrases.find(numbers)]
        [[1, 6], [2, 3], [0, 2]]
        """
        lengths, which = self._longest_at(text)
        kept = []
        end = 0
        starts = np.flatnonzero(lengths)
        for start, length in zip(starts.tolist(), lengths[starts].tolist(), strict=True):
            if start >= end:
                kept.append(start)
                end = start + length
        places = np.array(kept, dtype=np.int64)
        return places, lengths[places], which[places]

    def _longest_at(self, text: Indices) -> tuple[Indices, Indices]:
        """Return for each place the length of the longest phrase that starts there, and which."""
        lengths = np.zeros(len(text), dtype=np.int64)
        which = np.full(len(text), -1, dtype=np.int64)
        ahead = np.concatenate([text, np.zeros(self.longest + 1, dtype=np.int64)])
        places = np.flatnonzero(text) if len(self.keys) else np.empty(0, dtype=np.int64)
        states = np.zeros(len(places), dtype=np.int64)
        depth = 0
        while len(places):
            wanted = states * (len(self.parts) + 1) + ahead[places + depth]
            at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
            hit = self.keys[at] == wanted
            places, states = places[hit], self.targets[at[hit]]
            depth += 1
            whole = self.ending[states] >= 0
            lengths[places[whole]] = depth
            which[places[whole]] = self.ending[states[whole]]
        return lengths, which
