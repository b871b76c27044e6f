"""Nonce2Vec as a learner of terms.

Herbelot & Baroni, "High-risk learning: acquiring new word vectors from tiny data", EMNLP 2017.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from lydite.errors import InputError, UnsuitableModelError
from lydite.lexicons.frequencies import Frequencies
from lydite.models.background import (
    background_space,
    check_number,
    check_seed,
    learner_fingerprint,
    learner_spec,
)
from lydite.models.encoding import UNKNOWN, Encoded, encode_contexts
from lydite.models.learning import Learnt
from lydite.models.nonce2vec.kernel import Background, Plan, Text, learn_samples
from lydite.models.nonce2vec.negatives import Negatives
from lydite.models.nonce2vec.settings import (
    PRESETS,
    Freeze,
    Narrowing,
    Preset,
    Restart,
    Settings,
)
from lydite.models.subsampling import WordCounts, keep_probability, word_counts
from lydite.spaces.blocks import over_blocks
from lydite.spaces.space import CaseRule, Space
from lydite.spec import Value
from lydite.types import Context, Floats, Indices, Vectors, current_progress

ContextVectors: TypeAlias = Literal["output", "input"]

#: The words of the background of Herbelot & Baroni, to whose counts ``sample`` belongs.
PUBLISHED_WORDS = 1.6e9

#: Samples that a thread learns at a time.
_SAMPLES = 32


@dataclass(frozen=True, kw_only=True, eq=False)
class Nonce2Vec:
    """Learns a term by a few steps of skip-gram, from the sum of its context words.

    Attributes
    ----------
    background
        The space of the context words, and of what is learnt.
    counts
        How often its words occur, for subsampling and for negatives.
    settings
        How a term is learnt.
    preset
        What the settings started from.
    context
        ``output``: the background's own output vectors; ``input``: its word vectors in their place.
    size
        The counts are taken as of a corpus of so many words; none: as they are.
    frequencies
        What was asked for as the source of the counts, for the spec.
    seed
        Of subsampling and negatives.
    case
        ``fold`` asks the background again, in lower case, for words absent as written.
    """

    background: Space
    counts: WordCounts
    settings: Settings
    preset: Preset = "published"
    context: ContextVectors = "output"
    size: float | None = PUBLISHED_WORDS
    frequencies: str | None = None
    seed: int = 0
    case: CaseRule = "fold"

    @property
    def spec(self) -> str:
        """The text that names this model."""
        usual = PRESETS[self.preset]
        options: dict[str, tuple[Value, Value]] = {"preset": (self.preset, "published")}
        for field in dataclasses.fields(Settings):
            options[field.name] = (getattr(self.settings, field.name), getattr(usual, field.name))
        options |= {
            "context": (self.context, "output"),
            "size": (self.size, PUBLISHED_WORDS),
            "frequencies": (self.frequencies, None),
            "seed": (self.seed, 0),
            "case": (self.case, "fold"),
        }
        return learner_spec("nonce2vec", self.background, options)

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

    def learn(self, contexts: Sequence[Context]) -> Vectors:
        """Return the term's vector, (d,); zeros where no context word is known."""
        vectors = self.learn_all([contexts]).vectors
        return np.asarray(vectors[0], dtype=np.float32)

    def learn_all(self, samples: Sequence[Sequence[Context]], *, seed: int = 0) -> Learnt:
        """Return one vector a sample."""
        encoded = encode_contexts(self.background, samples, case=self.case)
        return self.learn_encoded(encoded.seeded(self.seed).seeded(seed))

    def learn_encoded(self, encoded: Encoded) -> Learnt:
        """Return one vector a sample of contexts that were looked up before."""
        vectors, used = self._train(encoded)
        learnt = np.asarray(vectors.any(axis=1), dtype=np.bool_)
        return Learnt(
            vectors=vectors, learnt=learnt, background=self.background, used=used[:, 0].copy()
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


def nonce2vec(  # noqa: PLR0913 - what its authors vary, and a spec names
    background: object,
    *,
    preset: Preset = "published",
    alpha: float | None = None,
    negatives: int | None = None,
    sample: float | None = None,
    decay: float | None = None,
    sample_decay: float | None = None,
    window_decay: int | None = None,
    window: int | None = None,
    epochs: int | None = None,
    restart: Restart | None = None,
    freeze: Freeze | None = None,
    narrowing: Narrowing | None = None,
    context: ContextVectors = "output",
    size: float | None = PUBLISHED_WORDS,
    frequencies: str | Frequencies | None = None,
    seed: int = 0,
    case: CaseRule = "fold",
) -> Nonce2Vec:
    """Skip-gram that learns a term fast, from the sum of its context words (Nonce2Vec).

    Parameters
    ----------
    background
        Word vectors with their output vectors, as a space trained by Lydite has them.
    preset
        ``published``: alpha 1, 3 negatives, decay 70, sample decay 1.9, the rate anew at each
        sentence (Herbelot & Baroni 2017). ``small-data``: alpha 0.1, 5 negatives, decay 30, sample
        decay 2.5, the rate on through all sentences (Bloem et al. 2019). Both: window 15, window
        decay 5, sample 10000, one epoch.
    alpha, negatives, sample, decay, sample_decay, window_decay, window, epochs, restart, freeze, \
narrowing
        In place of the preset's: see :class:`lydite.models.nonce2vec.settings.Settings`.
    context
        ``input`` takes the word vectors for the output vectors of a background that has none.
    size
        ``sample`` counts occurrences in a corpus of 1.6 billion words; counts of another corpus are
        scaled to that many. ``none`` takes them as they are.
    frequencies
        ``space`` (the background's own counts), ``wordfreq`` or a list of counts; by default the
        background's where it has them, and wordfreq where not.
    seed
        Of subsampling and negatives.
    case
        ``fold`` asks again in lower case for words that are absent as written.

    Notes
    -----
    Unlike the released code, the first sum is over tokens within the window, as in the additive
    model of Bloem et al.; the first release adds each different word of the text once.
    """
    given = {
        "alpha": alpha,
        "negatives": negatives,
        "sample": sample,
        "decay": decay,
        "sample_decay": sample_decay,
        "window_decay": window_decay,
        "window": window,
        "epochs": epochs,
        "restart": restart,
        "freeze": freeze,
        "narrowing": narrowing,
    }
    if preset not in PRESETS:
        raise InputError(f"expected preset among {', '.join(PRESETS)}, got {preset!r}")
    changes: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    settings = dataclasses.replace(PRESETS[preset], **changes)
    if size is not None:
        check_number("size", size, least=0, above=True)
    space = background_space("nonce2vec", background)
    if context == "output" and space.contexts is None:
        raise UnsuitableModelError(
            f"nonce2vec needs the output vectors of its background, which {space.spec} does not "
            "have: a plain vector file holds the input vectors alone",
            hint="train one that keeps both (lydite train skipgram), or say context=input to use "
            "the word vectors for both",
        )
    return Nonce2Vec(
        background=space,
        counts=word_counts(space, frequencies),
        settings=settings,
        preset=preset,
        context=context,
        size=size,
        frequencies=frequencies if isinstance(frequencies, str | None) else frequencies.name,
        seed=check_seed(seed),
        case=case,
    )
