"""Any server that speaks OpenAI's embeddings protocol, as a model."""

from __future__ import annotations

import base64
import binascii
import email.utils
import ipaddress
import json
import logging
import math
import os
import random
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar
from urllib.parse import urlsplit

import numpy as np

from lydite.declare import Param, State
from lydite.errors import EndpointError, InputError
from lydite.models.catalogue import Model
from lydite.models.embedding_cache import CACHE, Batch, CachedEncoder, as_texts, assemble
from lydite.storage import sha256_text
from lydite.types import Plain, Vectors

if TYPE_CHECKING:
    import httpx


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
            raise InputError(f"the environment variable {variable} does not contain a key")
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


class UnexpectedAnswerError(Exception):
    """What an answer lacks."""


def read_vectors(answer: Plain, count: int) -> Vectors:
    """Read an answer: ``{"data": [{"index": 0, "embedding": [...] or base64}, ...]}``."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise UnexpectedAnswerError('expected a list of objects under "data"')
    if len(data) != count:
        raise UnexpectedAnswerError(f"expected {count} vectors for as many texts, got {len(data)}")
    order = [item.get("index") for item in data]
    if all(index is None for index in order):
        order = list(range(count))
    if sorted(map(repr, order)) != sorted(map(repr, range(count))):
        raise UnexpectedAnswerError(
            f'expected each "index" from 0 to {count - 1} once, got {order}'
        )
    rows = [_vector(item.get("embedding"), item.get("index")) for item in data]
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1 or lengths[0] == 0:
        raise UnexpectedAnswerError(f"expected vectors of one length, got {lengths}")
    vectors = np.empty((count, lengths[0]), dtype=np.float32)
    vectors[order] = rows
    if not np.isfinite(vectors).all():
        raise UnexpectedAnswerError("expected finite numbers, got NaN or infinity")
    return vectors


def _vector(embedding: Plain, index: Plain) -> Vectors:
    if isinstance(embedding, str):
        try:
            return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
        except (binascii.Error, ValueError):
            raise UnexpectedAnswerError(
                f'expected float32 numbers in base64 as "embedding" of index {index}'
            ) from None
    if not isinstance(embedding, list) or not set(map(type, embedding)) <= {int, float}:
        raise UnexpectedAnswerError(f'expected a list of numbers as "embedding" of index {index}')
    try:
        with np.errstate(over="ignore"):
            return np.array(embedding, dtype=np.float32)
    except OverflowError:
        raise UnexpectedAnswerError("expected finite numbers, got one beyond every float") from None


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """How long to wait before a request is sent again."""

    first: float = 0.5  # Seconds before the first repetition; each later one waits twice as long
    most: float = 60.0  # The longest wait, also where the server's ``Retry-After`` asks for more

    def delay(self, attempt: int, *, asked: float | None, jitter: float) -> float:
        """Return the seconds to wait after the attempt (counted from 0).

        The jitter, in [0, 1), takes away up to half of the wait, so that many clients do not
        come back at one moment; what the server asked for is never cut short by it.

        >>> Backoff().delay(2, asked=None, jitter=0.5)
        1.5
        >>> Backoff().delay(0, asked=7.0, jitter=0.5)
        7.0
        """
        own = self.first * 2.0 ** min(attempt, 30) * (1 - jitter / 2)
        return min(self.most, max(own, asked or 0.0))


def seconds_asked(header: str | None) -> float | None:
    """Read ``Retry-After``: seconds or a date; None where it is neither or lies in the past."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
        except ValueError:
            return None
    return seconds if 0 < seconds < math.inf else None


logger = logging.getLogger(__name__)

_READ = 100_000
_SNIPPET = 300
_HINTS = {
    400: "the server refuses the request itself: a text may be empty or too long for the model",
    404: "give the address up to /v1 (without /embeddings) and a model that the server has",
    413: "one text alone is too long for this server",
    429: "the server limits the rate: set workers=1 or more retries=",
}


