"""Contractions as a space has them: ``do n't`` in one, ``don't`` or ``dont`` in others.

A tokenizer that leaves contractions whole takes the negation from every text that is composed of
words of a space which was trained on text in the Penn Treebank's tokens, as GloVe was: it knows
``n't`` and no ``don't``. What a token is cut into is therefore asked of the space. A token that it
has as written is never cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from lydite.models.words import find_words
from lydite.spaces.space import CaseRule

_CURLY: Final = "’"
#: All that people type for an apostrophe, as one.
_STRAIGHT: Final = str.maketrans({_CURLY: "'", "\u02bc": "'", "\uff07": "'"})
_ENDINGS: Final = ("'s", "'m", "'re", "'ve", "'ll", "'d")
#: Words that are others, or mean something else, once the apostrophe is gone.
_OTHER_WORDS: Final = frozenset({"cant", "wont"})


class _Reading(NamedTuple):
    """A way to write a token, and what a space must have for it to be the right one."""

    pieces: tuple[str, ...]
    needed: tuple[str, ...]


def split_contractions(
    model: object, sentences: Sequence[Sequence[str]], *, case: CaseRule = "fold"
) -> list[Sequence[str]]:
    """Cut the tokens of sentences that a word model has in pieces alone.

    >>> from lydite.spaces.space import Space
    >>> space = Space.of({"i": [1.0], "do": [2.0], "n't": [-1.0], "like": [1.5], "it": [0.5]})
    >>> split_contractions(space, [["I", "don't", "like", "it"]])
    [('I', 'do', "n't", 'like', 'it')]
    """
    tokens = dict.fromkeys(token for sentence in sentences for token in sentence)
    pieces = contractions(model, list(tokens), case=case)
    if not pieces:
        return list(sentences)
    return [
        tuple(chain.from_iterable(pieces.get(token, (token,)) for token in sentence))
        for sentence in sentences
    ]


def contractions(
    model: object, tokens: Sequence[str], *, case: CaseRule = "fold"
) -> dict[str, tuple[str, ...]]:
    """Return how a word model writes the contractions among tokens that it lacks as written.

    Tried in this order: the other apostrophe; a word and its ending (``do n't``, ``ca n't``,
    ``john 's``), if the ending is known; without the apostrophe (``dont``), of negations alone,
    since ``its`` is not ``it's``; an elided word before another (``l' amour``); a known word and
    an unknown ending; and the parts between apostrophes (``don t``), if all are known.

    >>> from lydite.spaces.space import Space
    >>> contractions(Space.of({"can't": [1.0], "dont": [2.0]}), ["can’t", "don't", "it's"])
    {'can’t': ("can't",), "don't": ('dont',)}
    """
    marked = [token for token in tokens if "'" in token.translate(_STRAIGHT)[1:-1]]
    if not marked:
        return {}
    readings = {token: list(_readings(token)) for token in marked}
    wanted = dict.fromkeys(
        form for each in readings.values() for reading in each for form in reading.needed
    )
    forms = [*marked, *wanted]
    found = find_words(model, forms, case=case).found.tolist()
    known = {form for form, there in zip(forms, found, strict=True) if there}
    chosen = {}
    for token in marked:
        fits = (each.pieces for each in readings[token] if known.issuperset(each.needed))
        if token not in known and (pieces := next(fits, None)):
            chosen[token] = pieces
    return chosen


def _readings(token: str) -> Iterator[_Reading]:
    plain = token.translate(_STRAIGHT)
    for whole in (plain, plain.replace("'", _CURLY)):
        yield _Reading((whole,), (whole,))
    stem, endings = _treebank(plain)
    negated = bool(endings) and endings[0].lower() == "n't"
    if endings:
        yield _Reading((stem, *endings), endings)
        curly = tuple(each.replace("'", _CURLY) for each in endings)
        yield _Reading((stem, *curly), curly)
    if negated:
        joined = plain.replace("'", "")
        # In a space without apostrophes "cant" is "can't"; in others it is a word of its own.
        needed = (joined, "dont") if joined.lower() in _OTHER_WORDS else (joined,)
        yield _Reading((joined,), needed)
    elif not endings:
        before, _, after = plain.partition("'")
        for mark in ("'", _CURLY):
            yield _Reading((before + mark, after), (before + mark,))
    else:
        yield _Reading((stem, *endings), (stem,))
    parts = tuple(plain.split("'"))
    yield _Reading(parts, parts)


def _treebank(token: str) -> tuple[str, tuple[str, ...]]:
    """Cut endings off as the Penn Treebank does: ``can't`` is ``ca`` and ``n't``.

    >>> _treebank("couldn't've"), _treebank("John's"), _treebank("o'clock")
    (('could', ("n't", "'ve")), ('John', ("'s",)), ("o'clock", ()))
    """
    lower = token.lower()
    if lower.endswith("n't") and len(token) > 3:
        return token[:-3], (token[-3:],)
    for ending in _ENDINGS:
        if lower.endswith(ending) and len(token) > len(ending):
            stem, before = _treebank(token[: -len(ending)])
            return stem, (*before, token[-len(ending) :])
    return token, ()
