"""Text from data made fit to be seen: no control character does anything, all of them show.

A vocabulary holds what its corpus held: line breaks, escape sequences that would recolour a
terminal, marks that turn the reading direction around, half characters that no file can hold.
"""

from __future__ import annotations

import unicodedata

_DELETE = 0x7F
_PICTURES = 0x2400
#: Marks that reorder the text around them; the joiners of emoji and scripts are left alone.
_TURNING = {*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029"}


def visible(text: str, *, keep: str = "") -> str:
    r"""Replace what would act on the page by a sign that shows.

    Control characters become their Unicode pictures; direction marks, line separators, half
    characters (surrogates) and non-characters become the replacement character.

    Parameters
    ----------
    text
        Any text.
    keep
        Control characters that may stay, such as ``"\n"`` for text of several lines.

    Examples
    --------
    >>> visible("a\x1b[31m\nb")
    'a␛[31m␊b'
    >>> visible("two\nlines", keep="\n")
    'two\nlines'
    """
    if text.isprintable():
        return text
    return "".join(char if char in keep else _picture(char) for char in text)


def shorten(text: str, most: int) -> str:
    """Cut the middle out of a long text, since the ends of specs and paths tell them apart.

    >>> shorten("mean(folder/vectors.txt)", 12)
    'mean(f…txt)'
    """
    if len(text) <= most:
        return text
    tail = (most - 1) // 2 - 1
    return f"{text[: most - 2 - tail]}…{text[len(text) - tail :]}"


def _picture(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(_PICTURES + code)
    if code == _DELETE:
        return "␡"
    if unicodedata.category(char) in {"Cc", "Cs"} or char in _TURNING or code & 0xFFFE == 0xFFFE:
        return "\ufffd"
    return char