@dataclass(frozen=True)
class Endpoint(Model):
    """Any server of embeddings that speaks OpenAI's protocol.

    The fingerprint is made of the address, the model's name, the dimensions and the revision. A
    server can put another model behind the same name unseen: change ``revision`` when it does.

    >>> Endpoint("http://127.0.0.1:8080/v1/", model="bge-small", batch=64).spec
    'endpoint(http://127.0.0.1:8080/v1, model=bge-small)'
    """

    name: ClassVar[str] = "endpoint"

    url: Annotated[str, Param("The address up to ``/v1``; ``/embeddings`` is added to it.")]
    _: KW_ONLY
    model: Annotated[str, Param("The server's name for the model.")]
    revision: Annotated[
        str | None,
        Param("Any text that tells this model from an earlier one of the same name."),
    ] = None
    # The key itself is in no attribute; it is read from the environment for each call.
    key_env: Annotated[
        str | None,
        Param(
            "The environment variable that holds the key; none sends no key, as does a variable "
            "not set. The key goes over https, or over http to this machine, and nowhere else."
        ),
    ] = "OPENAI_API_KEY"
    batch: Annotated[
        int,
        Param("Texts per request. A server that answers 413 gets the batch in halves.", least=1),
    ] = 64
    dimensions: Annotated[
        int | None,
        Param("Ask for shorter vectors, where the model can shorten its own.", least=1),
    ] = None
    timeout: Annotated[
        float, Param("Seconds without a byte before a request counts as lost.", above=0)
    ] = 60.0
    retries: Annotated[
        int,
        Param(
            "How often a request is sent again after 408, 429, 5xx, a timeout or a lost "
            "connection.",
            least=0,
        ),
    ] = 5
    workers: Annotated[int, Param("Requests under way at once.", least=1)] = 4
    cache: Annotated[bool, CACHE] = True
    backoff: Annotated[Backoff, State] = field(default=Backoff(), repr=False)

    def __post_init__(self) -> None:
        # First, as no message may show what could be a secret.
        object.__setattr__(self, "url", _checked_url(self.url))
        super().__post_init__()
        object.__setattr__(self, "timeout", float(self.timeout))
        for name in ("model", "revision", "key_env"):
            if getattr(self, name) == "":
                raise InputError(f"endpoint: expected a text for {name}=, got an empty one")

    @classmethod
    def open(cls, url: str, **parameters: Any) -> Endpoint | CachedEncoder:  # noqa: ANN401
        """Put a cache around the server."""
        made = cls(url, **parameters)
        return CachedEncoder(made, "endpoint") if made.cache else made

    @property
    def fingerprint(self) -> str:
        """The sha256 of address, model, dimensions and revision."""
        return sha256_text(json.dumps([self.url, self.model, self.dimensions, self.revision]))

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, float32 (n, d).

        Without texts no request is made, and d is ``dimensions``, or 0 when that is not given.
        """
        texts = as_texts(texts)
        if not texts:
            return np.empty((0, self.dimensions or 0), dtype=np.float32)
        return assemble(self.batches(texts), count=len(texts), spec=self.spec)

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield batches as they are answered; a failure is raised after those under way."""
        texts = as_texts(texts)
        key = Key.from_environment(self.key_env, url=self.url)
        failure: EndpointError | None = None
        dimension = self.dimensions
        with closing(_Session(self, key)) as session, ThreadPoolExecutor(self.workers) as pool:
            waiting: dict[Future[Vectors], range] = {}
            for start in range(0, len(texts), self.batch):
                positions = range(start, min(start + self.batch, len(texts)))
                part = texts[start : positions.stop]
                waiting[pool.submit(session.run, part)] = positions
            try:
                for future in as_completed(list(waiting)):
                    positions = waiting.pop(future)
                    try:
                        vectors = future.result()
                        dimension = _same_dimension(vectors, dimension, self)
                    except CancelledError:
                        continue
                    except EndpointError as error:
                        failure = failure or error
                        session.stop(waiting)
                        continue
                    yield positions, vectors
            finally:
                session.stop(waiting)
        if failure is not None:
            raise failure


