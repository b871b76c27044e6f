"""The spec language: a short text that names a model or an evaluation with its parameters.

The same text stands on the command line, in a suite file, in the Python API, in cache keys and in
reports::

    glove-6b-50d
    mean(vectors.txt)
    hybrid(overlap, mean(glove-6b-50d))
    endpoint(http://127.0.0.1:8080/v1, model=bge-small)

Grammar::

    spec     = name [ "(" [ argument { "," argument } ] ")" ]
    argument = [ key "=" ] value
    value    = quoted | number | "true" | "false" | "none" | spec | text

Text runs to the next comma or bracket, so paths and addresses need no quotes unless they hold one
of ``( ) , "``, start like ``key=`` or would read as a number. Within quotes a backslash
stands before a quote, before a backslash, and before the n or r of a line break. A bare word among
the arguments is text; what takes the argument decides whether it names a model. Numbers are finite:
there is no way to write NaN or an infinity.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TypeAlias

from lydite.errors import SpecError

Value: TypeAlias = "str | int | float | bool | Spec | None"

_CONSTANTS: dict[str, Value] = {"true": True, "false": False, "none": None}
_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_NUMBER = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?\Z")
_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*=")
_ESCAPES = {"\\": "\\", '"': '"', "n": "\n", "r": "\r"}
_SPECIAL = re.compile(r'[(),="\\\n\r]')
_MAX_DEPTH = 50
_MAX_DIGITS = 300
_QUOTES = 'put quotes around a path that holds one of ( ) , " ='
_BACKSLASH = "a backslash within quotes is written twice; a path like C:\\x needs no quotes"


@dataclass(frozen=True)
class Spec:
    """A name with arguments.

    Attributes
    ----------
    name
        What is named: a registered model or evaluation, or a path.
    args
        Positional arguments.
    params
        Keyword arguments, in the order written.

    Examples
    --------
    >>> spec = parse("nonce2vec(background=mean(glove.txt), alpha=0.1)")
    >>> spec.param("alpha")
    0.1
    >>> str(spec)
    'nonce2vec(background=mean(glove.txt), alpha=0.1)'
    """

    name: str
    args: tuple[Value, ...] = ()
    params: tuple[tuple[str, Value], ...] = ()

    def param(self, key: str, default: Value = None) -> Value:
        """Return a keyword argument or the default."""
        return dict(self.params).get(key, default)

    def __str__(self) -> str:
        """Write the spec in its canonical form; ``parse`` reads it back."""
        inside = [write_value(value) for value in self.args]
        inside += [f"{_checked_key(key)}={write_value(value)}" for key, value in self.params]
        name = _write_text(self.name)
        return f"{name}({', '.join(inside)})" if inside else name


def parse(text: str) -> Spec:
    """Read a spec.

    Examples
    --------
    >>> parse("sum(vectors.txt, tokenizer=whitespace)")
    Spec(name='sum', args=('vectors.txt',), params=(('tokenizer', 'whitespace'),))
    >>> parse("mean(glove")
    Traceback (most recent call last):
        ...
    lydite.errors.SpecError: mean(glove: expected ',' or ')' at column 11, got the end
    hint: put quotes around a path that holds one of ( ) , " =
    """
    if not text.strip():
        raise SpecError("expected a model or an evaluation, got an empty text")
    reader = _Reader(text)
    value = reader.value(depth=0)
    reader.expect_end()
    if isinstance(value, Spec):
        return value
    # A name alone is a name, also one that would be a number or a constant among arguments.
    return Spec(_checked_name(value if isinstance(value, str) else text.strip()))


def read_value(text: str) -> Value:
    """Read one argument, such as a number or a text.

    >>> read_value("0.1"), read_value("none"), read_value("published")
    (0.1, None, 'published')
    """
    reader = _Reader(text)
    value = reader.value(depth=0)
    reader.expect_end()
    return value


def as_argument(text: str) -> Value:
    """Return the name of a model as an argument of another spec; a path need not be a spec.

    >>> as_argument("glove-6b-50d"), str(as_argument("mean(glove-6b-50d)"))
    ('glove-6b-50d', 'mean(glove-6b-50d)')
    """
    try:
        spec = parse(text)
    except SpecError:
        return text
    return spec if spec.args or spec.params else spec.name


def differing(options: dict[str, tuple[Value, Value]]) -> tuple[tuple[str, Value], ...]:
    """Return those options, each with its usual value, that are not as usual.

    >>> differing({"compose": ("multiply", "add"), "window": (5, 5)})
    (('compose', 'multiply'),)
    """
    return tuple((key, value) for key, (value, usual) in options.items() if value != usual)


def write_parameters(name: str, parameters: dict[str, Value]) -> str:
    """Write a name with keyword parameters as a spec.

    >>> write_parameters("qvec", {"method": "cca", "join": "intersection"})
    'qvec(method=cca, join=intersection)'
    """
    return str(Spec(name, (), tuple(parameters.items())))


def write_value(value: Value) -> str:
    """Write one argument.

    >>> write_value("50"), write_value(50), write_value(None)
    ('"50"', '50', 'none')
    """
    if isinstance(value, Spec):
        # A bare word would be read back as text, so a spec without arguments keeps its brackets.
        return str(value) if value.args or value.params else f"{_write_text(value.name)}()"
    if value is None or isinstance(value, bool):
        return {True: "true", False: "false", None: "none"}[value]
    if isinstance(value, float) and math.isfinite(value):
        return float.__repr__(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, str):
        return _write_text(value)
    raise SpecError(
        f"expected text, a finite number, true, false, none or a spec as argument, got {value!r}"
    )


def _checked_key(key: str) -> str:
    if not _KEY.fullmatch(f"{key}="):
        raise SpecError(f"expected a parameter of letters, digits and _, got {key!r}")
    return key


def _checked_name(name: str) -> str:
    if not name:
        raise SpecError("expected a name, got an empty text in quotes")
    return name


def _write_text(text: str) -> str:
    plain = (
        text
        and text == text.strip()
        and not _SPECIAL.search(text)
        and not _NUMBER.match(text)
        and text not in _CONSTANTS
    )
    if plain:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r") + '"'


class _Reader:
    """A cursor over the text of a spec."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def value(self, depth: int) -> Value:
        if depth > _MAX_DEPTH:
            raise SpecError(f"a spec may be nested {_MAX_DEPTH} deep, this one is deeper")
        self._skip_space()
        if self._peek() == '"':
            name = self._quoted()
            self._skip_space()
            return self._call(_checked_name(name), depth) if self._peek() == "(" else name
        start = self.at
        # An '=' inside a value is part of an address (…?key=1); keys were taken off before.
        while self._peek() not in {"", ",", "(", ")", '"'}:
            self.at += 1
        word = self.text[start : self.at].strip()
        if self._peek() == "(" and word:
            return self._call(word, depth)
        if not word:
            raise self._error("a value")
        return _constant(word)

    def expect_end(self) -> None:
        self._skip_space()
        if self.at != len(self.text):
            raise self._error("the end of the spec")

    def _call(self, name: str, depth: int) -> Spec:
        self.at += 1
        args: list[Value] = []
        params: dict[str, Value] = {}
        self._skip_space()
        if self._peek() == ")":
            self.at += 1
            return Spec(name)
        while True:
            key = self._key()
            if key is None:
                if params:
                    raise self._error("key=value after the first key=value")
                args.append(self.value(depth + 1))
            else:
                if key in params:
                    raise SpecError(f"{self.text}: the parameter {key!r} is given twice")
                params[key] = self.value(depth + 1)
            self._skip_space()
            mark = self._peek()
            if mark not in {",", ")"}:
                raise self._error("',' or ')'")
            self.at += 1
            if mark == ")":
                return Spec(name, tuple(args), tuple(params.items()))

    def _key(self) -> str | None:
        self._skip_space()
        match = _KEY.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match.group(1)

    def _quoted(self) -> str:
        opened = self.at
        self.at += 1
        letters: list[str] = []
        while (letter := self._peek()) != '"':
            if letter == "":
                self.at = opened
                raise self._error("a closing quote")
            if letter == "\\":
                self.at += 1
                letter = self._escaped()
            letters.append(letter)
            self.at += 1
        self.at += 1
        return "".join(letters)

    def _escaped(self) -> str:
        letter = self._peek()
        if letter and letter not in _ESCAPES:
            raise self._error('one of \\ " n r after a backslash', hint=_BACKSLASH)
        return _ESCAPES.get(letter, "")

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _skip_space(self) -> None:
        while self._peek().isspace():
            self.at += 1

    def _error(self, expected: str, *, hint: str = _QUOTES) -> SpecError:
        got = repr(self._peek()) if self._peek() else "the end"
        return SpecError(
            f"{self.text}: expected {expected} at column {self.at + 1}, got {got}",
            hint=hint,
        )


def _constant(word: str) -> Value:
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    if not _NUMBER.match(word):
        return word
    if _INTEGER.match(word) and len(word) <= _MAX_DIGITS:
        return int(word)
    number = float(word)
    if not math.isfinite(number) or _INTEGER.match(word):
        raise SpecError(
            f"expected a number of ordinary size, got {word[:40]}",
            hint="put quotes around it if it is text",
        )
    return number
