"""Words that were broken at the end of a line, made whole again.

A hyphen at the end of a line is the typesetter's (``some-`` / ``thing``) or the author's
(``well-`` / ``known``). The same text shows which, where it has the word elsewhere; where it does
not, a list of frequent words decides, and what the text does with the words that it does have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from lydite.corpora.languages import frequent_words, function_words

#: How a break is mended: one word, a word with a hyphen, or two ("pre- and post-war").
_Mend: TypeAlias = Literal["joined", "kept", "apart"]

_SOFT: Final = "\u00ad"
_BREAK = re.compile(
    r"(?<![^\W\d_])(?<![^\W\d_]['’-])(?P<left>[^\W\d_]++(?:['’-][^\W\d_]++)*+)"
    r"(?P<mark>[-\u2010\u00ac]|\u00ad)[ \t]*+\n[ \t]*+"
    r"(?P<right>[^\W\d_]++(?:['’-][^\W\d_]++)*+)"
)
#: What belongs to the word before, and the blanks after it.
_BEHIND = re.compile(r"(?P<marks>[^\s\w]*)[ \t]*\n?")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
#: What a hyphen is left hanging before: "Haupt- und Nebensachen".
_AND: Final = frozenset(
    ("and", "or", "und", "oder", "bzw", "et", "ou", "e", "o", "y", "u", "en", "of", "och", "og")
)
#: Languages that write a compound as one word: a hyphen within a small word is the typesetter's.
_CLOSED: Final = frozenset(("da", "de", "et", "fi", "hu", "is", "nb", "nl", "nn", "no", "sv"))
#: Below this share of words that are one word elsewhere, lines break at the author's hyphens.
_FEW: Final = 0.1


@dataclass(frozen=True, kw_only=True)
class Joined:
    """A text without breaks in words, how many are one word now, and how many keep a hyphen."""

    text: str
    joined: int = 0
    kept: int = 0

    @property
    def note(self) -> str:
        """What was done, in words; nothing if there was nothing to do."""
        if not self.joined + self.kept:
            return ""
        return (
            f"{self.joined + self.kept:,} words were broken at the end of a line: {self.joined:,} "
            f"were joined, {self.kept:,} keep their hyphen"
        )


def join_hyphens(text: str, language: str = "en") -> Joined:
    r"""Make words whole that are broken at the end of a line.

    >>> join_hyphens("A well-known idea. A well-\nknown and remark-\nable remarkable idea.").text
    'A well-known idea. A well-known\nand remarkable\nremarkable idea.'
    """
    breaks = list(_BREAK.finditer(text))
    if not breaks:
        return Joined(text=text.replace(_SOFT, ""))
    evidence = _Evidence(text, breaks, language)
    mends = [evidence.mend(each) for each in breaks]
    parts, end = [], 0
    for match, mend in zip(breaks, mends, strict=True):
        if mend == "apart":
            continue
        word = f"{match['left']}{'' if mend == 'joined' else '-'}{match['right']}"
        # The line is broken behind the word instead, so that what is wrapped still looks so.
        rest = _BEHIND.match(text, match.end())
        marks, stop = (rest["marks"], rest.end()) if rest else ("", match.end())
        parts += [text[end : match.start()], word, marks, "\n"]
        end = stop
    return Joined(
        text="".join([*parts, text[end:]]).replace(_SOFT, ""),
        joined=mends.count("joined"),
        kept=mends.count("kept"),
    )


class _Evidence:
    """What a text and its language say of words that are broken."""

    def __init__(self, text: str, breaks: list[re.Match[str]], language: str) -> None:
        rest = _BREAK.sub(" ", text).replace(_SOFT, "")
        self._counts: Counter[str] = Counter(word.lower() for word in _WORD.findall(rest))
        self._listed: Mapping[str, float] = frequent_words(language) or {}
        self._function = function_words(language)
        self._compounds_are_one = language in _CLOSED
        whole = sum(self._elsewhere(each) > 0 for each in breaks)
        hyphened = sum(self._elsewhere(each) < 0 for each in breaks)
        self._typeset = whole >= _FEW * (whole + hyphened)

    def mend(self, match: re.Match[str]) -> _Mend:
        """Decide on one break."""
        if match["mark"] != "-" and match["mark"] != "\u2010":
            return "joined"
        left, right = match["left"], match["right"]
        if right.lower() in _AND:
            return "apart"
        if right[0].isupper() and not left.isupper():
            return "kept"
        seen = self._elsewhere(match)
        if seen:
            return "joined" if seen > 0 else "kept"
        if not self._typeset:
            return "kept"
        return "joined" if self._is_one_word(left.lower(), right.lower()) else "kept"

    def _elsewhere(self, match: re.Match[str]) -> int:
        """Return how much more often the text has the word whole than with a hyphen."""
        left, right = match["left"].lower(), match["right"].lower()
        return self._counts[left + right] - self._counts[f"{left}-{right}"]

    def _is_one_word(self, left: str, right: str) -> bool:
        """Tell by what is usual whether two parts are one word."""
        if self._compounds_are_one or left + right in self._listed:
            return True
        return not (self._is_word(left) and (self._is_word(right) or right in self._function))

    def _is_word(self, part: str) -> bool:
        return len(part) > 2 and (self._counts[part] > 0 or self._listed.get(part, 0.0) > 1e-6)
