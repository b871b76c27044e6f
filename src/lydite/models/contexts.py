"""What learners of terms share: background, subsampling, contexts as rows, many terms at once.

Mikolov et al., "Distributed representations of words and phrases and their compositionality", 2013;
the probability is that of the code of word2vec and gensim, which is not the paper's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import ClassVar, Final

import numpy as np

from lydite.corpora.occurrences import MASK
from lydite.declare import SEEDS
from lydite.errors import InputError, UnsuitableModelError
from lydite.lexicons.frequencies import Frequencies, ListedFrequencies, WordfreqFrequencies
from lydite.models.catalogue import Model, load, model_spec
from lydite.models.contractions import contractions
from lydite.models.protocols import TermLearner
from lydite.models.word_coverage import tally_counts
from lydite.progress import current_progress
from lydite.resources.lexicons import WORDFREQ, open_frequencies
from lydite.spaces.space import CaseRule, Space
from lydite.spaces.vocabulary import Hashes, bounds, hash_words, mix, pack
from lydite.storage import sha256_text
from lydite.types import Context, Floats, Indices, Mask, Vectors

#: The counts that a space itself has.
OF_SPACE = "space"


@dataclass(frozen=True, kw_only=True, eq=False)
class WordCounts:
    """How often the words of a space occur."""

    space: Space
    listed: Frequencies | None = None

    @property
    def fingerprint(self) -> str:
        """Which counts they are."""
        return OF_SPACE if self.listed is None else self.listed.fingerprint

    def of_rows(self, rows: Indices) -> Floats:
        """Return the count of the word of each row, each different one looked up once."""
        if self.listed is None and self.space.counts is not None:
            return np.asarray(self.space.counts, dtype=np.float64)[rows]
        distinct, places = np.unique(rows, return_inverse=True)
        return self._looked_up(distinct)[places]

    @cached_property
    def of_all(self) -> Floats:
        """The counts of all words of the space, (n,)."""
        return self.of_rows(np.arange(len(self.space)))

    @cached_property
    def total(self) -> float:
        """How many words the corpus of these counts has."""
        if isinstance(self.listed, WordfreqFrequencies):
            return self.listed.corpus_size
        if isinstance(self.listed, ListedFrequencies):
            return float(self.listed.numbers.sum())
        return float(self.of_all.sum())

    def _looked_up(self, rows: Indices) -> Floats:
        if self.listed is None:
            raise no_counts(self.space)
        words = self.space.vocabulary.words.take(rows).to_list()
        return self.listed.counts(words)


def word_counts(space: Space, frequencies: str | Frequencies | None = None) -> WordCounts:
    """Open the counts of a space's words.

    - ``frequencies``: ``space`` for its own counts, ``wordfreq``, a list, a text, or counts that
      are open; none for its own counts where it has them and wordfreq where not.
    """
    if frequencies is None:
        frequencies = WORDFREQ if space.counts is None else OF_SPACE
    if frequencies == OF_SPACE:
        if space.counts is None:
            raise no_counts(space)
        return WordCounts(space=space)
    if isinstance(frequencies, str):
        frequencies = open_frequencies(frequencies)
    return WordCounts(space=space, listed=frequencies)


def no_counts(space: Space) -> InputError:
    """Make the error for a space that does not know how often its words occur."""
    return InputError(
        f"{space.spec} does not know how often its words occur",
        hint="use frequencies=wordfreq or frequencies=LIST, or vectors(FILE, counts=LIST)",
    )


def keep_probability(counts: Floats, threshold: float | Floats) -> Floats:
    """Return how likely a token of a word is kept: ``min(1, sqrt(t / c) + t / c)``.

    - ``counts``: how often the words occur, c; those that never do are always kept.
    - ``threshold``: t: word2vec's ``sample`` times the words of the corpus.

    >>> keep_probability(np.array([0.0, 1.0, 4.0, 100.0]), 1.0)
    array([1.  , 1.  , 0.75, 0.11])
    """
    share = np.divide(
        threshold, counts, out=np.full(np.shape(counts), np.inf), where=np.asarray(counts) > 0
    )
    return np.asarray(np.minimum(1.0, np.sqrt(share) + share), dtype=np.float64)


def background_space(name: str, background: object) -> Space:
    """Open the background of a learner, which has to be a space."""
    space = load(background)
    if not isinstance(space, Space):
        raise UnsuitableModelError(
            f"{name} learns within a space of word vectors, but {model_spec(space)} is none",
            hint=f"give it a vector file: {name}(vectors.txt), or {name}(glove-6b-50d)",
        )
    return space


def learner_fingerprint(background: Space, counts: WordCounts | None) -> str | None:
    """Return which bytes a learner rests on."""
    if not background.fingerprint or counts is None or counts.listed is None:
        return background.fingerprint or None
    return sha256_text(f"{background.fingerprint} {counts.fingerprint}")


def check_count(name: str, value: int, *, least: int) -> None:
    """Refuse what is no whole number of at least so much."""
    if type(value) is not int or value < least:
        raise InputError(f"expected {name} to be a whole number from {least}, got {value!r}")


def check_number(name: str, value: float, *, least: float, above: bool = False) -> None:
    """Refuse what is no finite number of at least so much, or above it."""
    fits = isinstance(value, int | float) and math.isfinite(value) and value >= least
    if not fits or (above and value == least):
        bound = f"{'above' if above else 'from'} {least:g}"
        raise InputError(f"expected {name} to be a number {bound}, got {value!r}")


def check_window(tokens: int, window: int) -> None:
    """Refuse a corpus whose frequent words do not fill one window."""
    least = 2 * window + 1
    if tokens < least:
        raise InputError(
            f"expected a corpus of at least one window, {least} words, got {tokens} that are "
            "frequent enough",
            hint="use a larger corpus, or a smaller window or min_count",
        )


def check_seed(seed: int) -> int:
    """Return a seed, or refuse it."""
    if type(seed) is not int or not 0 <= seed <= SEEDS:
        raise InputError(f"expected a seed from 0 to 2^64 - 1, got {seed!r}")
    return seed


#: A word that the background does not have.
UNKNOWN: Final = -1
#: The term itself, whatever its number of words.
TERM: Final = -2

#: The step of splitmix64.
STEP: Final = np.uint64(0x9E3779B97F4A7C15)

#: Fewer known words than this share of at least so many make a background unfit.
_LEAST_SHARE = 0.05
_MANY = 100


@dataclass(frozen=True, kw_only=True, eq=False)
class Encoded:
    """The contexts of n samples, sentence after sentence."""

    #: (t,): the row of each token in the background, `UNKNOWN` or `TERM`. All uses of the
    #: term in a sentence are marked, also those that the context does not point at or that are
    #: masked (``___``); a term of several words takes one place.
    rows: Indices
    sentences: Indices  # (s + 1,): where each sentence starts in ``rows``
    samples: Indices  # (n + 1,): where each sample starts among the sentences
    #: (s,): a hash of what each sentence says and where its term stands. Random numbers that
    #: depend on this alone are the same in whatever company the sentence comes.
    keys: Hashes

    @property
    def known(self) -> Mask:
        """Which tokens are words of the background, (t,)."""
        return self.rows >= 0

    def sentence_of_tokens(self) -> Indices:
        """Return the sentence of each token, (t,)."""
        return np.repeat(np.arange(len(self.keys)), np.diff(self.sentences))

    def sample_of_tokens(self) -> Indices:
        """Return the sample of each token, (t,)."""
        return np.repeat(np.arange(len(self.samples) - 1), np.diff(self.sentences[self.samples]))

    def seeded(self, seed: int) -> Encoded:
        """Return the same contexts with keys of another seed."""
        salt = mix(np.array([seed % 2**64], dtype=np.uint64) + STEP)
        keys = mix(self.keys ^ salt)
        return Encoded(rows=self.rows, sentences=self.sentences, samples=self.samples, keys=keys)


def encode_contexts(
    space: Space, samples: Sequence[Sequence[Context]], *, case: CaseRule = "fold"
) -> Encoded:
    """Find the words of contexts in a background space, all at once.

    - ``case``: ``fold`` asks again, in lower case, for words that are absent as written, and takes
      a term in another case for the term.

    Raises `InputError` if a context points beyond its sentence, or if fewer than 5 % of at least
    100 words are known.

    >>> space = Space.of({"the": [1.0], "sat": [2.0]})
    >>> context = Context(tokens=("The", "tom", "cat", "sat"), start=1, stop=3)
    >>> encode_contexts(space, [[context]]).rows.tolist()
    [0, -2, 1]
    """
    contexts = list(chain.from_iterable(samples))
    counts = bounds(np.fromiter(map(len, samples), np.int64, len(samples)))
    lengths = np.fromiter((len(c.tokens) for c in contexts), np.int64, len(contexts))
    spans = np.array([(c.start, c.stop) for c in contexts], dtype=np.int64).reshape(-1, 2)
    _check_spans(contexts, spans, lengths)
    tokens = list(chain.from_iterable(c.tokens for c in contexts))
    # A sentence keeps its random numbers, whatever a background makes of its contractions.
    keys = _sentence_keys(_hashes(tokens, case), bounds(lengths), spans)
    tokens, starts, spans = _with_contractions(space, tokens, bounds(lengths), spans, case)
    number = {word: i for i, word in enumerate(dict.fromkeys(tokens))}
    numbers = np.fromiter(map(number.__getitem__, tokens), np.int64, len(tokens))
    words = list(number)
    plain = _plain_numbers(words, case)[numbers]
    first, covered = _term_places(plain, starts, spans)
    masked = numbers == number.get(MASK, -1)
    first, covered = first | masked, covered | masked
    rows = find_rows(space, words, case)[numbers]
    is_word = np.array([any(map(str.isalnum, word)) for word in words], dtype=np.bool_)[numbers]
    _tally(space, keys, starts, is_word & ~covered, rows >= 0)
    rows[first] = TERM
    kept = first | ~covered
    places = bounds(kept.astype(np.int64))
    encoded = Encoded(rows=rows[kept], sentences=places[starts], samples=counts, keys=keys)
    check_coverage(space, int(encoded.known.sum()), int((encoded.rows != TERM).sum()))
    return encoded


def _tally(space: Space, keys: Hashes, starts: Indices, words: Mask, known: Mask) -> None:
    totals, found = (
        np.diff(bounds(each.astype(np.int64))[starts]).tolist() for each in (words, words & known)
    )
    tally_counts(space, keys.tolist(), totals, found)


def _with_contractions(
    space: Space, tokens: list[str], starts: Indices, spans: Indices, case: CaseRule
) -> tuple[list[str], Indices, Indices]:
    """Cut contractions as the background has them; sentences and terms move accordingly."""
    pieces = contractions(space, list(dict.fromkeys(tokens)), case=case)
    if not pieces:
        return tokens, starts, spans
    cut = [pieces.get(token, (token,)) for token in tokens]
    moved = bounds(np.fromiter(map(len, cut), np.int64, len(cut)))
    first = moved[starts[:-1], None]
    return (
        list(chain.from_iterable(cut)),
        moved[starts],
        moved[starts[:-1, None] + spans] - first,
    )


def find_rows(space: Space, words: Sequence[str], case: CaseRule) -> Indices:
    """Return the row of each word, asking again in lower case under ``fold``; -1 if absent."""
    rows = space.find(words)
    if case == "fold":
        again = [i for i in np.flatnonzero(rows < 0).tolist() if words[i] != words[i].lower()]
        rows = rows.copy()
        rows[again] = space.find([words[i].lower() for i in again])
    return rows


def chances(keys: Hashes, places: Indices) -> Floats:
    """Return a random number from 0 to 1 for each place of a keyed sentence (splitmix64)."""
    bits = mix(keys + (places.astype(np.uint64) + np.uint64(1)) * STEP)
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _plain_numbers(words: list[str], case: CaseRule) -> Indices:
    """Give words a number, the same to those that differ in case alone under ``fold``."""
    if case == "exact":
        return np.arange(len(words))
    plain: dict[str, int] = {}
    return np.array([plain.setdefault(w.lower(), len(plain)) for w in words], dtype=np.int64)


def _hashes(tokens: list[str], case: CaseRule) -> Hashes:
    """Hash tokens, those that differ in case alone to the same under ``fold``.

    A name that was saved as it is called in tables then has what it had in a text in small letters.
    """
    number = {word: i for i, word in enumerate(dict.fromkeys(tokens))}
    words = [word.lower() for word in number] if case == "fold" else list(number)
    numbers = np.fromiter(map(number.__getitem__, tokens), np.int64, len(tokens))
    return hash_words(pack(words))[numbers]


def _term_places(numbers: Indices, starts: Indices, spans: Indices) -> tuple[Mask, Mask]:
    """Return where uses of each sentence's term begin, and all that they cover, (t,) each."""
    lengths = np.diff(starts)
    sizes = spans[:, 1] - spans[:, 0]
    own = starts[:-1] + spans[:, 0]
    owner = np.repeat(np.arange(len(lengths)), lengths)
    at = np.arange(len(numbers))
    begins = at + sizes[owner] <= starts[1:][owner]
    for k in range(int(sizes.max(initial=0))):
        inside = at[begins]
        sentence = owner[inside]
        matters = k < sizes[sentence]
        place = np.minimum(inside + k, len(numbers) - 1)
        same = numbers[place] == numbers[np.minimum(own[sentence] + k, len(numbers) - 1)]
        begins[inside[matters & ~same]] = False
    covered = np.zeros(len(numbers) + 1, dtype=np.int64)
    uses = np.flatnonzero(begins)
    np.add.at(covered, uses, 1)
    np.add.at(covered, uses + sizes[owner[uses]], -1)
    return begins, np.cumsum(covered)[:-1] > 0


