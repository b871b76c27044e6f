"""Nonce2Vec as a learner of terms (Herbelot & Baroni 2017).

Every random number is a hash of the sentence, its place and the pair, so that it matters neither in
which thread nor in which company a term is learned.

Herbelot & Baroni, "High-risk learning: acquiring new word vectors from tiny data", EMNLP 2017.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import Type, Types, compiled, part, record
from lydite.declare import SEEDS, Field, Inline, Param, check_values, fields_of
from lydite.errors import InputError, UnsuitableModelError
from lydite.lexicons.frequencies import Frequencies
from lydite.models.contexts import (
    UNKNOWN,
    Encoded,
    Learned,
    Learner,
    WordCounts,
    background_space,
    encode_contexts,
    keep_probability,
    learner_fingerprint,
    word_counts,
)
from lydite.progress import current_progress
from lydite.spaces.neighbours import over_blocks
from lydite.spaces.space import CaseRule, Space
from lydite.spec import Spec, Value
from lydite.types import Context, Floats, Indices, Vectors

Preset: TypeAlias = Literal["published", "small-data"]
Restart: TypeAlias = Literal["sentence", "term"]
Freeze: TypeAlias = Literal["all", "input"]
Narrowing: TypeAlias = Literal["floor", "released"]

#: The learning rate never falls below this.
LEAST_ALPHA: Final = 1e-4
#: With ``narrowing=floor`` the window never falls below this.
LEAST_WINDOW: Final = 3


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How Nonce2Vec learns a term."""

    alpha: Annotated[float, Param("The learning rate of the first pair.", above=0)] = 1.0
    negatives: Annotated[int, Param("Words drawn against each context word.", least=0)] = 3
    sample: Annotated[
        float,
        Param(
            "Times the number of tokens of the term's text: the count in the background above "
            "which words are dropped at random; 0 keeps all.",
            least=0,
        ),
    ] = 10_000
    decay: Annotated[
        float,
        Param(
            "Lambda: the rate of the i-th pair is ``alpha exp(-(i - 1) / decay)``, at least "
            "0.0001.",
            above=0,
        ),
    ] = 70.0
    sample_decay: Annotated[
        float,
        Param("After each sentence the probability of keeping a word is divided by this.", least=1),
    ] = 1.9
    window_decay: Annotated[
        int, Param("After each sentence the window is narrower by this.", least=0)
    ] = 5
    window: Annotated[
        int,
        Param(
            "Words on either side of the term, within the sentence, counted after words were "
            "dropped.",
            least=1,
        ),
    ] = 15
    epochs: Annotated[
        int,
        Param(
            "How often the sentences are gone through; rates, window and probabilities decay on.",
            least=1,
        ),
    ] = 1
    restart: Annotated[
        Restart,
        Param(
            "Whether i starts anew at each ``sentence``, as in the authors' first release, or "
            "counts on for the ``term``, as in the second."
        ),
    ] = "sentence"
    freeze: Annotated[
        Freeze,
        Param(
            "``all``: nothing but the term's own vector moves, as both papers say. ``input``: the "
            "output vectors of context words and negatives move too, as in the released code; here "
            "for the one term only, so that terms do not depend on each other."
        ),
    ] = "all"
    narrowing: Annotated[
        Narrowing,
        Param(
            "When the window stops to narrow. ``floor``: before it would fall below 3. "
            "``released``: once it is below 4, as the released code has it; a window of 15 that "
            "loses 5 per sentence is then 0 from the fourth sentence on, so that nothing more is "
            "learned."
        ),
    ] = "floor"

    def __post_init__(self) -> None:
        check_values(self, "nonce2vec")


PRESETS: Final[dict[str, Settings]] = {
    # Herbelot & Baroni (2017): one sentence per term.
    "published": Settings(),
    # Bloem, Fokkens & Herbelot (2019), section 7: several sentences per term.
    "small-data": Settings(alpha=0.1, negatives=5, decay=30.0, sample_decay=2.5, restart="term"),
}


_POWER = 0.75


