"""Nonce2Vec as a loop over sentences and pairs in Python and NumPy, as its authors wrote it.

It draws the same random numbers as Lydite's compiled code, so that the vectors can be compared.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from lydite.models.contexts import TERM, Encoded, chances
from lydite.models.nonce2vec import LEAST_ALPHA, LEAST_WINDOW, Nonce2Vec
from lydite.spaces.vocabulary import Hashes, mix
from lydite.types import Floats, Indices, Vectors

_STEP = np.uint64(0x9E3779B97F4A7C15)
_SALT = np.uint64(0xD1B54A32D192ED03)


def learn_loop(learner: Nonce2Vec, encoded: Encoded) -> Vectors:
    """Learn one vector a sample, (n, d), sample by sample."""
    return np.stack([_Term(learner, encoded, s).learn() for s in range(len(encoded.samples) - 1)])


class _Term:
    """The state of one term while it is learnt."""

    def __init__(self, learner: Nonce2Vec, encoded: Encoded, sample: int) -> None:
        self.learner, self.settings = learner, learner.settings
        self.sentences = [
            encoded.rows[encoded.sentences[q] : encoded.sentences[q + 1]]
            for q in range(encoded.samples[sample], encoded.samples[sample + 1])
        ]
        self.keys = encoded.keys[encoded.samples[sample] : encoded.samples[sample + 1]]
        tokens = sum(int((rows != -1).sum()) for rows in self.sentences)
        self.threshold = self.settings.sample * tokens
        self.outputs = learner.outputs
        self.moved: dict[int, Vectors] = {}
        self.labels = np.zeros(self.settings.negatives + 1)
        self.labels[0] = 1.0
        self.seen = self.pairs = 0

    def learn(self) -> Vectors:
        vector = self.start()
        window, shrink = self.settings.window, 1.0
        for turn in range(self.settings.epochs * len(self.sentences)):
            q = turn % len(self.sentences)
            with np.errstate(over="ignore"):
                key = _bits(self.keys[q] ^ _SALT, turn)
            kept = self.kept(self.sentences[q], key, shrink)
            if self.settings.restart == "sentence":
                self.seen = 0
            self.learn_sentence(vector, kept, window, key)
            shrink /= self.settings.sample_decay
            window = self.narrowed(window)
        return vector.astype(np.float32)

    def start(self) -> Floats:
        vectors = self.learner.background.vectors
        total = np.zeros(vectors.shape[1])
        for rows, key in zip(self.sentences, self.keys, strict=True):
            kept = self.kept(rows, key, 1.0)
            uses = [i for i, row in enumerate(kept) if row == TERM]
            for i, row in enumerate(kept):
                if row != TERM and any(abs(i - use) <= self.settings.window for use in uses):
                    total += vectors[row]
        return total

    def kept(self, rows: Indices, key: np.uint64, shrink: float) -> list[int]:
        drawn = chances(np.array([key]), np.arange(len(rows)))
        keep = np.ones(len(rows))
        known = rows >= 0
        if self.settings.sample:
            counts = self.learner.counts.of_rows(rows[known])
            if self.learner.size is not None:
                counts = counts * (self.learner.size / self.learner.counts.total)
            share = self.threshold / counts
            keep[known] = np.minimum(1.0, np.sqrt(share) + share)
        stays = (rows == TERM) | (known & (drawn < keep * shrink))
        return [int(row) for row in rows[stays]]

    def learn_sentence(self, vector: Floats, kept: list[int], window: int, key: np.uint64) -> None:
        for i, row in enumerate(kept):
            for j in range(max(0, i - window), min(len(kept), i + window + 1)):
                if j != i and kept[j] == TERM:
                    self.seen += 1
                    if row != TERM:
                        self.learn_pair(vector, row, _bits(~key, self.pairs))
                        self.pairs += 1

    def learn_pair(self, vector: Floats, target: int, key: np.uint64) -> None:
        alpha = self.settings.alpha * np.exp(-(self.seen - 1) / self.settings.decay)
        words = [target, *self.negatives(target, key)]
        near = self.outputs[words].astype(np.float64)
        if self.moved:
            near = np.stack([self.moved.get(word, self.outputs[word]) for word in words])
            near = near.astype(np.float64)
        gains = (self.labels - expit(near @ vector)) * max(alpha, LEAST_ALPHA)
        if self.settings.freeze == "input":
            for word, gain in zip(words, gains, strict=True):
                own = self.moved.get(word, self.outputs[word]).astype(np.float64)
                self.moved[word] = (own + gain * vector).astype(np.float32)
        vector += gains @ near

    def negatives(self, target: int, key: np.uint64) -> list[int]:
        drawn: list[int] = []
        first = 0
        while (missing := self.settings.negatives - len(drawn)) > 0:
            u = chances(np.array([key]), np.arange(first, first + missing))
            words = np.searchsorted(self.learner.negatives.cumulative, u, side="right")
            drawn += [int(word) for word in words if word != target]
            first += missing
        return drawn

    def narrowed(self, window: int) -> int:
        narrower = window - self.settings.window_decay
        if self.settings.narrowing == "released":
            return narrower if window - 1 >= LEAST_WINDOW else window
        return narrower if narrower >= LEAST_WINDOW else window


def _bits(key: np.uint64, n: int) -> np.uint64:
    bits: Hashes = mix(np.array([key]) + np.array([n + 1], dtype=np.uint64) * _STEP)
    return np.uint64(bits[0])
