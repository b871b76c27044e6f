"""Text from data made fit to be seen: no control character does anything, all of them show.

A vocabulary holds what its corpus held: line breaks, escape sequences that would recolour a
terminal, marks that turn the reading direction around, half characters that no file can hold.
"""

from __future__ import annotations

import unicodedata

#: Marks that reorder the text around them, and line ends; the joiners of emoji and scripts stay.
_TURNING = {*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029"}
#: Longer sentences are cut where people read them.
_LONG = 160
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str, *, keep: str = "") -> str:
    r"""Write out what would act on the page, as Python would write it.

    ``keep`` has control characters that may stay, such as ``"\n"`` for text of several lines.

    >>> print(visible("a\x1b[31m\nb"))
    a\x1b[31m\nb
    >>> visible("two\nlines", keep="\n")
    'two\nlines'
    """
    if text.isprintable():
        return text
    return "".join(char if char in keep else _written(char) for char in text)


def shorten(text: str, most: int) -> str:
    """Cut the middle out of a long text, since the ends of specs and paths tell them apart.

    >>> shorten("mean(folder/vectors.txt)", 12)
    'mean(f….txt)'
    """
    if len(text) <= most:
        return text
    tail = (most - 1) // 2
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :]}"


def cut(text: str) -> str:
    """Cut the end of a long sentence off.

    >>> cut("No " * 60)[-9:]
    'No No No…'
    """
    return text if len(text) <= _LONG else f"{text[: _LONG - 1].rstrip()}…"


def _written(char: str) -> str:
    code = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if unicodedata.category(char) == "Cc":
        return f"\\x{code:02x}"
    # Half characters, and the two code points of each plane that are none.
    if unicodedata.category(char) == "Cs" or char in _TURNING or code & 0xFFFE == 0xFFFE:
        return f"\\u{code:04x}"
    return char
