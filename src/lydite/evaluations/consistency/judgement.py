"""Terms judged by the reliability of their vectors, from sums in closed form or from ten folds.

Nothing here is drawn with the user's seed: another seed gives the same verdicts. Where a learner
sums up sentences, sums are taken by paragraph. Any other learner learns a term ten times, from
every tenth paragraph, and from halves of these folds, after which the direction that the vectors of
words as frequent share is taken out. (To subtract their mean would leave most of it: the lengths of
such vectors vary with the words of a fold.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from lydite.corpora.occurrences import Occurrence, find_occurrences
from lydite.corpora.running_text import RunningText, Uses, text_of_contexts
from lydite.corpora.terms import Term
from lydite.evaluations.consistency.folds import (
    FOLDS,
    Folds,
    divide,
    drawn_reliability,
    halves_of,
    without_common,
)
from lydite.evaluations.consistency.plan import Usual, sentences_to_decide, usual_in
from lydite.evaluations.consistency.reliability import Blocks, Reliability, reliability
from lydite.evaluations.consistency.rivals import (
    RIVALS,
    SEED,
    Identified,
    identify_among,
    nearest_in_count,
)
from lydite.models.contexts import learn_all
from lydite.models.contributions import Contributions, SummingLearner, like_terms
from lydite.types import Context, Floats, Indices

#: How often the places of terms are moved to see what is found where there is no term.
MOVES: Final = 20
#: The words that vectors of a learner that does not sum are centered by.
PANEL: Final = 100
#: Moves of terms that have to be learned, and the most words that are.
_LEARNED_MOVES, _LEARNED_WORDS = 3, 300
#: A rival has this many sentences at least.
_LEAST_SENTENCES = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Judged:
    """What is known of the vectors of terms; arrays are (terms,)."""

    found: Reliability
    #: What is left once the text around each sentence is taken away, where that can be told.
    topic: Reliability | None
    identified: Identified | None
    usual: Usual  # what is usual in the text
    expected: Floats  # r to be expected of each term, what was measured and what is usual together
    needed: Floats  # sentences that would show consistency
    #: The cosine to be expected of the vectors of two sentences, nothing taken away; of sums alone.
    sentence_cosine: Floats | None
    #: The mean reliability of the same places moved elsewhere, and how often such a pseudo-term is
    #: called consistent.
    null: Floats
    null_consistent: float
    block: str  # what a block is
    folded: bool  # whether blocks are folds


@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """A text, and the sentences of it that use each of its terms."""

    text: RunningText
    terms: tuple[str, ...]
    found: tuple[tuple[Occurrence, ...], ...]

    @classmethod
    def of_contexts(cls, terms: Sequence[str], contexts: Sequence[Sequence[Context]]) -> Source:
        """Make a source of saved samples, whose sentences have no order."""
        text, found = text_of_contexts(contexts)
        return cls(text=text, terms=tuple(terms), found=found)

    @property
    def uses(self) -> Uses:
        """Where the terms are used."""
        return Uses.of(self.text, self.found)

    @property
    def counts(self) -> Indices:
        """How many sentences each term has."""
        return np.array([len(places) for places in self.found], dtype=np.int64)


def judge(model: object, source: Source, *, identification: bool = True) -> Judged:
    """Judge the terms of a text by what a learner makes of their sentences."""
    if isinstance(model, SummingLearner):
        return _of_sums(model, source, identification=identification)
    return _of_folds(model, source, identification=identification)


def blocks_of(contributions: Contributions, vectors: Floats) -> tuple[Blocks, Indices]:
    """Add up vectors by term and block; beside them is the number of each block in the text."""
    term, block = contributions.term, contributions.block
    blocks = Blocks.of(vectors, term, block, contributions.terms)
    pairs = np.unique(np.stack([term, block], axis=1), axis=0)
    return blocks, pairs[:, 1]


def moves_of(text: RunningText, moves: int) -> list[Indices]:
    """Return to which sentences those of a text are moved.

    Round the text, by equal steps, so that sentences that stood together still do; sentences
    without an order are dealt out at random, always in the same way.
    """
    sentences = np.arange(len(text))
    if not text.in_order:
        generator = np.random.default_rng(SEED)
        return [generator.permutation(len(text)) for _ in range(moves)]
    return [
        (sentences + round(len(text) * j / (moves + 1))) % len(text) for j in range(1, moves + 1)
    ]


def _of_sums(model: SummingLearner, source: Source, *, identification: bool) -> Judged:
    text = source.text
    own = model.contributions(text, source.uses)
    blocks, number = blocks_of(own, own.vectors)
    found = reliability(blocks)
    beyond = reliability(blocks_of(own, own.beyond_passage)[0]) if text.in_order else None
    moved = [own.moved(places) for places in moves_of(text, MOVES)]
    null = [reliability(blocks_of(each, each.vectors)[0]) for each in moved]
    usual, identified = usual_in(blocks, found), None
    if text.in_order and (identification or model.word_by_word):
        words, near = nearest_in_count(
            text, source.counts, taken=set(source.terms), each=RIVALS, least=_LEAST_SENTENCES
        )
        others = word_contributions(model, text, words, own)
        rivals, rival_number = blocks_of(others, others.vectors)
        if model.word_by_word:
            usual = usual_in(rivals, reliability(rivals))
        if identification:
            identified = identify_among(blocks, number, rivals, rival_number, near)
    judged = _judged(found, beyond, identified, usual, null, text.block_name, folded=False)
    return replace(judged, sentence_cosine=sentence_cosines(own))


def sentence_cosines(own: Contributions) -> Floats:
    """Return r of the paper's cosine, of raw sums of single sentences, (terms,); NaN for one.

    U / (U + W): U the mean product of two sentences of a term, W the mean squared part of a
    sentence at right angles to their mean. Two vectors of n sentences then have about the cosine
    n r / (1 + (n - 1) r): only noise at right angles turns a long sum.
    """
    counts = np.bincount(own.term, minlength=own.terms).astype(np.float64)
    several = np.where(counts > 1, counts, np.nan)
    totals = np.zeros((own.terms, own.sums.shape[1]))
    np.add.at(totals, own.term, own.sums)
    squares = np.bincount(own.term, np.einsum("nd,nd->n", own.sums, own.sums), own.terms)
    length = np.einsum("td,td->t", totals, totals)
    products = (length - squares) / (several * (several - 1))
    along = np.einsum("nd,nd->n", own.sums, totals[own.term]) ** 2
    along = np.bincount(own.term, along, own.terms) / np.maximum(length, 1e-300)
    across = (squares - along) / (several - 1)
    return np.asarray(products / (products + across))


def word_contributions(
    model: SummingLearner, text: RunningText, words: Indices, own: Contributions
) -> Contributions:
    """Return what words of the text contribute.

    To encode each sentence once more for each of its words would take hours; as rivals, words may
    stay visible in their sentences. What is usual among them is then not what is among terms.
    """
    # A learner may cut words of the text further, so that only its sentences keep their numbers.
    uses = Uses.of_words(text, words)
    return model.contributions(text, uses) if model.word_by_word else own.of_sentences(uses)


def _judged(
    found: Reliability,
    topic: Reliability | None,
    identified: Identified | None,
    usual: Usual,
    null: Sequence[Reliability],
    block: str,
    *,
    folded: bool,
) -> Judged:
    expected = usual.shrunk(found.block, found.effective)
    verdicts = [v for each in null for v, ok in zip(each.verdicts, each.known, strict=True) if ok]
    return Judged(
        found=found,
        topic=topic,
        identified=identified,
        usual=usual,
        expected=expected,
        needed=sentences_to_decide(expected, found),
        sentence_cosine=None,
        null=np.array([np.nanmean(each.value) for each in null if each.known.any()]),
        null_consistent=verdicts.count("consistent") / max(len(verdicts), 1),
        block=block,
        folded=folded,
    )


def _of_folds(model: object, source: Source, *, identification: bool) -> Judged:
    text, terms = source.text, len(source.terms)
    words, near = panel_of(source)
    pseudo = [
        [
            _pseudo_term(text, np.unique(places[[each.sentence for each in own]]))
            for own in source.found
        ]
        for places in moves_of(text, _LEARNED_MOVES)
    ]
    every = [places for group in (source.found, words, *pseudo) for places in group]
    # Words of the panel are centered by the whole of it, pseudo-terms as their terms are.
    whole = [np.arange(len(words))] * len(words)
    like = [*near, *whole, *(near * len(pseudo))]
    learned = learn_folds(model, [divide(text, places) for places in every], terms, like)
    growth = learned.of(0, terms + len(words)).growth
    own, rivals = learned.of(0, terms), learned.of(terms, len(words))
    starts = [terms + len(words) + terms * move for move in range(len(pseudo))]
    null = [learned.of(start, terms).reliability(growth) for start in starts]
    identified = None
    if identification:
        identified = identify_among(own.blocks, own.fold, rivals.blocks, rivals.fold, near)
    usual = usual_in(rivals.blocks, rivals.reliability(growth))
    name = f"fold, of {FOLDS} that a {text.block_name} each goes to in turn"
    found = own.reliability(growth)
    return _judged(found, None, identified, usual, null, name, folded=True)


def at_size(model: object, source: Source, size: int) -> Floats:
    """Return what a learner that does not sum makes of so many sentences, by draws, (terms,)."""
    return drawn_reliability(model, source.text, source.found, panel_of(source), size)


def learn_folds(
    model: object, folds: Sequence[Sequence[list[Context]]], first: int, like: Sequence[Indices]
) -> Folds:
    """Learn words from their folds, (words,), and from halves of these.

    ``like`` are the words, counted from ``first``, whose common direction is taken out of a word.
    Halves that share folds are learned apart: a learner that factorizes all samples at once would
    otherwise make them alike.
    """
    words = len(folds)
    owner = np.repeat(np.arange(words), [len(parts) for parts in folds])
    fold = np.concatenate([np.arange(len(parts)) for parts in folds])
    # All in one go: a learner that counts has to count a general corpus once.
    learned = learn_all(model, [part for parts in folds for part in parts], seed=0)
    ok = learned.learned
    vectors, owner, fold = learned.vectors[ok].astype(np.float64), owner[ok], fold[ok]
    divisions = [halves_of(len(parts)) for parts in folds]
    pairs, halved = [np.zeros((0, 2, vectors.shape[1]))], [np.zeros(0, dtype=np.int64)]
    for number in range(max(map(len, divisions))):
        who = np.array([w for w in range(words) if len(divisions[w]) > number])
        halves = [
            [context for part in half for context in folds[word][part]]
            for word in who.tolist()
            for half in divisions[word][number]
        ]
        again = learn_all(model, halves, seed=0)
        both = again.learned.reshape(-1, 2).all(axis=1)
        found = again.vectors.astype(np.float64)[np.repeat(both, 2)]
        rest = without_common(found, np.repeat(who[both], 2), words, first, like)
        pairs.append(rest.reshape(-1, 2, rest.shape[1]))
        halved.append(who[both])
    order = np.argsort(np.concatenate(halved), kind="stable")
    return Folds(
        vectors=without_common(vectors, owner, words, first, like),
        owner=owner,
        fold=fold,
        halves=np.concatenate(pairs)[order],
        halved=np.concatenate(halved)[order],
        words=words,
        sentences=np.array([sum(map(len, parts)) for parts in folds], dtype=np.float64),
    )


def panel_of(source: Source) -> tuple[list[Sequence[Occurrence]], list[Indices]]:
    """Return the sentences of words that are as frequent as the terms, and those near each."""
    text = source.text
    if not text.in_order:
        # Of saved samples nothing is known but the terms.
        everyone = np.arange(len(source.terms))
        return list(source.found), [everyone[everyone != own] for own in everyone]
    counts = source.counts
    words, near = nearest_in_count(
        text, counts, taken=set(source.terms), each=PANEL, least=_LEAST_SENTENCES
    )
    if len(words) > _LEARNED_WORDS:
        # Evenly from the most frequent to the rarest, and of these those near each term.
        kept = np.linspace(0, len(words) - 1, _LEARNED_WORDS).round().astype(np.int64)
        words, near = nearest_in_count(
            text,
            counts,
            taken=set(text.words) - {text.words[words[i]] for i in _by_count(text, words)[kept]},
            each=PANEL,
            least=_LEAST_SENTENCES,
        )
    names = [text.words[number] for number in words.tolist()]
    found = find_occurrences(text.sentences(), [Term(text=n, tokens=(n,)) for n in names]).found
    return [found[name] for name in names], near


def _by_count(text: RunningText, words: Indices) -> Indices:
    return np.argsort(text.word_sentences[words], kind="stable")


def _pseudo_term(text: RunningText, sentences: Indices) -> list[Occurrence]:
    """Take in each of some sentences the word most like a term for a term that they share."""
    found = []
    for number, place in zip(sentences.tolist(), like_terms(text)[sentences].tolist(), strict=True):
        tokens, at = text.sentence(number), place - int(text.starts[number])
        context = Context(tokens=tokens, start=at, stop=at + 1)
        found.append(Occurrence(context=context, sentence=number, uses=((at, at + 1),)))
    return found
