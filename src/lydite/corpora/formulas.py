"""Find formulas in running text, such as ``p ⊃ q``, ``x + y = z`` and ``(∃x)Fx``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_SYMBOLS = (
    "=<>+±×÷¬~^|"
    "\u2190-\u21ff\u2200-\u22ff\u27c0-\u27ef\u27f0-\u27ff\u2900-\u2aff"  # arrows, operators
)
_WORTH_A_LOOK = re.compile(rf"[{_SYMBOLS}\\$]")
_DOLLARS = re.compile(r"(\$\$?)(?=[^$]*[\\^_=<>+])[^$\s](?:[^$]{0,300}[^$\s])?\1")
# A letter within a word, a hyphenated word, or an abbreviation such as "i.e." is no variable.
_BEFORE = r"(?<![\w’'-])(?<!\w\.)"
_AFTER = r"(?![\w’]|[-'](?=\w)|\.\w)"
_ITEM = re.compile(
    r"(?P<command>\\[A-Za-z]+(?:\{[^{}]*\})*)"
    rf"|(?P<symbol>[{_SYMBOLS}])"
    rf"|(?P<operand>{_BEFORE}(?:"
    r"\d+(?:[.,]\d+)*"
    r"|[^\W\d_](?:_?\d{1,2}|_\{?\w{1,3}\}?|[′″]+|'(?!\w))?"
    r"|(?!By|My|Ox|Ax)[A-Z][x-z]{1,3}|[x-z]{2,3}"
    rf"){_AFTER})"
    r"|(?P<bracket>[()\[\]{}])"
    r"|(?P<divider>[,.:;/*·−-])"
)
_PREFIXES = frozenset("∀∃∄¬~∼√∑∏∫∂∇")
_PAIRS = {")": "(", "]": "[", "}": "{"}


def replace_formulas(text: str, placeholder: str) -> str:
    r"""Put a placeholder in the place of every formula.

    A formula is a run of one-letter variables (``x``, ``x_1``, ``x′``, ``Fx``), numbers,
    mathematical and logical symbols, brackets and commands of LaTeX (``\alpha``), with at least
    one symbol that joins two of them or stands before one, or with a command; what stands between
    dollar signs as LaTeX has it is one as well. A letter by itself is none, nor is ``C++``.

    Examples
    --------
    >>> replace_formulas("From p ⊃ q and (∃x)Fx we infer x + y = z, not 2 by itself.", "F")
    'From F and F we infer F, not 2 by itself.'
    """
    if not _WORTH_A_LOOK.search(text):
        return text
    text = _DOLLARS.sub(lambda _: f" {placeholder} ", text) if "$" in text else text
    parts, end = [], 0
    for start, stop in _formulas(text):
        parts += [text[end:start], placeholder]
        end = stop
    return "".join([*parts, text[end:]])


def _formulas(text: str) -> Iterator[tuple[int, int]]:
    run: list[re.Match[str]] = []
    for match in _ITEM.finditer(text):
        if run and text[run[-1].end() : match.start()].strip():
            yield from _formula(run)
            run = []
        run.append(match)
    yield from _formula(run)


def _formula(run: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """Yield the span of a run of items, if it is a formula, without what is loose at its ends."""
    run = _trimmed(run)
    kinds = [match.lastgroup for match in run]
    operands = kinds.count("operand")
    joined = "symbol" in kinds and operands > 1
    # A number after a tilde is an approximate one.
    before = any(
        match[0] in _PREFIXES and after.lastgroup != "symbol" and not after[0][0].isdigit()
        for match, after in pairwise(run)
    )
    if joined or (operands and before) or "command" in kinds:
        yield run[0].start(), run[-1].end()


def _trimmed(run: list[re.Match[str]]) -> list[re.Match[str]]:
    """Leave out dividers, joining symbols and brackets without a partner at both ends."""
    paired = _paired(run)
    first, last = 0, len(run)
    while first < last and _is_loose(run[first], first in paired, _PREFIXES):
        first += 1
    while first < last and _is_loose(run[last - 1], last - 1 in paired, frozenset()):
        last -= 1
    return run[first:last]


def _is_loose(match: re.Match[str], paired: bool, may_stand: frozenset[str]) -> bool:
    if match.lastgroup == "bracket":
        return not paired
    if match.lastgroup == "symbol":
        return match[0] not in may_stand
    return match.lastgroup == "divider"


def _paired(run: list[re.Match[str]]) -> set[int]:
    """Return the places of brackets that are opened and closed within a run."""
    paired: set[int] = set()
    opened: list[int] = []
    for place, match in enumerate(run):
        if match.lastgroup != "bracket":
            continue
        if match[0] not in _PAIRS:
            opened.append(place)
        elif opened and run[opened[-1]][0] == _PAIRS[match[0]]:
            paired |= {opened.pop(), place}
    return paired
