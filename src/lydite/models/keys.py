"""Keys of servers: where they come from, where they may go, and how they stay unseen.

A key is named by its environment variable, never written out. What a user types may name any; a
suite may be a stranger's, and the variable and the host that it names need a word from the user:
``--allow-key``, or the list ``LYDITE_ALLOW_KEYS``.
"""

from __future__ import annotations

import base64
import contextlib
import ipaddress
import logging
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from lydite.errors import EndpointError, InputError, SpecError
from lydite.spec import Spec, Value, parse

#: The variable of an endpoint that names none.
USUAL_VARIABLE = "OPENAI_API_KEY"
#: Keys that suites may send, as a user's environment lists them, with commas between.
_LIST = "LYDITE_ALLOW_KEYS"


@dataclass(frozen=True, order=True)
class KeyUse:
    """A key that is set, and the server that it would be sent to.

    >>> print(KeyUse("EXAMPLE_KEY", "api.example.com"))
    EXAMPLE_KEY@api.example.com
    """

    variable: str
    host: str

    def __str__(self) -> str:
        return f"{self.variable}@{self.host}"

    def is_allowed(self, grants: Iterable[str]) -> bool:
        """Tell whether one of ``VARIABLE@HOST``, or ``VARIABLE`` for all hosts, allows it."""
        return not {self.variable, str(self)}.isdisjoint(grants)


def keys_used(models: Iterable[Value]) -> list[KeyUse]:
    """Return which keys that are set models would send, and where, models inside models too."""
    used = {use for model in models for use in _uses(model)}
    return sorted(use for use in used if os.environ.get(use.variable, "").strip())


def _uses(value: Value) -> Iterator[KeyUse]:
    if isinstance(value, str) and "(" in value:
        # A path or a text; but a spec in quotes is a model like any other.
        with contextlib.suppress(SpecError):
            spec = parse(value)
            if spec.args or spec.params:
                yield from _uses(spec)
    if not isinstance(value, Spec):
        return
    given = dict(value.params)
    if value.name == "endpoint":
        url = value.args[0] if value.args else given.get("url")
        variable = given.get("key_env", USUAL_VARIABLE)
        if variable is not None:
            with contextlib.suppress(ValueError):
                yield KeyUse(str(variable), urlsplit(str(url)).netloc.casefold())
    for inside in (*value.args, *given.values()):
        yield from _uses(inside)


def check_allowed(uses: Iterable[KeyUse], allowed: Iterable[str]) -> None:
    """Refuse keys that are to be sent without a word from the user."""
    grants = {*allowed, *filter(None, map(str.strip, os.environ.get(_LIST, "").split(",")))}
    refused = [use for use in uses if not use.is_allowed(grants)]
    if refused:
        where = " and ".join(f"that in {use.variable} to {use.host}" for use in refused)
        options = " ".join(f"--allow-key {use}" for use in refused)
        raise InputError(
            f"the suite would send a key of yours: {where}",
            hint=f"if you trust that server with it: {options} (in Python allow_keys=, for good in "
            f"{_LIST}); if the server needs no key, write key_env=none in the suite",
        )


