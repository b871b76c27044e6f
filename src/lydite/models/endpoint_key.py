"""The key of an embeddings server, kept out of everything that is printed or stored."""

from __future__ import annotations

import ipaddress
import os
from urllib.parse import urlsplit

from lydite.errors import EndpointError, InputError


class Key:
    """A key that cannot be printed by accident."""

    _GRAM = 8

    def __init__(self, text: str) -> None:
        self._text = text

    @classmethod
    def from_environment(cls, variable: str | None, *, url: str) -> Key:
        """Read the key for the server at an address; an empty one stands for none."""
        text = os.environ.get(variable, "").strip() if variable else ""
        if not (text.isascii() and text.isprintable()):
            raise InputError(f"the environment variable {variable} does not hold a key")
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
        """Put stars over the key and over every stretch of eight or more of its characters."""
        size = min(self._GRAM, len(self._text))
        hidden = bytearray(len(text))
        for at in range(len(self._text) - size + 1) if self else ():
            gram = self._text[at : at + size]
            found = text.find(gram)
            while found >= 0:
                hidden[found : found + size] = b"\1" * size
                found = text.find(gram, found + 1)
        return "".join("*" if covered else c for c, covered in zip(text, hidden, strict=True))


def is_loopback(url: str) -> bool:
    """Tell whether an address is on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
