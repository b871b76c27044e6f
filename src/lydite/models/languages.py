"""Whether word vectors are of the language of a text.

A large space has many words of other languages: names, titles, quotations. GloVe 6B knows 69 % of
the tokens of a German book and all of the hundred most frequent words of German, French and
Spanish. What tells is words of middling frequency, of ranks 1,001 to 3,000 in wordfreq, or 10,001
to 20,000 for a space of 200,000 words or more. Measured there:

========================  =====  =====  =====  =====  =====
space                       en     de     fr     es     it
========================  =====  =====  =====  =====  =====
GloVe 6B, 400,000 words    .999   .337   .403   .335   .325
its first 50,000           .999   .215   .288   .173   .168
its first 20,000           .994   .163   .227   .112   .114
its first 5,000            .890   .100   .145   .059   .062
its first 2,000            .405   .068   .078   .030   .043
French, 500,000 words      .533   .234   .993   .220   .240
French, 20,000 words       .201   .093   .954   .059   .082
========================  =====  =====  =====  =====  =====

So a space is of a language if it has 80 % of these words, or, being small, nearly as many as of any
other language.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterator

from lydite.corpora.languages import language_name, ranked_words
from lydite.models.words import find_words
from lydite.spaces.space import Space

logger = logging.getLogger(__name__)

#: A space that has this share of the words of a language is of that language.
ENOUGH = 0.8
#: So is one that has this share of what it has of the language that it has most of.
_NEARLY = 0.8
_LEAST, _LARGE = 1000, 200_000
_RANKS, _RANKS_OF_LARGE = (1001, 3000), (10_001, 20_000)
#: Languages that a space may be of.
_OTHERS = ("en", "de", "fr", "es", "it", "nl", "pt", "sv", "pl", "ru", "zh", "ja", "ar")


def language_share(space: Space, language: str) -> float | None:
    """Return which share of words of middling frequency a space has.

    None if there is no list of them, or if the space is too small to say.
    """
    if len(space) < _LEAST:
        return None
    words = ranked_words(language, *(_RANKS_OF_LARGE if len(space) >= _LARGE else _RANKS))
    return float(find_words(space, words, case="fold").found.mean()) if words else None


def is_of_language(space: Space, language: str) -> bool:
    """Tell whether the words of a space are of a language, as far as can be told."""
    share = language_share(space, language)
    if share is None or share >= ENOUGH:
        return True
    others = (language_share(space, other) or 0.0 for other in _OTHERS if other != language)
    return all(share >= _NEARLY * other for other in others)


def language_notes(model: object, language: str | None) -> list[str]:
    """Warn, and return what to say in a result, if a model's vectors are of another language."""
    if language is None:
        return []
    notes = []
    for space in spaces_of(model):
        if not is_of_language(space, language):
            share, name = language_share(space, language) or 0.0, language_name(language)
            notes.append(
                f"the text is in {name}, and {space.spec} is not of that language: it has "
                f"{100 * share:.0f} % of the {name} words of middling frequency. What it has are "
                f"names and quotations, and nothing said here of the terms holds. Give vectors "
                f"trained on {name}, or the right language with --language"
            )
    for note in notes:
        logger.warning("%s", note)
    return notes


def spaces_of(model: object) -> Iterator[Space]:
    """Yield the spaces of words that a model rests on, however deep."""
    if isinstance(model, Space):
        yield model
    elif isinstance(model, tuple | list):
        for each in model:
            yield from spaces_of(each)
    elif dataclasses.is_dataclass(model):
        for each in dataclasses.fields(model):
            yield from spaces_of(getattr(model, each.name))
