"""What learners of terms share: the background that they learn within, and their parameters."""

from __future__ import annotations

import math

from lydite.errors import InputError, UnsuitableModelError
from lydite.models.catalogue import as_argument, load, model_spec
from lydite.models.subsampling import WordCounts
from lydite.spaces.space import Space
from lydite.spec import Spec, Value, differing
from lydite.storage import sha256_text


def background_space(name: str, background: object) -> Space:
    """Open the background of a learner, which has to be a space."""
    space = load(background)
    if not isinstance(space, Space):
        raise UnsuitableModelError(
            f"{name} learns within a space of word vectors, but {model_spec(space)} is none",
            hint=f"give it a vector file: {name}(vectors.txt), or {name}(glove-6b-50d)",
        )
    return space


def learner_spec(name: str, background: Space, options: dict[str, tuple[Value, Value]]) -> str:
    """Write a learner with those options that differ from their defaults."""
    return str(Spec(name, (as_argument(background),), differing(options)))


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
    if type(seed) is not int or not 0 <= seed < 2**64:
        raise InputError(f"expected a seed from 0 to 2^64 - 1, got {seed!r}")
    return seed
