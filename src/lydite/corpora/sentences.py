"""Cut a paragraph into sentences.

English has rules for abbreviations, initials, numbers, quotations and brackets; every other
language is cut at its marks of sentence end. The libraries at hand do not suit long corpora: for
a million words pysbd needs two minutes and syntok twenty seconds, NLTK's Punkt needs data that
have to be fetched, and BlingFire, which is fast, brings 99 MB. These rules need about a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Never the end of a sentence: a name or an explanation follows.
_OPENING = _words(
    "mr mrs ms messrs mm mme mlle dr drs prof rev revd hon st ste sr sra gen col capt cpt lt lieut "
    "maj sgt cmdr adm gov pres sen rep supt fr pfc pvt vs viz cf e.g i.e eg ie ca approx camb univ "
    "dept ed eds trans transl op loc"
)
#: Not the end of a sentence if a number follows.
_NUMBERED = _words(
    "vol vols no nos nr p pp pg fig figs ch chap chaps sec sect secs sects eq eqs ex exs art arts "
    "bk bks pt pts par pars app tab thm prop props def defs lect lects ser bd s n nn l ll v vv c "
    "cc df tr cit ibid"
)
#: The end of a sentence where a word follows that often opens one.
_EITHER = _words(
    "etc al ff f jr sr inc ltd co corp bros esq a.m p.m am pm u.s u.k u.s.a u.n e.u d.c n.y ph.d "
    "b.a m.a m.d ll.d b.c a.d b.c.e c.e jan feb apr jun jul aug sept sep oct nov dec tue tues thu "
    "thurs fri ave blvd rd oz lb lbs hr hrs dep est fl"
)
_OPENERS = _words(
    "The A An This That These Those It He She They We You I There Here In On At By For From With "
    "Without But And Or Nor So Yet If When While Where Since As After Before Because Although "
    "Though However Moreover Thus Hence Then Now What Who Which Why How Whether Its His Her Their "
    "Our My Your Such Some Many Most All Each Every No Not Nothing One Two Both Another Other "
    "Under Over Let Is Are Was Were Do Does Did Can Could May Must Shall Should Will Would To Of "
    "Nevertheless Therefore Accordingly Consequently Indeed Perhaps Again Also Finally Even Only "
    "Once Until Unless Upon According"
)

_QUOTES = "\"'”’»)\\]}*_"
_CANDIDATE = re.compile(
    rf"(?P<mark>…|\.(?:\s?\.)+|[.!?]+)(?P<close>[{_QUOTES}]*)(?:\[\d+\])?\s+"
    r"(?P<lead>(?:(?:--?|[–—])\s?|[*_\"'“‘«(\[{])*)(?P<next>[^\W_]\w*)?"
)
_WORD_BEFORE = re.compile(r"[^\W_](?:[\w.&-]*\w)?$")
_NUMERAL = re.compile(r"[\s(\[]*(?:\d{1,3}|[IVXLC]{1,6}|[a-zA-Z])")
_A_NUMBER = re.compile(r"\d\w*|[IVXLC]{2,}|[VXLC]")
_SMALL_ROMAN = re.compile(r"[ivxlc]+")
_ANYWHERE = re.compile(r"(?<=[。！？｡])(?![」』”’）])|(?<=[。！？｡][」』”’）])|(?<=[.!?…؟।۔։።]) +")


def split_sentences(text: str, language: str = "en") -> list[str]:
    """Cut a paragraph into sentences.

    Parameters
    ----------
    text
        A paragraph without line breaks.
    language
        ``en`` for the rules of English; with any other, a mark of sentence end and a blank, or an
        ideographic full stop, ends a sentence.

    Returns
    -------
    The sentences without the white space around them; none is empty.

    Examples
    --------
    >>> split_sentences('Mr. W. James said so, e.g. on p. 3. "Is it true?" he asked. It is.')
    ['Mr. W. James said so, e.g. on p. 3.', '"Is it true?" he asked.', 'It is.']
    >>> split_sentences("今日は。行きます。", language="ja")
    ['今日は。', '行きます。']
    """
    pieces = _english(text) if language == "en" else iter(_ANYWHERE.split(text))
    return [piece for piece in map(str.strip, pieces) if piece]


def _english(text: str) -> Iterator[str]:
    start = 0
    for match in _CANDIDATE.finditer(text):
        if _ends(text, start, match):
            stop = match.start("lead")
            yield text[start:stop]
            start = stop
    yield text[start:]


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    mark, following = match["mark"], match["next"]
    if following is None:
        return bool(match["lead"]) and mark != "."
    if following[0].islower():
        return False
    if mark != ".":
        return True
    word = _WORD_BEFORE.search(text, max(start, match.start() - 24), match.start())
    if word is None or match["close"]:
        return True
    if _NUMERAL.fullmatch(text, start, match.start()):
        return False  # the number of a paragraph: "1. Moral philosophy", "II. We may hold"
    return _ends_after(word[0], following)


def _ends_after(word: str, following: str) -> bool:
    """Tell whether a full stop after this word ends a sentence before a capital or a digit."""
    bare = word.lower()
    if bare in _OPENING:
        return False
    if _A_NUMBER.fullmatch(following) and (bare in _NUMBERED or _SMALL_ROMAN.fullmatch(word)):
        return False
    if len(word) == 1 and word.isalpha():
        # An initial, or else the pronoun and letters that stand for things.
        initial = word.isupper() and (word != "I" or len(following) == 1)
        return not initial or (following in _OPENERS and len(following) > 1)
    if bare in _EITHER or (word.count(".") and word.replace(".", "").isalpha()):
        return following in _OPENERS
    return True
