"""What the compiled loops of the skip-gram family work on."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: A longer sentence is taken in pieces of so many words, so that the room for it is bounded.
LONGEST: Final = 10_000

SKIPGRAM: Final = 0
CBOW: Final = 1
STRUCTURED_SKIPGRAM: Final = 2
CWINDOW: Final = 3
CBOW_ATTENTION: Final = 4

Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
UInt64s: TypeAlias = NDArray[np.uint64]
Float32s: TypeAlias = NDArray[np.float32]
Float64s: TypeAlias = NDArray[np.float64]


class Weights(NamedTuple):
    """What is learnt about v words.

    ``inputs`` (v, d) and ``outputs`` (v, matrices, d). ``worth`` (v + 1, 2 window), of attention
    alone and else without rows: what each word is worth at each position, and in the last row the
    position by itself.
    """

    inputs: Float32s
    outputs: Float32s
    worth: Float32s


class Plan(NamedTuple):
    """The recipe as numbers.

    ``rows`` are those of the words of the corpus, -1 out of the vocabulary; ``keep`` (v,) is how
    likely a token of each row is kept; ``table`` (v,) draws negatives. The rate falls from
    ``alpha`` to ``least`` while ``places`` of the corpus are gone through, all epochs together.
    """

    rows: Int32s
    keep: Float64s
    table: UInt64s
    architecture: int
    window: int
    dynamic: bool
    negative: int
    alpha: float
    least: float
    places: int


class Room(NamedTuple):
    """Room that a thread works in.

    ``kept`` are the rows of a sentence. ``places`` are rows of what predicts, one a position;
    ``words`` the rows predicted, the true one first, and ``gains`` how far each is moved.
    ``errors`` (2 window + 1, d) is where what predicts is to move. ``hidden`` (1, d) is a mean,
    which takes the last of the places, ``shares`` what part of it each position has, and
    ``slopes`` what is gained by more of it.
    """

    kept: Int32s
    places: Int64s
    words: Int64s
    gains: Float32s
    errors: Float32s
    hidden: Float32s
    shares: Float32s
    slopes: Float32s
