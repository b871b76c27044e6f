"""Some parsed sentences as arrays."""

from __future__ import annotations

from dataclasses import dataclass

from lydite.types import Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class ParsedBlock:
    """Some parsed sentences.

    Attributes
    ----------
    lemmas
        The different lemmas of the block, in lower case, in the order in which they are met.
    relations
        The different relations of the block.
    tokens
        Shape (t,): the number of each token's lemma; marks of punctuation are tokens too.
    starts
        Shape (s + 1,): the first token of each sentence, and t.
    edges
        Shape (e, 3): head, relation and dependent. Head and dependent are places among the tokens
        of the block; edges stand in the order of their dependents, at most one each but for
        parses that were collapsed before they were read.
    """

    lemmas: tuple[str, ...]
    relations: tuple[str, ...]
    tokens: Indices
    starts: Indices
    edges: Indices

    def triples(self) -> list[tuple[str, str, str]]:
        """Return head lemma, relation and dependent lemma of each edge, for looking at."""
        return [
            (self.lemmas[self.tokens[head]], self.relations[name], self.lemmas[self.tokens[word]])
            for head, name, word in self.edges.tolist()
        ]
