"""How often the interval of a term's reliability holds the truth, for each kind of learner.

Made up: paragraphs of one to three sentences whose noise is uneven over 50 dimensions and shared in
part within a paragraph, with a known reliability. Real: the paragraphs of a book that use a common
word are a population, from which paragraphs are drawn with replacement; what holds for the whole
population is the truth. Learners that do not sum learn ten folds of such paragraphs, and halves of
these, as the evaluation does; the truth is the mean cosine of vectors learned from as many
paragraphs as all folds have. Each sample is learned apart: a learner that factorizes all at once
would make samples alike that share sentences. What is held or not is R of all the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lydite.corpora.documents import open_corpus
from lydite.corpora.occurrences import Occurrence, find_occurrences
from lydite.corpora.running_text import RunningText, Uses
from lydite.corpora.terms import Term
from lydite.evaluations.consistency.folds import FOLDS, without_common
from lydite.evaluations.consistency.judgement import learn_folds
from lydite.evaluations.consistency.reliability import Blocks, Reliability, reliability
from lydite.models.catalogue import load
from lydite.models.contexts import learn_all
from lydite.models.contributions import SummingLearner
from lydite.resources.catalogue import locate
from lydite.stats.means import mean_interval
from lydite.types import Context, Floats, Indices
from studies.coverage import Cell

BOOK = "our-knowledge-external-world"
SUMS = ("additive(glove-6b-50d)", "pooled(usem3)")
#: The general corpus is another book, for the sake of speed.
LEARNED = (
    "nonce2vec(glove-6b-50d, context=input, preset=small-data)",
    "ppmi-svd(analysis-of-mind)",
)
DIMENSIONS, SHARED = 50, 0.3
TRUE = (0.0, 0.2, 0.35, 0.5, 0.7, 0.85, 0.95)
#: A population is a word of the book in at least so many paragraphs, and there are so many of them.
LEAST_PARAGRAPHS, WORDS = 40, 12
#: Of learners that do not sum: words, samples at most, and vectors of all text that give the truth.
LEARNED_WORDS, LEARNED_SAMPLES, AT_ONCE, TRUTHS = 24, 60, 4, 60
#: Paragraphs of a fold: samples then have 10, 20 and 40.
PER_FOLD = (1, 2, 4)


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage by learner and number of paragraphs."""
    generator = np.random.default_rng(seed)
    found = [_made_up(generator, blocks, samples) for blocks in (4, 6, 10, 30)]
    text = RunningText.of(open_corpus(locate(BOOK).paths).passages())
    words, _ = frequent_words(text, WORDS)
    for spec in SUMS:
        model = load(spec)
        assert isinstance(model, SummingLearner)
        found += _of_sums(generator, model, text, words, samples, spec)
    _, places = frequent_words(text, LEARNED_WORDS)
    for spec in LEARNED:
        found += _of_folds(generator, spec, text, places, samples)
    return [*found, *_of_means(generator, samples)]


def frequent_words(text: RunningText, words: int) -> tuple[Indices, list[tuple[Occurrence, ...]]]:
    """Return words of many paragraphs, evenly from the rarest of them on, and their sentences."""
    pairs = np.unique(text.paragraph[text.sentence_of_tokens] * len(text.words) + text.tokens)
    counts = np.bincount(pairs % len(text.words), minlength=len(text.words))
    order = np.lexsort((np.arange(len(counts)), counts))
    fit = [w for w in order.tolist() if counts[w] >= LEAST_PARAGRAPHS and len(text.words[w]) > 3]
    chosen = [fit[i] for i in np.linspace(0, len(fit) - 1, words).round().astype(int).tolist()]
    names = [text.words[w] for w in chosen]
    terms = [Term(text=name, tokens=(name,)) for name in names]
    found = find_occurrences(text.sentences(), terms).found
    return np.array(chosen), [found[name] for name in names]


