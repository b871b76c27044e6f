"""No regular expression takes longer than in proportion to the length of its text.

Every pattern that stands in a module is given hostile lines made from the pattern itself: what it
repeats, repeated, before and after what it expects. A quadratic pattern takes sixteen times as long
on a line four times as long; the linear ones take four times as long, or less.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined]  # what a pattern is made of
from typing import Any

import pytest

import lydite
from lydite.corpora import languages, tokens

_METHODS = {"search", "match", "fullmatch", "sub", "split", "findall", "finditer"}
#: Never given more than so many characters, whatever the file.
_SHORT = {"lydite.corpora.preparation._WORD_BEFORE": 24}
_LETTERS = 6_000
#: CPU seconds below which a time is noise; a quadratic pattern is far above.
_NOISE = 0.004
_FACTOR = 9.0

_Pattern = re.Pattern[Any]


def _modules() -> list[str]:
    return sorted(info.name for info in pkgutil.walk_packages(lydite.__path__, "lydite."))


def _patterns() -> dict[str, tuple[_Pattern, frozenset[str]]]:
    """Return the patterns of all modules, with the methods that are called of each."""
    found: dict[str, tuple[_Pattern, frozenset[str]]] = {}
    for name in _modules():
        module = importlib.import_module(name)
        own = {key: each for key, each in vars(module).items() if isinstance(each, re.Pattern)}
        if not own or module.__file__ is None:
            continue
        tree = ast.parse(Path(module.__file__).read_text("utf-8"))
        for key, pattern in own.items():
            methods = {
                node.attr
                for node in ast.walk(tree)
                if isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == key
            }
            found[f"{name}.{key}"] = pattern, frozenset(methods & _METHODS or {"search"})
    # Two are made when they are first asked for.
    found["lydite.corpora.tokens._token"] = tokens._token(), frozenset({"findall"})
    for language in languages._ELIDED:
        made = languages._elisions(language)
        assert made is not None
        found[f"lydite.corpora.languages._elisions({language})"] = made, frozenset({"sub"})
    return found


PATTERNS = _patterns()


class _Hostile:
    """Lines made from what a pattern is made of."""

    def __init__(self, pattern: _Pattern) -> None:
        self._random = random.Random(pattern.pattern.__repr__())
        self._tree = _parser.parse(pattern.pattern, pattern.flags)
        self._text = isinstance(pattern.pattern, str)
        self._units: set[str] = set()

    def lines(self) -> Iterator[str | bytes]:
        samples = [self._sample(self._tree) for _ in range(24)]
        self._units.update(samples)
        cuts = {each[: self._random.randint(1, len(each))] for each in samples if each}
        letters = sorted({letter for unit in self._units for letter in unit} | set("a1 \n"))
        pairs = [a + b for a in letters for b in letters if a != b]
        units = sorted({*letters, *self._units, *cuts, *self._some(pairs, 40)} - {""})
        for unit in self._some(units, 130):
            body = unit * (_LETTERS // len(unit) + 1)
            first = self._random.choice(["", *samples])
            last = self._random.choice(["", "\x01", *letters])
            for line in (f"{body}\x01", f"{first[: len(first) // 2]}{body}{last}"):
                yield line if self._text else line.encode("latin-1", "replace")

    def _some(self, choices: list[str], most: int) -> list[str]:
        return self._random.sample(choices, min(most, len(choices)))

    def _sample(self, tree: Any) -> str:  # noqa: ANN401 - the parser's own
        return "".join(self._part(*node) for node in tree)

    def _part(self, kind: Any, value: Any) -> str:  # noqa: ANN401, PLR0911 - a kind each
        c = _constants
        if kind is c.LITERAL:
            return chr(value)
        if kind is c.ANY or kind is c.NOT_LITERAL:
            return self._random.choice("x 1")
        if kind is c.IN:
            return self._one_of(value)
        if kind in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            least, most, inside = value
            self._units.add(self._sample(inside))
            times = self._random.randint(least, min(max(least, 2), int(most)))
            return "".join(self._sample(inside) for _ in range(times))
        if kind is c.SUBPATTERN:
            return self._sample(value[3])
        if kind is c.ATOMIC_GROUP:
            return self._sample(value)
        if kind is c.BRANCH:
            return self._sample(self._random.choice(value[1]))
        return ""

    def _one_of(self, choices: Any) -> str:  # noqa: ANN401
        kind, value = self._random.choice(choices)
        if kind is _constants.LITERAL:
            return chr(value)
        if kind is _constants.RANGE:
            return chr(self._random.choice(value))
        if kind is _constants.CATEGORY:
            known = {"SPACE": " ", "DIGIT": "1", "WORD": "a"}
            name = str(value).removeprefix("CATEGORY_")
            return known.get(name, "!" if name != "NOT_SPACE" else "a")
        return "!"


def _calls(pattern: _Pattern, method: str) -> Callable[[Any], object]:
    called = getattr(pattern, method)
    if method == "sub":
        return lambda line: called(lambda _: line[:0], line)
    if method == "finditer":
        return lambda line: sum(1 for _ in called(line))
    return called  # type: ignore[no-any-return]


def _seconds(work: Callable[[Any], object], line: object) -> float:
    def once() -> float:
        start = time.thread_time()
        work(line)
        return time.thread_time() - start

    return min(once() for _ in range(3))


def _slow_line(pattern: _Pattern, method: str) -> str | bytes | None:
    work = _calls(pattern, method)
    for line in _Hostile(pattern).lines():
        start = time.thread_time()
        work(line)
        if time.thread_time() - start < _NOISE:
            continue
        quarter = line[: len(line) // 4]
        if _seconds(work, line) > _FACTOR * _seconds(work, quarter):
            return line
    return None


@pytest.mark.parametrize("name", sorted(set(PATTERNS) - set(_SHORT)))
def test_a_pattern_takes_time_in_proportion_to_its_text(name: str) -> None:
    pattern, methods = PATTERNS[name]
    for method in sorted(methods):
        line = _slow_line(pattern, method)
        assert line is None, f"{method} of {pattern.pattern!r} is slow on {line[:80]!r}"


def test_a_quadratic_pattern_is_found() -> None:
    assert _slow_line(re.compile(r"[0-9]+\.?[0-9]*x"), "fullmatch") is not None
    assert _slow_line(re.compile(r"\s+</p>"), "search") is not None
    assert _slow_line(re.compile(r"<b>.+?</b>.*<i>.+?</i>"), "search") is not None