class _Session:
    """The requests of one call: one connection pool, one key, one sign to stop."""

    def __init__(self, server: Endpoint, key: Key) -> None:
        import httpx

        self._server = server
        self._key = key
        self._stopped = threading.Event()
        # A proxy from the environment would get the key of a server on this machine in the clear.
        self._client = httpx.Client(
            timeout=server.timeout,
            headers=key.headers(),
            trust_env=not is_loopback(server.url),
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def stop(self, waiting: dict[Future[Vectors], range]) -> None:
        """Let no request start that has not, and none be repeated."""
        self._stopped.set()
        for future in waiting:
            future.cancel()

    def run(self, texts: list[str]) -> Vectors:
        """Return the vectors of one batch, (n, d), or fail and stop all others."""
        if self._stopped.is_set():
            raise CancelledError
        try:
            return self.embed(texts)
        except EndpointError:
            self._stopped.set()
            raise

    def embed(self, texts: list[str]) -> Vectors:
        """Return the vectors of some texts, (n, d)."""
        response = self._post(texts)
        if response.status_code == 413 and len(texts) > 1:
            half = len(texts) // 2
            logger.info("%s: 413 for %d texts; sent in halves", self._server.url, len(texts))
            parts = [self.embed(texts[:half]), self.embed(texts[half:])]
            _same_dimension(parts[1], parts[0].shape[1], self._server)
            return np.concatenate(parts)
        if not response.is_success:
            raise self._refused(response, len(texts))
        try:
            return read_vectors(response.json(), len(texts))
        except UnexpectedAnswerError as error:
            raise self._error(f"{error} in", response) from None
        except (ValueError, RecursionError):
            raise self._error("expected JSON, got", response) from None

    def _post(self, texts: list[str]) -> httpx.Response:
        """Send a request, again where that may help, and return the last answer."""
        import httpx

        request = self._request(texts)
        for attempt in range(self._server.retries + 1):
            response, asked = None, None
            try:
                response = self._client.send(request)
            except httpx.RequestError as error:
                trouble = self._key.redact(f"{type(error).__name__}: {error}".rstrip(": "))
            else:
                # What the same request may get another answer to later.
                if response.status_code not in {408, 429} and response.status_code < 500:
                    return response
                trouble = f"HTTP {response.status_code}"
                asked = seconds_asked(response.headers.get("retry-after"))
            if attempt < self._server.retries:
                self._wait(attempt, asked, trouble)
        if response is None:
            raise self._lost(trouble)
        return response

    def _request(self, texts: list[str]) -> httpx.Request:
        import httpx

        body: dict[str, Plain] = {"model": self._server.model, "input": texts}
        body["encoding_format"] = "float"
        if self._server.dimensions is not None:
            body["dimensions"] = self._server.dimensions
        try:
            return self._client.build_request("POST", f"{self._server.url}/embeddings", json=body)
        except httpx.InvalidURL as error:
            raise EndpointError(f"{self._server.url}: not an address: {error}") from None

    def _wait(self, attempt: int, asked: float | None, trouble: str) -> None:
        delay = self._server.backoff.delay(attempt, asked=asked, jitter=random.random())
        count = f"{attempt + 1} of {self._server.retries}"
        logger.warning("%s: %s; repetition %s in %.1f s", self._server.url, trouble, count, delay)
        if self._stopped.wait(delay):
            raise CancelledError

    def _lost(self, trouble: str) -> EndpointError:
        sent = self._server.retries + 1
        return EndpointError(
            f"{self._server.url}: no answer; requests sent: {sent} ({trouble})",
            hint="is the server running at this address? a slow one needs a longer timeout= "
            "or a smaller batch=",
        )

    def _refused(self, response: httpx.Response, count: int) -> EndpointError:
        status = response.status_code
        if 300 <= status < 400:
            target = self._key.redact(response.headers.get("location", "nowhere"))
            return EndpointError(
                f"{self._server.url}: HTTP {status}: redirected to {_printable(target)}",
                hint="redirects are not followed, a key could go astray; give the final address",
            )
        hint = _HINTS.get(status)
        if status in {401, 403}:
            sent = "was sent and refused" if self._key else "is not set, so no key was sent"
            hint = f"the environment variable {self._server.key_env} {sent}"
        asked = f"{count} texts" if count > 1 else "one text"
        return self._error(f"HTTP {status} for {asked}:", response, hint=hint)

    def _error(self, what: str, response: httpx.Response, hint: str | None = None) -> EndpointError:
        # Stars first: a cut could leave a part of the key too short to be recognized.
        body = _printable(self._key.redact(response.text[:_READ])) or "(an empty body)"
        return EndpointError(f"{self._server.url}: {what} {body}", hint=hint)


def _same_dimension(vectors: Vectors, dimension: int | None, server: Endpoint) -> int:
    got = int(vectors.shape[1])
    if dimension not in {None, got}:
        raise EndpointError(
            f"{server.url}: expected vectors of {dimension} numbers, got {got}",
            hint=f"does {server.model} know the parameter dimensions={server.dimensions}?"
            if server.dimensions
            else "more than one model answers at this address",
        )
    return got


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except (ValueError, AttributeError):
        raise InputError("endpoint: expected an address, got something else") from None
    # No message shows what may be a secret.
    if "@" in (parts.netloc or url) or parts.query or parts.fragment:
        raise InputError(
            "endpoint: expected an address without a user, a password, ? and #",
            hint="a spec is printed in reports; put a secret in an environment variable and "
            "name that with key_env=",
        )
    if parts.scheme not in {"http", "https"} or not host:
        raise InputError(
            f"endpoint: expected an address like http://127.0.0.1:8080/v1, got {url!r}"
        )
    return url.rstrip("/")


def _printable(text: str) -> str:
    """Return the start of a text on one line, without control characters."""
    shown = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return shown if len(shown) <= _SNIPPET else shown[:_SNIPPET] + "…"
