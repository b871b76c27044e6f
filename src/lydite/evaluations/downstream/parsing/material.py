"""Trees and vectors as a parser takes them: rows of a matrix, numbers of relations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lydite.corpora.treebank.opening import Treebank
from lydite.corpora.treebank.trees import Int32s, Trees
from lydite.errors import UndefinedScoreError
from lydite.evaluations.downstream.parsing.network import Sentences
from lydite.evaluations.downstream.parsing.trees_kernel import lift
from lydite.evaluations.downstream.remembering import data_key
from lydite.evaluations.localization.features import Scale
from lydite.types import Floats, Indices, Lookup, Mask, Vectors

#: Rows before those of words: nothing at a position, the root, a word without a vector.
UNKNOWN = 2
INDICATORS = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class Numbered:
    """The trees of a treebank with its words and relations numbered.

    Attributes
    ----------
    words
        Different ones, in the order in which they first occur.
    relations
        Of training, sorted.
    root_label
        The relation that most roots of training have.
    train, development, test
        Sentences whose rows are numbers of words; training ones are projective.
    tuned_on, tested_on
        Which words of development and test count.
    lifted
        Training sentences that were not projective.
    """

    words: tuple[str, ...]
    relations: tuple[str, ...]
    root_label: int
    train: Sentences
    development: Sentences
    test: Sentences
    tuned_on: Mask
    tested_on: Mask
    lifted: int

    @property
    def times(self) -> Indices:
        """How often each word occurs in all parts, (v,)."""
        rows = np.concatenate([part.rows for part in (self.train, self.development, self.test)])
        return np.bincount(rows, minlength=len(self.words))

    @property
    def tested_sentences(self) -> int:
        """How many test sentences have a word that counts."""
        return int(np.logical_or.reduceat(self.tested_on, self.test.starts[:-1]).sum())

    @property
    def key(self) -> str:
        """What tells these data apart from others."""
        parts = (self.train, self.development, self.test)
        arrays = [each for p in parts for each in (p.starts, p.rows, p.heads, p.labels)]
        return data_key(self.words, self.relations, *arrays, self.tuned_on, self.tested_on)


def numbered(bank: Treebank, *, punctuation: bool) -> Numbered:
    """Give numbers to words and relations of a treebank, and make training trees projective.

    Parameters
    ----------
    punctuation
        Whether words of the part of speech PUNCT count.
    """
    parts = (bank.train, bank.development, bank.test)
    words: dict[str, int] = {}
    for part in parts:
        for word in part.words:
            words.setdefault(word, len(words))
    relations = tuple(sorted(set(bank.train.relations)))
    place = {name: number for number, name in enumerate(relations)}
    train, tuning, test = (_sentences(part, words, place) for part in parts)
    heads, lifted = train.heads.copy(), np.empty(len(train), dtype=np.int32)
    lift(train.starts, heads, lifted)
    roots = np.bincount(train.labels[train.heads == 0], minlength=len(relations))
    return Numbered(
        words=tuple(words),
        relations=relations,
        root_label=int(roots.argmax()),
        train=Sentences(starts=train.starts, rows=train.rows, heads=heads, labels=train.labels),
        development=tuning,
        test=test,
        tuned_on=_scored(bank.development, punctuation=punctuation),
        tested_on=_scored(bank.test, punctuation=punctuation),
        lifted=int((lifted > 0).sum()),
    )


def crossing(data: Sentences) -> int:
    """Return how many sentences are not projective, which no transition here can make."""
    lifted = np.empty(len(data), dtype=np.int32)
    lift(data.starts, data.heads.copy(), lifted)
    return int((lifted > 0).sum())


def _sentences(trees: Trees, words: dict[str, int], relations: dict[str, int]) -> Sentences:
    return Sentences(
        starts=trees.starts,
        rows=np.array([words[word] for word in trees.words], dtype=np.int32),
        heads=trees.heads,
        labels=np.array([relations.get(name, -1) for name in trees.relations], dtype=np.int32),
    )


def _scored(trees: Trees, *, punctuation: bool) -> Mask:
    if punctuation or trees.punctuation.all():
        return np.ones(len(trees.words), dtype=np.bool_)
    return ~trees.punctuation


def inputs_of(lookup: Lookup, train: Indices | Int32s, scale: Scale) -> tuple[Vectors, Int32s]:
    """Return the rows that a parser sees, (rows, d + 3), and which is whose word's, (words,).

    The last three columns say that nothing stands at a position, or the root, or a word that has
    no vector.

    Parameters
    ----------
    lookup
        Vectors of the words.
    train
        Numbers of the words of training, as often as they occur: what scaling is fitted to.

    Raises
    ------
    UndefinedScoreError
        If no word of training has a vector.
    """
    times = np.bincount(train, minlength=len(lookup.found))[lookup.found]
    if not times.any():
        raise UndefinedScoreError(
            f"the model knows none of the {len(train)} words of training",
            hint="does the model know words of this language?",
        )
    place = np.cumsum(lookup.found) - 1
    vectors = _scaled(lookup.vectors[lookup.found], times, scale)
    width = vectors.shape[1]
    rows = np.zeros((INDICATORS + len(vectors), width + INDICATORS), dtype=np.float32)
    rows[INDICATORS:, :width] = vectors
    rows[range(INDICATORS), range(width, width + INDICATORS)] = 1
    return rows, np.where(lookup.found, place + INDICATORS, UNKNOWN).astype(np.int32)


def _scaled(vectors: Vectors, times: Indices, scale: Scale) -> Floats:
    """Scale vectors as `lydite.evaluations.localization.features.scaled` does, word by word.

    Means and deviations are those of running words: each of them as often as it occurs.
    """
    wide = vectors.astype(np.float64)
    if scale == "unit":
        norms = np.linalg.norm(wide, axis=1, keepdims=True)
        return np.asarray(wide / np.where(norms > 0, norms, 1))
    if scale == "none":
        return wide
    shares = times / times.sum()
    wide -= shares @ wide
    deviation = np.sqrt(shares @ wide**2)
    deviation[deviation == 0] = np.inf
    return np.asarray(wide / deviation)