@dataclass(frozen=True, kw_only=True, eq=False)
class Negatives:
    """The distribution of negatives over the v words of a background."""

    #: (v,): the share of all words up to and with each one; the word of a number u in [0, 1)
    #: is the first whose share is above u.
    cumulative: Floats
    #: (v,): that word for 0, 1/v, 2/v …, from where it is found in a step or two (Chen & Asau
    #: 1974).
    guide: NDArray[np.int32]

    @classmethod
    def of(cls, counts: Floats, *, name: str) -> Negatives:
        """Make the distribution from counts; words that never occur are never drawn.

        >>> Negatives.of(np.array([16.0, 0.0, 1.0]), name="space").cumulative.round(3).tolist()
        [0.889, 0.889, 1.0]
        """
        if np.count_nonzero(counts) < 2:
            raise InputError(
                f"expected counts of at least 2 words of {name}, got {np.count_nonzero(counts)}",
                hint="negatives are drawn by how often the words of the background occur",
            )
        cumulative = np.cumsum(np.asarray(counts, dtype=np.float64) ** _POWER)
        cumulative /= cumulative[-1]
        parts = np.arange(len(counts)) / len(counts)
        guide = np.searchsorted(cumulative, parts, side="right").astype(np.int32)
        return cls(cumulative=cumulative, guide=guide)


_TERM: Final = -2
_STEP = np.uint64(0x9E3779B97F4A7C15)
#: Keeps the random numbers of learning apart from those of the sum that it starts from.
SALT = np.uint64(0xD1B54A32D192ED03)

Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
UInt64s: TypeAlias = NDArray[np.uint64]
Float32s: TypeAlias = NDArray[np.float32]
Float64s: TypeAlias = NDArray[np.float64]


class Text(NamedTuple):
    """The contexts of n samples, as in :class:`lydite.models.contexts.Encoded`.

    ``keep`` (t,) is how likely each token is kept in the first sentence.
    """

    rows: Int32s
    sentences: Int64s
    samples: Int64s
    keys: UInt64s
    keep: Float64s


class Background(NamedTuple):
    """Input and output vectors (v, d), and the distribution of negatives over the v words.

    ``cumulative`` and ``guide`` are those of :class:`lydite.models.nonce2vec.Negatives`.
    """

    inputs: Float32s
    outputs: Float32s
    cumulative: Float64s
    guide: Int32s


class Plan(NamedTuple):
    """The settings, as numbers."""

    alpha: float
    decay: float
    sample_decay: float
    window: int
    window_decay: int
    epochs: int
    negatives: int
    by_sentence: bool
    moving: bool
    released: bool


class Pairs(NamedTuple):
    """The context words of a term in the order they are learned from."""

    targets: Int32s
    rates: Float64s
    keys: UInt64s


def _background(t: Types) -> Type:
    # Vectors are usually mapped from a file, and so cannot be written to.
    frozen = t.Array(t.f4, 2, "C", readonly=True)
    return record(Background, lambda t: (frozen, frozen, t.f8[::1], t.i4[::1]))(t)


_text = record(Text, lambda t: (t.i4[::1], t.i8[::1], t.i8[::1], t.u8[::1], t.f8[::1]))
_plan = record(Plan, lambda t: (*[t.f8] * 3, *[t.i8] * 4, *[t.b1] * 3))


