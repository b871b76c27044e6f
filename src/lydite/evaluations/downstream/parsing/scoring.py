"""Attachment scores, by sentence, by relation and by the length of arcs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lydite.corpora.treebank.trees import Int32s
from lydite.evaluations.downstream.parsing.network import Sentences
from lydite.types import Floats, Indices, Mask, Plain

#: The last arc of each class of lengths.
_LENGTHS = ((1, "1"), (2, "2"), (6, "3-6"), (1 << 31, "7 or more"))


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """What parses are worth, over the n words that count.

    Attributes
    ----------
    head, named, label
        Shape (n,): shares of the repeats in which the head is right, head and relation are, the
        relation is.
    exact
        Shape (m,): shares of the repeats in which all heads of a sentence are right.
    sentence
        Shape (n,): to which sentence each word belongs, from 0 to m.
    """

    head: Floats
    named: Floats
    label: Floats
    exact: Floats
    sentence: Indices

    def summed(self, values: Floats) -> Floats:
        """Return sums by sentence, (m,)."""
        count = len(self.exact)
        return np.bincount(self.sentence, values, count).astype(np.float64)

    @property
    def sizes(self) -> Floats:
        """Words that count in each sentence, (m,)."""
        return self.summed(np.ones_like(self.head))


def score_parses(gold: Sentences, parses: Sequence[tuple[Int32s, Int32s]], scored: Mask) -> Scores:
    """Compare the parses of several repeats with gold trees.

    Parameters
    ----------
    gold
        m sentences.
    parses
        Heads and labels, (words,), of each repeat.
    scored
        Shape (words,): which words count. A sentence without any is left out of ``exact``.

    Examples
    --------
    >>> starts, rows = np.array([0, 3]), np.zeros(3, dtype=np.int32)
    >>> heads, labels = np.array([2, 0, 2], "i4"), np.array([0, 1, 2], "i4")
    >>> gold = Sentences(starts=starts, rows=rows, heads=heads, labels=labels)
    >>> found = np.array([2, 0, 1], "i4"), np.array([1, 1, 2], "i4")
    >>> scores = score_parses(gold, [found], np.ones(3, dtype=np.bool_))
    >>> scores.head.tolist(), scores.named.tolist(), scores.label.tolist()
    ([1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0])
    """
    owner = np.repeat(np.arange(len(gold)), np.diff(gold.starts))[scored]
    _, sentence = np.unique(owner, return_inverse=True)
    count = int(sentence.max()) + 1
    heads = np.array([(heads == gold.heads)[scored] for heads, _ in parses])
    labels = np.array([(labels == gold.labels)[scored] for _, labels in parses])
    wrong = np.array([np.bincount(sentence, weights=~right, minlength=count) for right in heads])
    return Scores(
        head=heads.mean(axis=0),
        named=(heads & labels).mean(axis=0),
        label=labels.mean(axis=0),
        exact=(wrong == 0).mean(axis=0),
        sentence=sentence,
    )


def branching(data: Sentences, scored: Mask) -> tuple[float, float]:
    """Return the unlabelled scores of hanging each word on the one before, and on the one after.

    The first word, or the last one, is the root.

    >>> rows, heads = np.zeros(3, dtype=np.int32), np.array([2, 0, 2], "i4")
    >>> data = Sentences(starts=np.array([0, 3]), rows=rows, heads=heads, labels=rows)
    >>> [round(each, 3) for each in branching(data, np.ones(3, dtype=np.bool_))]
    [0.333, 0.333]
    """
    lengths = np.diff(data.starts)
    place = np.arange(len(data.heads)) - np.repeat(data.starts[:-1], lengths) + 1
    after = np.where(place == np.repeat(lengths, lengths), 0, place + 1)
    before = place - 1
    return (
        float((before == data.heads)[scored].mean()),
        float((after == data.heads)[scored].mean()),
    )


def by_relation(scores: Scores, relations: Sequence[str], scored: Mask) -> list[Plain]:
    """Return both scores for each gold relation, the most frequent first."""
    names = np.array(relations)[scored]
    kinds, codes, counts = np.unique(names, return_inverse=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return [_row(scores, codes == i, relation=str(kinds[i])) for i in order]


def by_length(scores: Scores, data: Sentences, scored: Mask) -> list[Plain]:
    """Return both scores for roots and for arcs over so many places."""
    place = np.arange(len(data.heads)) - np.repeat(data.starts[:-1], np.diff(data.starts)) + 1
    heads = data.heads[scored]
    length = np.where(heads == 0, 0, np.abs(place[scored] - heads))
    rows, above = [_row(scores, length == 0, length="root")], 0
    for last, name in _LENGTHS:
        rows.append(_row(scores, (length > above) & (length <= last), length=name))
        above = last
    return [row for row in rows if row["words"]]


def _row(scores: Scores, chosen: Mask, **name: str) -> dict[str, Plain]:
    count = int(chosen.sum())
    return {
        **name,
        "words": count,
        "uas": float(scores.head[chosen].mean()) if count else None,
        "las": float(scores.named[chosen].mean()) if count else None,
    }
