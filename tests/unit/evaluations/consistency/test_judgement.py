from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from lydite.corpora.books import Passage
from lydite.corpora.occurrences import find_occurrences
from lydite.corpora.running_text import RunningText, Uses
from lydite.corpora.terms import Term
from lydite.evaluations.consistency.judgement import (
    Source,
    judge,
    moves_of,
    sentence_cosines,
    word_contributions,
)
from lydite.models.additive import Additive
from lydite.models.contexts import Learned
from lydite.models.pooled import Pooled
from lydite.spaces.space import Space
from lydite.types import Context, Vectors

WORDS = [f"w{i}" for i in range(120)]
SPACE = Space.of(
    dict(zip(WORDS, (np.random.default_rng(0).normal(size=(120, 20)) + 0.5).tolist(), strict=True))
)
STEADY = [f"steady{i}" for i in range(4)]
LOOSE = [f"loose{i}" for i in range(4)]


@cache
def source() -> Source:
    """Make a text in which some terms keep company with words of their own, and some with any."""
    rng = np.random.default_rng(5)
    paragraphs = []
    for _ in range(60):
        sentences: list[tuple[str, ...]] = []
        for number, term in enumerate([*STEADY, *LOOSE]):
            own = 6 * number + rng.integers(0, 6, 4)
            words = [*own, *rng.integers(0, 120, 8)] if term in STEADY else rng.integers(0, 120, 12)
            tokens = [WORDS[i] for i in words]
            sentences.append((*tokens[:6], term, *tokens[6:]))
        # Most of the text has no term, so that terms do not make the book's mean.
        sentences += [tuple(WORDS[i] for i in rng.integers(0, 120, 12)) for _ in range(24)]
        rng.shuffle(sentences)
        paragraphs.append(Passage(tuple(sentences)))
    text = RunningText.of(paragraphs)
    terms = [Term(text=term, tokens=(term,)) for term in [*STEADY, *LOOSE]]
    found = find_occurrences(text.sentences(), terms).found
    return Source(text=text, terms=tuple(found), found=tuple(found.values()))


@dataclass(frozen=True)
class Hidden:
    """A learner that sums, and does not say so."""

    additive: Additive

    def learn(self, contexts: Sequence[Context]) -> Vectors:
        return self.additive.learn(contexts)

    def learn_all(self, samples: Sequence[Sequence[Context]], *, seed: int = 0) -> Learned:
        return self.additive.learn_all(samples, seed=seed)


def test_terms_with_company_of_their_own_are_consistent() -> None:
    judged = judge(Additive(SPACE, sample=0), source())
    assert judged.found.verdicts[:4] == ["consistent"] * 4
    assert "consistent" not in judged.found.verdicts[4:]
    assert judged.null.mean() < 0.2 < judged.found.value[:4].min()
    assert judged.null_consistent < 0.05
    # Nothing here hangs on the passage.
    assert judged.topic is not None
    assert judged.topic.value[:4] == pytest.approx(judged.found.value[:4], abs=0.05)
    assert judged.identified is not None
    assert judged.identified.beaten[:4].min() > 0.95
    assert judged.identified.beaten[4:].max() < 0.9
    # A term that was found consistent needed no more than it has.
    assert (judged.needed[:4] < judged.found.sentences[:4]).all()


def test_folds_say_what_sums_say() -> None:
    sums = judge(Additive(SPACE, sample=0), source(), identification=False)
    folds = judge(Hidden(Additive(SPACE, sample=0)), source(), identification=False)
    assert (sums.folded, folds.folded) == (False, True)
    assert folds.found.value == pytest.approx(sums.found.value, abs=0.2)
    assert folds.found.verdicts[:4] == ["consistent"] * 4
    assert folds.found.blocks.tolist() == [10] * 8
    assert folds.found.sentences.tolist() == sums.found.sentences.tolist()
    assert folds.null.mean() < 0.3


def test_a_mean_of_encoded_sentences_is_a_sum() -> None:
    @dataclass(frozen=True)
    class Sums:
        def encode(self, texts: Sequence[str], /) -> Vectors:
            rows = [SPACE.find(text.split()) for text in texts]
            return np.stack([SPACE.vectors[row[row >= 0]].sum(axis=0) for row in rows])

    pooled = judge(Pooled(Sums(), target="dropped"), source())
    assert not pooled.folded
    assert pooled.found.verdicts[:4] == ["consistent"] * 4
    assert "consistent" not in pooled.found.verdicts[4:]


def test_the_company_does_not_matter() -> None:
    every = judge(Additive(SPACE, sample=0), source(), identification=False)
    kept = [0, 3, 6]
    fewer = Source(
        text=source().text,
        terms=tuple(source().terms[i] for i in kept),
        found=tuple(source().found[i] for i in kept),
    )
    alone = judge(Additive(SPACE, sample=0), fewer, identification=False)
    assert alone.found.value == pytest.approx(every.found.value[kept])
    assert alone.found.verdicts == [every.found.verdicts[i] for i in kept]


def test_saved_samples_take_sentences_for_blocks() -> None:
    contexts = [[place.context for place in places] for places in source().found]
    saved = Source.of_contexts(source().terms, contexts)
    judged = judge(Additive(SPACE, sample=0), saved)
    assert judged.block == "sentence"
    assert judged.topic is None
    assert judged.identified is None
    assert judged.found.blocks.tolist() == [60] * 8
    assert judged.found.verdicts[:4] == ["consistent"] * 4
    folds = judge(Hidden(Additive(SPACE, sample=0)), saved, identification=False)
    assert folds.found.verdicts[:4] == ["consistent"] * 4


def test_moves_go_round_the_text_evenly() -> None:
    text = source().text
    moves = moves_of(text, 3)
    assert [int(move[0]) for move in moves] == [480, 960, 1440]
    assert all(sorted(move.tolist()) == list(range(len(text))) for move in moves)


def test_the_expected_cosine_of_raw_sums() -> None:
    # Against halves drawn at random from the same sentences.
    found = Additive(SPACE, sample=0).contributions(source().text, source().uses)
    r = sentence_cosines(found)
    rng = np.random.default_rng(6)
    own = found.sums[found.term == 0]
    drawn = []
    for _ in range(400):
        order = rng.permutation(len(own))
        one, other = own[order[:8]].sum(axis=0), own[order[8:16]].sum(axis=0)
        drawn.append(one @ other / np.linalg.norm(one) / np.linalg.norm(other))
    assert np.mean(drawn) == pytest.approx(8 * r[0] / (1 + 7 * r[0]), abs=0.02)


def test_contractions_that_a_learner_cuts_move_no_rival() -> None:
    known = {word: SPACE.vectors[i].tolist() for i, word in enumerate(WORDS)}
    pieces = {"do": known["w0"], "n't": known["w1"]}
    model = Additive(Space.of({**known, **pieces}), sample=0)
    added = []
    for word in ("don't", "w0 w1"):
        old = source().text
        sentences = ((*word.split(), *sentence) for sentence in old.sentences())
        text = RunningText.of(Passage((sentence,)) for sentence in sentences)
        numbers = np.array([text.words.index(rival) for rival in STEADY])
        terms = [Term(text=term, tokens=(term,)) for term in LOOSE]
        found = find_occurrences(text.sentences(), terms).found
        own = model.contributions(text, Uses.of(text, list(found.values())))
        added.append(word_contributions(model, text, numbers, own).sums)
    assert added[0] == pytest.approx(added[1], abs=1e-4)
