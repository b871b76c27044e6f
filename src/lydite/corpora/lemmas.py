"""Lemmas of English words, and function words, which only say how others hang together.

The list of function words was written for this project, by word class, so that there is a reason
for every word. All classes are closed, but for the adverbs, of which only those are here that do
not name a manner, a place or a time. Words are in lower case, as they are written and as their
lemmas, whole and as parsers cut them ("do", "n't"). Numerals, interjections and verbs with a
meaning of their own that some lists have ("say", "seem", "make") are not here.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from lydite.errors import MissingExtraError, SpecError
from lydite.registry import nearest

Lemmatizer: TypeAlias = Callable[[Sequence[str]], list[str]]

#: For parsed text: the lemmas that stand there.
GIVEN: Final = "given"

_REMEMBERED = 1 << 20


def lemmatizer(name: str = "simplemma") -> Lemmatizer:
    """Return a function from words to their lemmas, all in lower case.

    Parameters
    ----------
    name
        ``simplemma`` (extra ``lemmas``) looks words up in a dictionary of forms, and takes a word
        that is not there as it is or by a few rules for endings; it does not look at the words
        around. ``none`` puts words into lower case.

    Raises
    ------
    SpecError
        If there is no lemmatizer of that name.
    MissingExtraError
        If its package is not installed.

    Examples
    --------
    >>> lemmatizer("none")(["Cats", "RAN"])
    ['cats', 'ran']
    """
    if name == "none":
        return _lower
    if name == "simplemma":
        return _simplemma()
    close = nearest(name, ("simplemma", "none"))
    raise SpecError(
        f"there is no lemmatizer called {name!r}",
        hint=f"did you mean {close[0]}?" if close else "there are simplemma and none",
    )


def _lower(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]


@functools.cache
def _simplemma() -> Lemmatizer:
    if importlib.util.find_spec("simplemma") is None:
        raise MissingExtraError("lemmatizing", extra="lemmas")
    package: Any = importlib.import_module("simplemma")

    @functools.lru_cache(maxsize=_REMEMBERED)
    def lemma(word: str) -> str:
        return str(package.lemmatize(word, lang="en")).lower()

    def lemmas(words: Sequence[str]) -> list[str]:
        return [lemma(word) for word in words]

    return lemmas


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES: Final = _words("a an the")

DETERMINERS: Final = _words(
    "all another any both each either enough every few fewer fewest half less least little lot "
    "lots many more most much neither no other others own same several some such that these this "
    "those what whatever which whichever whose"
)

PRONOUNS: Final = _words(
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his "
    "himself she her hers herself it its itself they them their theirs themselves themself one "
    "ones oneself who whom whose whoever whomever which what whatever that this these those such "
    "none nothing nobody anyone anybody anything someone somebody something everyone everybody "
    "everything each other another there thou thee thy thine ye"
)

PREPOSITIONS: Final = _words(
    "about above across after against along alongside amid amidst among amongst around as at "
    "atop before behind below beneath beside besides between beyond by concerning despite down "
    "during except for from in including inside into like near of off on onto opposite out "
    "outside over past per regarding since than through throughout till to toward towards under "
    "underneath unlike until unto up upon versus via vs vs. with within without"
)

AUXILIARIES: Final = _words(
    "be am is are was were been being have has had having do does did done doing can could may "
    "might must shall should will would ought cannot need dare 'm 're 's 've 'd 'll ca wo sha"
)

CONJUNCTIONS: Final = _words(
    "and but or nor so yet for both either neither whether if unless because although though "
    "whereas while whilst when whenever where wherever since until till before after once as than "
    "that lest provided & and/or"
)

PARTICLES: Final = _words("not n't n’t 't to 's ’s ' up down out off on over away back")

ADVERBS: Final = _words(
    "again almost already also always anyway else even ever furthermore hence here how however "
    "indeed instead just maybe merely moreover namely never nevertheless nonetheless now often "
    "only otherwise perhaps quite rather really so sometimes still then thereby therefore thus "
    "together too very well why yet"
)

#: Contractions that a tokenizer leaves whole.
CONTRACTIONS: Final = _words(
    "aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mustn't shouldn't "
    "wasn't weren't won't wouldn't i'm i've i'd i'll you're you've you'd you'll he's he'd he'll "
    "she's she'd she'll it's it'd it'll we're we've we'd we'll they're they've they'd they'll "
    "that's there's here's who's what's where's let's"
)

#: All of them.
FUNCTION_WORDS: Final = (
    ARTICLES
    | DETERMINERS
    | PRONOUNS
    | PREPOSITIONS
    | AUXILIARIES
    | CONJUNCTIONS
    | PARTICLES
    | ADVERBS
    | CONTRACTIONS
)