class Key:
    """A key that cannot be printed by accident."""

    _GRAM = 8

    def __init__(self, text: str) -> None:
        self._text = text
        self._grams = _grams(text, self._GRAM)

    @classmethod
    def from_environment(cls, variable: str | None, *, url: str) -> Key:
        """Read the key for the server at an address; an empty one stands for none."""
        text = os.environ.get(variable, "").strip() if variable else ""
        if not (text.isascii() and text.isprintable()):
            raise InputError(
                f"the environment variable {variable} does not contain a key: expected printable "
                "ASCII characters on one line"
            )
        if text and urlsplit(url).scheme == "http" and not is_loopback(url):
            raise EndpointError(
                f"{url}: the key in {variable} is not sent over plain http",
                hint="use https, or key_env=none for a server that needs no key",
            )
        return cls(text)

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return "Key(***)"

    def headers(self) -> dict[str, str]:
        """Return the header that carries the key."""
        return {"Authorization": f"Bearer {self._text}"} if self else {}

    def redact(self, text: str) -> str:
        r"""Put stars over the key and over every stretch of eight or more of its characters.

        Upper and lower case, and what stands between letters and digits, make no difference. The
        key is also found where it is escaped as in addresses, JSON or HTML, backwards, in base64,
        in hexadecimal, or as the numbers of its characters.

        >>> Key("sk-0123456789").redact(r"bad key SK%2D01234\u0035 6789!")
        'bad key *********************!'
        >>> Key("sk-0123456789").redact("c2stMDEyMzQ1Njc4OQ==")
        '*****************Q=='
        """
        if not self:
            return text
        hidden = bytearray(len(text))
        for letters, places in _readings(text):
            for size, grams in self._grams.items():
                for at in range(len(letters) - size + 1):
                    if letters[at : at + size] in grams:
                        start, stop = places[at][0], places[at + size - 1][1]
                        hidden[start:stop] = b"\1" * (stop - start)
        return "".join("*" if covered else c for c, covered in zip(text, hidden, strict=True))

    @contextlib.contextmanager
    def kept_from_logs(self) -> Iterator[None]:
        """Redact what the client's libraries log: at DEBUG that is every header of an answer."""

        def starred(record: logging.LogRecord) -> bool:
            told = record.getMessage()
            redacted = self.redact(told)
            if redacted != told:
                record.msg, record.args = redacted, None
            return True

        loggers = [logging.getLogger(name) for name in _LOGGERS] if self else []
        for each in loggers:
            each.addFilter(starred)
        try:
            yield
        finally:
            for each in loggers:
                each.removeFilter(starred)


#: The loggers of the libraries that send requests; a filter is not passed on to those below.
_LOGGERS = (
    "httpx",
    *(f"httpcore.{name}" for name in ("connection", "http11", "http2", "proxy", "socks")),
)

# A run of backslashes is tried from its first alone: a long one takes time in proportion.
_ESCAPED = re.compile(
    r"%([0-9A-Fa-f]{2})|(?<!\\)\\+(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2}))"
    r"|&#x([0-9A-Fa-f]{1,4});|&#(\d{1,4});"
)


def _grams(key: str, most: int) -> dict[int, frozenset[str]]:
    """Return the stretches of a key, however it is written, that are hidden, by their length."""
    raw = key.encode()
    forms = [key, key[::-1], raw.hex(), "".join(map(str, raw))]
    for before in range(3):
        # Of the digits of base64, those that the key alone decides, wherever it begins.
        digits = base64.b64encode(b"\0" * before + raw).decode().rstrip("=")
        whole = (before + len(raw)) * 8 // 6
        forms.append(digits[-(-before * 8 // 6) : whole])
    found: dict[int, set[str]] = {}
    for form in forms:
        alone = "".join(filter(str.isalnum, form))
        for letters in {form.casefold(), alone.casefold() if len(alone) >= most else ""} - {""}:
            size = min(most, len(letters))
            stretches = {letters[at : at + size] for at in range(len(letters) - size + 1)}
            found.setdefault(size, set()).update(stretches)
    return {size: frozenset(grams) for size, grams in found.items()}


def _readings(text: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Read a text as it is and its letters and digits alone, then again with escapes read, twice.

    Yields characters, and where in the text each begins and ends.
    """
    read = [(c.casefold()[0], (at, at + 1)) for at, c in enumerate(text)]
    for _ in range(3):
        for part in (read, [each for each in read if each[0].isalnum()]):
            yield "".join(c for c, _ in part), [at for _, at in part]
        shown = "".join(c for c, _ in read)
        if not _ESCAPED.search(shown):
            return
        again, end = [], 0
        for found in _ESCAPED.finditer(shown):
            number = found[found.lastindex or 0]
            code = int(number, 10 if found.lastindex == 5 else 16)
            place = read[found.start()][1][0], read[found.end() - 1][1][1]
            again += [*read[end : found.start()], (chr(code).casefold()[0], place)]
            end = found.end()
        read = again + read[end:]


def is_loopback(url: str) -> bool:
    """Tell whether an address is on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
