"""Fetch the files of a card: https only, pinned size and sha256, resumed where it was cut off.

A download goes to a ``.part`` neighbour and is renamed when its sha256 is right, so that a reader
never sees a part. Proxies and certificates are taken from the environment (``HTTPS_PROXY``,
``NO_PROXY``, ``SSL_CERT_FILE``).
"""

from __future__ import annotations

import contextlib
import logging
import os
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.errors import ChecksumError, ResourceError
from lydite.progress import Progress, silent
from lydite.resources.archives import unpack
from lydite.resources.card import Archive, Card, CardFile
from lydite.resources.catalogue import Located, cached, check, in_data_folder, locate_card
from lydite.storage import cache_dir, locked, sha256_file, sha256_text

if TYPE_CHECKING:
    import httpx

logger = logging.getLogger(__name__)

_MOST_REDIRECTS = 5
_LONGEST_WAIT = 60.0
_TRY_LATER = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long to try.

    Attributes
    ----------
    attempts
        Tries for each file before giving up.
    wait
        Seconds before the second try; doubled before each further one.
    timeout
        Seconds without any answer that count as a cut connection.
    """

    attempts: int = 5
    wait: float = 0.5
    timeout: float = 30.0


def fetch(
    card: Card,
    *,
    progress: Progress = silent,
    patience: Patience | None = None,
    context: ssl.SSLContext | None = None,
) -> Located:
    """Fetch what is missing of a card into the cache and return all its files, checked.

    Parameters
    ----------
    card
        Files in ``LYDITE_DATA``, and right ones in the cache, are not fetched again.
    patience
        How often to try again after a cut connection or a busy server.
    context
        Certificates to trust in place of the usual ones.

    Raises
    ------
    ResourceError
        If a file cannot be had; what has come is kept, and the next call goes on from there.
    ChecksumError
        If the server gives other bytes than the pinned ones; nothing is kept.
    """
    import httpx

    patience = patience or Patience()
    with httpx.Client(
        verify=context or True,
        timeout=patience.timeout,
        headers={"Accept-Encoding": "identity", "User-Agent": "lydite"},
    ) as client:
        for file in _wanted(card):
            target = cached(card) / file.path
            _Download(client, file, target, progress, patience).run()
            if isinstance(file, Archive):
                unpack(target, card, cached(card))
    return locate_card(card)


def _wanted(card: Card) -> list[CardFile | Archive]:
    wanted: list[CardFile | Archive] = [file for file in card.files if file.url]
    packed = [file for file in card.files if file.member]
    if card.archive and card.archive.url and any(in_data_folder(file) is None for file in packed):
        wanted.append(card.archive)
    return [file for file in wanted if in_data_folder(file) is None]


class _CutError(Exception):
    """The connection ended early or the server is busy: worth another try."""

    def __init__(self, reason: str, *, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


class _Download:
    """One file on its way from an address to its place."""

    def __init__(
        self,
        client: httpx.Client,
        file: CardFile | Archive,
        target: Path,
        progress: Progress,
        patience: Patience,
    ) -> None:
        self._client = client
        self._file = file
        self._target = target
        self._progress = progress
        self._patience = patience
        self._url = file.url or ""
        self._part = target.with_name(f".{target.name}.part")
        self._etag = target.with_name(f".{target.name}.etag")

    def run(self) -> None:
        """Get the file, unless it is there or another process gets it while we wait."""
        self._target.parent.mkdir(parents=True, exist_ok=True)
        with locked(cache_dir("locks") / sha256_text(str(self._target.resolve()))):
            if self._is_there():
                return
            resumed = self._received() > 0
            try:
                self._complete()
            except ChecksumError:
                if not resumed:
                    raise
                # What an earlier run left may be damaged; that is no verdict on the server.
                self._complete()

    def _complete(self) -> None:
        try:
            self._persevere()
            found = sha256_file(self._part)
            if found != self._file.sha256:
                raise self._wrong(f"sha256 {self._file.sha256}", found)
        except ChecksumError:
            self._forget()
            raise
        self._part.replace(self._target)
        self._etag.unlink(missing_ok=True)

    def _is_there(self) -> bool:
        if not self._target.is_file():
            return False
        try:
            check(self._target, self._file)
        except ChecksumError as error:
            logger.warning("%s; fetching it again", error.message)
            return False
        return True

    def _persevere(self) -> None:
        import httpx

        for attempt in range(1, self._patience.attempts + 1):
            try:
                self._request()
            except (_CutError, httpx.TransportError) as error:
                if "CERTIFICATE_VERIFY_FAILED" in str(error):
                    raise self._untrusted(error) from None
                if attempt == self._patience.attempts:
                    raise self._exhausted(error) from None
                asked = error.wait if isinstance(error, _CutError) else 0.0
                wait = min(max(asked, self._patience.wait * 2 ** (attempt - 1)), _LONGEST_WAIT)
                logger.info("%s: %s; again in %.1f s", self._url, _reason(error), wait)
                time.sleep(wait)
            else:
                return

    def _request(self) -> None:
        received = self._received()
        if received > self._file.bytes:
            self._forget()
            received = 0
        if received == self._file.bytes:
            return
        headers = {}
        if received:
            headers["Range"] = f"bytes={received}-"
            if self._etag.is_file():
                headers["If-Range"] = self._etag.read_text(encoding="ascii")
        with _follow(self._client, self._url, headers) as response:
            start = self._start(response, received)
            self._receive(response, start)

    def _start(self, response: httpx.Response, received: int) -> int:
        """Return the offset that the answer begins at, after a look at all it promises."""
        status = response.status_code
        if status in _TRY_LATER:
            raise _CutError(f"the server answered {status}", wait=_retry_after(response))
        if status == 416 or (status == 206 and _first_byte(response) != received):
            self._forget()
            raise _CutError("the server could not continue; starting again")
        if status not in {200, 206}:
            raise ResourceError(
                f"{self._url}: expected the file, the server answered {status}",
                hint="the public copy may have moved; bring the file and set LYDITE_DATA",
            )
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise ResourceError(f"{self._url}: expected plain bytes, the server encoded them")
        start = received if status == 206 else 0
        length = response.headers.get("Content-Length")
        if length is not None and start + int(length) != self._file.bytes:
            raise self._wrong(f"{self._file.bytes} bytes", f"{start + int(length)}")
        return start

    def _receive(self, response: httpx.Response, start: int) -> None:
        total = self._file.bytes
        with self._part.open("r+b" if start else "wb") as stream:
            stream.seek(start)
            stream.truncate()
            self._remember_version(response)
            self._progress(self._file.path, start, total)
            for block in response.iter_raw():
                start += len(block)
                if start > total:
                    raise self._wrong(f"{total} bytes", "more")
                stream.write(block)
                self._progress(self._file.path, start, total)
            stream.flush()
            os.fsync(stream.fileno())
        if start < total:
            raise _CutError(f"the connection ended after {start} of {total} bytes")

    def _remember_version(self, response: httpx.Response) -> None:
        # Only a strong tag may stand in If-Range (RFC 9110, 13.1.5).
        tag = response.headers.get("ETag", "")
        if tag.startswith('"') and tag.isascii():
            self._etag.write_text(tag, encoding="ascii")
        else:
            self._etag.unlink(missing_ok=True)

    def _received(self) -> int:
        return self._part.stat().st_size if self._part.is_file() else 0

    def _forget(self) -> None:
        self._part.unlink(missing_ok=True)
        self._etag.unlink(missing_ok=True)

    def _wrong(self, expected: str, got: str) -> ChecksumError:
        return ChecksumError(
            f"{self._url}: expected {expected}, got {got}",
            hint="the public copy has changed or a proxy altered it; nothing was kept",
        )

    def _untrusted(self, error: Exception) -> ResourceError:
        return ResourceError(
            f"{self._url}: the server's certificate is not trusted: {error}",
            hint="behind a proxy that inspects traffic, set SSL_CERT_FILE to its certificate",
        )

    def _exhausted(self, error: Exception) -> ResourceError:
        return ResourceError(
            f"{self._url}: {_reason(error)}; gave up after {self._patience.attempts} attempts",
            hint=f"fetch again to go on after {self._received()} of {self._file.bytes} bytes",
        )


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


@contextlib.contextmanager
def _follow(client: httpx.Client, url: str, headers: dict[str, str]) -> Iterator[httpx.Response]:
    """Open an address, following redirects from https to https only."""
    import httpx

    for _ in range(_MOST_REDIRECTS + 1):
        if not url.startswith("https://"):
            raise ResourceError(
                f"{url}: expected an https address",
                hint="data is fetched over https only, redirects included",
            )
        with client.stream("GET", url, headers=headers) as response:
            if not response.has_redirect_location:
                yield response
                return
            url = str(httpx.URL(url).join(response.headers["Location"]))
    raise ResourceError(f"{url}: more than {_MOST_REDIRECTS} redirects", hint="try again later")


def _first_byte(response: httpx.Response) -> int | None:
    unit, _, span = response.headers.get("Content-Range", "").partition(" ")
    first = span.partition("-")[0]
    return int(first) if unit == "bytes" and first.isdecimal() else None


def _retry_after(response: httpx.Response) -> float:
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else 0.0