def _sentence_keys(hashes: Hashes, starts: Indices, spans: Indices) -> Hashes:
    if not len(spans):
        return np.zeros(0, dtype=np.uint64)
    place = np.arange(len(hashes)) - np.repeat(starts[:-1], np.diff(starts))
    mixed = mix(hashes + (place.astype(np.uint64) + np.uint64(1)) * STEP)
    return mix(np.add.reduceat(mixed, starts[:-1]) + spans[:, 0].astype(np.uint64))


def _check_spans(contexts: Sequence[Context], spans: Indices, lengths: Indices) -> None:
    wrong = (spans[:, 0] < 0) | (spans[:, 0] >= spans[:, 1]) | (spans[:, 1] > lengths)
    if wrong.any():
        context = contexts[int(np.flatnonzero(wrong)[0])]
        raise InputError(
            f"expected a term within its sentence, got {context.start} to {context.stop} in "
            f"{' '.join(context.tokens)[:60]!r} of {len(context.tokens)} tokens"
        )


def check_coverage(space: Space, known: int, words: int) -> None:
    """Refuse a background that has fewer than 5 % of at least 100 context words."""
    if words >= _MANY and known < _LEAST_SHARE * words:
        raise InputError(
            f"{space.spec} has {known} of the {words} context words, too few to learn from",
            hint="is the background of another language, or cased otherwise than the contexts?",
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Learned:
    """The vectors learned from n samples of contexts."""

    vectors: Vectors  # (n, d); zeros where nothing could be learned
    #: (n,): False where nothing could be learned, for want of a known context word.
    learned: Mask
    background: Space | None  # The space that the vectors live in, for ranks and neighbors
    used: Indices  # (n,): the context tokens that went into each vector


class Learner(Model):
    """Base of models that learn the terms of many samples at once."""

    #: Whether what is learned from a sample hangs on the other samples it is learned with.
    together: ClassVar[bool] = False

    def learn(self, contexts: Sequence[Context]) -> Vectors:
        """Return the term's vector, (d,); zeros where no context word is known."""
        return np.asarray(self.learn_all([contexts]).vectors[0], dtype=np.float32)

    def learn_all(self, samples: Sequence[Sequence[Context]], *, seed: int = 0) -> Learned:
        """Return one vector per sample."""
        raise NotImplementedError


def learns_together(learner: object) -> bool:
    """Tell whether samples may not share sentences with others that are learned in one go.

    So it is taken to be of a stranger's ``learn_all`` that does not say ``together = False``.
    """
    return bool(getattr(learner, "together", hasattr(learner, "learn_all")))


def learn_all(learner: object, samples: Sequence[Sequence[Context]], *, seed: int = 0) -> Learned:
    """Learn one vector per sample.

    - ``learner``: an object with ``learn_all(samples, seed=…)``, which is then asked, or with
      ``learn(contexts)``, which is asked once per sample. Of the latter, all tokens around the term
      count as used.

    >>> class Counting:
    ...     def learn(self, contexts):
    ...         return np.array([len(contexts), 1.0], dtype=np.float32)
    >>> context = Context(tokens=("a", "cat", "sat"), start=1, stop=2)
    >>> learned = learn_all(Counting(), [[context, context], [context]])
    >>> learned.vectors.tolist(), learned.used.tolist()
    ([[2.0, 1.0], [1.0, 1.0]], [4, 2])
    """
    if not isinstance(learner, TermLearner):
        raise UnsuitableModelError(
            f"expected a learner of terms, got {model_spec(learner)}",
            hint="an object with learn(contexts): additive(BACKGROUND), pooled(TEXT_MODEL), …",
        )
    if not len(samples):
        raise InputError("expected samples to learn from, got none")
    at_once = getattr(learner, "learn_all", None)
    if at_once is not None:
        learned: Learned = at_once(samples, seed=seed)
        return learned
    return _one_by_one(learner, samples)


def _one_by_one(learner: TermLearner, samples: Sequence[Sequence[Context]]) -> Learned:
    rows = []
    for done, sample in enumerate(samples, 1):
        rows.append(np.asarray(learner.learn(sample), dtype=np.float32))
        current_progress()("learning terms", done, len(samples))
    shapes = sorted({row.shape for row in rows})
    if len(shapes) != 1 or len(shapes[0]) != 1:
        raise InputError(
            f"expected vectors of one length from {model_spec(learner)}, got shapes "
            f"{', '.join(map(str, shapes))}"
        )
    vectors = np.stack(rows)
    finite = np.isfinite(vectors).all(axis=1)
    learned = np.asarray(finite & vectors.any(axis=1), dtype=np.bool_)
    vectors[~learned] = 0
    used = [sum(len(c.tokens) - (c.stop - c.start) for c in sample) for sample in samples]
    background = getattr(learner, "background", None)
    return Learned(
        vectors=vectors,
        learned=learned,
        background=background if isinstance(background, Space) else None,
        used=np.array(used, dtype=np.int64),
    )