@part
def _mix(bits: np.uint64) -> np.uint64:
    """Scramble 64 bits (the finalizer of splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@part
def _bits(key: np.uint64, n: int) -> np.uint64:
    """Return the n-th 64 random bits of a key."""
    return _mix(key + (np.uint64(n) + np.uint64(1)) * _STEP)


@part
def _chance(key: np.uint64, n: int) -> float:
    """Return the n-th random number of a key, from 0 to 1."""
    return float(_bits(key, n) >> np.uint64(11)) * 2.0**-53


@part
def _longest(text: Text, first: int, last: int) -> int:
    longest = 0
    for sentence in range(first, last):
        longest = max(longest, text.sentences[sentence + 1] - text.sentences[sentence])
    return longest


@part
def _most_pairs(text: Text, first: int, last: int) -> int:
    """Return the largest number of pairs that sentences can have in one epoch."""
    most = 0
    for sentence in range(first, last):
        start, stop = text.sentences[sentence], text.sentences[sentence + 1]
        uses = 0
        for i in range(start, stop):
            uses += int(text.rows[i] == _TERM)
        most += uses * (stop - start)
    return most


@part
def _keep_tokens(
    text: Text, sentence: int, shrink: float, key: np.uint64, kept: Int32s, uses: Int32s
) -> tuple[int, int]:
    """Drop unknown and frequent words of a sentence.

    Returns how many tokens are left, in ``kept``, and how many are the term, whose places among
    them are in ``uses``.
    """
    start = text.sentences[sentence]
    left = 0
    used = 0
    for i in range(start, text.sentences[sentence + 1]):
        row = text.rows[i]
        if row == _TERM or (row >= 0 and _chance(key, i - start) < text.keep[i] * shrink):
            kept[left] = row
            if row == _TERM:
                uses[used] = left
                used += 1
            left += 1
    return left, used


@part
def _narrow(window: int, plan: Plan) -> int:
    narrower = window - plan.window_decay
    if plan.released:
        return narrower if window - 1 >= LEAST_WINDOW else window
    return narrower if narrower >= LEAST_WINDOW else window


@part
def _list_pairs(text: Text, first: int, last: int, plan: Plan, pairs: Pairs) -> int:
    """List the context words of the sentences of one sample; returns how many."""
    kept = np.empty(_longest(text, first, last), dtype=np.int32)
    uses = np.empty_like(kept)
    window = plan.window
    shrink = 1.0
    seen = 0
    listed = 0
    for turn in range(plan.epochs * (last - first)):
        sentence = first + turn % (last - first)
        key = _bits(text.keys[sentence] ^ SALT, turn)
        left, used = _keep_tokens(text, sentence, shrink, key, kept, uses)
        if plan.by_sentence:
            seen = 0
        for i in range(left):
            for j in range(used):
                if uses[j] == i or abs(uses[j] - i) > window:
                    continue
                # Another use of the term is counted, but nothing is learned from it.
                seen += 1
                if kept[i] != _TERM:
                    pairs.targets[listed] = kept[i]
                    rate = plan.alpha * math.exp(-(seen - 1) / plan.decay)
                    pairs.rates[listed] = max(rate, LEAST_ALPHA)
                    pairs.keys[listed] = _bits(~key, listed)
                    listed += 1
        shrink /= plan.sample_decay
        window = _narrow(window, plan)
    return listed


@part
def _sum_words(
    text: Text, first: int, last: int, window: int, inputs: Float32s, vector: Float64s
) -> int:
    """Add up the context words of the sentences of one sample; returns how many they are."""
    for i in range(vector.shape[0]):
        vector[i] = 0.0
    kept = np.empty(_longest(text, first, last), dtype=np.int32)
    uses = np.empty_like(kept)
    used = 0
    for sentence in range(first, last):
        left, count = _keep_tokens(text, sentence, 1.0, text.keys[sentence], kept, uses)
        for i in range(left):
            near = False
            for j in range(count):
                near = near or abs(uses[j] - i) <= window
            if near and kept[i] != _TERM:
                used += 1
                for k in range(vector.shape[0]):
                    vector[k] += inputs[kept[i], k]
    return used


@part
def _draw_words(key: np.uint64, target: int, background: Background, words: Int64s) -> None:
    """Put the context word first, and behind it others drawn at random."""
    words[0] = target
    filled = 1
    n = 0
    while filled < words.shape[0]:
        chance = _chance(key, n)
        n += 1
        word = background.guide[np.int64(chance * background.guide.shape[0])]
        while background.cumulative[word] <= chance:
            word += 1
        if word != target:
            words[filled] = word
            filled += 1


@part
def _dot(left: Float64s, right: Float32s, row: int) -> float:
    # Four sums at a time, because one alone has to wait for each addition.
    a = b = c = d = 0.0
    whole = left.shape[0] // 4 * 4
    for i in range(0, whole, 4):
        a += left[i] * right[row, i]
        b += left[i + 1] * right[row, i + 1]
        c += left[i + 2] * right[row, i + 2]
        d += left[i + 3] * right[row, i + 3]
    for i in range(whole, left.shape[0]):
        a += left[i] * right[row, i]
    return (a + b) + (c + d)


@part
def _sigmoid(x: float) -> float:
    # The sign keeps the exponential from growing beyond every number.
    small = math.exp(-abs(x))
    return (1.0 if x >= 0 else small) / (1.0 + small)


@part
def _own_place(row: int, outputs: Float32s, owners: Int64s, own: Float32s) -> np.int64:
    """Find the copy of an output vector that this term may move; made when first asked for."""
    place = np.int64(_mix(np.uint64(row)) % np.uint64(owners.shape[0]))
    while owners[place] > 0 and owners[place] != row + 1:
        place = np.int64((place + 1) % owners.shape[0])
    if owners[place] == 0:
        owners[place] = row + 1
        for i in range(own.shape[1]):
            own[place, i] = outputs[row, i]
    return place


@part
def _fill_gains(vector: Float64s, near: Float32s, rate: float, gains: Float64s) -> None:
    """Fill in how far each vector pulls: the first is a context word, the others are not."""
    for k in range(near.shape[0]):
        label = 1.0 if k == 0 else 0.0
        gains[k] = (label - _sigmoid(_dot(vector, near, k))) * rate


@part
def _move(vector: Float64s, near: Float32s, gains: Float64s) -> None:
    for i in range(vector.shape[0]):
        error = 0.0
        for k in range(gains.shape[0]):
            error += gains[k] * near[k, i]
        vector[i] += error


@part
def _train(vector: Float64s, pairs: Pairs, count: int, background: Background, plan: Plan) -> None:
    """Move the vector of one term, pair by pair."""
    outputs = background.outputs
    words = np.empty(plan.negatives + 1, dtype=np.int64)
    gains = np.empty(words.shape[0])
    near = np.empty((words.shape[0], vector.shape[0]), dtype=np.float32)
    slots = 2 * min(count * words.shape[0], outputs.shape[0]) + 1 if plan.moving else 0
    owners = np.zeros(slots, dtype=np.int64)
    own = np.empty((slots, vector.shape[0]), dtype=np.float32)
    for pair in range(count):
        _draw_words(pairs.keys[pair], pairs.targets[pair], background, words)
        for k in range(words.shape[0]):
            place = _own_place(words[k], outputs, owners, own) if plan.moving else words[k]
            for i in range(vector.shape[0]):
                near[k, i] = own[place, i] if plan.moving else outputs[place, i]
            words[k] = place
        _fill_gains(vector, near, pairs.rates[pair], gains)
        if plan.moving:
            for k in range(words.shape[0]):
                for i in range(vector.shape[0]):
                    own[words[k], i] += gains[k] * vector[i]
        _move(vector, near, gains)


@compiled(
    lambda t: t.void(
        t.i8,
        t.i8,
        _text(t),
        _background(t),
        _plan(t),
        t.f4[:, ::1],
        t.i8[:, ::1],
    )
)
def learn_samples(
    first: int,
    last: int,
    text: Text,
    background: Background,
    plan: Plan,
    vectors: Float32s,
    used: Int64s,
) -> None:
    """Learn the terms of samples.

    - ``used`` (n, 2), filled with the number of tokens that each vector started from, and of
      the pairs it then learned from.
    """
    vector = np.empty(vectors.shape[1])
    for sample in range(first, last):
        begin, end = text.samples[sample], text.samples[sample + 1]
        most = _most_pairs(text, begin, end) * plan.epochs
        pairs = Pairs(
            np.empty(most, dtype=np.int32), np.empty(most), np.empty(most, dtype=np.uint64)
        )
        count = _list_pairs(text, begin, end, plan, pairs)
        used[sample, 0] = _sum_words(text, begin, end, plan.window, background.inputs, vector)
        used[sample, 1] = count
        _train(vector, pairs, count, background, plan)
        for i in range(vector.shape[0]):
            vectors[sample, i] = vector[i]


ContextVectors: TypeAlias = Literal["output", "input"]

#: The words of the background of Herbelot & Baroni, to whose counts ``sample`` belongs.
PUBLISHED_WORDS = 1.6e9

#: Samples that a thread learns at a time.
_SAMPLES = 32


@dataclass(frozen=True, eq=False)
class Nonce2Vec(Learner):
    """Skip-gram that learns a term fast, from the sum of its context words (Nonce2Vec).

    Notes
    -----
    Unlike the released code, the first sum is over tokens within the window, as in the additive
    model of Bloem et al.; the first release adds each different word of the text once.
    """

    name: ClassVar[str] = "nonce2vec"

    background: Annotated[
        Space,
        Param(
            "Word vectors with their output vectors, as a space trained by Lydite has them.",
            given_by="background",
        ),
    ]
    _: KW_ONLY
    preset: Annotated[
        Preset,
        Param(
            "What decides the parameters that follow, up to ``narrowing``, where they are not "
            "given. ``published``: alpha 1, 3 negatives, decay 70, sample decay 1.9, the rate anew "
            "at each sentence (Herbelot & Baroni 2017). ``small-data``: alpha 0.1, 5 negatives, "
            "decay 30, sample decay 2.5, the rate on through all sentences (Bloem et al. 2019). "
            "Both: window 15, window decay 5, sample 10000, one epoch.",
            given_by="preset",
        ),
    ] = "published"
    settings: Annotated[Settings, Inline(unset=True)] = Settings()
    context: Annotated[
        ContextVectors,
        Param(
            "``output``: the background's own output vectors. ``input``: its word vectors in "
            "their place, for a background that has none."
        ),
    ] = "output"
    size: Annotated[
        float | None,
        Param(
            "``sample`` counts occurrences in a corpus of 1.6 billion words; counts of another "
            "corpus are scaled to that many. ``none`` takes them as they are.",
            above=0,
        ),
    ] = PUBLISHED_WORDS
    frequencies: Annotated[
        str | Frequencies | None,
        Param(
            "``space`` (the background's own counts), ``wordfreq`` or a list of counts; by default "
            "the background's where it has them, and wordfreq where not."
        ),
    ] = None
    seed: Annotated[int, Param("The seed of subsampling and negatives.", least=0, most=SEEDS)] = 0
    case: Annotated[
        CaseRule,
        Param("``fold`` asks again in lower case for words that are absent as written."),
    ] = "fold"

    @classmethod
    def open(cls, background: object, **parameters: Any) -> Nonce2Vec:  # noqa: ANN401
        """Open the background, and put what is given in place of the preset's settings."""
        own = {each.name for each in fields_of(Settings)}
        changes = {
            key: value for key, value in parameters.items() if key in own and value is not None
        }
        rest = {key: value for key, value in parameters.items() if key not in own}
        usual = PRESETS.get(rest.get("preset", cls.preset), Settings())
        settings = dataclasses.replace(usual, **changes)
        made = cls(background_space(cls.name, background), settings=settings, **rest)
        if made.context == "output" and made.background.contexts is None:
            raise UnsuitableModelError(
                "nonce2vec needs the output vectors of its background, which "
                f"{made.background.spec} does not have: a plain vector file contains only the "
                "input vectors",
                hint="train one that keeps both (lydite train skipgram), or use context=input, "
                "which takes the word vectors for both",
            )
        _ = made.counts
        return made

    @classmethod
    def adapt(cls, spec: Spec, background: Space) -> tuple[dict[str, Value], str]:
        """Say what a spec needs for a background that nobody chose, and why.

        Word vectors stand for the output vectors of a background that has none.
        """
        if "context" in dict(spec.params) or background.contexts is not None:
            return {}, ""
        return {"context": "input"}, (
            f"{background.spec} has no output vectors; nonce2vec takes its word vectors for them "
            "(context=input). 'lydite train skipgram' makes a background that has both"
        )

    def spec_value(self, field: Field) -> Any:  # noqa: ANN401
        """Return what the spec says of a field: none for settings that are the preset's."""
        value = super().spec_value(field)
        if field.path and value == getattr(PRESETS[self.preset], field.name):
            return None
        listed = field.name == "frequencies" and not isinstance(value, str | None)
        return value.name if listed else value

    @cached_property
    def counts(self) -> WordCounts:
        """How often words of the background occur, for subsampling and for negatives."""
        return word_counts(self.background, self.frequencies)

    @property
    def fingerprint(self) -> str | None:
        """The bytes of the background and of the counts."""
        return learner_fingerprint(self.background, self.counts)

    @property
    def outputs(self) -> Vectors:
        """The vectors that context words and negatives have, (v, d)."""
        own = self.background.contexts
        return self.background.vectors if self.context == "input" or own is None else own

    @cached_property
    def negatives(self) -> Negatives:
        """The distribution that negatives are drawn from."""
        return Negatives.of(self.counts.of_all, name=self.background.spec)

    def learn_all(self, samples: Sequence[Sequence[Context]], *, seed: int = 0) -> Learned:
        """Return one vector per sample."""
        encoded = encode_contexts(self.background, samples, case=self.case)
        return self.learn_encoded(encoded.seeded(self.seed).seeded(seed))

    def learn_encoded(self, encoded: Encoded) -> Learned:
        """Return one vector per sample of contexts that were looked up before."""
        vectors, used = self._train(encoded)
        learned = np.asarray(vectors.any(axis=1), dtype=np.bool_)
        return Learned(
            vectors=vectors, learned=learned, background=self.background, used=used[:, 0].copy()
        )

    def keep(self, encoded: Encoded) -> Floats:
        """Return how likely each token is kept in the first sentence, (t,)."""
        keep = np.ones(len(encoded.rows))
        known = encoded.known
        if self.settings.sample and known.any():
            counts = self.counts.of_rows(encoded.rows[known])
            if self.size is not None:
                counts = counts * (self.size / self.counts.total)
            owner = encoded.sample_of_tokens()
            tokens = np.bincount(owner[encoded.rows != UNKNOWN], minlength=len(encoded.samples) - 1)
            threshold = self.settings.sample * tokens[owner[known]].astype(np.float64)
            keep[known] = keep_probability(counts, threshold)
        return keep

    def _train(self, encoded: Encoded) -> tuple[Vectors, Indices]:
        """Return the vectors, (n, d), and of how many tokens and pairs they are, (n, 2)."""
        chosen, negatives = self.settings, self.negatives
        text = Text(
            encoded.rows.astype(np.int32),
            encoded.sentences,
            encoded.samples,
            encoded.keys,
            self.keep(encoded),
        )
        inputs, outputs = _frozen(self.background.vectors), _frozen(self.outputs)
        background = Background(inputs, outputs, negatives.cumulative, negatives.guide)
        plan = Plan(
            alpha=float(chosen.alpha),
            decay=float(chosen.decay),
            sample_decay=float(chosen.sample_decay),
            window=chosen.window,
            window_decay=chosen.window_decay,
            epochs=chosen.epochs,
            negatives=chosen.negatives,
            by_sentence=chosen.restart == "sentence",
            moving=chosen.freeze == "input",
            released=chosen.narrowing == "released",
        )
        vectors = np.zeros((len(encoded.samples) - 1, inputs.shape[1]), dtype=np.float32)
        used = np.zeros((len(vectors), 2), dtype=np.int64)

        def learn(first: int) -> int:
            last = min(first + _SAMPLES, len(vectors))
            learn_samples(first, last, text, background, plan, vectors, used)
            return last

        for done in over_blocks(learn, range(0, len(vectors), _SAMPLES)):
            current_progress()("learning terms", done, len(vectors))
        return vectors, used


def _frozen(vectors: Vectors) -> Vectors:
    """Return vectors as the kernel is compiled for: one after the other, and not to be written."""
    view = np.ascontiguousarray(vectors, dtype=np.float32)[:]
    view.flags.writeable = False
    return view
