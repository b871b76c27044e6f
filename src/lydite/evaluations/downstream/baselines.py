"""Random vectors in place of a model's, and the cache of such baselines.

A suite asks many models of equal width the same task, and random vectors take longer than they.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.tokens import tokenizer as find_tokenizer
from lydite.evaluations.downstream.parts import Part
from lydite.evaluations.downstream.words import Case, Encoded, Features, encode_part
from lydite.models.baselines import RandomModel
from lydite.models.texts import has_direction
from lydite.progress import current_progress
from lydite.stats.null import Baseline, summarize_null
from lydite.stats.seeds import child_seed
from lydite.types import Lookup, Vectors

#: How many are kept; each is a few numbers.
MOST: Final = 256

_KNOWN: OrderedDict[tuple[str, str, int, int], Baseline] = OrderedDict()


def data_key(*pieces: Sequence[str] | NDArray[Any] | None) -> str:
    """Return what tells data apart: what is learned from, tuned on and tested on, in this order.

    The bytes of files would not do: their names say which of them is tested.

    >>> data_key(["a", "b"]) == data_key(["a"], ["b"])
    False
    """
    digest = sha256()
    for piece in pieces:
        if piece is None:
            digest.update(b"none;")
            continue
        content = (
            piece.tobytes()
            if isinstance(piece, np.ndarray)
            else "\0".join(piece).encode(errors="surrogatepass")
        )
        digest.update(b"%d %d:" % (len(piece), len(content)))
        digest.update(content)
    return digest.hexdigest()


def remembered(
    data: str, question: str, width: int, seed: int, make: Callable[[], Baseline]
) -> Baseline:
    """Return what `make` gave for these data, key of a question, width and seed, in this process.

    >>> from lydite.stats.null import summarize_null
    >>> def once() -> Baseline:
    ...     return summarize_null([0.5, 0.7], kind="random vectors")
    >>> first = remembered("0" * 64, "tagging", 50, 0, once)
    >>> remembered("0" * 64, "tagging", 50, 0, once) is first
    True
    """
    key = (data, question, width, seed)
    if key not in _KNOWN:
        _KNOWN[key] = make()
        if len(_KNOWN) > MOST:
            _KNOWN.popitem(last=False)
    _KNOWN.move_to_end(key)
    return _KNOWN[key]


#: Random vectors have as many dimensions as the model's, but no more than this.
MOST_RANDOM: Final = 300

#: Words whose random vectors are made at a time.
_WORDS = 8192


def random_lookup(words: Sequence[str], width: int, *, case: Case, seed: int) -> Lookup:
    """Return random vectors, (v, width), the same for words that differ in case.

    With ``case="exact"`` these differ too: a random vector has no other way to fold it than that
    words are written in lower case.

    >>> lookup = random_lookup(["Cat", "cat"], 3, case="fold", seed=0)
    >>> bool((lookup.vectors[0] == lookup.vectors[1]).all())
    True
    """
    asked = words if case == "exact" else [word.lower() for word in words]
    return RandomModel(width, seed=seed).lookup(asked)


def random_baseline(score: Callable[[int], float], *, draws: int, seed: int) -> Baseline:
    """Return what random vectors score, drawn so many times."""
    progress, scores = current_progress(), []
    for draw in range(draws):
        progress("random vectors", draw, draws)
        scores.append(score(child_seed(seed, "random vectors", str(draw))))
    progress("random vectors", draws, draws)
    return summarize_null(scores, kind="random vectors")


class RandomWords:
    """The texts of a part in lower case, cut once, to be encoded by many random models.

    What comes out is what `encode_part` gives for the random model and these texts; cutting texts
    into words takes far longer than all else.
    """

    def __init__(self, part: Part, *, features: Features, tokenizer: str) -> None:
        from scipy.sparse import csr_array

        self._part = _lower(part)
        self._features: Features = features
        self._tokenizer = tokenizer
        cut = find_tokenizer(tokenizer)
        lines = [cut(text) for text in self._part.texts] if features == "mean" else []
        place: dict[str, int] = {}
        columns = [place.setdefault(word, len(place)) for line in lines for word in line]
        starts = np.cumsum([0, *map(len, lines)])
        shares = np.repeat([1 / max(len(line), 1) for line in lines], np.diff(starts))
        self._words = list(place)
        self._shares = csr_array((shares, columns, starts), shape=(len(lines), len(place)))
        self._shares.sum_duplicates()

    def encoded(self, width: int, seed: int) -> Encoded:
        """Return the vectors that a random model with words of this width gives."""
        model = RandomModel(width, seed=seed)
        if self._features == "concatenated":
            return encode_part(
                model, self._part, features=self._features, tokenizer=self._tokenizer
            )
        vectors = self._means(model)
        start = len(self._part.train.texts)
        stop = len(vectors) - len(self._part.test.texts)
        return Encoded(
            train=vectors[:start],
            development=vectors[start:stop],
            test=vectors[stop:],
            covered=has_direction(vectors[stop:]),
        )

    def _means(self, model: RandomModel) -> Vectors:
        drawn = [
            model.lookup(self._words[i : i + _WORDS]).vectors
            for i in range(0, len(self._words), _WORDS)
        ]
        words = np.concatenate(drawn) if drawn else np.zeros((0, model.dim), dtype=np.float32)
        return np.asarray(self._shares @ words.astype(np.float64), dtype=np.float32)


def _lower(part: Part) -> Part:
    """Return a part in lower case: a random vector has no other way to fold it."""

    def lower(texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(text.lower() for text in texts)

    tuning = part.development
    return replace(
        part,
        train=replace(part.train, texts=lower(part.train.texts)),
        development=replace(tuning, texts=lower(tuning.texts)) if tuning else None,
        test=replace(part.test, texts=lower(part.test.texts)),
    )