def _made_up(generator: np.random.Generator, blocks: int, samples: int) -> Cell:
    held = []
    for true in TRUE:
        sizes = generator.integers(1, 4, size=(samples, blocks))
        # Of one to three sentences: the mean is 2, that of squares 14/3.
        k = blocks * 4 / (14 / 3)
        r = true / (k - (k - 1) * true)
        scale = np.sqrt(1 / np.arange(1, DIMENSIONS + 1))
        scale /= np.linalg.norm(scale)
        noise = ((1 - SHARED) * 2 + SHARED * 14 / 3) / (14 / 3)
        own = generator.normal(size=DIMENSIONS) * scale
        own *= np.sqrt(r * noise / (1 - r)) / np.linalg.norm(own)
        owner = np.repeat(np.arange(samples * blocks), sizes.ravel())
        alone = generator.normal(size=(len(owner), DIMENSIONS)) * scale * np.sqrt(1 - SHARED)
        shared = generator.normal(size=(samples * blocks, DIMENSIONS)) * scale * np.sqrt(SHARED)
        found = _judged(own + alone + shared[owner], owner // blocks, owner, samples)
        held.append(_held(found, r))
    return _cell("sums, made up", f"{blocks} paragraphs", held, samples)


def _judged(vectors: Floats, term: Indices, block: Indices, terms: int) -> Reliability:
    return reliability(Blocks.of(vectors, term, block, terms))


def _held(found: Reliability, r: float) -> float:
    known = np.isfinite(found.low)
    # What is printed is cut at 0, as the truth is.
    low, true = np.maximum(found.low[known], 0), max(r, 0.0)
    return float(np.mean((low <= true) & (np.maximum(found.high[known], 0) >= true)))


def _cell(setting: str, size: str, held: Sequence[float], samples: int, remark: str = "") -> Cell:
    return Cell(
        evaluation="consistency",
        interval="reliability of a term, jackknife of log F",
        setting=setting,
        size=size,
        coverage=round(float(np.mean(held)), 3),
        worst=round(min(held), 3),
        samples=samples * len(held),
        remark=remark,
    )


def _of_sums(
    generator: np.random.Generator,
    model: SummingLearner,
    text: RunningText,
    words: Indices,
    samples: int,
    spec: str,
) -> list[Cell]:
    found = model.contributions(text, Uses.of_words(text, words))
    blocks = Blocks.of(found.vectors, found.term, found.block, found.terms)
    rows = []
    for count in (6, 10, 20, 40):
        held = []
        for word in range(len(words)):
            own = blocks.term == word
            sums, sizes = blocks.sums[own], blocks.sentences[own]
            mean, squares = sums.mean(axis=0), (sums**2).sum(axis=1).mean()
            r = float(mean @ mean / sizes.mean() ** 2 / (squares / (sizes**2).mean()))
            drawn = generator.integers(len(sums), size=(samples, count))
            sample = Blocks(
                sums=sums[drawn.ravel()],
                sentences=sizes[drawn.ravel()],
                term=np.repeat(np.arange(samples), count),
                terms=samples,
            )
            held.append(_held(reliability(sample), r))
        rows.append(_cell(spec, f"{count} paragraphs", held, samples))
    return rows


def _of_folds(
    generator: np.random.Generator,
    spec: str,
    text: RunningText,
    places: Sequence[Sequence[Occurrence]],
    samples: int,
) -> list[Cell]:
    model = load(spec)
    made, words = min(samples, LEARNED_SAMPLES), len(places)
    everyone = [np.arange(words)] * words
    rows = []
    for size in PER_FOLD:
        true = _truth(generator, model, text, places, FOLDS * size)
        held = np.zeros((made, words))
        for sample in held:
            folds = [_drawn(generator, text, own, size, FOLDS) for own in places]
            learned = learn_folds(model, folds, 0, everyone)
            low, high = learned.reliability(learned.growth).interval
            sample[:] = (np.maximum(low, 0) <= true) & (true <= np.maximum(high, 0))
        size_of = f"{FOLDS} folds of {size} paragraphs"
        cell = _cell(spec, size_of, held.mean(axis=0).tolist(), made)
        rows.append(replace(cell, interval="reliability of all the text, halves of folds"))
    return rows


def _truth(
    generator: np.random.Generator,
    model: object,
    text: RunningText,
    places: Sequence[Sequence[Occurrence]],
    size: int,
) -> Floats:
    """Return the mean cosine of two vectors of so many paragraphs each, (words,), from 0."""
    words = len(places)
    owner, everyone = np.repeat(np.arange(words), AT_ONCE), [np.arange(words)] * words
    products, squares = np.zeros(words), np.zeros(words)
    for _ in range(TRUTHS):
        drawn = [each for own in places for each in _drawn(generator, text, own, size, AT_ONCE)]
        vectors = learn_all(model, drawn, seed=0).vectors.astype(np.float64)
        rest = without_common(vectors, owner, words, 0, everyone).reshape(words, AT_ONCE, -1)
        square, total = (rest**2).sum(axis=(1, 2)), rest.sum(axis=1)
        squares += square / AT_ONCE
        products += ((total**2).sum(axis=1) - square) / (AT_ONCE * (AT_ONCE - 1))
    return np.maximum(products / squares, 0.0)


def _drawn(
    generator: np.random.Generator,
    text: RunningText,
    own: Sequence[Occurrence],
    size: int,
    count: int,
) -> list[list[Context]]:
    """Draw folds of so many paragraphs of a word, with replacement."""
    paragraphs: dict[int, list[Context]] = {}
    for place in own:
        paragraphs.setdefault(int(text.paragraph[place.sentence]), []).append(place.context)
    pool = list(paragraphs.values())
    drawn = generator.integers(len(pool), size=(count, size))
    return [[context for i in row for context in pool[i]] for row in drawn.tolist()]


def _of_means(generator: np.random.Generator, samples: int) -> list[Cell]:
    """Simulate the mean over terms: r of terms from a gamma distribution, as in books."""
    scale = np.sqrt(1 / np.arange(1, DIMENSIONS + 1))
    scale /= np.linalg.norm(scale)
    rows = []
    for terms in (5, 20, 60):
        held = []
        for mean in (0.02, 0.06, 0.15):
            blocks = generator.integers(8, 40, size=samples * terms)
            r = np.minimum(generator.gamma(1.0, mean, size=samples * terms), 0.9)
            own = generator.normal(size=(len(r), DIMENSIONS)) * scale
            own *= (np.sqrt(r / (1 - r)) / np.linalg.norm(own, axis=1))[:, None]
            term = np.repeat(np.arange(len(r)), blocks)
            vectors = own[term] + generator.normal(size=(len(term), DIMENSIONS)) * scale
            value = _judged(vectors, term, np.arange(len(term)), len(r)).value
            drawn = [mean_interval(each) for each in value.reshape(samples, terms)]
            true = value.mean()
            held.append(np.mean([e is not None and e.low <= true <= e.high for e in drawn]))
        cell = _cell("mean over terms", f"{terms} terms", held, samples)
        rows.append(replace(cell, interval="mean reliability over terms, logit or Wilson"))
    return rows
